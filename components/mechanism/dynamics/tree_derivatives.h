#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "components/mechanism/dynamics/loop.h"
#include "components/mechanism/dynamics/tree_dynamics.h"

namespace davit::multibody {

/// How the joint forces that given accelerations need, and the equations of loops, change with the places and
/// speeds of a tree, in closed form (Carpentier and Mansard 2018; Singh, Russell and Wensing 2022).
///
/// A place is changed along the speeds: by what a speed of 1 does in a unit of time. Motions and wrenches are
/// about the origin of the world here: whatever a speed moves, it moves like one rigid body.
///
/// Call sequence: Begin, then what else acts. Nothing allocates after construction.
class TreeDerivatives {
 public:
  /// A row of it for each number, a column for each speed.
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  /// What is added to for an equation: derivatives of phi' and phi''.
  struct EquationRows {
    std::span<double> rate_by_place, second_by_place, second_by_speed;
  };
  /// The derivatives of a force at a point by its place and velocity.
  struct PointForce {
    Vector3 force;
    Matrix3 by_place, by_velocity;
  };

  /// Of a point, in the world: the velocity over the speeds, which is also the place over the places, and the
  /// velocity over the places.
  struct PointRows {
    PointRows() = default;
    explicit PointRows(std::size_t speeds)
        : by_speed(Rows::Zero(3, static_cast<Eigen::Index>(speeds))), velocity_by_place(by_speed) {}

    using Rows = Eigen::Matrix<double, 3, Eigen::Dynamic>;
    Rows by_speed, velocity_by_place;
  };

  /// `dynamics` must outlive it.
  explicit TreeDerivatives(const TreeDynamics& dynamics);

  /// Takes the joint forces of the bodies alone, at the state and the accelerations of the dynamics.
  void Begin(std::span<const double> u, std::span<const double> u_rate);
  /// Takes off the share of a force along an equation, as LoopValue::on_b times `force`, and adds the
  /// derivatives of the equation.
  void AddEquation(const Anchor& a, const Anchor& b, const LoopEquation& equation, double force,
                   const EquationRows& rows);
  /// Adds the share of a mass that moves as an equation does, with J in `row`. Its acceleration times the
  /// mass is a force that AddEquation has been given.
  void AddMass(double mass, std::span<const double> row, const EquationRows& rows);
  /// Takes off the share of a force of the world on a point.
  void AddPointForce(const Anchor& at, const PointForce& force);

  /// Pre: `rows` is as wide as there are speeds; what does not move the point is 0 there.
  void FillPointRows(const Anchor& at, PointRows& rows) const;

  /// Derivatives of joint forces.
  const Matrix& by_place() const { return by_place_; }
  const Matrix& by_speed() const { return by_speed_; }

 private:
  /// Of one body.
  struct Moving {
    Motion v, a;  ///< a with gravity as an acceleration upwards
    RigidInertia inertia;
    Wrench momentum, outer;  ///< outer: the force on it and all that it carries
    Wrench by_place, by_speed;
    bool is_moved = false;  ///< by the speed that is differentiated by
  };
  /// Of one speed.
  struct Axis {
    std::size_t body = 0;
    Motion S, S_rate;
    Motion v, a;      ///< of all that the speed does not move
    Motion turned_v;  ///< S x v
    bool is_of_quaternion = false;
  };
  /// How an anchor changes.
  struct AnchorChange;

  void TakeBody(std::size_t i, std::span<const double> u, std::span<const double> u_rate);
  void Differentiate(std::size_t j);
  /// Whether the speed j moves the axis of the speed k, which is one of the same body or of one that it
  /// carries.
  bool Moves(const Axis& axis_j, std::size_t j, std::size_t k) const {
    const Axis& other = axes_[k];
    return other.body != axis_j.body || k > j || (other.is_of_quaternion && axis_j.is_of_quaternion);
  }
  AnchorChange ChangeByPlace(const Axis& axis, std::size_t body, const AnchorMotion& anchor) const;
  AnchorChange ChangeBySpeed(const Axis& axis, std::size_t body, const AnchorMotion& anchor) const;
  static AnchorChange Change(const Motion& S, const Motion& v, const Motion& a, const Motion& v_change,
                             const Motion& a_change, const AnchorMotion& anchor);
  /// Calls use(k) for all speeds of body i.
  template <class Use>
  void ForEachSpeed(std::size_t i, const Use& use) const {
    const BodyTree::Link& link = tree_[i];
    for (std::size_t k = link.speed_begin; k < link.speed_begin + link.joint.speeds(); ++k) use(k);
  }

  const TreeDynamics& dynamics_;
  const BodyTree& tree_;
  Motion base_v_, base_a_;
  std::vector<Moving> moving_;
  std::vector<Axis> axes_;
  Matrix by_place_, by_speed_;
  std::vector<std::size_t> between_;  ///< speeds that move the anchors of an equation against each other
  std::vector<double> signs_;         ///< of them: 1 moves b, -1 moves a
};

}  // namespace davit::multibody
