#include "components/mechanical/inertia.h"

namespace davit {

Inertia::Inertia() { EffortsRead({}); }

void Inertia::ParametersChanged() {
  friction_.Set(kinetic_friction, static_friction, stick_velocity);
  for (std::size_t i = 0; i < a.size(); ++i) a[i].inertia = inertia;
  for (std::size_t i = 0; i < b.size(); ++i) b[i].inertia = inertia;
}

void Inertia::Reset() {
  DynamicSimComponent::Reset();
  has_fixed_steps_ = GetSolverType() == SolverType::kTlm;
}

}  // namespace davit
