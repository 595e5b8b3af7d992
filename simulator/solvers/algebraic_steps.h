#pragma once

#include <span>

namespace davit {

/// Of an integrator whose algebraic unknowns may be interpolated without any error control inside of its
/// steps.
class AlgebraicSteps {
 public:
  virtual ~AlgebraicSteps() = default;
  /// Whether AdvanceTo ends a step where a value is wanted, whatever its t_stop. Whoever uses StepTowards
  /// instead then asks for no more either.
  virtual bool ends_steps_at_values() const = 0;
  /// Solves for the unknowns at t inside the last step, from interpolated ones, where the equations tie none
  /// of them to those at its ends; else leaves them. May allocate.
  virtual void SolveInside(double t, std::span<double> y) = 0;
};

}  // namespace davit
