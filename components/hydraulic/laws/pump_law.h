#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "components/hydraulic/laws/orifice_law.h"

namespace davit {

/// sign(x) that goes through zero over -width .. width, width > 0. Odd.
inline double SmoothSign(double x, double width) { return std::clamp(x / width, -1.0, 1.0); }

/// Displacement [m3/rad] of an axial piston pump at a swash angle of 45 deg: A n Dp/(2 pi), A [m2] of one of
/// n pistons, Dp [m] diameter of the circle they are on. At the angle alpha it is tan(alpha) times as much.
constexpr double AxialPistonDisplacement(double A, double n, double Dp) {
  return A * n * Dp / (2 * std::numbers::pi);
}

/// Swash angle [rad] under a pressure compensator: alpha_max clip((p_set - p_out)/range), range > 0 [Pa].
inline double CompensatedAngle(double alpha_max, double p_set, double range, double p_out) {
  return alpha_max * Clip((p_set - p_out) / range);
}

/// Conductance G [m3/s/Pa] of all leakage of an axial piston pump with the displacement V_rev [m3] PER
/// REVOLUTION: 8e-8 V_rev - 1.2e-12, not below 0. A rough regression (within 55 %) for 25 .. 200 cm3/rev.
constexpr double UsualLeakage(double V_rev) { return std::max(0.0, 8e-8 * V_rev - 1.2e-12); }

/// Conductance [m3/s/Pa] of a laminar leakage with which a pump of D [m3/rad] has the volumetric efficiency
/// eta at the speed omega [rad/s] and the pressure difference dp [Pa], both positive: D omega (1 - eta)/dp.
constexpr double LeakageForEfficiency(double D, double omega, double dp, double eta) {
  return D * omega * (1 - eta) / dp;
}

/// Total leakage G split into that back to the inlet and that to the drain, inlet = ratio*drain (2 .. 6).
struct LeakageSplit {
  double inlet, drain;  // [m3/s/Pa]
};
constexpr LeakageSplit SplitLeakage(double G, double ratio) {
  return {G * ratio / (ratio + 1), G / (ratio + 1)};
}

/// Torque [N m] that friction in a pump or motor takes: max(0, cc + cp |dp| + cn |omega|) against its speed.
struct TorqueLoss {
  double cc = 0;     ///< [N m]
  double cp = 0;     ///< [N m/Pa]
  double cn = 0;     ///< [N m s/rad]
  double width = 1;  ///< of the smoothed sign of the speed, positive [rad/s]

  double At(double dp, double omega) const {
    return std::max(0.0, cc + cp * std::abs(dp) + cn * std::abs(omega)) * SmoothSign(omega, width);
  }
};

/// Flow [m3/s] that a motor loses: (Gp |dp| + Gn |omega|) along dp.
struct FlowLoss {
  double Gp = 0;       ///< [m3/s/Pa]
  double Gn = 0;       ///< [m3/rad]
  double width = 1e5;  ///< of the smoothed sign of dp, positive [Pa]

  double At(double dp, double omega) const {
    return (Gp * std::abs(dp) + Gn * std::abs(omega)) * SmoothSign(dp, width);
  }
};

/// Share of its flow that a pump still draws at the ABSOLUTE inlet pressure P_in [Pa] (Schulz, 1979):
///   1 for P_in >= p_atm,  1 - (1 - P_in/p_atm)^2 below,  0 for P_in <= p_vapour.
/// From p_vapour to twice of it the flow fades to 0 without a jump (of 0.2 % for mineral oil). The shaft
/// keeps turning.
inline double InletFilling(double P_in, double p_atm, double p_vapour) {
  if (P_in >= p_atm) return 1;
  if (P_in <= p_vapour) return 0;
  const double lack = 1 - P_in / p_atm;
  const double fade = p_vapour > 0 ? Clip((P_in - p_vapour) / p_vapour) : 1;
  return (1 - lack * lack) * fade;
}

}  // namespace davit
