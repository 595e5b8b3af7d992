#include "simulator/dynamic_sim_component.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "framework/registry.h"
#include "framework/symptom.h"
#include "simulator/declared_reach.h"
#include "simulator/evaluation_failure.h"
#include "simulator/solvers/trapezoidal_step.h"

namespace davit {

/// What a component needs rarely, outside of what its equations touch.
struct DynamicSimComponent::Local {
  explicit Local(DynamicSimComponent* owner)
      : solver(owner, "solver", "Solver that integrates the component", SolverType::kAutomatic,
               kSolverTypeNames),
        own_time_step(
            owner, "TimeStep", "s",
            "Separate TimeStep (multirate), an integer multiple or submultiple of that of the system", 0.0,
            kNonNegative, Tunability::kStructural) {}

  Property<SolverType> solver;
  Property<double> own_time_step;
  SolverType chosen = SolverType::kDifferential;
  std::unique_ptr<TrapezoidalStep> step;  ///< of those that take fixed steps
  StateMemory memory;
  std::vector<double> y, ddt, residual;
  std::vector<Guard*> guards;
};

DynamicSimComponent::DynamicSimComponent() : local_(std::make_unique<Local>(this)) {}

DynamicSimComponent::~DynamicSimComponent() = default;

void DynamicSimComponent::Reset() {
  for (const StateDeclaration& state : declarations().states) {
    if (!state.is_active) continue;
    for (std::uint32_t i = 0; i < state.count; ++i) {
      const StateSlot& slot = state.slots[i];
      slot.memory->y[slot.offset] = state.start[i];
      slot.memory->is_overridden = true;
    }
  }
}

bool DynamicSimComponent::AcceptsChild(std::string_view model) const {
  return Component::AcceptsChild(model) || model == "Operators";
}

SimSignalMap DynamicSimComponent::GetSimSignals() {
  SimSignalMap signals;
  const auto add = [&](Item item) {
    std::string path = item.path();
    signals.emplace(std::move(path), std::move(item));
  };
  for (std::size_t i = 0; i < declarations().inputs.size(); ++i) {
    if (!declarations().inputs[i].is_array) add(Item::OfInput(*this, i));
  }
  for (std::size_t i = 0; i < declarations().outputs.size(); ++i) add(Item::OfOutput(*this, i));
  return signals;
}

StateVariableMap DynamicSimComponent::GetStateVariables() {
  StateVariableMap states;
  for (const StateDeclaration& state : declarations().states) {
    if (state.is_algebraic || !state.is_active) continue;
    const std::string name = path() + '.' + std::string(state.label.name);
    if (!state.is_array) states.emplace(name, state.variable);
    for (std::uint32_t i = 0; state.is_array && i < state.count; ++i)
      states.emplace(fmt::format("{}[{}]", name, i), &StateVariable::Of(state.slots[i]));
  }
  return states;
}

std::optional<Item> DynamicSimComponent::GetSimSignalWithMatchingFullName(std::string_view name) {
  const SimSignalMap signals = GetSimSignals();
  auto found = signals.find(name);
  if (found == signals.end()) found = signals.find(path() + '.' + std::string(name));
  return found == signals.end() ? std::nullopt : std::optional(found->second);
}

StateVariable* DynamicSimComponent::GetStateVariableWithMatchingFullName(std::string_view name) {
  for (const std::string_view field : {".Value", ".ddt"}) {
    if (name.ends_with(field)) name.remove_suffix(field.size());
  }
  const StateVariableMap states = GetStateVariables();
  auto found = states.find(name);
  if (found == states.end()) found = states.find(path() + '.' + std::string(name));
  return found == states.end() ? nullptr : found->second;
}

bool DynamicSimComponent::HasOperatorWithMatchingFullName(std::string_view name) const {
  for (const Component* chain : children()) {
    if (!chain->entry().holds_operators) continue;
    for (const Component* one : chain->children()) {
      if (one->path() == name || one->path() == path() + '.' + std::string(name)) return true;
    }
  }
  return false;
}

SolverType DynamicSimComponent::requested_solver() const { return local_->solver; }

SolverType DynamicSimComponent::GetSolverType() const {
  return local_->solver == SolverType::kAutomatic ? local_->chosen : static_cast<SolverType>(local_->solver);
}

double DynamicSimComponent::requested_time_step() const { return local_->own_time_step; }

void DynamicSimComponent::ChooseSolver(SolverType type) { local_->chosen = type; }

void DynamicSimComponent::AddGuard(Guard& guard) { local_->guards.push_back(&guard); }

const std::vector<Guard*>& DynamicSimComponent::guards() const { return local_->guards; }

bool DynamicSimComponent::is_algebraic_model() const {
  const auto& states = declarations().states;
  return std::any_of(
             states.begin(), states.end(),
             [](const StateDeclaration& s) { return s.is_algebraic && s.is_active && s.count > 0; }) ||
         (entry().evaluate_algebraic != nullptr && entry().evaluate_flows == nullptr);
}

void DynamicSimComponent::PrepareTimestep() {
  std::vector<StateSlot> slots;
  std::vector<double> nominal;
  for (const StateDeclaration& state : declarations().states) {
    if (!state.is_in_use()) continue;
    slots.insert(slots.end(), state.slots, state.slots + state.count);
    nominal.insert(nominal.end(), state.count, state.nominal);
  }
  local_->step = std::make_unique<TrapezoidalStep>(std::move(slots), std::move(nominal));
}

void DynamicSimComponent::SimulateOneTimestep(double t) {
  const auto evaluate = [](void* context, double time) {
    auto* self = static_cast<DynamicSimComponent*>(context);
    self->EvaluateEfforts(time);
    self->EvaluateDiffEquations(time);
  };
  if (local_->step->size() == 0) {
    evaluate(this, t);
    return;
  }
  if (!local_->step->Advance(t, time_step_, this, evaluate)) {
    FailEvaluation(
        t, "the trapezoidal step does not converge; try a smaller TimeStep" + SeeSection(Symptom::kDiverged));
  }
}

StateSlot DynamicSimComponent::AddLocalState(double start) {
  Local& local = *local_;
  const StateSlot slot{&local.memory, static_cast<std::uint32_t>(local.y.size())};
  local.y.push_back(start);
  local.ddt.push_back(0);
  local.residual.push_back(0);
  local.memory = {local.y.data(), local.ddt.data(), local.residual.data(), false};
  return slot;
}

void DynamicSimComponent::EffortsRead(std::initializer_list<ReadItem> items) {
  auto& reads = mutable_declarations().effort_reads.emplace();
  for (const ReadItem& item : items) reads.push_back(item.id());
}

void DynamicSimComponent::Reads(const Readable& reader, std::initializer_list<Reach> reads) {
  DeclareReach(mutable_declarations(), {reader.id(), reads});
}

void DynamicSimComponent::Reads(const Output& output, std::initializer_list<Reach> reads) {
  DeclareReach(mutable_declarations(), {output.id(), reads});
}

void DynamicSimComponent::FailEvaluation(double t, const std::string& what) const {
  throw EvaluationFailure(*this, t, what);
}

const StateDeclaration& DynamicSimComponent::DeclarationOf(const StateVariable& state) const {
  const auto& states = declarations().states;
  return *std::find_if(states.begin(), states.end(), [&](const StateDeclaration& declaration) {
    return declaration.slots == &state.slot();
  });
}

void DynamicSimComponent::SetStateActive(const StateVariable& state, bool is_active) {
  for (StateDeclaration& declaration : mutable_declarations().states) {
    if (declaration.slots == &state.slot()) declaration.is_active = is_active;
  }
}

}  // namespace davit
