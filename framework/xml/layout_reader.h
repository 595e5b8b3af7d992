#pragma once

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "framework/system.h"
#include "framework/xml/element_reader.h"

namespace davit {

/// The pass of loading that reads where drawings show components: the `<Place>` elements of `<Layout>`.
/// A name is that of a component or sub-system of the same file. Nothing but drawings depends on it.
///
/// Programs take components out of files and leave their places behind: a place of a component that does not
/// exist is a warning, one for each line of a file. A place that cannot be read is an error.
class LayoutReader {
 public:
  LayoutReader(System& system, ElementReader& reader) : system_(system), reader_(reader) {}

  void Read(const std::vector<Element>& places);

 private:
  void ReadPlace(const Element& element);
  /// The component that a `<Place>` names; null after a warning.
  const Component* FindPlaced(const Element& element, const std::string& name);
  /// The attribute `x` or `y`; nothing after an error.
  std::optional<double> ReadCoordinate(const Element& element, const char* name);

  System& system_;
  ElementReader& reader_;
  std::unordered_set<const tinyxml2::XMLElement*> without_component_;  ///< the places that were warned of
};

}  // namespace davit
