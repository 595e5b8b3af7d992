#pragma once

#include <string>
#include <string_view>

#include "framework/units/unit_system.h"

namespace davit {

/// A number and the unit it is in; the unit is empty where there is none.
struct UsualNumber {
  std::string number;
  std::string unit;

  std::string ToText() const { return unit.empty() ? number : number + ' ' + unit; }
};

/// A value in SI as a user would write it: `283 mm`, `1776 rpm`. Of the units people use for `declared` it
/// takes the one that gives the shortest text.
UsualNumber ToUsual(double si, std::string_view declared, const UnitSystem& units);
std::string ToUsualText(double si, std::string_view declared, const UnitSystem& units);

}  // namespace davit
