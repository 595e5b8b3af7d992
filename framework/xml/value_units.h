#pragma once

#include <string>
#include <vector>

#include "framework/item.h"
#include "framework/system.h"
#include "framework/xml/element_reader.h"

namespace davit {

/// A value that a file or the command line gives a parameter of any unit.
struct GivenValue {
  Item item;
  std::string text;
  SourceLocation location;
};

/// Whether the value may tell the unit of a component whose values share one (ModelEntry::values_share_unit).
bool MayTellUnit(const Item& item);

/// Lets a component know the unit of its values, where one of `values` has a unit. Two dimensions are an
/// error. Pre: all are of this component, MayTellUnit, and can be read.
void TellUnit(const std::vector<GivenValue>& values, Component& component, const System& system,
              ElementReader& reader);

}  // namespace davit
