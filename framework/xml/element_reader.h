#pragma once

#include <tinyxml2.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include "framework/arithmetic.h"
#include "framework/component.h"
#include "framework/diagnostics.h"
#include "framework/xml/system_description.h"

namespace davit {

/// An element of a system file and where it belongs. A file that is included several times is used several
/// times, and so is what is inside a `<For>`.
struct Element {
  const tinyxml2::XMLElement* xml = nullptr;
  Component* scope = nullptr;  ///< the component that contains it
  std::size_t use = 0;         ///< which use of a file, or of a part of it, it was read in
};

/// One use of a file: what it is called, and the parameters handed down to it.
struct FileUse {
  std::shared_ptr<const std::string> name;
  std::filesystem::path folder;
  /// Values; nothing where the value was refused.
  std::map<std::string, std::optional<std::string>, std::less<>> parameters;
};

/// What all passes over the elements of a system share: places, values with `${parameter}` replaced, and
/// `{i+1}` inside a `<For>`, and faults.
///
/// Where there are `<For>` elements, faults of one line that differ in numbers only are reported three times.
///
/// After 900 faults, after 1 GiB of values, or when there is a reason to stop, `is_finished()` makes all
/// passes stop, so that the time needed stays in proportion to the text.
class ElementReader {
 public:
  /// `reason_to_stop` as in LoadOptions; may be empty.
  explicit ElementReader(Diagnostics& diagnostics, std::function<std::string()> reason_to_stop = {})
      : diagnostics_(diagnostics), reason_to_stop_(std::move(reason_to_stop)) {}

  /// Begins a use of a file; returns its number.
  std::size_t AddUse(const std::filesystem::path& file);
  FileUse& use(std::size_t number) { return files_[uses_[number].file]; }
  /// Begins a repetition inside `use`, in which `{name}` is `value`; returns its number. `name` outlives the
  /// reader's use.
  std::size_t AddRepetition(std::size_t use, std::string_view name, std::int64_t value);
  /// The variables of the `<For>` elements around, outermost first.
  std::span<const NamedNumber> VariablesOf(std::size_t use) const { return uses_[use].variables; }

  SourceLocation Place(const Element& element) const { return PlaceOf(element.use, LineOf(*element.xml)); }
  SourceLocation Place(const Element& element, const tinyxml2::XMLAttribute& attribute) const {
    const int line = attribute.GetLineNum();
    return line > 0 ? PlaceOf(element.use, line) : Place(element);
  }
  SourceLocation PlaceOf(std::size_t use, int line) const { return {files_[uses_[use].file].name, line}; }

  void Error(const Element& element, const Fault& fault) { ErrorAt(Place(element), *element.scope, fault); }
  void Error(const Element& element, const tinyxml2::XMLAttribute& attribute, const Fault& fault) {
    ErrorAt(Place(element, attribute), *element.scope, fault);
  }
  void ErrorAt(const SourceLocation& place, const Component& scope, const Fault& fault);
  void Error(const Element& element, std::string_view text) { Error(element, ToFault(text)); }
  void Error(const Element& element, const tinyxml2::XMLAttribute& attribute, std::string_view text) {
    Error(element, attribute, ToFault(text));
  }
  void ErrorAt(const SourceLocation& place, const Component& scope, std::string_view text) {
    ErrorAt(place, scope, ToFault(text));
  }
  Diagnostics& diagnostics() { return diagnostics_; }
  bool is_finished() {
    if (!is_finished_ && reason_to_stop_) LookForReasonToStop();
    return is_finished_;
  }
  /// Reports a last fault and makes all passes stop.
  void Finish(const SourceLocation& place, const Component& scope, std::string_view text);

  /// The value of an attribute; nothing after an error (an unknown parameter).
  std::optional<std::string> Value(const Element& element, const tinyxml2::XMLAttribute& attribute);
  /// The value of the attribute `name`; nothing where it is missing or after an error.
  std::optional<std::string> Find(const Element& element, const char* name);
  /// The value of an attribute that must be there; its absence is an error.
  std::optional<std::string> Require(const Element& element, const char* name);
  /// The value of an attribute that has choices (ElementKind), in their order; nothing where it is missing or
  /// after an error.
  std::optional<std::size_t> FindChoice(const Element& element, const char* name);
  /// Every attribute that the kind of the element does not have next to `given` is an error. Pre: its name is
  /// that of an ElementKind.
  void CheckAttributes(const Element& element, std::string_view given = {});
  /// Text inside the element is an error.
  void CheckNoText(const Element& element);
  /// Anything inside the element is an error.
  void CheckEmpty(const Element& element);

  /// Notes that what `path` (full) should name was refused: what does not find it is no fault of its own.
  void NoteRefused(std::string path) { refused_.insert(std::move(path)); }
  /// The same of the items that an element `name` of `owner` should declare (ItemTaker::refused_items).
  void NoteRefusedItem(const Component& owner, const std::string& name);
  bool has_refused() const { return !refused_.empty(); }
  /// Whether `path`, as written in `scope`, leads to or into something that was refused.
  bool LeadsToRefused(const Component& scope, std::string_view path) const;

 private:
  /// A file, or a repetition inside it.
  struct Use {
    std::size_t file;
    std::vector<NamedNumber> variables;
  };

  /// Replaces each `{arithmetic}`; nothing after an error.
  std::optional<std::string> WithVariables(const Element& element, const tinyxml2::XMLAttribute& attribute,
                                           std::string_view text);
  void LookForReasonToStop();
  /// Whether a fault was reported at this line often enough.
  bool IsRepeated(const SourceLocation& place, std::string_view text);

  Diagnostics& diagnostics_;
  std::function<std::string()> reason_to_stop_;
  std::vector<FileUse> files_;
  std::vector<Use> uses_;
  bool has_repetitions_ = false;
  std::map<std::tuple<const std::string*, int, std::string>, int> reported_;  ///< where there are repetitions
  std::unordered_set<std::string> refused_;
  std::map<std::string, std::vector<std::string>> refused_items_;  ///< by the path of their owner
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
