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
Fault FaultOfMethod(OptimizationMethod method, const std::vector<BoundedVariation>& variables,
                    const Objective::Layout& layout);

/// How a search has ended.
struct SearchOutcome {
  enum class End : std::uint8_t {
    kReached,  ///< the steps have become smaller than the tolerance
    kStalled,  ///< the method has found no better point, though its steps were longer
    kBudget,
    kStopped,  ///< by somebody
  };
  End end = End::kReached;
  bool has_value = false;    ///< a case has a value
  bool is_feasible = false;  ///< one of these holds all constraints

  bool is_converged() const { return end == End::kReached && is_feasible; }
  /// As a user reads it: `converged`, `no feasible point found; the budget is used up`.
  std::string ToText() const;
};

/// Searches. kAuto: of one objective SLSQP, whose result COBYLA (with constraints) or BOBYQA improves, which
/// know nothing of slopes and so go on where a simulation is not smooth; of choices differential evolution;
/// of several objectives NSGA-II. `tolerance` is the share of the way between the bounds below which steps
/// end. The result is in `objective`.
SearchOutcome Optimize(Objective& objective, OptimizationMethod method, const std::vector<double>& start,
                       double tolerance, std::uint64_t seed);

/// Variables that are within 1e-4 of the way at a bound: -1 at the lower one, 1 at the upper one, else 0.
std::vector<int> FindBounds(const Evaluation& evaluation);

}  // namespace davit
