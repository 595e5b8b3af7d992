#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "components/hydraulic/laws/cavitating_jet.h"
#include "components/hydraulic/laws/vapour_cavity.h"
#include "simulator/building_blocks/laminar_turbulent_flow.h"

namespace davit {

/// Whether the jet of a valve cavitates: aspect or property `cavitation`.
enum class JetCavitation : std::uint8_t { kNone, kNurick };
inline constexpr std::array<std::string_view, 2> kJetCavitationNames{"None", "Nurick"};

/// The limit of CavitatingJet for an opening that is given by its coefficient K = Cd A sqrt(2/rho)
/// [m3/s/sqrt(Pa)], which may change all the time:
///
///     |q| <= 0.61/Cd K sqrt(P1 - Pv),  P1 and Pv absolute, P1 before the opening
class JetLimit {
 public:
  /// No limit.
  JetLimit() = default;
  /// The gauge pressure of vapour [Pa].
  JetLimit(double discharge_coefficient, double p_vapour)
      : share_(kJetContraction / discharge_coefficient), p_vapour_(p_vapour) {}

  bool is_present() const { return share_ > 0; }
  /// The most that flows through an opening K from a side that offers p = c - Zc q [m3/s].
  double Most(double K, const PortWave& from) const {
    const double above_vapour = from.c - p_vapour_, K_jet = share_ * K;
    if (!(above_vapour > 0) || !(K_jet * K_jet > 0)) return 0;
    return building_blocks::LaminarTurbulentFlow(0, 1 / (K_jet * K_jet), above_vapour, from.Zc);
  }
  /// A flow from a to b, and what the limit leaves of it.
  double Limit(double q, double K, const PortWave& a, const PortWave& b) const {
    if (!is_present() || q == 0) return q;
    return q > 0 ? std::min(q, Most(K, a)) : -std::min(-q, Most(K, b));
  }
  double p_vapour() const { return p_vapour_; }
  double share() const { return share_; }

 private:
  double share_ = 0;
  double p_vapour_ = 0;
};

}  // namespace davit
