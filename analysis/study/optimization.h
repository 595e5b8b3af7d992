#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/study/objective.h"
#include "framework/fault.h"

namespace davit {

/// How an optimum is searched.
enum class OptimizationMethod : std::uint8_t {
  kAuto,
  kNelderMead,
  kBobyqa,
  kCobyla,
  kSlsqp,
  kDe,
  kCmaes,
  kNsga2
};

/// Their names on the command line, in this order.
inline constexpr std::array<std::string_view, 8> kOptimizationMethods{
    "auto", "nelder-mead", "bobyqa", "cobyla", "slsqp", "de", "cmaes", "nsga2"};

/// Why a method does not suit a problem; empty where it does.
Fault FaultOfMethod(OptimizationMethod method, const Objective& objective);

/// How a search has ended.
struct SearchOutcome {
  bool is_converged = false;  ///< else the budget was used up, or somebody stopped it
  bool is_stopped = false;
};

/// Searches. kAuto: of one objective SLSQP, whose result COBYLA (with constraints) or BOBYQA improves, which
/// know nothing of slopes and so go on where a simulation is not smooth; of several NSGA-II. `tolerance` is
/// the share of the way between the bounds below which steps end. The result is in `objective`.
SearchOutcome Optimize(Objective& objective, OptimizationMethod method, const std::vector<double>& start,
                       double tolerance, std::uint64_t seed);

/// Variables that are within 1e-4 of the way at a bound: -1 at the lower one, 1 at the upper one, else 0.
std::vector<int> FindBounds(const Evaluation& evaluation);

}  // namespace davit
