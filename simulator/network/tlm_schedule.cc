#include "simulator/network/tlm_schedule.h"

#include <bit>
#include <utility>

namespace davit {
namespace {

/// A number that changes with the motion at those ports of a component whose Q sides own it.
std::uint64_t FingerprintOfMotion(const Component& component) {
  std::uint64_t print = 0;
  const auto mix = [&](double value) {
    print = (print ^ std::bit_cast<std::uint64_t>(value)) * 0x9E3779B97F4A7C15U;
    print ^= print >> 32U;
  };
  for (const PortDeclaration& port : component.declarations().ports) {
    for (std::size_t i = 0; i < port.port->bond_count(); ++i) {
      for (const DomainVariable& variable : port.domain->variables) {
        if (variable.side == Role::kQ && variable.known == DomainVariable::Known::kAtEffort)
          mix(variable.of(port.port->bond(i)));
      }
    }
  }
  return print;
}

}  // namespace

TlmSchedule::TlmSchedule(Plan plan)
    : signals_(std::move(plan.signals)),
      c_(std::move(plan.c)),
      q_(std::move(plan.q)),
      evaluations_(std::move(plan.evaluations)),
      waves_(std::move(plan.waves)) {
  for (const Phase* phase : {&signals_, &c_, &q_}) {
    for (Component* component : phase->components) states_.Add(*component);
  }
  states_.Bind();
  for (DynamicSimComponent* member : plan.members) member->PrepareTimestep();
  BindInputs(plan.binding);
  for (TlmComponent* component : waves_) component->set_post_integrate_request(&is_post_integrate_asked_);
}

void TlmSchedule::BindInputs(const SignalBinding& binding) {
  latches_.reserve(binding.held.size());
  extrapolated_.reserve(binding.extrapolated.size());
  for (const Item& from : binding.held) latches_.push_back({from, 0});
  for (const StateSlot* slot : binding.extrapolated) extrapolated_.push_back({slot->offset, 0});
  for (const SignalBinding::BoundInput& input : binding.inputs) {
    const std::size_t i = input.number;
    switch (input.source) {
      case SignalBinding::Source::kValue: *input.slot = binding.values[i]; break;
      case SignalBinding::Source::kHeld: *input.slot = &latches_[i].value; break;
      case SignalBinding::Source::kState: *input.slot = &states_.y[binding.states[i]->offset]; break;
      case SignalBinding::Source::kDerivative:
        *input.slot = &states_.ddt[binding.derivatives[i]->offset];
        break;
      case SignalBinding::Source::kExtrapolated: *input.slot = &extrapolated_[i].value; break;
    }
  }
}

void TlmSchedule::PrepareBatches() {
  for (const Phase* phase : {&signals_, &c_, &q_}) {
    for (Component* const& component : phase->components) {
      const ModelEntry& entry = component->entry();
      if (entry.prepare_batch != nullptr) entry.prepare_batch(&component, 1);
    }
  }
}

void TlmSchedule::InitializeWaves() {
  motions_.resize(waves_.size());
  for (TlmComponent* component : waves_) component->InitializeWaves();
}

void TlmSchedule::EvaluateAt(double t) {
  UpdateLatches();
  for (Extrapolated& e : extrapolated_) e.value = states_.y[e.offset];
  evaluations_.Run(t, watch_);
  states_.memory.is_overridden = false;
}

void TlmSchedule::Restart(double t) {
  for (std::size_t i = 0; i < waves_.size(); ++i) motions_[i] = FingerprintOfMotion(*waves_[i]);
  evaluations_.Run(t, watch_);  // shows the motion
  for (std::size_t i = 0; i < waves_.size(); ++i) {
    waves_[i]->RestartWaves(FingerprintOfMotion(*waves_[i]) != motions_[i]);
  }
  evaluations_.Run(t, watch_);  // answers the waves
  states_.memory.is_overridden = false;
}

}  // namespace davit
