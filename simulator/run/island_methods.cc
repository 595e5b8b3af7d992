#include "simulator/run/island_methods.h"

#include <fmt/format.h>

#include "simulator/islands/island.h"
#include "simulator/run/run_context.h"
#include "simulator/solvers/integration.h"

namespace davit {

IntegrationDefaults IslandMethods::ReadDefaults(Diagnostics& diagnostics) {
  const double time_step = run_.clock.grid.time_step;
  IntegrationDefaults defaults;
  defaults.ode.fixed_step = time_step;
  const Integration* chosen[2] = {nullptr, nullptr};  // by kind
  for (const Component* child : run_.root.children()) {
    const auto* integration = dynamic_cast<const Integration*>(child);
    if (integration == nullptr) continue;
    const Integration*& known = chosen[static_cast<std::size_t>(integration->kind())];
    if (known != nullptr) {
      diagnostics.Error(integration->location(), run_.root.DisplayPath(),
                        fmt::format("a second {} integration; the first is in line {}; keep one of them",
                                    Integration::kKindNames[static_cast<std::size_t>(integration->kind())],
                                    known->location().line));
      continue;
    }
    known = integration;
  }
  if (chosen[0] != nullptr) {
    defaults.ode = chosen[0]->Options(time_step);
    // One element speaks for both kinds.
    defaults.dae = defaults.ode;
    defaults.dae.method = "ida";
  }
  if (chosen[1] != nullptr) defaults.dae = chosen[1]->Options(time_step);
  defaults.ode.is_default = true;
  given_ = defaults.ode.method;
  return defaults;
}

std::string_view IslandMethods::MethodInForce() const {
  const std::string_view chosen = run_.settings.method();
  return chosen.empty() ? std::string_view(given_) : chosen;
}

void IslandMethods::Choose() {
  const OdeMethod* const method = FindOdeMethod(MethodInForce());
  for (auto& island : run_.network->islands) {
    if (method == nullptr || !island->options().is_default) continue;
    const bool can_use = MayUse(*island, *method);
    island->ChooseMethod(can_use ? method->name : std::string_view(given_));
  }
}

void IslandMethods::Change() {
  const OdeMethod& method = *FindOdeMethod(MethodInForce());
  for (auto& island : run_.network->islands) {
    const IntegratorOptions& options = island->options();
    if (!options.is_default || options.method == method.name) continue;
    if (!MayUse(*island, method)) continue;
    run_.reporter.Log(
        island->members().front()->DisplayPath(),
        fmt::format("its island continues with the method {} in place of {}", method.name, options.method));
    island->ChangeMethod(method.name);
  }
}

bool IslandMethods::MayUse(const Island& island, const OdeMethod& method) const {
  if (island.CanUse(method)) return true;
  run_.reporter.Log(
      RunLog::Severity::kWarning, island.members().front()->DisplayPath(),
      fmt::format("its island keeps the method {}: events cannot be located inside the steps of {}",
                  island.options().method, method.name));
  return false;
}

}  // namespace davit
