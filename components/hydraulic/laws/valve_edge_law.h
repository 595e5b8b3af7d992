#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "components/hydraulic/laws/cavitating_jet.h"
#include "components/hydraulic/laws/edge_leak.h"
#include "components/hydraulic/laws/laminar_turbulent_orifice.h"
#include "components/hydraulic/laws/orifice_law.h"

namespace davit {

/// How the oil flows through an edge.
enum class EdgeRegime : std::uint8_t { kShut, kLaminar, kTurbulent, kCavitating };
inline constexpr std::array<std::string_view, 4> kEdgeRegimeNames{"Shut", "Laminar", "Turbulent",
                                                                  "Cavitating"};

/// Flow through one edge of a valve: an orifice with the coefficient K [m3/s/sqrt(Pa)], whose jet may
/// cavitate, and a leak beside it. q [m3/s] positive from port 1 to port 2.
struct ValveEdgeLaw {
  bool is_laminar = false;  ///< else OrificeFlow
  LaminarTurbulentOrifice laminar;
  EdgeLeak leak;
  /// Of a cavitating jet, |q| <= 0.61 A sqrt(2 (P1 - Pv)/rho) = share K sqrt(P1 - Pv) (W. H. Nurick, 1976),
  /// P1 before the edge: 0.61/Cd, or 0 where no jet cavitates.
  double cavitating_share = 0;
  double vapour = 0;  ///< Pv, gauge [Pa]

  bool may_cavitate() const { return cavitating_share > 0; }
  /// The largest flow from a side at the pressure p_1 [Pa].
  double CavitatingFlow(double K, double p_1) const {
    return cavitating_share * K * std::sqrt(std::max(0.0, p_1 - vapour));
  }
  /// Without cavitation; most edges are shut at any time, they cost no root.
  double Flow(double K, double dp) const {
    const double q = K > 0 ? (is_laminar ? laminar.Flow(K, dp) : OrificeFlow(K, dp)) : 0;
    return leak.is_present() ? q + leak.Flow(dp) : q;
  }
  double Flow(double K, double p_1, double p_2) const {
    const double q = Flow(K, p_1 - p_2);
    if (!may_cavitate() || !(K > 0)) return q;
    const double past = leak.is_present() ? leak.Flow(p_1 - p_2) : 0;
    return std::clamp(q - past, -CavitatingFlow(K, p_2), CavitatingFlow(K, p_1)) + past;
  }
  /// Whether the jet of the flow q is longer than what cavitation lets pass.
  bool IsBeyondCavitation(double K, double p_1, double p_2, double q) const {
    if (!(K > 0)) return false;
    const double past = leak.is_present() ? leak.Flow(p_1 - p_2) : 0;
    return q - past > CavitatingFlow(K, p_1) || past - q > CavitatingFlow(K, p_2);
  }
  /// Of an open edge with the flow q, leak included, by Re = K1 Cd^2, where both losses are equal; `now` has
  /// a hysteresis.
  EdgeRegime Regime(double K, double p_1, double p_2, double q_edge, EdgeRegime now) const {
    if (!(K > 0)) return EdgeRegime::kShut;
    if (!is_laminar && !may_cavitate()) return EdgeRegime::kTurbulent;
    const double q = std::abs(q_edge - leak.Flow(p_1 - p_2));
    constexpr double kRounding = 1e-9;
    const double limit = CavitatingFlow(K, std::max(p_1, p_2));
    if (may_cavitate() && q > 0 && q >= (now == EdgeRegime::kCavitating ? 0.99 : 1 - kRounding) * limit)
      return EdgeRegime::kCavitating;
    if (!is_laminar) return EdgeRegime::kTurbulent;
    constexpr double kBack = 0.9;  // of a limit that was passed
    return q >= (now == EdgeRegime::kTurbulent ? kBack : 1) * laminar.TurbulentFrom(K)
               ? EdgeRegime::kTurbulent
               : EdgeRegime::kLaminar;
  }
};

}  // namespace davit
