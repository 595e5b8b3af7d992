#include "simulator/requests/written_values.h"

#include <unordered_set>
#include <utility>

#include "framework/port.h"
#include "simulator/islands/island.h"
#include "simulator/network/network.h"
#include "simulator/step_reaction.h"

namespace davit {

void WrittenValues::Bind(System& system, Network& network) {
  system_ = &system;
  network_ = &network;
  is_shown_ = false;
  places_.clear();
  components_.clear();
}

void WrittenValues::ListPlaces() {
  std::unordered_set<const Bond*> known;
  const auto add = [&](Component& component) {
    for (const OutputDeclaration& output : component.declarations().outputs) places_.push_back(output.value);
    for (const PortDeclaration& port : component.declarations().ports) {
      for (std::size_t i = 0; i < port.port->bond_count(); ++i) {
        Bond& bond = port.port->bond(i);
        if (!known.insert(&bond).second) continue;
        places_.insert(places_.end(), {&bond.c, &bond.Zc});
        for (const DomainVariable& variable : port.domain->variables) places_.push_back(&variable.of(bond));
      }
    }
    // What reacts to the steps of a solver, such as an FMU, tells what is only tried by itself.
    if (dynamic_cast<StepReaction*>(&component) == nullptr) components_.push_back(&component);
  };
  for (Component* component : system_->components()) {
    add(*component);
  }
  for (const auto& [copy, original] : network_->shadows) add(*copy);
}

void WrittenValues::ArchiveMemory(Archive& archive) {
  for (auto& rate : network_->rates) rate->tlm.ArchiveShown(archive);
  for (auto& island : network_->islands) island->ArchiveShown(archive);
  for (Component* component : components_) component->ArchiveMemory(archive);
}

void WrittenValues::Show(double t, std::optional<std::uint64_t> tick, double h) {
  if (places_.empty()) ListPlaces();
  values_.clear();
  for (const double* place : places_) values_.push_back(*place);
  Archive archive;
  ArchiveMemory(archive);
  memory_ = archive.Take();
  is_shown_ = true;
  try {
    Evaluate(t, tick, h);
    if (!tick) return network_->indicators.Show();
    for (std::size_t r = 0; r < network_->rates.size(); ++r) {
      if (network_->rates[r]->IsStepPoint(*tick)) network_->operators.RunInputs(r, t);
    }
    Evaluate(t, tick, h);  // now each sees what the others show
    network_->indicators.Show();
  } catch (...) {
    Restore();
    throw;
  }
}

void WrittenValues::Evaluate(double t, std::optional<std::uint64_t> tick, double h) {
  for (auto& rate : network_->rates) {
    const bool is_step_point = tick && rate->IsStepPoint(*tick);
    if (is_step_point) rate->tlm.ShowPresent(t);
    for (Island* island : rate->islands) island->ShowPresent(t, h, is_step_point);
  }
}

void WrittenValues::Restore() {
  if (!std::exchange(is_shown_, false)) return;
  for (std::size_t i = 0; i < places_.size(); ++i) *places_[i] = values_[i];
  Archive archive(std::move(memory_));
  ArchiveMemory(archive);
}

}  // namespace davit
