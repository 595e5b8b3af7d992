#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/component.h"
#include "framework/diagnostics.h"
#include "framework/property.h"
#include "framework/units/unit_system.h"

namespace davit {

/// Numbers, or a text that says what is wrong and what would be right.
struct NumberListResult {
  std::vector<double> numbers;  ///< empty where there is a fault; in SI
  std::string fault;
  std::optional<Dimension> dimension = {};  ///< where there is a unit
};

/// Reads finite numbers separated by spaces, or by a comma with or without spaces: `0 5 10`, `0, 5, 10`. At
/// least one is required. After the last one a unit may follow, which is that of all: `0 5 10 mm`; without it
/// they are in SI. Independent of the locale.
NumberListResult ParseNumberList(std::string_view text, const UnitSystem& units);
/// The same; a unit must have the dimension of `wanted`, a unit that `units` has.
NumberListResult ParseNumberListIn(std::string_view wanted, std::string_view text, const UnitSystem& units);

/// The same of an item of `owner`; a fault is reported as one of it.
std::vector<double> ReadNumberList(const Property<std::string>& list, std::string_view unit,
                                   const Component& owner, Diagnostics& diagnostics);

}  // namespace davit
