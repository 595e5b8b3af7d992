#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "components/mechanism/dynamics/loop_dynamics.h"
#include "components/mechanism/dynamics/tree_derivatives.h"

namespace davit::multibody {

/// How the accelerations of LoopDynamics change with the places, speeds and forces of a tree. A place is
/// changed along the speeds (TreeDerivatives).
///
/// With the joint forces tau(u') that accelerations need, and the equations phi'' = 0 of loops and paths with
/// masses,
///
///     M*du' - J'*dlambda = -dtau,   J*du' = -dphi''
///
/// where dtau and dphi'' are the changes at constant u' and lambda.
class LoopDerivatives {
 public:
  using Matrix = TreeDerivatives::Matrix;

  /// `closed` must outlive it.
  explicit LoopDerivatives(LoopDynamics* closed);

  /// What acts along a path besides the mass that LoopDynamics has.
  struct PathLoad {
    double force = 0;  ///< with that on the mass [N]
    double mass = 0;   ///< that is in the inertia of a joint [kg]
  };

  /// At the state `u` and accelerations `u_rate` of the last Accelerate of `closed`, with the given loads on
  /// its paths. `add_forces` adds what acts on points.
  template <class AddForces>
  void Evaluate(std::span<const double> u, std::span<const double> u_rate, std::span<const PathLoad> loads,
                const AddForces& add_forces) {
    tree_.Begin(u, u_rate);
    add_forces(tree_);
    AddEquations(loads);
    Solve();
  }

  /// Derivatives of u' at a closed state, while all given forces are held.
  const Matrix& by_place() const { return by_place_; }
  const Matrix& by_speed() const { return by_speed_; }
  /// Over forces along the speeds.
  const Matrix& by_force() const { return by_force_; }
  /// Over the force along path i: into a column.
  Eigen::VectorXd::ConstMapType by_path_force(std::size_t i) const {
    return {&by_path_force_(0, static_cast<Eigen::Index>(i)), by_path_force_.rows()};
  }
  /// Of the rate of the length of path i, over speeds, and over places.
  auto path_row(std::size_t i) const { return path_rows_.row(static_cast<Eigen::Index>(i)); }
  auto path_rate_by_place(std::size_t i) const {
    return rate_by_place_.row(static_cast<Eigen::Index>(closed_->loop_equations() + i));
  }

  bool has_loops() const { return closed_->loop_equations() > 0; }
  /// Of projected places over places, and of projected speeds over speeds (LoopDynamics::Project).
  const Matrix& projector() const { return projector_; }
  /// Of projected speeds over places.
  const Matrix& speed_by_place() const { return speed_by_place_; }

 private:
  void AddEquations(std::span<const PathLoad> loads);
  void Solve();
  TreeDerivatives::EquationRows RowsOf(std::size_t k);

  LoopDynamics* closed_;
  TreeDerivatives tree_;
  LoopDynamics::Responses all_, loops_;
  Matrix rate_by_place_, second_by_place_, second_by_speed_;  ///< a row for each equation and path
  Matrix path_rows_;
  Matrix by_place_, by_speed_, by_force_;
  Eigen::MatrixXd by_path_force_;
  Matrix projector_, speed_by_place_, product_;
  std::vector<double> unit_;
};

}  // namespace davit::multibody
