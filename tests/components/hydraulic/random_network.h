#pragma once

#include <rapidcheck.h>

#include <cmath>

#include "framework/domains/hydraulic.h"
#include "tests/support/random_values.h"

namespace davit {

/// A random pressure [Pa] from a little below zero to 500 bar.
inline double RandomPressure() { return *rc::gen::inRange(-2000, 500'000) * 100.0; }

/// A neighbour with a random wave; a quarter of them without impedance.
inline HydraulicBond RandomNeighbour() {
  HydraulicBond bond;
  bond.c = RandomPressure();
  bond.Zc = *rc::gen::inRange(0, 4) == 0 ? 0.0 : RandomDecades(6, 12);
  return bond;
}

/// The error [Pa] that rounding leaves in a pressure difference between two such ports with flow.
inline double RoundingOf(const HydraulicBond& one, const HydraulicBond& other) {
  constexpr double kRounding = 4e-16;
  return kRounding *
         (std::abs(one.c) + std::abs(other.c) + one.Zc * std::abs(one.q) + other.Zc * std::abs(other.q));
}

}  // namespace davit
