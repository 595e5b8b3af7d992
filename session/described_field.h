#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace davit {

struct DescribedObject;
using DescribedList = std::vector<DescribedObject>;
/// A double may be infinite: no limit. nullptr: there is none now.
using DescribedValue =
    std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, std::vector<std::string>,
                 std::map<std::string, std::string>, DescribedList>;

/// What something is, for front ends: an object of JSON, a dictionary of Python.
struct DescribedObject {
  std::vector<std::pair<std::string_view, DescribedValue>> fields;
};

/// Nothing: it has none.
using Described = std::optional<DescribedValue>;

/// A field of the description of a `T`. Its name is a key in the JSON of server and studio and in Python's
/// dictionary, and a member of the type in TypeScript.
template <class T>
struct DescribedField {
  std::string_view name;
  std::string_view type;  ///< in TypeScript
  Described (*get)(const T& one);
  std::string_view text = {};  ///< what it is, where the name does not say it
  bool is_optional = false;
};
template <class T>
using DescribedFields = std::span<const DescribedField<T>>;

template <class T>
DescribedObject Describe(DescribedFields<T> fields, const T& one) {
  DescribedObject object;
  for (const DescribedField<T>& field : fields) {
    if (Described value = field.get(one)) object.fields.emplace_back(field.name, *std::move(value));
  }
  return object;
}

/// All things of a list, which may hold pointers.
template <class T, class Things>
DescribedList DescribeAll(DescribedFields<T> fields, const Things& things) {
  DescribedList list;
  for (const auto& one : things) {
    if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(one)>>)
      list.push_back(Describe<T>(fields, *one));
    else
      list.push_back(Describe<T>(fields, one));
  }
  return list;
}

inline Described AsText(std::string_view text) { return std::string(text); }
template <class Texts>
Described AsTexts(const Texts& texts) {
  return std::vector<std::string>(texts.begin(), texts.end());
}

}  // namespace davit
