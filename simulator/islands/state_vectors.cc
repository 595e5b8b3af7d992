#include "simulator/islands/state_vectors.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace davit {

void StateVectors::Add(Component& component) {
  if (!added_.insert(&component).second) return;
  for (StateDeclaration& state : component.mutable_declarations().states) {
    if (!state.is_active) continue;
    for (std::uint32_t i = 0; i < state.count; ++i) {
      state.slots[i] = {&memory, static_cast<std::uint32_t>(y.size())};
      y.push_back(state.start[i]);
      places_.push_back({&component, &state, i});
    }
  }
}

std::uint32_t StateVectors::AddOutput(Component& component, const std::string& name, double nominal) {
  StateDeclaration& declaration = outputs_.emplace_back();
  declaration.label.name = output_names_.emplace_back(name);
  declaration.nominal = nominal;
  declaration.is_algebraic = true;
  y.push_back(0);
  places_.push_back({&component, &declaration, 0});
  return static_cast<std::uint32_t>(y.size() - 1);
}

void StateVectors::ResetOutputs() {
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (PlaceOf(i).declaration->slots == nullptr) y[i] = 0;
  }
}

void StateVectors::Bind() {
  added_.clear();
  ddt.assign(y.size(), 0);
  residual.assign(y.size(), 0);
  memory = {y.data(), ddt.data(), residual.data(), false, false, memory.arrangement + 1};
  present_.resize(places_.size());
  std::iota(present_.begin(), present_.end(), 0U);
  offsets_ = present_;
  idle_.reserve(places_.size());
  kept_.resize(places_.size());
}

void StateVectors::Arrange(bool is_packed) {
  ++memory.arrangement;
  memory.is_outdated = false;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (offsets_[i] != kAbsent) kept_[i] = y[offsets_[i]];
  }
  y.clear();
  present_.clear();
  idle_.clear();
  for (std::uint32_t i = 0; i < places_.size(); ++i) {
    const Place& place = places_[i];
    const bool is_in_use = place.declaration->is_in_use();
    const auto offset = static_cast<std::uint32_t>(y.size());
    if (place.declaration->slots != nullptr) {
      StateSlot& slot = place.declaration->slots[place.element];
      const StateSlot& home = place.declaration->home[place.element];
      double& value_at_home = home.memory->y[home.offset];
      const bool was_in_use = slot.memory == &memory;
      if (is_in_use && !was_in_use) kept_[i] = value_at_home;
      if (!is_in_use && was_in_use) value_at_home = kept_[i];
      slot = is_in_use ? StateSlot{&memory, offset} : home;
    }
    offsets_[i] = is_in_use || !is_packed ? offset : kAbsent;
    if (offsets_[i] == kAbsent) continue;
    if (!is_in_use) idle_.push_back(offset);
    present_.push_back(i);
    y.push_back(kept_[i]);
  }
  ddt.resize(y.size());
  residual.resize(y.size());
  for (const std::uint32_t i : idle_) ddt[i] = 0;
  memory.y = y.data();
  memory.ddt = ddt.data();
  memory.residual = residual.data();
}

std::size_t StateVectors::smallest() const {
  return static_cast<std::size_t>(std::count_if(places_.begin(), places_.end(), [](const Place& place) {
    return place.declaration->is_always_in_use();
  }));
}

std::string StateVectors::Name(std::size_t offset) const {
  const Place& place = PlaceOf(offset);
  std::string name = place.owner->path() + '.' + std::string(place.declaration->label.name);
  if (place.declaration->is_array) name += '[' + std::to_string(place.element) + ']';
  return name;
}

void StateVectors::ArchiveMemory(Archive& archive) {
  archive(y, ddt, residual, memory.is_overridden);
  for (const Place& place : places_) {
    if (place.declaration->is_in_use()) continue;
    const StateSlot& home = place.declaration->home[place.element];
    archive(home.memory->y[home.offset]);
  }
  if (!archive.is_loading()) return;
  memory.y = y.data();
  memory.ddt = ddt.data();
  memory.residual = residual.data();
}

std::size_t StateVectors::FindNotFinite() const {
  const auto bad = std::find_if(y.begin(), y.end(), [](double value) { return !std::isfinite(value); });
  return static_cast<std::size_t>(bad - y.begin());
}

}  // namespace davit
