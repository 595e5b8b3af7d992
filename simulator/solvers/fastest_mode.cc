#include "simulator/solvers/fastest_mode.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace davit {

FastestMode FindFastestMode(const SolverProblem& problem, double t, std::span<const double> y) {
  constexpr int kProducts = 30;
  constexpr double kShift = 1e-7;  // of nominal values
  const std::size_t n = problem.size;
  const auto nominal = [&](std::size_t i) { return problem.nominal.empty() ? 1.0 : problem.nominal[i]; };
  std::vector<double> slope(n), moved(y.begin(), y.end()), direction(n);
  problem.evaluate(problem.context, y.data(), slope.data(), t);
  // No symmetry that could be at right angles to the mode.
  for (std::size_t i = 0; i < n; ++i) direction[i] = std::sin(1.0 + static_cast<double>(i));
  FastestMode mode;
  for (int k = 0; k < kProducts; ++k) {
    std::vector<double> there(n);
    for (std::size_t i = 0; i < n; ++i) moved[i] = y[i] + kShift * nominal(i) * direction[i];
    problem.evaluate(problem.context, moved.data(), there.data(), t);
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
      direction[i] = (there[i] - slope[i]) / (kShift * nominal(i));
      if (!std::isfinite(direction[i])) return {.state = i, .rate = 0};
      if (std::abs(direction[i]) <= largest) continue;
      largest = std::abs(direction[i]);
      mode = {.state = i, .rate = largest};
    }
    if (!(largest > 0)) return {};
    for (double& d : direction) d /= largest;
  }
  return mode;
}

}  // namespace davit
