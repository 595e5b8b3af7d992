#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

// C++17, as Simbody's headers: nothing of davit is included.

namespace davit {

/// A body as Simbody needs it. Vectors of the joint are in the frame of the joint.
struct SimbodyLink {
  enum class Joint { kFixed, kRevolute, kPrismatic, kCylindrical, kUniversal, kSpherical, kPlanar, kFree };

  int carrier = -1;   ///< -1 is the ground
  Eigen::Matrix3d R;  ///< of the joint in the carrier
  Eigen::Vector3d p;
  Joint joint;
  Eigen::Vector3d axis, second_axis, third_axis;
  double mass;
  Eigen::Vector3d centre;
  Eigen::Matrix3d inertia;        ///< about the origin of the body
  std::vector<double> q, u;       ///< those of davit::Joint
  Eigen::Vector3d moment, force;  ///< on the body about its origin, in the axes of the world
};

/// What Simbody makes of a body, in the world.
struct SimbodyMotion {
  Eigen::Vector3d p;                ///< of the origin
  Eigen::Vector3d linear, angular;  ///< accelerations
  Eigen::Vector3d moment, force;    ///< of the joint on the body
};

/// A tree on a base that does not move, computed by Simbody (Sherman, Seth, Delp, Procedia IUTAM 2, 2011).
class SimbodyTree {
 public:
  SimbodyTree(const std::vector<SimbodyLink>& links, const Eigen::Vector3d& gravity);
  ~SimbodyTree();

  /// Poses, velocities, inertias and accelerations anew.
  void Realize();
  std::vector<SimbodyMotion> Motions() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace davit
