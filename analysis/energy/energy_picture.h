#pragma once

#include <string>
#include <string_view>

#include "simulator/energy/energy_balance.h"

namespace davit {

/// A Sankey diagram (SVG): on the left what was supplied, on the right where it went, each band as high as
/// its energy.
std::string DrawEnergy(const EnergyBalance& balance, std::string_view title);

}  // namespace davit
