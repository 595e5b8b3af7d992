#pragma once

#include <algorithm>
#include <cmath>

#include "components/hydraulic/laws/end_stop.h"

namespace davit {

/// Pressure differences [Pa] over the two edges that the spool has opened.
struct EdgeDrops {
  double inlet = 0;
  double outlet = 0;
};

/// Flow force on a spool [N], positive where it closes the edges, without their direction of flow
/// (H. E. Merritt, Hydraulic Control Systems, 1967, section 5.6):
///   static   2 Cd A dp cos(theta) = sqrt(2 rho) K dp cos(theta), of the jets of all open edges;
///   dynamic  rho L dq/dt of the oil between them, of the moving spool: rho L dK/dx sqrt(dp) v. It resists
///            the motion where the damping length L is positive. The part of dp' is left out, as there.
struct FlowForce {
  double jet = 0;      ///< sqrt(2 rho) cos(theta) [sqrt(kg/m3)]
  double inertia = 0;  ///< rho L [kg/m2]

  /// K of each open edge [m3/s/sqrt(Pa)].
  double Static(double K, const EdgeDrops& drops) const {
    return jet * K * (std::abs(drops.inlet) + std::abs(drops.outlet));
  }
  /// Per speed of the spool, of the slope of K over its travel, in the same unit of travel.
  double Damping(double K_slope, const EdgeDrops& drops) const {
    return inertia * K_slope * (std::sqrt(std::abs(drops.inlet)) + std::sqrt(std::abs(drops.outlet)));
  }
};

/// Springs and stops of a spool, over its travel x as a share of the stroke X: -1 .. 1 of three positions,
/// centred by springs; 0 .. 1 of two, held at 0 by one spring.
struct SpoolSprings {
  bool has_two_positions = false;
  double preload = 0;     ///< F_0 [N]
  double full_force = 0;  ///< F_s at full travel [N]
  double stroke = 0;      ///< X [m]
  EndStops stops;         ///< from 0 to the whole travel

  /// Travel over which the preload of two centring springs changes its side.
  static constexpr double kCentre = 0.01;

  double LeastTravel() const { return has_two_positions ? 0 : -1; }
  /// [N], positive against x.
  double Force(double x) const {
    const double side = has_two_positions ? 1 : std::clamp(x / kCentre, -1.0, 1.0);
    return preload * side + (full_force - preload) * x;
  }
  double StopForce(double x, double v) const { return stops.Force((x - LeastTravel()) * stroke, v * stroke); }
};

}  // namespace davit
