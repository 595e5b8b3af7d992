#pragma once

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "analysis/studies/study_options.h"
#include "framework/fault.h"

namespace davit {

/// A text that was read as the value of an option.
struct StudyValue {
  VariationText given;
  std::uint64_t whole = 0;  ///< of kWhole; of kFlag 0 or 1; of kChoice its place among the choices
  double number = 0;        ///< of kNumber
};

/// An option of a study, declared once. The command line, study files, their schema, Python and the reference
/// all read this declaration: a new option is a member of the options of its study and a row of its table.
struct StudyOption {
  enum class Kind : std::uint8_t { kText, kFile, kFlag, kWhole, kNumber, kChoice };

  std::string name;                ///< `loss_scale`; on the command line `--loss-scale`
  std::string text;                ///< what it means; other options are in backticks
  std::string form = {};           ///< what a value looks like: `N`, `FILE`
  std::vector<double> range = {};  ///< of a number: its least and largest value; empty: above 0
  std::vector<std::string> choices = {};
  char letter = 0;  ///< its short name on the command line; 0: none
  /// In a study file the element that has a value, one for each; empty: an attribute of the study.
  std::string element = {};
  /// The attributes of this element, and how they make one text: `path=column[:weight]`.
  std::string pattern = {};
  /// Of a file that a new study of the studio names: what follows its own name, `_poles.svg`.
  std::string usual_file = {};
  bool is_required = false;
  bool is_in_files = true;    ///< study files have it
  bool is_of_system = false;  ///< the program and Python have it wherever they load a system

  // These follow from the member.
  Kind kind = Kind::kText;
  bool is_repeated = false;
  std::string default_text = {};  ///< empty: none
  std::function<void(StudyOptions& options, const StudyValue& value)> store = {};

  /// What a value looks like, for a list of options: `PATH=COLUMN[:WEIGHT]`, `N in 1 .. 1024`.
  std::string Form() const;
  /// The text with the default.
  std::string Text() const;
  /// What a value may be, as a remedy: `write a whole number from 1 to 1024`.
  std::string Remedy(std::string_view given) const;
  /// Stores a value. What is wrong with it; empty where nothing is.
  Fault Store(StudyOptions& options, const VariationText& given) const;
};

/// Of a seed: any whole number.
inline const std::vector<double> kSeedRange{0, std::numeric_limits<double>::infinity()};

/// A part of StudyOption::pattern.
struct PatternPart {
  std::string attribute;
  std::string before, after;  ///< written only with it
  bool is_optional = false;
};
std::vector<PatternPart> SplitPattern(std::string_view pattern);

namespace study_option {

template <class T>
struct Without {
  using Type = T;
  static constexpr bool kIsRepeated = false;
};
template <class T>
struct Without<std::optional<T>> : Without<T> {};
template <class T>
struct Without<std::vector<T>> {
  using Type = T;
  static constexpr bool kIsRepeated = true;
};

template <class T>
T ValueOf(const StudyValue& value) {
  if constexpr (std::same_as<T, VariationText>) return value.given;
  if constexpr (std::same_as<T, std::string> || std::same_as<T, std::filesystem::path>)
    return value.given.text;
  if constexpr (std::is_floating_point_v<T>) return value.number;
  if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) return static_cast<T>(value.whole);
}

template <class T>
constexpr StudyOption::Kind KindOf() {
  if constexpr (std::same_as<T, std::filesystem::path>) return StudyOption::Kind::kFile;
  if constexpr (std::same_as<T, bool>) return StudyOption::Kind::kFlag;
  if constexpr (std::is_enum_v<T>) return StudyOption::Kind::kChoice;
  if constexpr (std::is_integral_v<T>) return StudyOption::Kind::kWhole;
  if constexpr (std::is_floating_point_v<T>) return StudyOption::Kind::kNumber;
  return StudyOption::Kind::kText;
}

std::string TextOf(double number);

template <class T>
std::string DefaultOf(const T& member, const StudyOption& row) {
  if constexpr (std::is_enum_v<T>) return row.choices.at(static_cast<std::size_t>(member));
  if constexpr (std::same_as<T, bool>) return "false";
  if constexpr (std::is_arithmetic_v<T> && !std::same_as<T, bool>) {
    const auto number = static_cast<double>(member);
    if (row.range.empty() || number >= row.range[0]) return TextOf(number);
  }
  return {};
}

}  // namespace study_option

/// A row of the table of a study with options of the type Options: `member` is one of their members, or a
/// function that returns a reference to one.
template <class Options, class Member>
StudyOption Row(Member member, StudyOption row) {
  using Type = std::remove_cvref_t<std::invoke_result_t<Member, Options&>>;
  using Value = study_option::Without<Type>;
  Options defaults;
  row.kind = study_option::KindOf<typename Value::Type>();
  row.is_repeated = Value::kIsRepeated;
  row.default_text = study_option::DefaultOf(std::invoke(member, defaults), row);
  row.store = [member](StudyOptions& options, const StudyValue& value) {
    Type& stored = std::invoke(member, static_cast<Options&>(options));
    if constexpr (Value::kIsRepeated) {
      stored.push_back(study_option::ValueOf<typename Value::Type>(value));
    } else {
      stored = study_option::ValueOf<typename Value::Type>(value);
    }
  };
  return row;
}

/// The rows of StudyOptions: stop, set, level, at, steady, summary, jobs.
std::vector<StudyOption> SharedStudyOptions();
/// Those of them that have these names.
std::vector<StudyOption> SharedStudyOptions(std::initializer_list<std::string_view> names);
/// The row of measures.
StudyOption MeasureStudyOption();
/// The rows of a study whose cases may be continued, and shared by machines: `is_resumed` and `shard`.
template <class Options>
std::vector<StudyOption> DividedStudyOptions() {
  return {
      Row<Options>(&Options::is_resumed,
                   {.name = "resume",
                    .text = "Keeps the rows that the table has, and runs the other cases",
                    .is_in_files = false}),
      Row<Options>(&Options::shard, {.name = "shard",
                                     .text = "Runs every n-th case, starting with case i; see davit collect",
                                     .form = "i/n",
                                     .is_in_files = false})};
}

}  // namespace davit
