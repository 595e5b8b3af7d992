#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "components/mechanism/dynamics/body_tree.h"
#include "components/mechanism/dynamics/spatial.h"

namespace davit::multibody {

/// How the base of a tree moves, and the gravity of the world that it moves in.
struct MovingBase {
  Pose pose;  ///< in the world
  Motion velocity;
  Motion acceleration;                     ///< see Motion
  Vector3 gravity = Vector3(0, 0, -9.81);  ///< [m/s2]
};

/// Forward and inverse dynamics of a tree by the articulated-body and the Newton-Euler algorithm
/// (Featherstone, Rigid Body Dynamics Algorithms, 2008, chapters 5 and 7). Both take time linear in the
/// number of bodies.
///
/// Motions and wrenches of a body are about its origin, in the axes of the world: from body to body their
/// origin moves, but nothing is turned.
///
/// The speeds of a joint are eliminated one after the other, as if massless bodies lay between them, so no
/// matrix is inverted. Call in this order: MoveTo, FactorInertia, then the rest as often as needed. Nothing
/// allocates after construction.
class TreeDynamics {
 public:
  /// The tree must outlive this and not grow.
  explicit TreeDynamics(const BodyTree& tree);

  const BodyTree& tree() const { return *tree_; }
  /// Takes the body i of the tree anew.
  void TakeBody(std::size_t i);

  /// Poses and velocities of all bodies.
  void MoveTo(const MovingBase& base, std::span<const double> q, std::span<const double> u);
  /// The inertia against which each speed accelerates. `rotor_inertia` adds to it, one for each speed: what
  /// turns or moves with the joint alone. Gives a speed that nothing resists, if there is one: then nothing
  /// else may be called.
  std::optional<std::size_t> FactorInertia(std::span<const double> rotor_inertia);

  /// u' under the wrenches on the bodies, the joint forces `tau` and gravity. Accelerations are those of this
  /// afterwards.
  void Accelerate(std::span<const Wrench> wrenches, std::span<const double> tau, std::span<double> u_rate);
  /// M^-1*tau: the share of joint forces in u'.
  void SolveMass(std::span<const double> tau, std::span<double> u_rate) const;
  /// Accelerations of all bodies for given u'.
  void SetAccelerations(std::span<const double> u_rate);
  /// The wrench through each joint on its body, for the accelerations of the last call of Accelerate or
  /// SetAccelerations. Its share along the joint is the joint force, without that on rotors.
  void FillReactions(std::span<const Wrench> wrenches, std::span<Wrench> reactions) const;
  /// The joint forces of those reactions, with that on rotors.
  void FillJointForces(std::span<const Wrench> reactions, std::span<const double> u_rate,
                       std::span<double> tau) const;

  /// i may be kBase, here and below.
  const Pose& PoseOf(std::size_t i) const { return i == BodyTree::kBase ? base_.pose : moving_[i].pose; }
  const Motion& VelocityOf(std::size_t i) const {
    return i == BodyTree::kBase ? base_.velocity : moving_[i].v;
  }
  /// See Motion.
  Motion AccelerationOf(std::size_t i) const;
  const Vector3& gravity() const { return base_.gravity; }  ///< [m/s2]
  /// What speed k does to its body.
  const SpeedAxis& AxisOf(std::size_t k) const { return axes_[k]; }

  double KineticEnergy() const;  ///< without that of rotors [J]
  /// 0 where the centre of mass is at the origin of the world [J].
  double PotentialEnergy() const;

 private:
  /// Of one body.
  struct Moving {
    Vector3 arm;  ///< to its origin from that of the carrier
    Pose pose;
    Motion v;
    Motion bias;               ///< a without u', against the carrier
    RigidInertia in_body;      ///< of the body alone, in its own axes
    RigidInertia own;          ///< the same, in those of the world
    ArticulatedInertia outer;  ///< of all it carries, with the own joint free
    Motion a;                  ///< less gravity, as if the base accelerated upwards
  };
  /// What resists one speed.
  struct Resistance {
    Wrench U;              ///< inertia*S
    double D_inverse = 1;  ///< 1 over what resists the speed [kg] or [kg.m2]
    double rotor = 0;
  };

  Motion BaseAcceleration() const;
  /// From the outermost body inwards: what drives each speed under `tau` and bias_forces_, which then are
  /// those of the bodies with all that they carry. `has_bias`: velocities count.
  void TakeDrives(std::span<const double> tau, bool has_bias) const;
  /// u' of the speeds of body i by its drives; `a` is its acceleration without them, and with them
  /// afterwards.
  void AddSpeeds(std::size_t i, std::span<double> u_rate, Motion& a) const;
  const Motion& CarrierAcceleration(std::size_t i, const Motion& of_base) const {
    return (*tree_)[i].carrier == BodyTree::kBase ? of_base : moving_[(*tree_)[i].carrier].a;
  }

  const BodyTree* tree_;
  MovingBase base_;
  std::vector<Moving> moving_;
  std::vector<SpeedAxis> axes_;  ///< S, one for each speed
  std::vector<Resistance> resistances_;
  // Of one call.
  mutable std::vector<Wrench> bias_forces_;
  mutable std::vector<double> drives_;
  mutable std::vector<Motion> responses_;
};

}  // namespace davit::multibody
