#include "simulator/network/tlm_schedule.h"

#include <algorithm>
#include <bit>
#include <cmath>
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
      waves_(std::move(plan.waves)),
      portless_(std::move(plan.portless)) {
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
  for (TlmComponent* component : portless_) component->InitializeWaves();
}

void TlmSchedule::EvaluateAt(double t) {
  UpdateLatches();
  for (Extrapolated& e : extrapolated_) e.value = states_.y[e.offset];
  evaluations_.Run(t, watch_);
  states_.memory.is_overridden = false;
}

void TlmSchedule::ArchiveShown(Archive& archive) {
  ArchiveMemory(archive);
  bool is_asked = is_post_integrate_asked_.load(std::memory_order_relaxed);
  archive(is_asked);
  is_post_integrate_asked_.store(is_asked, std::memory_order_relaxed);
}

TlmSchedule::Part TlmSchedule::PartOf(const std::vector<DynamicSimComponent*>& components) {
  Part part;
  std::unordered_set<const double*> read;
  std::vector<std::uint32_t> offsets;
  for (DynamicSimComponent* component : components) {
    const Declarations& d = component->declarations();
    for (const InputDeclaration& input : d.inputs) {
      if (!input.is_array) {
        read.insert(*input.source);
      } else {
        read.insert(input.sources->begin(), input.sources->end());
      }
    }
    for (const StateDeclaration& state : d.states) {
      for (std::uint32_t i = 0; i < state.count; ++i) {
        if (state.slots[i].memory == &states_.memory)
          offsets.push_back(state.slots[i].offset);  // not of an island
      }
    }
  }
  std::ranges::sort(offsets);
  for (const std::uint32_t offset : offsets) {
    if (part.states.empty() || part.states.back().second != offset) part.states.emplace_back(offset, offset);
    part.states.back().second = offset + 1;
  }
  for (Latch& latch : latches_) {
    if (read.contains(&latch.value)) part.latches.push_back(&latch);
  }
  for (Extrapolated& one : extrapolated_) {
    if (read.contains(&one.value)) part.extrapolated.push_back(&one);
  }
  return part;
}

void TlmSchedule::Keep(const std::unordered_set<const Component*>& components, Part part) {
  for (Phase* phase : {&signals_, &c_, &q_, &evaluations_}) {
    Phase kept;
    for (const Batch& batch : phase->batches) {
      for (std::size_t i = batch.begin; i < batch.begin + batch.count; ++i) {
        if (components.contains(phase->components[i]))
          kept.Add(phase->components[i], batch.run, phase->places[i], batch.block);
      }
    }
    *phase = std::move(kept);
  }
  const auto is_of_other = [&](const TlmComponent* component) { return !components.contains(component); };
  std::erase_if(waves_, is_of_other);
  std::erase_if(portless_, is_of_other);
  part_ = std::make_unique<Part>(std::move(part));
}

void TlmSchedule::ExtrapolatePart(double h) {
  for (Extrapolated* e : part_->extrapolated) e->value = states_.y[e->offset] + h * states_.ddt[e->offset];
}

void TlmSchedule::UpdateLatchesOfPart() {
  for (Latch* latch : part_->latches) latch->value = latch->from.Read();
}

bool TlmSchedule::IsPartFinite() const {
  double sum = 0;  // 0 y is 0, or NaN where y is not finite
  for (const auto& [begin, end] : part_->states) {
    for (std::uint32_t i = begin; i < end; ++i) sum += 0 * states_.y[i];
  }
  return sum == 0;
}

void TlmSchedule::ArchivePart(Archive& archive, Part& part) {
  for (const auto& [begin, end] : part.states) {
    for (std::uint32_t i = begin; i < end; ++i) {
      archive(states_.y[i], states_.ddt[i]);
      if (!states_.residual.empty()) archive(states_.residual[i]);
    }
  }
  for (Latch* latch : part.latches) archive(*latch);
  for (Extrapolated* e : part.extrapolated) archive(*e);
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
