// The values that go from a component to its FMU and back, many times in each step.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "fmi/import/fmu_component.h"
#include "framework/run_log.h"
#include "simulator/evaluation_failure.h"
#include "simulator/islands/island.h"

namespace davit {

bool FmuComponent::FetchInputs(const std::vector<FmuItems::InputLink>& links, FmuValues& values) {
  bool has_changed = false;
  for (const FmuItems::InputLink& link : links) {
    const double value = link.unit.FromSi(*link.input);
    double& sent = values.values[link.place];
    has_changed = has_changed || !(sent == value);
    sent = value;
  }
  return has_changed;
}

bool FmuComponent::FetchInputs(FmuItems::RunInputs& inputs) {
  bool has_changed = FetchInputs(inputs.routed.links, inputs.routed.values);
  for (FmuItems::InputPart& part : inputs.own) {
    part.is_new = FetchInputs(part.links, part.values) || part.is_new;
    has_changed = has_changed || part.is_new;
  }
  return has_changed;
}

void FmuComponent::SendInputs(FmuItems::RunInputs& inputs) {
  fmu_->SetValues(inputs.routed.values.list, inputs.routed.values.values);
  for (FmuItems::InputPart& part : inputs.own) {
    if (std::exchange(part.is_new, false)) fmu_->SetValues(part.values.list, part.values.values);
  }
}

void FmuComponent::ReadOutputs(const std::vector<FmuItems::OutputLink>& links, FmuValues& values) {
  if (links.empty()) return;
  fmu_->GetValues(values.list, values.values);
  for (const FmuItems::OutputLink& link : links) {
    const double value = values.values[link.place];
    if (link.options == nullptr) {
      *link.value = link.unit.ToSi(value);
      continue;
    }
    std::size_t option = 0;
    while (option < link.options->size() && static_cast<double>((*link.options)[option]) != value) ++option;
    *link.value = static_cast<double>(option);
  }
}

void FmuComponent::HideOutputs(const std::vector<FmuItems::OutputLink>& links) {
  for (const FmuItems::OutputLink& link : links) *link.value = std::numeric_limits<double>::quiet_NaN();
}

const FmuItems::OutputLink* FmuComponent::FindNotFinite(const std::vector<FmuItems::OutputLink>& links) {
  const auto link =
      std::ranges::find_if(links, [](const FmuItems::OutputLink& one) { return !std::isfinite(*one.value); });
  return link == links.end() ? nullptr : &*link;
}

void FmuComponent::CheckOutputs(double t) {
  const auto name = [this](const FmuItems::OutputLink& link) {
    return declarations().outputs[link.declaration].label.name;
  };
  for (const auto* links : {&items_.routed_early_links, &items_.routed_late_links}) {
    const FmuItems::OutputLink* const link = FindNotFinite(*links);
    if (link == nullptr) continue;
    FailEvaluation(t, fmt::format("{}: its output {} is {}; look at what it is given: inputs, parameters, "
                                  "TimeStep",
                                  declared_file_, name(*link), *link->value));
  }
  for (const auto* links : {&items_.early_links, &items_.late_links}) {
    const FmuItems::OutputLink* const link = has_warned_of_output_ ? nullptr : FindNotFinite(*links);
    if (link == nullptr || run_log() == nullptr) continue;
    has_warned_of_output_ = true;
    run_log()->Write(RunLog::Severity::kWarning, DisplayPath(),
                     fmt::format("{}: its output {} is {} at {:.9g} s; no route leads from it, so the run "
                                 "continues",
                                 declared_file_, name(*link), *link->value, t));
  }
}

void FmuComponent::FindBlock() {
  const StateSlot& first = items_.states.front().slot();
  block_.memory = island_ == nullptr ? first.memory : &island_->states().memory;
  block_.arrangement = block_.memory->arrangement;
  block_.is_one = block_.are_si = true;
  block_.used.clear();
  for (std::uint32_t i = 0; i < items_.states.size(); ++i) {
    const StateSlot& slot = items_.states[i].slot();
    const FmuUnit& unit = items_.state_links[i].unit;
    const bool is_there = slot.memory == block_.memory;
    if (is_there) {
      block_.used.push_back({i, slot.offset});
    } else {
      states_[i] = unit.FromSi(items_.states[i]);
    }
    block_.are_si = block_.are_si && unit.is_si();
    block_.is_one = block_.is_one && is_there && slot.offset == first.offset + i;
  }
  block_.is_one = block_.is_one && block_.are_si;
  has_point_ = false;
}

bool FmuComponent::BringTo(double t) {
  if (!states_.empty()) block();
  bool is_same = has_point_ && t == point_time_;
  if (states_.empty()) {
  } else if (block_.is_one) {
    const double* const from = block_.memory->y + block_.used.front().offset;
    const std::size_t bytes = states_.size() * sizeof(double);
    is_same = is_same && std::memcmp(states_.data(), from, bytes) == 0;
    if (!is_same) std::memcpy(states_.data(), from, bytes);
  } else if (block_.are_si && !is_same) {
    const double* const from = block_.memory->y;
    double* const to = states_.data();
    for (const Block::Used& used : block_.used) to[used.state] = from[used.offset];
  } else {
    for (const Block::Used& used : block_.used) {
      const double value = items_.state_links[used.state].unit.FromSi(block_.memory->y[used.offset]);
      is_same = is_same && value == states_[used.state];
      states_[used.state] = value;
    }
  }
  if (is_same) return !is_refused_;
  has_point_ = true;
  has_indicators_ = false;
  point_time_ = t;
  is_refused_ = !fmu_->SetPoint(t, states_);
  return !is_refused_;
}

void FmuComponent::EvaluateEfforts(double t) {
  last_time_ = t;
  if (!is_running_ || has_ended_) return;
  if (is_co_simulation()) return ports_.Show(true);  // outputs are held
  if (items_.routed_early_links.empty()) return;
  Run(t, [&] {
    if (BringTo(t)) {
      ReadOutputs(items_.routed_early_links, items_.routed_early);
    } else {
      HideOutputs(items_.routed_early_links);
    }
  });
}

void FmuComponent::EvaluateDiffEquations(double t) {
  last_time_ = t;
  if (!is_running_ || has_ended_) return;
  Run(t, [&] {
    if (is_co_simulation()) {
      if (!is_initializing_) return ports_.Show();
      bool has_changed = FetchInputs(items_.continuous_links, items_.continuous);
      has_changed = FetchInputs(items_.discrete_links, items_.discrete) || has_changed;
      has_changed = ports_.Fetch() || has_changed;
      if (!has_changed) return;
      fmu_->SetValues(items_.continuous.list, items_.continuous.values);
      fmu_->SetValues(items_.discrete.list, items_.discrete.values);
      fmu_->SetValues(ports_.in().list, ports_.in().values);
      ReadOutputs(items_.early_links, items_.early);
      return ReadPorts();
    }
    bool is_good = BringTo(t);
    if (is_good && FetchInputs(items_.continuous_run)) {
      SendInputs(items_.continuous_run);
      has_indicators_ = false;
    }
    is_good = is_good && TakeDerivatives();
    if (is_good) {
      ReadOutputs(items_.routed_late_links, items_.routed_late);
    } else {
      for (StateVariable& state : items_.states) state.ddt = std::numeric_limits<double>::quiet_NaN();
      HideOutputs(items_.routed_late_links);
    }
    has_derivatives_ = is_good;
  });
}

bool FmuComponent::WritePartials(PartialDerivatives& partials) const {
  return is_running_ && !has_ended_ && has_derivatives_ && jacobian_.Write(*fmu_, partials);
}

bool FmuComponent::TakeDerivatives() {
  if (derivatives_.empty()) return true;
  const Block& to = block();
  if (to.is_one) return fmu_->GetDerivatives({to.memory->ddt + to.used.front().offset, derivatives_.size()});
  if (!fmu_->GetDerivatives(derivatives_)) return false;
  double* const ddt = to.memory->ddt;
  const double* const from = derivatives_.data();
  if (to.are_si) {
    for (const Block::Used& used : to.used) ddt[used.offset] = from[used.state];
  } else {
    for (const Block::Used& used : to.used)
      ddt[used.offset] = items_.state_links[used.state].unit.factor * from[used.state];
  }
  return true;
}

void FmuComponent::ShowOutputs(double t) {
  if (!is_running_ || has_ended_ || is_co_simulation()) return;
  Run(t, [&] {
    if (has_derivatives_ && (point_time_ == t || BringTo(t))) {  // they follow an evaluation
      ReadOutputs(items_.shown_links, items_.shown);
    } else {
      HideOutputs(items_.early_links);
      HideOutputs(items_.late_links);
    }
  });
}

double FmuComponent::Indicator(std::size_t i) {
  if (!is_running_ || has_ended_) return 1;
  if (!has_indicators_) {
    Run(last_time_, [&] { fmu_->GetIndicators(indicators_); });
    has_indicators_ = true;
  }
  return indicators_[i];
}

void FmuComponent::TakeStates() {
  std::vector<double>& states = derivatives_;  // as work space
  fmu_->GetStates(states);
  for (std::size_t i = 0; i < states.size(); ++i)
    items_.states[i].OverrideStateValue(items_.state_links[i].unit.ToSi(states[i]));
  block_.memory = nullptr;  // those that are not in use have new values, too
}

void FmuComponent::TakeUses() {
  if (items_.uses.empty() || island_ == nullptr) return;  // those of fixed steps always take part
  fmu_->GetValues(items_.use_values.list, items_.use_values.values);
  bool has_changed = false;
  for (std::size_t i = 0; i < items_.uses.size(); ++i) {
    const bool is_in_use = items_.use_values.values[i] != 0;
    has_changed = std::exchange(items_.uses[i].is_in_use, is_in_use) != is_in_use || has_changed;
  }
  if (!has_changed) return;
  island_->MarkOutdated();
  jacobian_ = FmuJacobian(*this, *description_, items_);
}

void FmuComponent::TakeNominals() {
  std::vector<double> nominals(states_.size(), 1);
  for (std::size_t i = 0; i < nominals.size(); ++i) {
    const FmuItems::StateLink& link = items_.state_links[i];
    nominals[i] = declarations().states[link.declaration].nominal / std::abs(link.unit.factor);
  }
  fmu_->GetNominals(nominals);
  for (std::size_t i = 0; i < nominals.size(); ++i) {
    const FmuItems::StateLink& link = items_.state_links[i];
    const double nominal = std::abs(nominals[i] * link.unit.factor);
    if (nominal > 0 && std::isfinite(nominal))
      mutable_declarations().states[link.declaration].nominal = nominal;
  }
}

}  // namespace davit
