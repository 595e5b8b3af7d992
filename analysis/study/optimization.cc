#include "analysis/study/optimization.h"

#include <fmt/format.h>

#include "analysis/study/local_search.h"
#include "analysis/study/population_search.h"

namespace davit {
namespace {

void SearchWithAuto(Objective& objective, const std::vector<double>& start, double tolerance) {
  SearchLocally(objective, LocalMethod::kSlsqp, start, tolerance);
  const bool has_constraints = objective.constraints() > 0;
  const bool is_quadratic = !has_constraints && objective.dimensions() > 1;
  const LocalMethod second = has_constraints ? LocalMethod::kCobyla
                             : is_quadratic  ? LocalMethod::kBobyqa
                                             : LocalMethod::kNelderMead;
  SearchLocally(objective, second, objective.best()->u, tolerance);
}

}  // namespace

Fault FaultOfMethod(OptimizationMethod method, const Objective& objective) {
  const std::string_view name = kOptimizationMethods[static_cast<std::size_t>(method)];
  const bool is_population = method == OptimizationMethod::kDe || method == OptimizationMethod::kCmaes;
  if (objective.objectives() > 1 && method != OptimizationMethod::kAuto &&
      method != OptimizationMethod::kNsga2)
    return {fmt::format("{} has one objective, not {}", name, objective.objectives()),
            "choose nsga2 or auto"};
  const bool is_unconstrained =
      method == OptimizationMethod::kNelderMead || method == OptimizationMethod::kBobyqa;
  if (is_unconstrained && objective.constraints() > 0)
    return {fmt::format("{} knows no constraints", name), "choose cobyla, slsqp, de, cmaes or auto"};
  if (method == OptimizationMethod::kBobyqa && objective.dimensions() < 2)
    return {"bobyqa needs at least two variables", "choose nelder-mead, slsqp or auto"};
  if (is_population && objective.dimensions() == 0) return {"nothing is varied", "give --vary"};
  return {};
}

SearchOutcome Optimize(Objective& objective, OptimizationMethod method, const std::vector<double>& start,
                       double tolerance, std::uint64_t seed) {
  try {
    switch (method) {
      case OptimizationMethod::kAuto:
        if (objective.objectives() > 1) {
          SearchFront(objective, start, seed);
        } else {
          SearchWithAuto(objective, start, tolerance);
        }
        break;
      case OptimizationMethod::kNelderMead:
        SearchLocally(objective, LocalMethod::kNelderMead, start, tolerance);
        break;
      case OptimizationMethod::kBobyqa:
        SearchLocally(objective, LocalMethod::kBobyqa, start, tolerance);
        break;
      case OptimizationMethod::kCobyla:
        SearchLocally(objective, LocalMethod::kCobyla, start, tolerance);
        break;
      case OptimizationMethod::kSlsqp: SearchLocally(objective, LocalMethod::kSlsqp, start, tolerance); break;
      case OptimizationMethod::kDe: SearchByDifferentialEvolution(objective, start, tolerance, seed); break;
      case OptimizationMethod::kCmaes: SearchByCovariance(objective, start, tolerance, seed); break;
      case OptimizationMethod::kNsga2: SearchFront(objective, start, seed); break;
    }
  } catch (const SearchEnded& end) {
    return {false, end.is_stopped};
  }
  return {true, false};
}

std::vector<int> FindBounds(const Evaluation& evaluation) {
  constexpr double kAtBound = 1e-4;
  std::vector<int> bounds;
  bounds.reserve(evaluation.u.size());
  for (const double u : evaluation.u) bounds.push_back(u < kAtBound ? -1 : u > 1 - kAtBound ? 1 : 0);
  return bounds;
}

}  // namespace davit
