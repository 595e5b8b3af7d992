#pragma once

#include <cmath>
#include <numbers>

#include "components/hydraulic/laws/circle_area.h"

namespace davit {

/// Areas and volumes of a double acting cylinder, and what follows from them: x = 0 retracted, chamber A on
/// the side of the piston, B on that of the rod. All SI.
struct CylinderGeometry {
  double bore = 0.283;        ///< [m]
  double rod = 0.141;         ///< [m]
  double stroke = 2;          ///< [m]
  double dead_volume = 1e-3;  ///< at each end [m3]

  double piston_area() const { return CircleArea(bore); }
  double ring_area() const { return piston_area() - CircleArea(rod); }
  double VolumeA(double x) const { return dead_volume + piston_area() * x; }
  double VolumeB(double x) const { return dead_volume + ring_area() * (stroke - x); }

  /// Stiffness [N/m] of the oil of the bulk modulus beta in both shut chambers.
  double OilStiffness(double beta, double x) const;
  /// x [m] where it is least.
  double SoftestPosition() const {
    const double ratio = std::pow(piston_area() / ring_area(), 1.5);
    return (ratio * VolumeB(0) - dead_volume) / (ratio * ring_area() + piston_area());
  }
};

/// Stiffness [N/m] of oil in a shut chamber: beta A^2/V.
constexpr double ChamberStiffness(double beta, double A, double V) { return beta * A * A / V; }

inline double CylinderGeometry::OilStiffness(double beta, double x) const {
  return ChamberStiffness(beta, piston_area(), VolumeA(x)) + ChamberStiffness(beta, ring_area(), VolumeB(x));
}

/// Natural frequency [Hz] of the mass m [kg] on the spring k [N/m].
inline double NaturalFrequency(double k, double m) { return std::sqrt(k / m) / (2 * std::numbers::pi); }
/// Damping ratio of the mass m on the spring k with the damper c [N s/m].
inline double DampingRatio(double c, double k, double m) { return c / (2 * std::sqrt(k * m)); }

}  // namespace davit
