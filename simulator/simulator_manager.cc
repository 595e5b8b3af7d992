#include "simulator/simulator_manager.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "framework/registry.h"
#include "framework/system.h"
#include "simulator/charts/statechart.h"
#include "simulator/operator_chain.h"
#include "simulator/run/run_settings.h"
#include "simulator/solvers/integration.h"

namespace davit {

SimulatorManager::SimulatorManager()
    : run_(*this, {.time_step = time_step_,
                   .fs = fs_,
                   .start_time = start_time_,
                   .stop_time = stop_time_,
                   .real_time_budget = real_time_budget_,
                   .autostart = autostart_,
                   .levels = levels_,
                   .method = [this] { return MethodName(); },
                   .not_real_time = not_real_time_}) {}

SimulatorManager& SimulatorManager::Of(System& system) {
  for (Component* component : system.root().children()) {
    if (auto* manager = dynamic_cast<SimulatorManager*>(component)) return *manager;
  }
  throw std::logic_error("a system without SimulatorManager: call RegisterSimulator before loading");
}

void SimulatorManager::Configure(Diagnostics& diagnostics) {
  if (stop_time_ <= start_time_) {
    diagnostics.Error(location(), DisplayPath(),
                      fmt::format("StopTime {} s is not after StartTime {} s; make it larger",
                                  static_cast<double>(stop_time_), static_cast<double>(start_time_)));
  } else if ((stop_time_ - start_time_) / time_step_ > StepGrid::kMostSteps) {
    diagnostics.Error(location(), DisplayPath(),
                      "TimeStep is too small for the time between StartTime and StopTime; take a larger one");
  }
  BoundChanges();
}

void SimulatorManager::BoundChanges() {
  const double shortest = (stop_time_ - start_time_) / StepGrid::kMostSteps;
  for (ParameterDeclaration& parameter : mutable_declarations().parameters) {
    const double now = *parameter.value;
    const Range around{.low = now / kMostChange, .high = now * kMostChange};
    if (parameter.label.name == "fs") parameter.range = around;
    if (parameter.label.name == "TimeStep")
      parameter.range = {.low = std::min(std::max(around.low, shortest), now), .high = around.high};
  }
}

std::span<const std::string_view> SimulatorManager::MethodNames() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all{"AsGiven"};
    for (const OdeMethod& method : OdeMethods()) all.push_back(method.name);
    return all;
  }();
  return names;
}

std::string_view SimulatorManager::MethodName() const {
  return method_ == MethodChoice::kAsGiven ? std::string_view()
                                           : MethodNames()[static_cast<std::size_t>(method_.ToNumber())];
}

void RegisterSimulator(Registry& registry) {
  registry.Add<SimulatorManager, Integration, Statechart, OperatorChain>();
}

}  // namespace davit
