#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "components/mechanism/dynamics/loop.h"
#include "components/mechanism/dynamics/path.h"
#include "components/mechanism/dynamics/tree_dynamics.h"

namespace davit::multibody {

/// Forward dynamics of a tree whose loops are closed by constraint forces:
///
///   u' = M^-1*(tau - h + J'*lambda),  phi'' = J*u' + J'*u = 0
///
/// J*M^-1*J' may be singular, because of redundant equations or in singular positions: then many lambda give
/// the same u', and a small multiple of the unit matrix chooses one. Redundant equations contradict each
/// other where loops are open, if only by the error of a solver's stage, so states are projected first.
///
/// A mass may move as the length of a path changes, such as that of the rod of a cylinder: it resists the
/// second derivative of the length. Nothing allocates after construction.
class LoopDynamics {
 public:
  using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  /// `dynamics` must outlive this.
  LoopDynamics(TreeDynamics* dynamics, std::span<const Loop> loops, std::vector<Path> paths = {});

  /// The mass that moves along path i [kg]; none unless set.
  void set_path_mass(std::size_t i, double mass) { masses_[i] = mass; }

  /// Moves the dynamics to q and u and factors their inertia, then closes the loops by Newton's method: with
  /// the smallest change of q and u in the sense of the kinetic energy. Gives the largest error of an
  /// equation before; nothing where FactorInertia has found a speed that nothing resists.
  std::optional<double> Project(const MovingBase& base, std::span<const double> rotor_inertia,
                                std::span<double> q, std::span<double> u);

  /// u' for the state that the dynamics have been moved to, with their inertia factored. `wrenches` are those
  /// on the bodies.
  void Accelerate(std::span<const Wrench> wrenches, std::span<const double> tau, std::span<double> u_rate);

  /// Adds the wrenches of the loops and path masses of the last Accelerate to those on the bodies.
  void AddLoopWrenches(std::span<Wrench> wrenches) const;
  const TreeDynamics& dynamics() const { return *dynamics_; }
  /// Equations of loops, then paths: what is counted from 0 in the following.
  std::size_t size() const { return static_cast<std::size_t>(J_.rows()); }
  std::size_t loop_equations() const { return rows_.size(); }
  const Path& path(std::size_t i) const { return paths_[i]; }
  double path_mass(std::size_t i) const { return masses_[i]; }
  bool has_path_mass() const {
    return std::ranges::any_of(masses_, [](double mass) { return mass > 0; });
  }
  /// Of the last Accelerate, the force along an equation.
  double force(std::size_t k) const { return forces_[static_cast<Eigen::Index>(k)]; }
  /// Calls use(k, a, b, equation) for each equation of the loops.
  template <class Use>
  void ForEachEquation(const Use& use) const {
    for (std::size_t k = 0; k < rows_.size(); ++k) use(k, rows_[k].a, rows_[k].b, rows_[k].equation);
  }
  /// Of the last Accelerate, rows for all equations, or for those of the loops alone: J, J*M^-1 and
  /// G^-1*J*M^-1, with G = J*M^-1*J', where a path with a mass has 1 over it on the diagonal of G. Rows of
  /// paths without a mass are 0.
  struct Responses {
    RowMatrix J, free, bound;
  };
  void FillAllResponses(Responses& responses);
  /// Accelerate must come before the next call of the other.
  void FillLoopResponses(Responses& responses);

  /// Of the last Accelerate, what loop l does to the body of its anchor b, in the world about its origin.
  /// What equations that repeat others carry is not determined: they share it with least squares.
  Wrench LoopWrench(std::size_t l) const;

 private:
  /// An equation of a loop.
  struct Row {
    std::size_t loop;
    Anchor a, b;
    LoopEquation equation;
    Wrench on_b;
  };

  static std::span<double> RowOf(RowMatrix& matrix, Eigen::Index i) {
    return {matrix.data() + i * matrix.cols(), static_cast<std::size_t>(matrix.cols())};
  }
  void FillLoopRow(std::size_t k);
  void FillPathRow(std::size_t i);
  /// J, J*M^-1 and their product of the first `count` rows.
  void FillProducts(Eigen::Index count);
  /// Scales and factors G.
  void Factor(Eigen::Index count, Eigen::LLT<Eigen::MatrixXd>& factors);
  void FillResponses(Eigen::Index count, const Eigen::LLT<Eigen::MatrixXd>& factors, Responses& responses);
  /// lambda of G*lambda = right_, once G is factored.
  void Solve(Eigen::Index count, const Eigen::LLT<Eigen::MatrixXd>& factors);
  /// Into right_ what the accelerations have left of the equations.
  void FillRest();
  /// The wrench of the equation k on the body of its anchor b, in the world.
  Wrench ForceOf(std::size_t k) const;

  TreeDynamics* dynamics_;
  std::vector<Row> rows_;
  std::vector<Path> paths_;
  std::vector<double> masses_;
  RowMatrix J_, response_;  ///< a row for each equation, then each path; response = J*M^-1
  Eigen::MatrixXd G_;
  Eigen::VectorXd phi_, rate_, right_, lambda_, scale_, rest_;
  Eigen::VectorXd forces_;  ///< lambda of the last Accelerate
  Eigen::VectorXd change_, q_change_;
  Eigen::LLT<Eigen::MatrixXd> loop_factors_, factors_;
};

}  // namespace davit::multibody
