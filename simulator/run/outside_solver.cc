#include "simulator/run/outside_solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "simulator/islands/island.h"
#include "simulator/run/run_context.h"
#include "simulator/run/system_run.h"
#include "simulator/solver_type.h"
#include "simulator/step_point_hooks.h"

namespace davit {
namespace {

/// Whether a component whose hooks are for `use` has them at the step points of a rate.
bool HasHooks(const Rate& rate, StepPointUse use) {
  const auto is_for = [use](const DynamicSimComponent* component) {
    const auto* const hooks = dynamic_cast<const StepPointHooks*>(component);
    return (hooks == nullptr ? StepPointUse::kAct : hooks->step_point_use()) == use;
  };
  return std::ranges::any_of(rate.pre_integrated, is_for) ||
         std::ranges::any_of(rate.post_integrated, is_for);
}

}  // namespace

std::string OutsideSolver::Fault() const {
  for (const DynamicSimComponent* component : context_.components) {
    if (component->GetSolverType() == SolverType::kTlm)
      return fmt::format(
          "{} advances with fixed steps (TLM): a delay line has no continuous states that a solver outside "
          "could integrate",
          component->DisplayPath());
  }
  for (const auto& island : context_.network->islands) {
    if (island->is_implicit())
      return fmt::format(
          "the island of {} has algebraic equations (DAE), for which model exchange has no form",
          island->members().front()->DisplayPath());
  }
  if (!context_.loop->is_divisible())
    return "there are components with fixed steps, or with a separate TimeStep (multirate)";
  return {};
}

void OutsideSolver::NetworkChanged() {
  ramps_.clear();
  if (is_solving_) TakeOver();
}

void OutsideSolver::TakeOver() {
  is_solving_ = true;
  for (const auto& island : context_.network->islands) island->SolveOutside();
}

double OutsideSolver::next_step_event() const {
  const auto acts = [](const ChartBinding* chart) { return !chart->is_default(); };
  const bool is_each =
      std::ranges::any_of(context_.charts.charts(), acts) || !context_.network->operators.is_empty() ||
      !context_.parameter_routes.is_empty() || !context_.processed.empty() ||
      std::ranges::any_of(context_.network->rates,
                          [](const auto& rate) { return HasHooks(*rate, StepPointUse::kAct); }) ||
      std::ranges::any_of(context_.network->islands,
                          [](const auto& island) { return island->holds_signals(); });
  if (is_each) return context_.clock.grid.next();
  const double request = context_.queue.next_time();
  if (!std::isfinite(request)) return request;
  return std::max(context_.clock.grid.next(),
                  context_.clock.grid.Point(context_.clock.grid.NumberOf(request)));
}

bool OutsideSolver::has_looks() const {
  return std::ranges::any_of(context_.network->rates,
                             [](const auto& rate) { return HasHooks(*rate, StepPointUse::kLook); }) ||
         std::ranges::any_of(context_.network->islands,
                             [](const auto& island) { return !island->modes().is_empty(); });
}

bool OutsideSolver::Follow(const Item& input, const std::array<double, InputRamp::kTerms>& c) {
  run_.Write(input, c[0]);
  const bool has_copy = std::ranges::any_of(
      context_.network->shadows, [&](const auto& shadow) { return shadow.second == &input.owner(); });
  if (has_copy) return false;
  for (auto& island : context_.network->islands) {
    const auto& members = island->members();
    if (std::ranges::find(members, &input.owner()) == members.end()) continue;
    auto known = std::ranges::find(ramps_, island.get(), [](const auto& entry) { return entry.first; });
    if (known == ramps_.end()) known = ramps_.insert(ramps_.end(), {island.get(), {}});
    known->second.push_back({input.input()->own_value, context_.clock.time, c});
    island->set_ramps(known->second);
    island->ContinueWithNewInput();
    return true;
  }
  return false;
}

void OutsideSolver::EndRamps() {
  for (const auto& entry : ramps_) entry.first->set_ramps({});
  ramps_.clear();
}

}  // namespace davit
