#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <vector>

#include "components/mechanism/dynamics/body_tree.h"
#include "components/mechanism/dynamics/spatial.h"
#include "components/mechanism/dynamics/tree_dynamics.h"

namespace davit::multibody {

/// The equations of a tree along its joints:  M*u' + h = tau.  By the composite-rigid-body and the
/// Newton-Euler algorithm (Featherstone, Rigid Body Dynamics Algorithms, 2008, chapters 5 and 6) in the
/// coordinates of the world, where what bodies share need not be transformed. For a few bodies, and where M
/// itself is wanted; TreeDynamics is for more. Nothing allocates after construction.
class JointSpace {
 public:
  /// The tree must outlive this and not grow; its bodies and places may change.
  explicit JointSpace(const BodyTree& tree);

  void MoveTo(const MovingBase& base, std::span<const double> q, std::span<const double> u);

  /// Without rotors.
  const Eigen::MatrixXd& M() const { return M_; }
  /// The joint forces that u' = 0 takes: weights, centrifugal and Coriolis forces, motion of the base.
  const Eigen::VectorXd& h() const { return h_; }
  /// The joint forces that hold the bodies still on a base at rest.
  const Eigen::VectorXd& weights() const { return weights_; }
  /// Where the centres of mass are at the origin of the world it is 0 [J].
  double PotentialEnergy() const { return potential_energy_; }

  // All that follows is in the coordinates of the world; i may be kBase.
  const Pose& PoseOf(std::size_t i) const { return At(i).pose; }
  /// `linear` is that of the point of the body at the origin of the world.
  const Motion& VelocityOf(std::size_t i) const { return At(i).v; }
  /// The acceleration of the base; see Motion.
  const Motion& BaseAcceleration() const { return base_acceleration_; }
  /// Adds to `tau` the joint forces that a force at a place of body i exerts.
  void AddForce(std::size_t i, const Vector3& place, const Vector3& force,
                Eigen::Ref<Eigen::VectorXd> tau) const;

 private:
  struct Moving {
    Pose pose;
    Motion v;
    Motion a;          ///< with u' = 0, less gravity
    RigidInertia all;  ///< of the body, then with all that it carries, about the origin of the world
    Wrench force;      ///< that all of it takes
  };

  const Moving& At(std::size_t i) const { return i == BodyTree::kBase ? base_ : moving_[i]; }
  void MoveBody(std::size_t i, std::span<const double> q, std::span<const double> u);
  void TakeBody(std::size_t i);

  const BodyTree* tree_;
  Moving base_;
  Motion base_acceleration_;
  std::vector<Moving> moving_;
  std::vector<Motion> columns_;  ///< the velocity per unit of each speed
  Eigen::MatrixXd M_;
  Eigen::VectorXd h_, weights_;
  double potential_energy_ = 0;
};

}  // namespace davit::multibody
