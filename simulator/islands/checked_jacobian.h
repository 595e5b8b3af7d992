#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "framework/archive.h"
#include "simulator/islands/island_jacobian.h"
#include "simulator/islands/jacobian_check.h"
#include "simulator/islands/jacobian_plan.h"
#include "simulator/solvers/jacobian_pattern.h"

namespace davit {

class IslandEquations;
struct IslandPlan;

/// The Jacobian of an island, which is compared with the equations now and then. Where its pattern turns out
/// to be wrong, it is given up for difference quotients of all equations.
class CheckedJacobian {
 public:
  /// Thrown out of a solver to begin the step anew without the Jacobian.
  struct Wrong {};

  CheckedJacobian(IslandEquations& equations, IslandPlan& plan);

  /// Makes it, or arranges it after states have got other places; not where its pattern is wrong.
  void Make();
  /// A run begins.
  void Begin();
  bool is_made() const { return jacobian_ != nullptr; }
  /// Of all states. Pre: is_made.
  const JacobianPattern& pattern() const { return jacobian_->pattern(); }
  void Arrange() {
    if (is_made()) jacobian_->Arrange();
  }
  /// Its pattern is wrong, and it is still in use.
  bool is_due_to_go() const { return has_wrong_pattern_ && is_made(); }
  void Drop() { jacobian_.reset(); }
  /// Whether a member has so many states, all of which may read each other, that method auto does without an
  /// implicit method.
  bool HasLargeBlock() const;

  /// Writes df/dy, or dF/dy + cj dF/dy', by `pattern`, as SolverProblem::linearize.
  double Linearize(const LinearizationPoint& point, const JacobianPattern& pattern, double* entries);
  /// Writes df/dy at a point, unchecked.
  void Evaluate(double t, const double* y, std::span<double> entries);
  /// Whether Linearize may throw Wrong: nothing has happened in the step yet.
  void set_can_repeat(bool can_repeat) { can_repeat_ = can_repeat; }
  /// What is wrong with it, once, as soon as it is found; else empty.
  std::string TakeFault() { return std::exchange(fault_, {}); }
  void ArchiveMemory(Archive& archive);

 private:
  void Check(const LinearizationPoint& point, const JacobianPattern& pattern, const double* entries,
             double& cost);

  IslandEquations& equations_;
  JacobianSource source_;  ///< until the Jacobian takes it
  std::unique_ptr<IslandJacobian> jacobian_;
  std::vector<double> base_ddt_, base_residual_, moved_ddt_;  ///< work space of Linearize
  JacobianCheck check_;
  std::string fault_;  ///< found by the check, not yet reported
  bool has_wrong_pattern_ = false;
  bool can_repeat_ = false;
};

}  // namespace davit
