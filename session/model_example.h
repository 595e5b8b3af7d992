#pragma once

#include <string>

#include "framework/component.h"
#include "framework/units/unit_system.h"

namespace davit {

/// An element of a system file that makes the component with its default values. It has what a user would set
/// first: models declare the most important parameters first.
std::string MakeModelExample(Component& component, const UnitSystem& units);

}  // namespace davit
