#pragma once

#include <algorithm>
#include <limits>

#include "framework/port.h"

namespace davit {

/// A hydraulic connection: p = c + Zc*q, q positive into the C component, but never below p_min, where the
/// oil cavitates.
struct HydraulicBond : Bond {
  double q = 0;                                             ///< flow into the C component [m3/s]
  double p_min = -std::numeric_limits<double>::infinity();  ///< that the C component allows [Pa]
  double p() const { return std::max(p_min, c + Zc * q); }
  static const Domain kDomain;
};

inline constexpr Domain HydraulicBond::kDomain{
    .name = "hydraulic",
    .effort = {.name = "p", .unit = "Pa", .scale = 1e5, .least = "p_min"},
    .variables = {{.name = "q", .unit = "m3/s", .of = OfBond<&HydraulicBond::q>},
                  {.name = "p_min",
                   .unit = "Pa",
                   .of = OfBond<&HydraulicBond::p_min>,
                   .side = Role::kC,
                   .in_equations = DomainVariable::InEquations::kReadOnly,
                   .is_recorded = false}},
    .bond = BondType::Of<HydraulicBond>(),
    .impedance_unit = "Pa.s/m3",
    .color = "#1565c0",
    .c_example = "hydraulic.Volume",
    .q_example = "hydraulic.Orifice",
};

using HydraulicPort = Port<HydraulicBond>;
using HydraulicPortArray = PortArray<HydraulicBond>;

}  // namespace davit
