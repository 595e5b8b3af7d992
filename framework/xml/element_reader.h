#pragma once

#include <tinyxml2.h>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "framework/component.h"
#include "framework/diagnostics.h"

namespace davit {

/// An element of a system file and where it belongs. A file that is included several times is used several
/// times.
struct Element {
  const tinyxml2::XMLElement* xml = nullptr;
  Component* scope = nullptr;  ///< the component that contains it
  std::size_t use = 0;         ///< which use of a file it was read in
};

/// One use of a file: what it is called, and the parameters handed down to it.
struct FileUse {
  std::shared_ptr<const std::string> name;
  std::filesystem::path folder;
  /// Values; nothing where the value was refused.
  std::map<std::string, std::optional<std::string>, std::less<>> parameters;
};

/// What all passes over the elements of a system share: places, values with `${parameter}` replaced, and
/// faults.
///
/// After 900 faults, or after 1 GiB of values, `is_finished()` makes all passes stop, so that the time
/// needed stays in proportion to the text.
class ElementReader {
 public:
  explicit ElementReader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  /// Begins a use of a file; returns its number.
  std::size_t AddUse(const std::filesystem::path& file);
  FileUse& use(std::size_t number) { return uses_[number]; }

  SourceLocation Place(const Element& element) const {
    return PlaceOf(element.use, element.xml->GetLineNum());
  }
  SourceLocation PlaceOf(std::size_t use, int line) const { return {uses_[use].name, line}; }

  void Error(const Element& element, std::string text) {
    ErrorAt(Place(element), *element.scope, std::move(text));
  }
  void Error(const Element& element, const tinyxml2::XMLAttribute& attribute, std::string text) {
    ErrorAt(PlaceOf(element.use, attribute.GetLineNum()), *element.scope, std::move(text));
  }
  void ErrorAt(const SourceLocation& place, const Component& scope, std::string text);
  void Error(const Element& element, const Fault& fault) { Error(element, fault.ToText()); }
  void Error(const Element& element, const tinyxml2::XMLAttribute& attribute, const Fault& fault) {
    Error(element, attribute, fault.ToText());
  }
  void ErrorAt(const SourceLocation& place, const Component& scope, const Fault& fault) {
    ErrorAt(place, scope, fault.ToText());
  }
  Diagnostics& diagnostics() { return diagnostics_; }
  bool is_finished() const { return is_finished_; }
  /// Reports a last fault and makes all passes stop.
  void Finish(const SourceLocation& place, const Component& scope, std::string text);

  /// The value of an attribute; nothing after an error (an unknown parameter).
  std::optional<std::string> Value(const Element& element, const tinyxml2::XMLAttribute& attribute);
  /// The value of the attribute `name`; nothing where it is missing or after an error.
  std::optional<std::string> Find(const Element& element, const char* name);
  /// The value of an attribute that must be there; its absence is an error.
  std::optional<std::string> Require(const Element& element, const char* name);
  /// Every attribute whose name is not in `allowed` is an error.
  void CheckAttributes(const Element& element, const std::vector<std::string>& allowed);
  /// Text inside the element is an error.
  void CheckNoText(const Element& element);
  /// Anything inside the element is an error.
  void CheckEmpty(const Element& element);

  /// Notes that what `path` (full) should name was refused: what does not find it is no fault of its own.
  void NoteRefused(std::string path) { refused_.insert(std::move(path)); }
  /// Whether `path`, as written in `scope`, leads to or into something that was refused.
  bool LeadsToRefused(const Component& scope, std::string_view path) const;

 private:
  Diagnostics& diagnostics_;
  std::vector<FileUse> uses_;
  std::unordered_set<std::string> refused_;
  std::size_t value_bytes_ = 0;
  bool is_finished_ = false;
};

/// `text` without the spaces, tabs and line ends around it.
std::string_view Trim(std::string_view text);

/// The parts of `text` between spaces, tabs and line ends; calls `visit` for each until it returns false.
void ForEachWord(std::string_view text, const std::function<bool(std::string_view)>& visit);

/// Whether `text` may name a component or parameter: letters, digits and _, no digit first, at most 128
/// characters.
bool IsName(std::string_view text);

/// `path` as it is written in `scope`, from below the root.
std::string FullPath(const Component& scope, std::string_view path);

}  // namespace davit
