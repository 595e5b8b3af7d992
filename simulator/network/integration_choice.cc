#include "simulator/network/integration_choice.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "framework/system.h"
#include "simulator/islands/island.h"
#include "simulator/passes/component_traits.h"
#include "simulator/passes/evaluation_contexts.h"
#include "simulator/solvers/integration.h"

namespace davit {
namespace {

/// The one `<Integration>` of a kind among the members; null where there is none.
const Integration* FindIntegration(const std::vector<ContextMember>& members, Integration::Kind kind,
                                   double time_step, Diagnostics& diagnostics) {
  const Integration* chosen = nullptr;
  for (const ContextMember& member : members) {
    for (const Component* child : member.component->children()) {
      const auto* integration = dynamic_cast<const Integration*>(child);
      if (integration == nullptr || integration->kind() != kind) continue;
      if (chosen != nullptr && integration->Options(time_step) != chosen->Options(time_step)) {
        diagnostics.Error(integration->location(), member.component->DisplayPath(),
                          "two different integrations in one island: here and in " +
                              chosen->parent()->DisplayPath() + "; keep one of them");
        continue;
      }
      chosen = integration;
    }
  }
  return chosen;
}

}  // namespace

bool IsDae(const std::vector<ContextMember>& members) {
  return std::any_of(members.begin(), members.end(),
                     [](const ContextMember& m) { return m.solver == SolverType::kAlgebraic; });
}

IntegratorOptions ChooseIntegration(const std::vector<ContextMember>& members,
                                    const IntegrationDefaults& defaults, double time_step,
                                    Diagnostics& diagnostics) {
  const bool is_dae = IsDae(members);
  const Integration* chosen = FindIntegration(
      members, is_dae ? Integration::Kind::kDae : Integration::Kind::kOde, time_step, diagnostics);
  const IntegratorOptions options = chosen != nullptr ? chosen->Options(time_step)
                                    : is_dae          ? defaults.dae
                                                      : defaults.ode;
  const OdeMethod* method = FindOdeMethod(options.method);
  if (method == nullptr || method->has_values_inside) return options;
  for (const ContextMember& member : members) {
    if (!HasActiveGuards(*member.component)) continue;
    diagnostics.Error(member.component->location(), member.component->DisplayPath(),
                      "its events cannot be located inside the steps of " + options.method +
                          "; take another method, such as runge_kutta_dopri5");
  }
  return options;
}

void WarnOfUnusedIntegrations(const System& system, const std::vector<std::unique_ptr<Island>>& islands,
                              Diagnostics& diagnostics) {
  if (diagnostics.has_errors()) return;  // what is wrong may be why
  std::unordered_set<const Integration*> used;
  std::array<bool, Integration::kKindNames.size()> needs_default{};  // by kind
  bool has_states = false;
  for (const auto& island : islands) {
    if (island->states().size() == 0) continue;
    const auto kind = island->is_implicit() ? Integration::Kind::kDae : Integration::Kind::kOde;
    has_states = true;
    bool has_own = false;
    for (const DynamicSimComponent* member : island->members()) {
      for (const Component* child : member->children()) {
        const auto* integration = dynamic_cast<const Integration*>(child);
        if (integration == nullptr || integration->kind() != kind) continue;
        used.insert(integration);
        has_own = true;
      }
    }
    if (!has_own) needs_default[static_cast<std::size_t>(kind)] = true;
  }
  if (!has_states) return;  // nothing is solved otherwise than it was asked for
  const auto is_of_manager = [](const Integration& integration) {
    return integration.parent()->model().name == "SimulatorManager";
  };
  std::vector<const Integration*> elements;
  bool speaks_for_both = true;  // that of the manager for ODE
  for (const Component* component : system.components()) {
    const auto* integration = dynamic_cast<const Integration*>(component);
    if (integration == nullptr) continue;
    elements.push_back(integration);
    if (is_of_manager(*integration) && integration->kind() == Integration::Kind::kDae)
      speaks_for_both = false;
  }
  for (const Integration* integration : elements) {
    const bool is_dae = integration->kind() == Integration::Kind::kDae;
    const bool is_heard = is_of_manager(*integration)
                              ? needs_default[static_cast<std::size_t>(integration->kind())] ||
                                    (!is_dae && speaks_for_both && needs_default[1])
                              : used.contains(integration);
    if (is_heard) continue;
    diagnostics.Warning(
        integration->location(), integration->parent()->DisplayPath(),
        is_dae
            ? "<Integration solver=\"DAE\"> has no effect: no component here is algebraic; write "
              "solver=\"ODE\", which has the method ida too, or leave it out"
            : "<Integration solver=\"ODE\"> has no effect: no differential equations are left to it; write "
              "solver=\"DAE\" for algebraic components, or leave it out");
  }
}

}  // namespace davit
