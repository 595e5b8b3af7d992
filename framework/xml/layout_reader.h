#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "framework/system.h"
#include "framework/xml/element_reader.h"
#include "framework/xml/picture_file.h"

namespace davit {

/// The pass of loading that reads where drawings show components, and what is written on them: the
/// `<Place>` and `<Note>` elements of `<Layout>`.
/// A name is that of a component or sub-system of the same file. Nothing but drawings depends on it.
///
/// Programs take components out of files and leave their places behind: a place of a component that does not
/// exist is a warning, one for each line of a file. A place that cannot be read is an error.
class LayoutReader {
 public:
  LayoutReader(System& system, ElementReader& reader) : system_(system), reader_(reader) {}

  void Read(const std::vector<Element>& places, const std::vector<Element>& notes);

 private:
  void ReadPlace(const Element& element);
  void ReadNote(const Element& element);
  /// Gives a note its picture; false after an error.
  bool ReadPictureOf(const Element& element, DrawingNote& note);
  /// The component that a `<Place>` names; null after a warning.
  const Component* FindPlaced(const Element& element, const std::string& name);
  /// The attribute `x` or `y`; nothing after an error.
  std::optional<double> ReadCoordinate(const Element& element, const char* name);
  /// The attribute `width` or `height`; the default where it is missing, nothing after an error.
  std::optional<double> ReadSize(const Element& element, const char* name, double default_size);

  System& system_;
  ElementReader& reader_;
  std::map<std::filesystem::path, PictureResult> pictures_;
  std::size_t picture_bytes_ = 0;                                      ///< as often as drawings show them
  std::unordered_set<const tinyxml2::XMLElement*> without_component_;  ///< the places that were warned of
};

}  // namespace davit
