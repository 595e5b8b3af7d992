#pragma once

#include <string>
#include <string_view>

#include "framework/units/unit_system.h"

namespace davit {

/// A value in SI as a user would write it: `283 mm`, `1776 rpm`. Of the units people use for `declared` it
/// takes the one that gives the shortest text.
std::string ToUsualText(double si, std::string_view declared, const UnitSystem& units);

}  // namespace davit
