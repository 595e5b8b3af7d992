#include "framework/xml/layout_reader.h"

#include <charconv>
#include <cmath>
#include <string_view>

#include "framework/drawing_place.h"
#include "framework/nearest_name.h"
#include "framework/tree/subsystem.h"

namespace davit {
namespace {

constexpr double kFarthest = 1e6;  // units of the drawing

}  // namespace

void LayoutReader::Read(const std::vector<Element>& places) {
  for (const Element& place : places) {
    if (reader_.is_finished()) return;
    ReadPlace(place);
  }
}

void LayoutReader::ReadPlace(const Element& element) {
  reader_.CheckAttributes(element);
  const std::optional<std::string> name = reader_.Require(element, "name");
  const std::optional<double> x = ReadCoordinate(element, "x");
  const std::optional<double> y = ReadCoordinate(element, "y");
  DrawingPlace place;
  place.rotation = 90 * static_cast<int>(reader_.FindChoice(element, "rotation").value_or(0));
  place.is_mirrored = reader_.FindChoice(element, "mirror").value_or(1) == 0;
  if (!name || !x || !y) return;
  place.x = *x;
  place.y = *y;
  const Component* placed = FindPlaced(element, *name);
  if (placed == nullptr) return;
  if ((place.rotation != 0 || place.is_mirrored) && dynamic_cast<const Subsystem*>(placed) != nullptr) {
    return reader_.Error(element,
                         Quoted(*name) +
                             " is a sub-system, which is not turned; leave out rotation and mirror, and "
                             "turn the components in its file");
  }
  if (system_.FindDrawingPlace(*placed) != nullptr) {
    return reader_.Error(element, "a second place of " + Quoted(*name) + "; keep one of them");
  }
  system_.SetDrawingPlace(*placed, place);
}

const Component* LayoutReader::FindPlaced(const Element& element, const std::string& name) {
  if (const Component* placed = element.scope->FindChild(name)) return placed;
  if (reader_.LeadsToRefused(*element.scope, name)) return nullptr;
  if (!without_component_.insert(element.xml).second) return nullptr;
  std::vector<std::string> names;
  for (const Component* child : element.scope->children()) names.push_back(child->name());
  const std::optional<std::string> nearest = FindNearest(name, names);
  const bool is_path = name.find('.') != std::string::npos;
  reader_.diagnostics().Warning(
      reader_.Place(element, *element.xml->FindAttribute("name")), element.scope->DisplayPath(),
      "no component " + Quoted(name) + " in this file, so that this place is not used; " +
          (is_path   ? "place what is inside of a sub-system in the file of the sub-system"
           : nearest ? "remove it, or did you mean " + Quoted(*nearest) + "?"
                     : std::string("remove it")));
  return nullptr;
}

std::optional<double> LayoutReader::ReadCoordinate(const Element& element, const char* name) {
  const std::optional<std::string> text = reader_.Require(element, name);
  if (!text) return std::nullopt;
  const std::string_view number = Trim(*text);
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error == std::errc() && end == number.data() + number.size() && std::abs(value) <= kFarthest) {
    return value;
  }
  reader_.Error(element, *element.xml->FindAttribute(name),
                std::string(name) + ": " + Quoted(*text) +
                    " is not a number between -1e6 and 1e6; write it without a unit, such as " + name +
                    "=\"120\"");
  return std::nullopt;
}

}  // namespace davit
