#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "components/hydraulic/laws/cavitating_jet.h"
#include "components/hydraulic/laws/vapour_cavity.h"
#include "framework/parameter.h"

namespace davit {

/// Whether a jet cavitates: an aspect or a property.
enum class JetCavitation : std::uint8_t { kNone, kNurick };
inline constexpr std::array<std::string_view, 2> kJetCavitationNames{"None", "Nurick"};

/// The parameters that say where the oil of a jet is vapour.
struct VapourParameters {
  VapourParameters(Component* owner, const OptionCondition& when)
      : vapour_pressure{owner, "vapour_pressure", "Pa", "Absolute vapour pressure of the oil",
                        Number{.value = kVapourPressure, .range = kNonNegative, .when = when}},
        atmospheric_pressure{owner, "atmospheric_pressure", "Pa", "Absolute pressure at gauge pressure 0",
                             Number{.value = 1e5, .range = kPositive, .when = when}} {}

  /// The gauge pressure of vapour [Pa].
  double p_vapour() const { return vapour_pressure - atmospheric_pressure; }

  Parameter vapour_pressure, atmospheric_pressure;
};

/// The limit of CavitatingJet for an opening that is given by its coefficient K = Cd A sqrt(2/rho)
/// [m3/s/sqrt(Pa)], which may change at any time:
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
  /// A flow from a to b, and what the limit leaves of it.
  double Limit(double q, double K, const PortWave& a, const PortWave& b) const {
    return is_present() ? CavitatingJet(share_ * K, p_vapour_).Limit(q, a, b) : q;
  }
  double p_vapour() const { return p_vapour_; }
  double share() const { return share_; }

 private:
  double share_ = 0;
  double p_vapour_ = 0;
};

}  // namespace davit
