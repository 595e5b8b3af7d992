#pragma once

#include <Eigen/Core>
#include <vector>

// C++17, as the headers of the partners: nothing of davit is included.

namespace davit {

/// A body as another program for mechanisms needs it. Vectors of the joint are in the frame of the joint.
struct PartnerLink {
  enum class Joint { kFixed, kRevolute, kPrismatic, kCylindrical, kUniversal, kSpherical, kPlanar, kFree };

  int carrier = -1;   ///< -1 is the ground
  Eigen::Matrix3d R;  ///< of the joint in the carrier
  Eigen::Vector3d p;
  Joint joint;
  Eigen::Vector3d axis, second_axis, third_axis;
  double mass;
  Eigen::Vector3d centre;
  Eigen::Matrix3d inertia;        ///< about the centre
  std::vector<double> q, u;       ///< those of davit::Joint
  Eigen::Vector3d moment, force;  ///< on the body about its origin, in the axes of the world
};

/// What the program makes of a body, in the world.
struct PartnerMotion {
  Eigen::Vector3d p;                ///< of the origin
  Eigen::Vector3d linear, angular;  ///< accelerations
  Eigen::Vector3d moment, force;    ///< of the joint on the body
};

}  // namespace davit
