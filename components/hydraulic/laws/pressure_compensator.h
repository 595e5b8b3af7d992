#pragma once

#include <algorithm>

#include "components/hydraulic/laws/orifice_law.h"

namespace davit {

/// Share of dp0 over which a compensator closes smoothly. With shut edges it holds its inner pressure there,
/// by what leaks: at a kink implicit methods would reject most of their steps.
inline constexpr double kCompensatorSoftShare = 0.02;

/// How far a pressure compensator is open.
struct CompensatorOpening {
  double share;  ///< 0 .. 1
  double slope;  ///< over p_LS - p_1 [1/Pa]
};

/// Of a pressure compensator before a valve: x = clip((dp0 - max(p_1 - p_LS, 0))/dp0), dp0 > 0, and
/// below x_s = kCompensatorSoftShare x^2/x_s*(2 - x/x_s), which has the slope 0 where it shuts. Pressures
/// [Pa]: p_1 behind the compensator, p_LS of the load. It shuts where p_1 is dp0 above the load, so it keeps
/// less than dp0 while oil flows (droop).
inline CompensatorOpening OpenCompensator(double p_1, double p_LS, double dp0) {
  const double above = p_1 - p_LS;
  if (above <= 0) return {1, 0};
  const double x = std::max((dp0 - above) / dp0, 0.0);
  if (x >= kCompensatorSoftShare) return {x, 1 / dp0};
  const double z = x / kCompensatorSoftShare;
  return {x * z * (2 - z), z * (4 - 3 * z) / dp0};
}

}  // namespace davit
