#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <vector>

#include "framework/state_slot.h"
#include "simulator/solvers/difference_quotients.h"

namespace davit {

/// One implicit trapezoidal step of a few coupled equations y' = f(t, y):
///
///   y1 = y0 + h/2 (f(t0, y0) + f(t1, y1))
///
/// by Newton's iteration, with a Jacobian that is kept as long as the corrections shrink fast. Work space is
/// sized once.
class TrapezoidalStep {
 public:
  /// Calls f: makes the derivatives of the states that are in place.
  using Evaluation = void (*)(void* context, double t);

  /// `nominal`: the typical sizes of the states.
  TrapezoidalStep(std::vector<StateSlot> slots, std::vector<double> nominal);
  /// Pre: the derivatives in place are f(t0, y0). Leaves y1 and f(t1, y1) in place. Returns false if the
  /// iteration did not converge; y1 is then its last iterate.
  bool Advance(double t1, double h, void* context, Evaluation evaluate);
  std::size_t size() const { return slots_.size(); }

 private:
  double& Value(std::size_t i) const { return slots_[i].memory->y[slots_[i].offset]; }
  double Slope(std::size_t i) const { return slots_[i].memory->ddt[slots_[i].offset]; }
  double Residual(std::size_t i, double h) const {
    return Value(i) - start_[i] - h / 2 * (slope_[i] + Slope(i));
  }

  /// Factorises I - h/2 df/dy at the values and derivatives that are in place.
  void Linearize(double t1, double h, void* context, Evaluation evaluate);

  std::vector<StateSlot> slots_;
  std::vector<double> nominal_, start_, slope_;
  JacobianPattern pattern_;
  DifferenceQuotients quotients_;
  std::vector<double> values_, slopes_, increments_, entries_;  ///< work space of Linearize
  Eigen::VectorXd residual_, change_;
  Eigen::MatrixXd matrix_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
};

}  // namespace davit
