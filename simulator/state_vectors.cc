#include "simulator/state_vectors.h"

#include <cmath>

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
    if (places_[i].declaration->slots == nullptr) y[i] = 0;
  }
}

void StateVectors::Bind() {
  added_.clear();
  ddt.assign(y.size(), 0);
  residual.assign(y.size(), 0);
  memory = {y.data(), ddt.data(), residual.data(), false};
}

std::string StateVectors::Name(std::size_t offset) const {
  const Place& place = places_[offset];
  std::string name = place.owner->path() + '.' + std::string(place.declaration->label.name);
  if (place.declaration->is_array) name += '[' + std::to_string(place.element) + ']';
  return name;
}

void StateVectors::ArchiveMemory(Archive& archive) {
  archive(y, ddt, residual, memory.is_overridden);
  if (!archive.is_loading()) return;
  memory.y = y.data();
  memory.ddt = ddt.data();
  memory.residual = residual.data();
}

std::size_t StateVectors::FindNotFinite() const {
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (!std::isfinite(y[i])) return i;
  }
  return y.size();
}

}  // namespace davit
