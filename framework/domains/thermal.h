#pragma once

#include "framework/port.h"

namespace davit {

/// A thermal connection: T = c + Zc*Q, T absolute, Q the heat flow into the C component. T*Q is no power: Q
/// is one itself.
struct ThermalBond : Bond {
  double Q = 0;  ///< heat flow into the C component [W]
  double T() const { return c + Zc * Q; }
  static const Domain kDomain;
};

inline constexpr Domain ThermalBond::kDomain{
    .name = "thermal",
    .effort = {.name = "T", .unit = "K", .scale = 1},
    .variables = {{.name = "Q", .unit = "W", .of = OfBond<&ThermalBond::Q>}},
    .bond = BondType::Of<ThermalBond>(),
    .impedance_unit = "K/W",
    .color = "#c62828",
    .c_example = "thermal.Capacity",
    .q_example = "thermal.Conductance",
};

using ThermalPort = Port<ThermalBond>;
using ThermalPortArray = PortArray<ThermalBond>;

}  // namespace davit
