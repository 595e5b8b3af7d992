#include "simulator/islands/island_equations.h"

#include <cassert>
#include <cstring>

#include "simulator/component_fault.h"
#include "simulator/islands/unwritten.h"

namespace davit {

IslandEquations::IslandEquations(const IslandPlan& plan)
    : members_(plan.members),
      evaluated_(plan.evaluated),
      derivative_order_(plan.derivatives.order),
      is_implicit_(plan.is_implicit),
      explicit_(plan.layout.explicit_states) {
  for (DynamicSimComponent* member : members_) {
    if (auto* const shown = dynamic_cast<ShownOutputs*>(member)) shown_outputs_.push_back(shown);
    if (auto* const sparing = dynamic_cast<SparingEvaluations*>(member)) sparing_.push_back(sparing);
  }
  TakeStates(plan.layout);
  TakeBatches(plan);
  BindInputs(plan.signals);
  for (double* c : plan.waves) waves_.push_back({c, 0, 0});
  if (is_implicit_) slopes_.assign(states_.size(), 0);
}

void IslandEquations::TakeStates(const StateLayout& layout) {
  for (const std::uint32_t member : layout.members) states_.Add(*members_[member]);
  for (const StateLayout::SolvedOutput& output : layout.outputs) {
    solved_.push_back({output.value, states_.AddOutput(*output.owner, output.name, output.nominal), 0});
  }
  states_.Bind();
}

void IslandEquations::TakeBatches(const IslandPlan& plan) {
  for (std::size_t i = 0; i < plan.batches.size(); ++i) {
    const EvaluationBatch& batch = plan.batches[i];
    batches_.push_back(
        {batch.evaluate, batch.begin, batch.count, plan.derivatives.ends[i], plan.layout.outputs_end[i]});
  }
}

void IslandEquations::BindInputs(const SignalBinding& signals) {
  latches_.reserve(signals.held.size());
  published_states_.reserve(signals.states.size());
  published_derivatives_.reserve(signals.derivatives.size());
  for (const Item& from : signals.held) latches_.push_back({from, 0});
  for (const StateSlot* slot : signals.states) published_states_.push_back({slot, 0});
  for (const StateSlot* slot : signals.derivatives) published_derivatives_.push_back({slot, 0});
  for (const SignalBinding::BoundInput& input : signals.inputs) {
    switch (input.source) {
      case SignalBinding::Source::kValue: *input.slot = signals.values[input.number]; break;
      case SignalBinding::Source::kHeld: *input.slot = &latches_[input.number].value; break;
      case SignalBinding::Source::kState: *input.slot = &published_states_[input.number].value; break;
      case SignalBinding::Source::kDerivative:
        *input.slot = &published_derivatives_[input.number].value;
        break;
      case SignalBinding::Source::kExtrapolated: assert(false); break;  // of schedules only
    }
  }
}

void IslandEquations::PrepareBatches() {
  for (const Batch& batch : batches_) {
    Component* const* const components = &evaluated_[batch.begin];
    const ModelEntry& entry = components[0]->entry();
    // By their flows: there is most in them.
    if (entry.prepare_batch == nullptr || batch.evaluate != entry.evaluate_flows) continue;
    entry.prepare_batch(components, batch.count);
  }
}

void IslandEquations::Arrange(bool is_packed) {
  states_.Arrange(is_packed);
  ListCopies();
}

void IslandEquations::Start(double t) {
  ListCopies();
  states_.ResetOutputs();
  states_.memory.is_overridden = false;
  for (Latch& latch : latches_) latch.value = 0;
  window_.floor = window_.begin = window_.end = t;
}

void IslandEquations::Evaluate(const double* y, double* ddt, double t) {
  ClearIdle(ddt);
  EvaluateMembers(y, ddt, t);
}

void IslandEquations::ClearIdle(double* ddt) const {
  if (states_.idle().empty()) return;
  if (is_implicit_) {
    for (const std::uint32_t i : states_.idle()) ddt[i] = 0;
  } else {
    std::memset(ddt, 0, states_.size() * sizeof(double));  // members write all others
  }
}

void IslandEquations::EvaluateMembers(const double* y, double* ddt, double t) {
  states_.memory.y = const_cast<double*>(y);  // evaluations never write states
  states_.memory.ddt = ddt;
  if (!waves_.empty()) {
    const double share = t >= window_.end ? 1.0 : (t - window_.begin) / (window_.end - window_.begin);
    for (const Wave& wave : waves_) *wave.c = (1 - share) * wave.at_begin + share * wave.at_end;
  }
  for (const InputRamp& ramp : ramps_) *ramp.value = ramp.At(t);
  const double seen = TimeSeenAt(t);
  for (const Copy& copy : copied_states_) *copy.to = y[copy.offset];
  for (Published* shown : shown_states_) shown->value = shown->slot->memory->y[shown->slot->offset];
  std::size_t derivative = 0;
  std::size_t solved = 0;
  CallWatch* const watch = watch_ == nullptr ? nullptr : watch_->ForEvaluation();
  for (const Batch& batch : batches_) {
    RunBatch(batch.evaluate, &evaluated_[batch.begin], batch.count, seen, watch);
    for (; derivative < batch.derivatives_end; ++derivative) {
      const Copy& copy = copied_derivatives_[derivative];
      if (copy.offset != StateVectors::kAbsent) *copy.to = ddt[copy.offset];
    }
    for (; solved < batch.solved_end; ++solved) {
      SolvedOutput& output = solved_[solved];
      output.computed = std::exchange(*output.value, y[output.offset]);
    }
  }
}

void IslandEquations::EvaluateResidual(double t, const double* y, const double* ddt, double* residual) {
  // Members that state residuals read y' there; those that compute derivatives write theirs over it.
  std::copy_n(ddt, slopes_.size(), slopes_.begin());
  states_.memory.residual = residual;
  ShowSolvedOutputs(y);
  Evaluate(y, slopes_.data(), t);
  for (const std::uint32_t i : explicit_) residual[i] = ddt[i] - slopes_[i];
  for (const std::uint32_t i : states_.idle())
    residual[i] = states_.Declaration(i).is_algebraic ? y[i] : ddt[i];
  for (const SolvedOutput& output : solved_) residual[output.offset] = y[output.offset] - output.computed;
}

std::vector<std::size_t> IslandEquations::FindUnwrittenDerivatives(double t) {
  std::vector<std::size_t> unwritten;
  if (is_implicit_) return unwritten;  // DaeCheck asks for equations
  std::vector<double> slopes(states_.size(), kUnwritten);
  for (const std::uint32_t i : states_.idle()) slopes[i] = 0;
  EvaluateMembers(states_.y.data(), slopes.data(), t);
  for (std::size_t i = 0; i < states_.size(); ++i) {
    if (IsUnwritten(slopes[i])) unwritten.push_back(i);
  }
  EvaluateAt(t);
  return unwritten;
}

void IslandEquations::ListCopies() {
  copied_states_.clear();
  copied_derivatives_.clear();
  shown_states_.clear();
  for (Published& p : published_states_) {
    if (p.slot->memory == &states_.memory) {
      copied_states_.push_back({p.slot->offset, &p.value});
    } else {
      shown_states_.push_back(&p);
    }
  }
  for (const std::size_t i : derivative_order_) {
    // Each batch makes a number of them known. One that is not in use reads nothing new.
    Published& p = published_derivatives_[i];
    const bool is_in_use = p.slot->memory == &states_.memory;
    copied_derivatives_.push_back({is_in_use ? p.slot->offset : StateVectors::kAbsent, &p.value});
    if (!is_in_use) p.value = 0;
  }
}

bool IslandEquations::HoldsValueOf(std::span<DynamicSimComponent* const> components) const {
  return std::ranges::any_of(latches_, [&](const Latch& latch) {
    return std::ranges::find(components, &latch.from.owner()) != components.end();
  });
}

bool IslandEquations::UpdateLatches() {
  bool has_new = false;
  for (Latch& latch : latches_) {
    const double value = latch.from.Read();
    has_new = has_new || value != latch.value;
    latch.value = value;
  }
  return has_new;
}

void IslandEquations::TakeWaves() {
  for (Wave& wave : waves_) wave.at_begin = wave.at_end = *wave.c;
}

void IslandEquations::HoldWaves() {
  for (Wave& wave : waves_) wave.at_begin = *wave.c;
}

void IslandEquations::EndWaves() {
  for (Wave& wave : waves_) wave.at_end = *wave.c;
}

}  // namespace davit
