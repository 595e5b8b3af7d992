#pragma once

#include <algorithm>

#include "components/hydraulic/orifice_law.h"

namespace davit {

/// Flow [m3/s] through an orifice that its own pressure difference opens against a spring:
///   q = r*OrificeFlow(K, dp),  r = clip((dp - dp_crack)/dp_range).
/// K fully open [m3/s/sqrt(Pa)], dp_range > 0 [Pa]. No flow for dp <= 0.
inline double PoppetFlow(double K, double dp, double dp_crack, double dp_range) {
  if (dp <= std::max(dp_crack, 0.0)) return 0;
  return OrificeFlow(K * Clip((dp - dp_crack) / dp_range), dp);
}

/// The same between two waves: q = PoppetFlow(K, dp, ...) and dp = dc - Zs*q hold together. dc = c1 - c2
/// [Pa], Zs = Zc1 + Zc2 >= 0 [Pa s/m3].
inline double PoppetFlow(double K, double dc, double Zs, double dp_crack, double dp_range) {
  if (!(Zs > 0)) return PoppetFlow(K, dc, dp_crack, dp_range);
  if (dc <= std::max(dp_crack, 0.0)) return 0;
  // Smooth and convex where the valve opens, so Newton's method comes down from its upper end.
  const auto opening_law = [&](double dp) {
    const FlowAndSlope full = OrificeFlowAndSlope(K, dp);
    const double r = (dp - dp_crack) / dp_range;
    return FlowAndSlope{r * full.q, r * full.slope + full.q / dp_range};
  };
  const double high = std::min(dc, dp_crack + dp_range);
  const bool is_fully_open = high <= 0 || high + Zs * opening_law(high).q < dc;
  if (is_fully_open) return OrificeFlow(K, dc, Zs);
  return std::max(SolveRestriction(dc, Zs, {std::max(dp_crack, 0.0), high, high}, opening_law, 1e-8), 0.0);
}

}  // namespace davit
