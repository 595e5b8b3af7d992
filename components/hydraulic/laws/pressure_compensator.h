#pragma once

#include <algorithm>

#include "components/hydraulic/laws/orifice_law.h"

namespace davit {

/// Opening 0 .. 1 of the pressure compensator before a valve: clip((dp0 - max(p_1 - p_LS, 0))/dp0), dp0 > 0.
/// Pressures [Pa]: p_1 behind the compensator, p_LS of the load. It shuts where p_1 is dp0 above the load, so
/// it keeps less than dp0 while oil flows (droop).
inline double CompensatorOpening(double p_1, double p_LS, double dp0) {
  return Clip((dp0 - std::max(p_1 - p_LS, 0.0)) / dp0);
}

}  // namespace davit
