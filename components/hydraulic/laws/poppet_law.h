#pragma once

#include <algorithm>

#include "components/hydraulic/laws/orifice_law.h"

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
  const double low = std::max(dp_crack, 0.0);
  const double high = std::min(dc, dp_crack + dp_range);
  const double per_range = 1 / dp_range;
  const auto opening_law = [&](double dp) {  // smooth between low and high
    const FlowAndSlope full = OrificeFlowAndSlope(K, dp);
    const double r = (dp - dp_crack) * per_range;
    return FlowAndSlope{r * full.q, r * full.slope + full.q * per_range};
  };
  const double q_high = opening_law(high).q;
  const bool is_fully_open = high <= 0 || high + Zs * q_high < dc;
  if (is_fully_open) return OrificeFlow(K, dc, Zs);
  const double chord_root = low + (dc - low) / (1 + Zs * q_high / (high - low));
  return std::max(SolveRestriction(dc, Zs, {low, high, chord_root}, opening_law, 1e-8), 0.0);
}

}  // namespace davit
