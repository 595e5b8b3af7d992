#pragma once

#include <algorithm>

#include "components/hydraulic/laws/orifice_law.h"

namespace davit {

/// Laws of the pressure compensator before a valve: it keeps the pressure behind itself, p_1, above that of
/// the load, p_LS, by dp0, and lets no oil back. Pressures [Pa]; p_S of the supply.

/// p_1 of an ideal one: min(p_LS + dp0, p_S) while p_S > p_LS, else p_LS, at which nothing flows.
inline double CompensatedPressure(double p_S, double p_LS, double dp0) {
  return p_S > p_LS ? std::min(p_LS + dp0, p_S) : p_LS;
}

/// Opening of a real one, 0 .. 1: clip((dp0 - max(p_1 - p_LS, 0))/dp0), dp0 > 0.
inline double CompensatorOpening(double p_1, double p_LS, double dp0) {
  return Clip((dp0 - std::max(p_1 - p_LS, 0.0)) / dp0);
}
/// Flow [m3/s] through it, K fully open [m3/s/sqrt(Pa)].
inline double CompensatorFlow(double K, double p_S, double p_1, double p_LS, double dp0) {
  return std::max(0.0, OrificeFlow(K * CompensatorOpening(p_1, p_LS, dp0), p_S - p_1));
}

}  // namespace davit
