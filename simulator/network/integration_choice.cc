#include "simulator/network/integration_choice.h"

#include <algorithm>

#include "simulator/network/component_traits.h"
#include "simulator/network/evaluation_contexts.h"
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

}  // namespace davit
