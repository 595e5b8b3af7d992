// The values that go from a component to its FMU and back, many times in each step.

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "fmi/import/fmu_component.h"
#include "simulator/evaluation_failure.h"

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

void FmuComponent::CheckOutputs(double t) const {
  const auto check = [&](const std::vector<FmuItems::OutputLink>& links) {
    for (const FmuItems::OutputLink& link : links) {
      if (std::isfinite(*link.value)) continue;
      FailEvaluation(
          t, fmt::format("{}: its output {} is {}; look at what it is given: inputs, parameters, "
                         "TimeStep",
                         declared_file_, declarations().outputs[link.declaration].label.name, *link.value));
    }
  };
  check(items_.early_links);
  check(items_.late_links);
}

void FmuComponent::FindBlock() {
  const StateSlot& first = items_.states.front().slot();
  block_ = {first.memory, true, first.memory->arrangement, first.offset};
  for (std::size_t i = 0; i < items_.states.size(); ++i) {
    const StateSlot& slot = items_.states[i].slot();
    block_.is_one = block_.is_one && slot.memory == first.memory && slot.offset == first.offset + i &&
                    items_.state_links[i].unit.is_si();
  }
}

bool FmuComponent::BringTo(double t) {
  bool is_same = has_point_ && t == point_time_;
  const std::size_t bytes = states_.size() * sizeof(double);
  if (states_.empty()) {
  } else if (HasBlock()) {
    const double* const block = block_.memory->y + block_.offset;
    is_same = is_same && std::memcmp(states_.data(), block, bytes) == 0;
    if (!is_same) std::memcpy(states_.data(), block, bytes);
  } else {
    for (std::size_t i = 0; i < states_.size(); ++i) {
      const double value = items_.state_links[i].unit.FromSi(items_.states[i]);
      is_same = is_same && value == states_[i];
      states_[i] = value;
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
    if (is_good && FetchInputs(items_.continuous_links, items_.continuous)) {
      fmu_->SetValues(items_.continuous.list, items_.continuous.values);
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

bool FmuComponent::TakeDerivatives() {
  if (derivatives_.empty()) return true;
  if (HasBlock()) return fmu_->GetDerivatives({block_.memory->ddt + block_.offset, derivatives_.size()});
  if (!fmu_->GetDerivatives(derivatives_)) return false;
  for (std::size_t i = 0; i < derivatives_.size(); ++i)
    items_.states[i].ddt = items_.state_links[i].unit.factor * derivatives_[i];
  return true;
}

void FmuComponent::ShowOutputs(double t) {
  if (!is_running_ || has_ended_ || is_co_simulation()) return;
  Run(t, [&] {
    if (BringTo(t) && has_derivatives_) {
      ReadOutputs(items_.early_links, items_.early);
      ReadOutputs(items_.late_links, items_.late);
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
  has_point_ = false;
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
