#pragma once

#include <cstddef>
#include <span>

#include "simulator/solvers/integrator.h"

namespace davit {

/// The part of a system that answers fastest.
struct FastestMode {
  std::size_t state = 0;  ///< that takes the largest part, in units of nominal values
  double rate = 0;        ///< absolute value of the eigenvalue of df/dy [1/s]; 0 if it is not finite
};

/// By power iteration, with products df/dy v as difference quotients at (t, y). Costs some tens of
/// evaluations; allocates.
FastestMode FindFastestMode(const SolverProblem& problem, double t, std::span<const double> y);

}  // namespace davit
