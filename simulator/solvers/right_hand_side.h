#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "simulator/solvers/integrator.h"

namespace davit {

/// The first value that is not finite, or their number.
inline std::size_t FindNotFinite(const std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) return i;
  }
  return values.size();
}

/// The problem as odeint calls it; counts the calls.
class RightHandSide {
 public:
  using State = std::vector<double>;

  RightHandSide(const SolverProblem& problem, IntegratorCounters& counters)
      : problem_(&problem), counters_(&counters) {}
  void operator()(const State& y, State& ddt, double t) const {
    ++counters_->evaluations;
    problem_->evaluate(problem_->context, y.data(), ddt.data(), t);
  }
  /// Where a value came from that is not finite: a step spreads it over the states that are coupled. `y` is
  /// still good.
  std::size_t FindOrigin(const State& y, State& ddt, double t, std::size_t otherwise) const {
    (*this)(y, ddt, t);
    const std::size_t origin = FindNotFinite(ddt);
    return origin < ddt.size() ? origin : otherwise;
  }

 private:
  const SolverProblem* problem_;
  IntegratorCounters* counters_;
};

}  // namespace davit
