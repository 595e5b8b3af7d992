#pragma once

#include <optional>
#include <string_view>

#include "framework/units/unit_system.h"

namespace davit {

/// What UDUNITS-2 makes of a unit text, without UDUNITS-2: for programs that have none. `text` is in the form
/// that UnitSystem hands over: symbols with `*`, `/`, `^` and parentheses. Scales that are no short decimals
/// (deg, rpm) may differ in their last bits.
std::optional<Unit> ReadUnit(std::string_view text);

}  // namespace davit
