#pragma once

#include "framework/port.h"

namespace davit {

/// An electrical connection: u = c + Zc*i, u against the common ground, i positive into the C component.
struct ElectricalBond : Bond {
  double i = 0;  ///< current into the C component [A]
  double u() const { return c + Zc * i; }
  static const Domain kDomain;
};

inline constexpr Domain ElectricalBond::kDomain{
    .name = "electrical",
    .effort = {.name = "u", .unit = "V", .scale = 1},
    .variables = {{.name = "i", .unit = "A", .of = OfBond<&ElectricalBond::i>}},
    .bond = BondType::Of<ElectricalBond>(),
    .impedance_unit = "V/A",
    .color = "#b8860b",
    .c_example = "electrical.Capacitor",
    .q_example = "electrical.Resistor",
};

using ElectricalPort = Port<ElectricalBond>;
using ElectricalPortArray = PortArray<ElectricalBond>;

}  // namespace davit
