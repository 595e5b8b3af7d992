#include "analysis/linear/network_equations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

#include "framework/domain.h"
#include "simulator/islands/island.h"
#include "simulator/islands/state_vectors.h"
#include "simulator/line_waves.h"
#include "simulator/network/network.h"
#include "simulator/passes/wave_boundaries.h"
#include "simulator/simulator_manager.h"
#include "simulator/tlm_component.h"

namespace davit {
namespace {

using Kind = NetworkEquations::Unknown::Kind;

/// Exchanges of held signals; a chain of islands takes as many as it has islands.
constexpr int kMostExchanges = 200;

bool IsInput(const Item& item) {
  return item.kind() == Item::Kind::kInput || item.kind() == Item::Kind::kInputElement;
}

/// Where an input finds its number.
const double** SlotOf(const InputDeclaration& input, std::uint32_t element) {
  return input.is_array ? &(*input.sources)[element] : input.source;
}

}  // namespace

NetworkEquations::NetworkEquations(System& system, const std::vector<Item>& inputs,
                                   const std::vector<Item>& outputs)
    : manager_(SimulatorManager::Of(system)),
      network_(manager_.network()),
      t_(manager_.time()),
      outputs_(outputs) {
  for (const Item& item : inputs) Cut(inputs_.emplace_back(Input{.item = item}));
  for (auto& island : network_.islands) island->PrepareBatches();
  ListIslands();
  ListFixedSteps();
  ListWaves();
  SortUnknowns(system);
  ListTerms();
  const auto n = static_cast<Eigen::Index>(unknowns_.size());
  values_.resize(n);
  slopes_ = Eigen::VectorXd::Zero(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Unknown& u = unknowns_[static_cast<std::size_t>(i)];
    values_[i] = *u.value;
    if (u.island != nullptr && !u.island->states().Declaration(u.place).is_algebraic)
      slopes_[i] = u.island->states().ddt[u.place];
  }
  input_values_.resize(static_cast<Eigen::Index>(inputs_.size()));
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    input_values_[static_cast<Eigen::Index>(i)] = inputs_[i].value;
}

NetworkEquations::~NetworkEquations() {
  for (Input& input : inputs_) {
    for (std::size_t i = 0; i < input.slots.size(); ++i) *input.slots[i] = input.before[i];
  }
}

void NetworkEquations::Cut(Input& input) {
  input.value = input.written = input.item.Read();
  if (!IsInput(input.item)) return;
  const Component& owner = input.item.owner();
  const auto number = input.item.input() - owner.declarations().inputs.data();
  const auto take = [&](const Component& component) {
    const InputDeclaration& declared = component.declarations().inputs[static_cast<std::size_t>(number)];
    const double** const slot = SlotOf(declared, input.item.element());
    input.slots.push_back(slot);
    input.before.push_back(*slot);
    *slot = &input.value;
  };
  take(owner);
  for (const auto& [copy, original] : network_.shadows) {
    if (original == &owner) take(*copy);
  }
}

double NetworkEquations::InputScale(std::size_t i) const {
  const Input& input = inputs_[i];
  const double size = std::abs(input.value);
  return size > 0 ? size : 1;
}

void NetworkEquations::AddStates(StateVectors& states, Unknown::Kind kind, Island* island) {
  for (std::size_t i = 0; i < states.size(); ++i) {
    const StateDeclaration& declaration = states.Declaration(i);
    if (!declaration.is_in_use()) continue;
    unknowns_.push_back({.kind = kind,
                         .name = states.Name(i),
                         .unit = std::string(declaration.label.unit),
                         .owner = &states.Owner(i),
                         .value = &states.y[i],
                         .scale = std::max(std::abs(declaration.nominal), std::numeric_limits<double>::min()),
                         .rate = kind == Kind::kRate ? &states.ddt[i] : nullptr,
                         .island = island,
                         .place = i});
  }
}

void NetworkEquations::ListIslands() {
  island_slopes_.resize(network_.islands.size());
  for (std::size_t k = 0; k < network_.islands.size(); ++k) {
    Island& island = *network_.islands[k];
    if (!island.is_implicit()) {
      AddStates(island.states(), Kind::kRate, nullptr);
    } else {
      AddStates(island.states(), Kind::kResidual, &island);
      island_slopes_[k].assign(island.states().size(), 0);
    }
  }
}

void NetworkEquations::ListFixedSteps() {
  for (auto& rate : network_.rates) AddStates(rate->tlm.states(), Kind::kRate, nullptr);
}

void NetworkEquations::ListWaves() {
  std::vector<const Component*> lines;
  for (auto& rate : network_.rates) {
    for (TlmComponent* component : rate->tlm.tlm_components()) {
      if (dynamic_cast<const LineWaves*>(component) != nullptr) {
        lines.push_back(component);
      } else if (component->SettleWaves()) {
        settling_.push_back(component);
      } else {
        unsettled_.push_back(component->DisplayPath());
      }
    }
  }
  for (const WaveBoundaries::WaveEnd& end : network_.wave_ends) {
    const bool is_line = std::ranges::find(lines, end.owner) != lines.end();
    const bool is_settling =
        std::ranges::any_of(settling_, [&](const TlmComponent* c) { return c == end.owner; });
    if (!is_line && !is_settling) continue;
    unknowns_.push_back({.kind = is_line ? Kind::kLineWave : Kind::kWave,
                         .name = end.name,
                         .unit = std::string(end.domain->effort.unit),
                         .owner = end.owner,
                         .value = end.c,
                         .scale = end.domain->effort.scale});
  }
}

void NetworkEquations::SortUnknowns(const System& system) {
  std::map<const Component*, std::size_t> order;
  for (const Component* component : system.components()) order.emplace(component, order.size());
  const auto rank = [&](const Unknown& u) { return std::pair(u.kind, order[u.owner]); };
  std::ranges::stable_sort(unknowns_, [&](const Unknown& a, const Unknown& b) { return rank(a) < rank(b); });
}

void NetworkEquations::ListTerms() {
  std::vector<const double*> line_waves;
  for (const Unknown& u : unknowns_) {
    if (u.kind == Kind::kLineWave) line_waves.push_back(u.value);
  }
  const auto position = [&](const double* c) {
    const auto found = std::ranges::find(line_waves, c);
    return found == line_waves.end() ? kNone : static_cast<std::size_t>(found - line_waves.begin());
  };
  for (auto& rate : network_.rates) {
    for (const TlmComponent* component : rate->tlm.tlm_components()) {
      const auto* line = dynamic_cast<const LineWaves*>(component);
      if (line == nullptr) continue;
      for (const WaveTerm& term : line->WaveTerms()) {
        const std::size_t to = position(term.c);
        if (to == kNone) continue;
        terms_.push_back({to, term.c_from == nullptr ? kNone : position(term.c_from), term.flow_from,
                          term.delay, term.of_wave, term.of_flow});
      }
    }
  }
}

void NetworkEquations::WriteUnknowns(const Eigen::VectorXd& values) {
  for (Eigen::Index i = 0; i < values.size(); ++i) *unknowns_[static_cast<std::size_t>(i)].value = values[i];
}

void NetworkEquations::Exchange() {
  network_.operators.BeginInputs(t_);
  for (auto& rate : network_.rates) rate->tlm.EvaluateAt(t_);
  for (std::size_t k = 0; k < network_.islands.size(); ++k) {
    Island& island = *network_.islands[k];
    island.UpdateLatches();
    island.TakeWaves();
    if (!island.is_implicit()) {
      island.EvaluateAt(t_);
    } else {
      StateVectors& states = island.states();
      island.EvaluateResidual(t_, states.y.data(), island_slopes_[k].data(), states.residual.data());
    }
  }
  network_.operators.BeginOutputs(t_);
}

NetworkEquations::Values NetworkEquations::Evaluate(const Eigen::VectorXd& values,
                                                    const Eigen::VectorXd& slopes,
                                                    const Eigen::VectorXd& inputs) {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    Input& input = inputs_[i];
    input.value = inputs[static_cast<Eigen::Index>(i)];
    if (input.slots.empty() && input.value != input.written) {
      manager_.Write(input.item, input.value);
      input.written = input.value;
    }
  }
  for (std::size_t i = 0; i < unknowns_.size(); ++i) {
    const Unknown& u = unknowns_[i];
    if (u.island == nullptr) continue;
    for (std::size_t k = 0; k < network_.islands.size(); ++k) {
      if (network_.islands[k].get() == u.island)
        island_slopes_[k][u.place] = slopes[static_cast<Eigen::Index>(i)];
    }
  }
  WriteUnknowns(values);
  // The impedances first; the waves are then written over.
  if (!settling_.empty()) {
    for (TlmComponent* component : settling_) component->SettleWaves();
    WriteUnknowns(values);
  }
  const auto read = [&] {
    Values now{.equations = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(unknowns_.size())),
               .outputs = Eigen::VectorXd(static_cast<Eigen::Index>(outputs_.size())),
               .flows = Eigen::VectorXd(static_cast<Eigen::Index>(terms_.size()))};
    for (std::size_t i = 0; i < unknowns_.size(); ++i) {
      const Unknown& u = unknowns_[i];
      double& equation = now.equations[static_cast<Eigen::Index>(i)];
      if (u.kind == Kind::kRate) equation = *u.rate;
      if (u.kind == Kind::kResidual) equation = u.island->states().residual[u.place];
    }
    for (std::size_t i = 0; i < outputs_.size(); ++i)
      now.outputs[static_cast<Eigen::Index>(i)] = outputs_[i].Read();
    for (std::size_t i = 0; i < terms_.size(); ++i) now.flows[static_cast<Eigen::Index>(i)] = *terms_[i].flow;
    return now;
  };
  const bool is_one =
      network_.islands.size() == 1 && !network_.has_fixed_steps() && network_.operators.is_empty();
  Exchange();
  Values now = read();
  for (int round = 0; !is_one; ++round) {
    Exchange();
    Values next = read();
    const auto same = [](const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
      return (a.array() == b.array() || (a.array().isNaN() && b.array().isNaN())).all();
    };
    const bool is_settled =
        same(next.equations, now.equations) && same(next.outputs, now.outputs) && same(next.flows, now.flows);
    now = std::move(next);
    if (is_settled && round > 0) break;
    if (round < kMostExchanges) continue;
    throw std::runtime_error(
        "signals that islands hold for each other do not settle: they form an algebraic loop that only the "
        "sampling at communication points cuts; weld the islands with hold=\"none\" on a Route, or cut the "
        "loop by "
        "naming "
        "one of its inputs");
  }
  if (settling_.empty()) return now;
  for (TlmComponent* component : settling_) component->SettleWaves();
  for (std::size_t i = 0; i < unknowns_.size(); ++i) {
    const Unknown& u = unknowns_[i];
    const auto k = static_cast<Eigen::Index>(i);
    if (u.kind == Kind::kRate) now.equations[k] = *u.rate;
    if (u.kind == Kind::kWave) now.equations[k] = *u.value - values[k];
  }
  return now;
}

}  // namespace davit
