#include "components/user/equation_component.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "components/user/equation_reader.h"
#include "components/user/equations.h"
#include "framework/archive.h"
#include "framework/symptom.h"

namespace davit {

EquationComponent::EquationComponent() : equations_(std::make_unique<Equations>()) { EffortsRead({}); }

EquationComponent::~EquationComponent() = default;

void EquationComponent::TakeItems(std::vector<ItemElement> items, const UnitSystem& units,
                                  const Registry& registry, Diagnostics& diagnostics) {
  equations_->items = std::move(items);
  EquationReader(*this, units, registry, diagnostics).Read();
}

const std::vector<ItemElement>& EquationComponent::items() const { return equations_->items; }

void EquationComponent::ParametersChanged() {
  Equations& e = *equations_;
  if (e.block == nullptr) return;
  e.block->Bind(e.lane);
  for (const auto& [parameter, place] : e.parameter_values) e.ValueAt(place) = *parameter;
  e.block->Run(e.steps[Equations::kConstant].code, e.lane);
  e.block->Write(Equations::kConstant, e.lane);
}

void EquationComponent::Reset() {
  DynamicSimComponent::Reset();
  Equations& e = *equations_;
  if (e.block == nullptr) return;
  for (const Equations::Held& held : e.held) {
    e.ValueAt(held.place) = held.start;
    *held.output = held.start;
  }
}

void EquationComponent::ArchiveMemory(Archive& archive) {
  const Equations& e = *equations_;
  if (e.block == nullptr) return;
  for (Equations::Place place = 0; place < e.block->value_count(); ++place) archive(e.ValueAt(place));
}

void EquationComponent::PostIntegrate() {
  const Equations& e = *equations_;
  if (e.block == nullptr) return;
  for (const Equations::Result& result : e.results) {
    if (std::isfinite(e.ValueAt(result.place))) continue;
    const double t = e.ValueAt(e.time_place);
    FailEvaluation(
        t, fmt::format("the value of '{}' is not finite; its expression divides by zero or leaves the "
                       "range of a function: keep it inside, for example with max(x, 1e-6){}",
                       result.name, SeeSection(Symptom::kDiverged)));
  }
}

void EquationComponent::EvaluateEfforts(double t) {
  const Equations& e = *equations_;
  if (e.block != nullptr) e.block->EvaluateOne(Equations::kEarly, e.lane, t);
}

void EquationComponent::EvaluateDiffEquations(double t) {
  const Equations& e = *equations_;
  if (e.block != nullptr) e.block->EvaluateOne(Equations::kLate, e.lane, t);
}

void EquationComponent::EvaluateEffortsOf(Component* const* components, std::size_t count, double t) {
  EvaluateOf(Equations::kEarly, components, count, t);
}

void EquationComponent::EvaluateDiffEquationsOf(Component* const* components, std::size_t count, double t) {
  EvaluateOf(Equations::kLate, components, count, t);
}

void EquationComponent::EvaluateOf(std::size_t step, Component* const* components, std::size_t count,
                                   double t) {
  for (std::size_t i = 0; i < count;) {
    const Equations& e = *static_cast<EquationComponent*>(components[i])->equations_;
    if (e.block != nullptr && !e.block->is_alone()) {
      i += e.block->Evaluate(step, e.lane, components + i, count - i, t);
      continue;
    }
    if (e.block != nullptr) e.block->EvaluateAlone(step, t);
    ++i;
  }
}

bool EquationComponent::HasEfforts(const Component& component) {
  return !static_cast<const EquationComponent&>(component).equations_->steps[Equations::kEarly].is_idle();
}

std::size_t EquationComponent::KindOfBatch(const Component& component) {
  const Equations& e = *static_cast<const EquationComponent&>(component).equations_;
  return e.block == nullptr ? 0 : e.code->hash();
}

void EquationComponent::PrepareBatch(Component* const* components, std::size_t count) {
  std::vector<EquationComponent*> members;
  for (std::size_t i = 0; i < count; ++i) {
    auto* const component = static_cast<EquationComponent*>(components[i]);
    if (component->equations_->block != nullptr) members.push_back(component);
  }
  for (auto begin = members.begin(); begin != members.end();) {
    auto end = begin + 1;
    while (end != members.end() && end - begin < std::ptrdiff_t{RegisterCode::kLanes} &&
           (*end)->equations_->EvaluatesAs(*(*begin)->equations_))
      ++end;
    EquationBlock::Join({begin, end});
    begin = end;
  }
}

std::size_t EquationComponent::lanes() const {
  return equations_->block == nullptr ? 1 : equations_->block->lanes();
}

bool EquationComponent::Equations::Step::MovesAs(const Step& other) const {
  const auto same = [](const auto& a, const auto& b) {
    return std::ranges::equal(a, b, [](const auto& x, const auto& y) { return x.place == y.place; });
  };
  return code.begin == other.code.begin && code.end == other.code.end && same(reads, other.reads) &&
         same(states, other.states) && same(derivatives, other.derivatives) && same(written, other.written);
}

bool EquationComponent::Equations::EvaluatesAs(const Equations& other) const {
  return *code == *other.code && time_place == other.time_place &&
         std::ranges::equal(steps, other.steps, [](const Step& a, const Step& b) { return a.MovesAs(b); });
}

double EquationComponent::Equations::ReadGuard(const Event& event) {
  block->Fetch(kForGuards, lane);
  block->Run(event.value, lane);
  return ValueAt(event.value_place);
}

void EquationComponent::Equations::React(const Reaction& reaction, double t) {
  ValueAt(time_place) = t;
  block->Fetch(kForGuards, lane);
  block->Run(reaction.code, lane);  // all values before any of them is written
  for (const Assigned& assigned : reaction.assigned) {
    const double value = ValueAt(assigned.value);
    ValueAt(assigned.to) = value;
    if (assigned.state != nullptr) {
      assigned.state->memory->y[assigned.state->offset] = value;
      assigned.state->memory->is_overridden = true;
    } else {
      *assigned.output = value;
    }
  }
}

}  // namespace davit
