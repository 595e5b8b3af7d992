#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace davit {

struct SolverProblem;

/// Newton's method for values that satisfy 0 = F(t, y, y') at one time: differential unknowns keep their
/// values; algebraic ones and all derivatives move, by damped steps of least norm, each unknown measured in
/// its nominal value. So it works too where derivatives appear only in combinations, and leaves alone what
/// the equations do not determine. A step counts as better by what is left once the derivatives follow it: a
/// valve that opens makes them large, and they are linear.
class ConsistentStart {
 public:
  struct Result {
    bool is_found = false;
    std::size_t worst = 0;  ///< the equation that is furthest from zero
    double residual = 0;    ///< of that equation
  };
  /// False where the equations have no value.
  using Evaluation = std::function<bool(double t, const double* y, const double* ddt, double* residual)>;

  explicit ConsistentStart(const SolverProblem& problem) : problem_(problem) {}
  Result Find(double t, std::span<double> y, std::span<double> ddt, const Evaluation& evaluate) const;

 private:
  const SolverProblem& problem_;
};

}  // namespace davit
