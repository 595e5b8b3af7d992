#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace davit {

/// An attribute of an element of a system file.
struct AttributeKind {
  /// How its value is written.
  enum class Form { kText, kName, kGivenName, kPath, kQuantity, kCoordinate, kChoice };

  std::string_view name;
  std::string_view text;  ///< what it means
  Form form = Form::kText;
  bool is_required = false;
  std::vector<std::string_view> choices = {};  ///< of kChoice
  /// It is allowed next to one of these attributes only; none: always.
  std::vector<std::string_view> with = {};
};

/// An element of a system file that is not a component, or of a bench file. The reader, the schema, the
/// reference and, through
/// `/api/models`, the editor know an element and its attributes from here. Elements that are components, such
/// as `<Integration>`, describe themselves by their items.
struct ElementKind {
  /// What contains it; the last two are places of bench files.
  enum class Place { kFile, kSystem, kComponent, kLayout, kPanel, kBench, kCase };
  /// What it contains.
  enum class Content { kNothing, kAnything, kPlaces, kPanelElements, kBenchElements, kCaseElements };

  std::string_view name;
  std::string_view text;  ///< what it does
  Place place = Place::kSystem;
  std::vector<AttributeKind> attributes = {};
  Content content = Content::kNothing;
  bool is_open = false;  ///< further attributes are names of parameters of a file, states or aspects

  /// Null if it has no attribute of this name.
  const AttributeKind* Find(std::string_view attribute) const;
  /// The names of the attributes that may be next to `given`, which may be empty.
  std::vector<std::string> NamesWith(std::string_view given) const;
};

/// A component that says which attributes the elements inside its own element have, for editors. A class that
/// derives from Component derives from this too.
class ElementsDescribed {
 public:
  virtual std::span<const ElementKind> InnerElements() const = 0;

 protected:
  ElementsDescribed() = default;
  ~ElementsDescribed() = default;
  ElementsDescribed(const ElementsDescribed&) = default;
  ElementsDescribed& operator=(const ElementsDescribed&) = default;
};

std::string_view ToText(ElementKind::Place place);
/// The place of what an element contains; nothing where it contains any or none.
std::optional<ElementKind::Place> PlaceInside(ElementKind::Content content);

std::span<const ElementKind> ElementKinds();
/// Null if there is none of this name.
const ElementKind* FindElementKind(std::string_view name);
/// Pre: there is one of this name.
const ElementKind& GetElementKind(std::string_view name);

/// What every component may have besides its items: `name`, and by its model `level` and `chart`.
const ElementKind& ComponentElement();

}  // namespace davit
