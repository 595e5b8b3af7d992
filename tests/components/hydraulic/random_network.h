#pragma once

#include <rapidcheck.h>

#include <cmath>

#include "framework/bond.h"

namespace davit {

/// A random positive number, evenly spread over the decades between 10^low and 10^high.
inline double RandomDecades(int low, int high) {
  return std::pow(10.0, *rc::gen::inRange(low * 1000, high * 1000) * 1e-3);
}

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
