#pragma once

#include <algorithm>
#include <cmath>

#include "components/hydraulic/laws/darcy_factor.h"

namespace davit {

/// What the loss of steady flow in a round pipe depends on, all SI.
struct PipeFrictionData {
  double diameter = 0;             ///< inner [m]
  double length = 0;               ///< [m]
  double density = 0;              ///< [kg/m3]
  double kinematic_viscosity = 0;  ///< [m2/s]
  PipeWall wall = PipeWall::kSmooth;
  double roughness = 0;  ///< [m], at most a tenth of the diameter; used only with rough walls
};

/// The loss of pressure of steady flow q [m3/s], dp = R(q) q, odd and continuous but for the smooth wall at
/// Re = 1e5:
///   Re < 2000     R = 128 mu L/(pi D^4)  (Hagen-Poiseuille)
///   2000 .. 4000  f linear in Re
///   above         f of the wall, R = f L/D rho |v|/(2 A)
class PipeFriction {
 public:
  PipeFriction() = default;
  explicit PipeFriction(const PipeFrictionData& data);

  /// Re, at most 1e300: no finite q makes it infinite.
  double Reynolds(double q) const { return std::min(Re_per_flow_ * std::abs(q), 1e300); }
  /// R = dp/q [Pa s/m3].
  double Resistance(double q) const {
    const double Re = Reynolds(q);
    if (!(Re >= kLaminarEnd)) return laminar_resistance_;
    return DarcyFactor(Re, wall_, relative_roughness_) * turbulent_loss_ * std::abs(q);
  }
  /// dp [Pa].
  double Drop(double q) const { return Resistance(q) * q; }

  /// ddp/dq [Pa s/m3], by a difference where the flow is turbulent.
  double DropSlope(double q) const {
    if (!(Reynolds(q) >= kLaminarEnd)) return laminar_resistance_;
    const double h = 1e-6 * q;
    return (Drop(q + h) - Drop(q - h)) / ((q + h) - (q - h));
  }

  double laminar_resistance() const { return laminar_resistance_; }

 private:
  PipeWall wall_ = PipeWall::kSmooth;
  double relative_roughness_ = 0;
  double Re_per_flow_ = 0;         // D/(A nu) [s/m3]
  double laminar_resistance_ = 0;  // [Pa s/m3]
  double turbulent_loss_ = 0;      // rho L/(2 D A^2) [kg/m7]
};

/// Loss of pressure [Pa] of bends and fittings, once for a whole pipe: dp = xi rho v|v|/2, v = q/A, with xi
/// the sum of their coefficients. Odd.
inline double MinorLoss(double xi, double rho, double A, double q) {
  const double v = q / A;
  return xi * rho * v * std::abs(v) / 2;
}

}  // namespace davit
