#pragma once

#include <Eigen/Core>
#include <algorithm>

#include "components/marine/laws/submergence.h"

namespace davit {

/// A body that sinks into the water and is small compared with the waves: the water around it moves as that
/// at one place, the middle of its submerged part [DNV-RP-N103].
struct SinkingBody {
  SubmergedShape shape = SubmergedShape::kBox;
  double volume = 0;       ///< [m3]
  double height = 1;       ///< over which it sinks in [m]
  double added_mass = 0;   ///< of the submerged body, in all directions [kg]
  double drag_area = 0;    ///< drag coefficient times area [m2]
  double linear_drag = 0;  ///< [N.s/m]
};

/// The water around it; z points upwards.
struct WaterAround {
  Eigen::Vector3d velocity, acceleration;
  double density = 1025;  ///< [kg/m3]
};

/// What the water does to a body: buoyancy upwards + drag + slam + carried - added_mass*acceleration.
struct WaterOnBody {
  double fraction = 0;  ///< of the volume that is in the water
  double added_mass = 0;
  double buoyancy = 0;                                ///< upwards [N]
  Eigen::Vector3d through = Eigen::Vector3d::Zero();  ///< velocity of the body through the water
  Eigen::Vector3d drag = Eigen::Vector3d::Zero();     ///< against `through`
  Eigen::Vector3d slam = Eigen::Vector3d::Zero();     ///< the same, while it enters the water
  Eigen::Vector3d carried = Eigen::Vector3d::Zero();  ///< by accelerated water

  /// A body whose lowest point is `depth` [m] below the surface above it.
  WaterOnBody(const SinkingBody& body, double depth, const Eigen::Vector3d& velocity,
              const WaterAround& water, double gravity);
  /// How far it has sunk in, at most its height [m].
  static double Wet(const SinkingBody& body, double depth) { return std::clamp(depth, 0.0, body.height); }
};

}  // namespace davit
