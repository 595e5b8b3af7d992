#include "framework/xml/layout_reader.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

#include "framework/drawing_place.h"
#include "framework/nearest_name.h"
#include "framework/tree/note_board.h"
#include "framework/tree/subsystem.h"

namespace davit {
namespace {

constexpr double kFarthest = 1e6;  // units of the drawing
constexpr double kPictureWidth = 160, kPictureHeight = 120;
constexpr double kLargestSize = 1e4;
constexpr std::size_t kMostPictureBytes = 8 * kLargestPicture;  // of a drawing, which contains them

/// The number that a text is; nothing where it is none.
std::optional<double> ParseCoordinate(std::string_view text) {
  const std::string_view number = Trim(text);
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc() || end != number.data() + number.size()) return std::nullopt;
  return value;
}

}  // namespace

void LayoutReader::Read(const std::vector<Element>& places, const std::vector<Element>& notes) {
  for (const Element& place : places) {
    if (reader_.is_finished()) return;
    ReadPlace(place);
  }
  for (const Element& note : notes) {
    if (reader_.is_finished()) return;
    ReadNote(note);
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

void LayoutReader::ReadNote(const Element& element) {
  const bool has_picture = element.xml->FindAttribute("picture") != nullptr;
  reader_.CheckAttributes(element, has_picture ? "picture" : "text");
  const std::optional<double> x = ReadCoordinate(element, "x");
  const std::optional<double> y = ReadCoordinate(element, "y");
  const std::optional<std::string> text = reader_.Find(element, "text");
  const std::optional<double> width = ReadSize(element, "width", has_picture ? kPictureWidth : 0);
  DrawingNote note;
  note.text = text.value_or("");
  note.location = reader_.Place(element);
  if (has_picture) {
    const std::optional<double> height = ReadSize(element, "height", kPictureHeight);
    if (!ReadPictureOf(element, note) || !height) return;
    note.height = *height;
  } else if (Trim(note.text).empty()) {
    if (text || element.xml->FindAttribute("text") == nullptr)
      reader_.Error(element, "a note without text; give it text=\"...\" or picture=\"...\"");
    return;
  }
  if (!x || !y || !width) return;
  note.x = *x;
  note.y = *y;
  if (*width > 0) note.width = width;
  if (auto* board = dynamic_cast<NoteBoard*>(element.scope)) board->AddNote(std::move(note));
}

bool LayoutReader::ReadPictureOf(const Element& element, DrawingNote& note) {
  const std::optional<std::string> file = reader_.Find(element, "picture");
  if (!file) return false;
  const auto refuse = [&](const std::string& why) {
    reader_.Error(element, *element.xml->FindAttribute("picture"), "picture: " + why);
    return false;
  };
  const std::filesystem::path& folder = reader_.use(element.use).folder;
  const auto [known, is_new] = pictures_.try_emplace(folder / *file);
  if (is_new) known->second = ReadPicture(system_.files(), folder, *file);
  const PictureResult& read = known->second;
  if (read.picture == nullptr) return refuse(read.fault);
  const bool fitted = picture_bytes_ <= kMostPictureBytes;
  picture_bytes_ += read.picture->bytes.size();
  if (picture_bytes_ > kMostPictureBytes) {
    if (!fitted) return false;  // once
    return refuse(fmt::format("the pictures of the drawing have more than {} MiB; save smaller pictures",
                              kMostPictureBytes >> 20U));
  }
  note.file = *file;
  note.picture = read.picture;
  return true;
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
  const std::optional<double> value = ParseCoordinate(*text);
  if (value && std::abs(*value) <= kFarthest) return value;
  reader_.Error(element, *element.xml->FindAttribute(name),
                std::string(name) + ": " + Quoted(*text) +
                    " is not a number between -1e6 and 1e6; write it without a unit, such as " + name +
                    "=\"120\"");
  return std::nullopt;
}

std::optional<double> LayoutReader::ReadSize(const Element& element, const char* name, double default_size) {
  const tinyxml2::XMLAttribute* const attribute = element.xml->FindAttribute(name);
  if (attribute == nullptr) return default_size;
  const std::optional<std::string> text = reader_.Value(element, *attribute);
  if (!text) return std::nullopt;
  const std::optional<double> value = ParseCoordinate(*text);
  if (value && *value >= 1 && *value <= kLargestSize) return value;
  reader_.Error(element, *attribute,
                std::string(name) + ": " + Quoted(*text) +
                    " is not a number between 1 and 10000; write it without a unit, such as " + name +
                    "=\"160\"");
  return std::nullopt;
}

}  // namespace davit
