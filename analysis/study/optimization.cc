#include "analysis/study/optimization.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/study/local_search.h"
#include "analysis/study/population_search.h"

namespace davit {
namespace {

bool HasChoices(const Objective& objective) {
  return std::ranges::any_of(objective.variables(),
                             [](const BoundedVariation& v) { return !v.choices.empty(); });
}

bool SearchWithAuto(Objective& objective, const std::vector<double>& start, double tolerance) {
  SearchLocally(objective, LocalMethod::kSlsqp, start, tolerance);
  const bool has_constraints = objective.constraints() > 0;
  const bool is_quadratic = !has_constraints && objective.dimensions() > 1;
  const LocalMethod second = has_constraints ? LocalMethod::kCobyla
                             : is_quadratic  ? LocalMethod::kBobyqa
                                             : LocalMethod::kNelderMead;
  return SearchLocally(objective, second, objective.best()->u, tolerance);
}

/// Returns whether the steps have become smaller than the tolerance.
bool Search(Objective& objective, OptimizationMethod method, const std::vector<double>& start,
            double tolerance, std::uint64_t seed) {
  switch (method) {
    case OptimizationMethod::kAuto:
      if (objective.objectives() > 1)
        return Search(objective, OptimizationMethod::kNsga2, start, tolerance, seed);
      if (HasChoices(objective)) return Search(objective, OptimizationMethod::kDe, start, tolerance, seed);
      return SearchWithAuto(objective, start, tolerance);
    case OptimizationMethod::kNelderMead:
      return SearchLocally(objective, LocalMethod::kNelderMead, start, tolerance);
    case OptimizationMethod::kBobyqa: return SearchLocally(objective, LocalMethod::kBobyqa, start, tolerance);
    case OptimizationMethod::kCobyla: return SearchLocally(objective, LocalMethod::kCobyla, start, tolerance);
    case OptimizationMethod::kSlsqp: return SearchLocally(objective, LocalMethod::kSlsqp, start, tolerance);
    case OptimizationMethod::kDe: SearchByDifferentialEvolution(objective, start, tolerance, seed); break;
    case OptimizationMethod::kCmaes: SearchByCovariance(objective, start, tolerance, seed); break;
    case OptimizationMethod::kNsga2: SearchFront(objective, start, seed); break;
  }
  return true;
}

}  // namespace

std::string SearchOutcome::ToText() const {
  if (!has_value) return "failed";
  static constexpr std::array<std::string_view, 4> kTexts{
      "converged", "stopped short of the tolerance: the method finds no better point from here",
      "the budget is used up", "interrupted"};
  const std::string_view text = kTexts[static_cast<std::size_t>(end)];
  if (is_feasible) return std::string(text);
  return "no feasible point found" + (end == End::kReached ? "" : "; " + std::string(text));
}

Fault FaultOfMethod(OptimizationMethod method, const std::vector<BoundedVariation>& variables,
                    const Objective::Layout& layout) {
  const std::string_view name = kOptimizationMethods[static_cast<std::size_t>(method)];
  const bool is_population = method == OptimizationMethod::kDe || method == OptimizationMethod::kCmaes;
  if (layout.objectives > 1 && method != OptimizationMethod::kAuto && method != OptimizationMethod::kNsga2)
    return {fmt::format("{} has one objective, not {}", name, layout.objectives), "choose nsga2 or auto"};
  const bool is_unconstrained =
      method == OptimizationMethod::kNelderMead || method == OptimizationMethod::kBobyqa;
  if (is_unconstrained && !layout.constraints.empty())
    return {fmt::format("{} knows no constraints", name), "choose cobyla, slsqp, de, cmaes or auto"};
  if (method == OptimizationMethod::kBobyqa && variables.size() < 2)
    return {"bobyqa needs at least two variables", "choose nelder-mead, slsqp or auto"};
  const bool is_by_choice = method == OptimizationMethod::kAuto || method == OptimizationMethod::kDe ||
                            method == OptimizationMethod::kNsga2;
  const auto choice =
      std::ranges::find_if(variables, [](const BoundedVariation& v) { return !v.choices.empty(); });
  if (choice != variables.end() && !is_by_choice)
    return {fmt::format("{} searches continuous values, and {} is one of several choices", name,
                        choice->item.path),
            "choose de, nsga2 or auto"};
  if (is_population && variables.empty()) return {"nothing is varied", "vary something"};
  return {};
}

SearchOutcome Optimize(Objective& objective, OptimizationMethod method, const std::vector<double>& start,
                       double tolerance, std::uint64_t seed) {
  using enum SearchOutcome::End;
  SearchOutcome outcome;
  try {
    outcome.end = Search(objective, method, start, tolerance, seed) ? kReached : kStalled;
  } catch (const SearchEnded& end) {
    outcome.end = end.is_stopped ? kStopped : kBudget;
  }
  outcome.has_value = std::ranges::any_of(objective.all(), &Evaluation::is_valid);
  outcome.is_feasible = std::ranges::any_of(
      objective.all(), [](const Evaluation& e) { return e.is_valid && e.violation <= 0; });
  return outcome;
}

std::vector<int> FindBounds(const Evaluation& evaluation) {
  constexpr double kAtBound = 1e-4;
  std::vector<int> bounds;
  bounds.reserve(evaluation.u.size());
  for (const double u : evaluation.u) bounds.push_back(u < kAtBound ? -1 : u > 1 - kAtBound ? 1 : 0);
  return bounds;
}

}  // namespace davit
