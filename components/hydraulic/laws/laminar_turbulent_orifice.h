#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "components/hydraulic/laws/orifice_law.h"
#include "simulator/building_blocks/laminar_turbulent_flow.h"

namespace davit {

/// Discharge coefficient of a thin orifice with a sharp edge (R. von Mises, 1917).
inline constexpr double kSharpEdgeDischargeCoefficient = 0.611;

/// The least pressure difference [Pa] at which the law below bends from laminar to turbulent.
///
/// A bend in a smaller difference cannot be told from a jump: difference quotients at 100 bar shift a
/// pressure by sqrt(epsilon)*1e7 Pa = 0.15 Pa, and a solver with atol 1e-6 leaves 0.1 Pa of a pressure open,
/// so it chatters across the bend for ever. The laminar part takes 2*sqrt(0.02 Pa*dp) of a drop dp at most,
/// 0.03 % of 10 bar. Ports up to 35 mm in oil of 32 mm2/s bend in a larger difference and stay as they are.
inline constexpr double kLeastBendPressure = 0.02;

/// Laminar loss coefficient K1 of a valve edge where nothing better is known.
inline constexpr double kValveEdgeLaminarLoss = 32;

/// Orifices with a laminar and a turbulent part (loss law of the TGL standard):
///   dp = (K1/Re + K2)*rho*q^2/(2 A^2),  Re = 4|q|/(pi D nu),  D = sqrt(4A/pi),  K2 = 1/Cd^2.
/// That is dp = a q + b q|q| with
///   a = K1 pi D nu rho/(8 A^2),  b = K2 rho/(2 A^2) = 1/K^2,  a^2/(4 b) >= kLeastBendPressure,
/// solved for the flow: q = 2 dp/(a + sqrt(a^2 + 4 b |dp|)). Odd and smooth, slope 1/a at dp = 0.
/// Slots of the width w have the hydraulic diameter Dh = 4 A/(2 (w + A/w)) in place of D:
///   Re = |q| Dh/(A nu),  a = K1 nu rho/(2 A Dh).
/// Openings of another shape have the Dh = 4 A/S of their own: OfHydraulicDiameter.
///
/// One object serves all orifices of one shape in one oil; each call names the size by its coefficient K =
/// Cd A sqrt(2/rho) [m3/s/sqrt(Pa)], the same as of OrificeFlow, which this law becomes at large Re. Nothing
/// flows through K <= 0. q positive from port 1 to port 2, dp = p1 - p2 [Pa].
class LaminarTurbulentOrifice {
 public:
  LaminarTurbulentOrifice() = default;
  /// K1 >= 0, Cd > 0, rho > 0 [kg/m3], nu >= 0 [m2/s]; slots of the width [m], 0: round openings.
  LaminarTurbulentOrifice(double K1, double Cd, double rho, double nu, double width = 0) : width_(width) {
    const double area_per_K = std::sqrt(rho / 2) / Cd;
    resistance_ = K1 * std::sqrt(std::numbers::pi) * nu * rho / 4 / (area_per_K * std::sqrt(area_per_K));
    area_per_K_ = area_per_K;
    slot_resistance_ = K1 * nu * rho / 4;
  }

  /// The same oil and losses through openings of another shape: `share` in (0, 1] is 4 A/S of an opening with
  /// the area A and the circumference S over the diameter of the round one of that area.
  LaminarTurbulentOrifice OfHydraulicDiameter(double share) const {
    LaminarTurbulentOrifice other = *this;
    other.resistance_ /= share;
    return other;
  }

  /// a [Pa s/m3] at K > 0. Of round openings proportional to K^(-3/2); where the bend at a^2/(4 b) = (a
  /// K)^2/4 would be below kLeastBendPressure, to 1/K.
  double LaminarResistance(double K) const {
    if (width_ > 0) {
      const double A = area_per_K_ * K;
      return std::max(slot_resistance_ * (width_ + A / width_) / (A * A), kLeastRoot / K);
    }
    return std::max(resistance_ / (K * std::sqrt(K)), kLeastRoot / K);
  }
  /// The flow [m3/s] from which on the turbulent loss is the larger one: b q = a, Re = K1 Cd^2. K > 0.
  double TurbulentFrom(double K) const { return LaminarResistance(K) * K * K; }

  /// Flow [m3/s]; with Zs = Zc1 + Zc2 > 0 [Pa s/m3] that between two waves, dc = c1 - c2 [Pa].
  double Flow(double K, double dc, double Zs = 0) const {
    if (!(K > 0)) return 0;
    return building_blocks::LaminarTurbulentFlow(LaminarResistance(K), 1 / (K * K), dc, Zs);
  }
  /// The same with its slope dq/ddp = 1/sqrt(a^2 + 4 b |dp|).
  FlowAndSlope FlowWithSlope(double K, double dp) const {
    if (!(K > 0)) return {0, 0};
    const double a = LaminarResistance(K);
    const double root = std::sqrt(a * a + 4 * std::abs(dp) / (K * K));
    return {2 * (dp / (a + root)), 1 / root};
  }

 private:
  static constexpr double kLeastRoot = 0.28284271247461901;  // 2*sqrt(kLeastBendPressure) [Pa^(1/2)]
  static_assert(kLeastRoot * kLeastRoot < 4 * kLeastBendPressure * (1 + 1e-15));
  static_assert(kLeastRoot * kLeastRoot > 4 * kLeastBendPressure * (1 - 1e-15));

  double resistance_ = 0;  // a*K^(3/2) of round openings
  double width_ = 0;       // of slots; 0: round
  double area_per_K_ = 0;
  double slot_resistance_ = 0;  // K1 nu rho/4
};

}  // namespace davit
