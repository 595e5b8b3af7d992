#include "simulator/network/rate.h"

#include "simulator/solver_type.h"

namespace davit {

void Rate::AddHooks(DynamicSimComponent& component) {
  const ModelEntry& entry = component.entry();
  if (component.GetSolverType() == SolverType::kTlm && !entry.has_hooks_in_fixed_steps) return;
  if (entry.has_pre_integrate) pre_integrated.push_back(&component);
  if (!entry.has_post_integrate) return;
  post_integrated.push_back(&component);
  const bool is_when_asked = entry.is_tlm && entry.post_integrates_when_asked;
  if (!is_when_asked) always_post_integrated.push_back(&component);
}

}  // namespace davit
