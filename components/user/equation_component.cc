#include "components/user/equation_component.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "components/user/equation_reader.h"
#include "components/user/equations.h"
#include "framework/archive.h"

namespace davit {

EquationComponent::EquationComponent() : equations_(std::make_unique<Equations>()) { EffortsRead({}); }

EquationComponent::~EquationComponent() = default;

void EquationComponent::TakeItems(std::vector<ItemElement> items, const UnitSystem& units,
                                  Diagnostics& diagnostics) {
  equations_->items = std::move(items);
  EquationReader(*this, units, diagnostics).Read();
}

const std::vector<ItemElement>& EquationComponent::items() const { return equations_->items; }

void EquationComponent::ParametersChanged() {
  Equations& e = *equations_;
  if (e.memory.empty()) return;
  for (Equations::BondValue& bond : e.bonds) bond.value = bond.find(bond.port->bond(0));
  for (Equations::Step& step : e.steps) {
    for (Equations::Written& to : step.written) {
      if (to.port != nullptr) to.value = to.find(to.port->bond(0));
    }
  }
  for (const auto& [parameter, place] : e.parameter_values) e.memory[place] = *parameter;
  const Equations::Step& step = e.steps[Equations::kConstant];
  e.Run(step.code);
  step.Scatter(e.memory.data());
}

void EquationComponent::Reset() {
  DynamicSimComponent::Reset();
  Equations& e = *equations_;
  if (e.memory.empty()) return;
  for (const Equations::Held& held : e.held) {
    e.memory[held.place] = held.start;
    *held.output = held.start;
  }
}

void EquationComponent::ArchiveMemory(Archive& archive) {
  for (double& value : equations_->memory) archive(value);
}

void EquationComponent::PostIntegrate() {
  const Equations& e = *equations_;
  if (e.memory.empty()) return;
  for (const Equations::Result& result : e.results) {
    if (std::isfinite(e.memory[result.place])) continue;
    const double t = e.memory[e.time_place];
    FailEvaluation(
        t, fmt::format("the value of '{}' is not finite; its expression divides by zero or leaves the "
                       "range of a function: keep it inside, for example with max(x, 1e-6)",
                       result.name));
  }
}

void EquationComponent::Evaluate(Phase phase, double t) {
  equations_->Evaluate(equations_->steps[phase == Phase::kEarly ? Equations::kEarly : Equations::kLate], t);
}

void EquationComponent::Equations::Evaluate(const Step& step, double t) {
  double* const values = memory.data();
  values[time_place] = t;
  step.Gather(values);
  if (step.has_code) code->Run(step.code, values);
  step.Scatter(values);
}

double EquationComponent::Equations::ReadGuard(const Event& event) {
  all.Gather(memory.data());
  Run(event.value);
  return memory[event.value_place];
}

void EquationComponent::Equations::React(const Reaction& reaction, double t) {
  memory[time_place] = t;
  all.Gather(memory.data());
  Run(reaction.code);  // all values before any of them is written
  for (const Assigned& assigned : reaction.assigned) {
    const double value = memory[assigned.value];
    memory[assigned.to] = value;
    if (assigned.state != nullptr) {
      assigned.state->OverrideStateValue(value);
    } else {
      *assigned.output = value;
    }
  }
}

}  // namespace davit
