// The part of SimulatorManager for solvers outside of davit.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "simulator/charts/chart_binding.h"
#include "simulator/charts/chart_set.h"
#include "simulator/failure_text.h"
#include "simulator/requests/behaviour_switcher.h"
#include "simulator/requests/handed_down_values.h"
#include "simulator/requests/parameter_routes.h"
#include "simulator/simulator_manager.h"
#include "simulator/solver_type.h"
#include "simulator/step_point_hooks.h"

namespace davit {

std::string SimulatorManager::FaultOfOutside() const {
  for (const DynamicSimComponent* component : components_) {
    if (component->GetSolverType() == SolverType::kTlm)
      return fmt::format(
          "{} advances with fixed steps (TLM): a delay line has no continuous states that a solver outside "
          "could integrate",
          component->DisplayPath());
  }
  for (const auto& island : network_->islands) {
    if (island->is_dae())
      return fmt::format(
          "the island of {} has algebraic equations (DAE), for which model exchange has no form",
          island->members().front()->DisplayPath());
  }
  if (!loop_->is_divisible())
    return "there are components with fixed steps, or with a TimeStep of their own (multirate)";
  return {};
}

void SimulatorManager::SolveOutside() {
  is_solved_outside_ = true;
  for (const auto& island : network_->islands) island->SolveOutside();
}

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

double SimulatorManager::next_step_event() const {
  const auto acts = [](const ChartBinding* chart) { return !chart->is_default(); };
  const bool is_each =
      std::ranges::any_of(charts_->charts(), acts) || !network_->operators.is_empty() ||
      !parameter_routes_->is_empty() || !processed_.empty() ||
      std::ranges::any_of(network_->rates,
                          [](const auto& rate) { return HasHooks(*rate, StepPointUse::kAct); }) ||
      std::ranges::any_of(network_->islands, [](const auto& island) { return island->holds_signals(); });
  if (is_each) return grid_.next();
  const double request = queue_.next_time();
  if (!std::isfinite(request)) return request;
  return std::max(grid_.next(), grid_.Point(grid_.NumberOf(request)));
}

bool SimulatorManager::has_looks() const {
  return std::ranges::any_of(network_->rates,
                             [](const auto& rate) { return HasHooks(*rate, StepPointUse::kLook); }) ||
         std::ranges::any_of(network_->islands,
                             [](const auto& island) { return !island->modes().is_empty(); });
}

void SimulatorManager::Settle() {
  HideWritten();
  // What is shown may be what a solver has tried.
  Checked([&] {
    for (auto& island : network_->islands) island->EvaluateAt(time_);
  });
  if (is_finished()) return;
  if (is_inside_step_) {
    handed_down_->Refresh();
    if (switcher_->has_requests()) RunSwitches();
    loop_->RunPart(time_, time_, stop_time_);
  } else {
    BeginStep();
    loop_->RunFirstPart(time_, time_, stop_time_);
    is_inside_step_ = true;
  }
}

bool SimulatorManager::Follow(const Item& input, const std::array<double, Island::Ramp::kTerms>& c) {
  Write(input, c[0]);
  const bool has_copy = std::ranges::any_of(
      network_->shadows, [&](const auto& shadow) { return shadow.second == &input.owner(); });
  if (has_copy) return false;
  for (auto& island : network_->islands) {
    const auto& members = island->members();
    if (std::ranges::find(members, &input.owner()) == members.end()) continue;
    auto known = std::ranges::find(ramps_, island.get(), [](const auto& entry) { return entry.first; });
    if (known == ramps_.end()) known = ramps_.insert(ramps_.end(), {island.get(), {}});
    known->second.push_back({input.input()->own_value, time_, c});
    island->set_ramps(known->second);
    island->ContinueWithNewInput();
    return true;
  }
  return false;
}

void SimulatorManager::EndRamps() {
  for (const auto& entry : ramps_) entry.first->set_ramps({});
  ramps_.clear();
}

}  // namespace davit
