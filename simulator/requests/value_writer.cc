#include "simulator/requests/value_writer.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "framework/aspect.h"
#include "simulator/islands/island.h"
#include "simulator/network/network.h"
#include "simulator/requests/behaviour_switcher.h"

namespace davit {

void ValueWriter::Bind(System& system, Network& network, BehaviourSwitcher& switcher) {
  system_ = &system;
  network_ = &network;
  switcher_ = &switcher;
  readers_.clear();
  std::unordered_map<const Component*, const Component*> originals;
  for (const auto& [copy, original] : network.shadows) originals.emplace(copy, original);
  const auto add = [](std::vector<Island*>& islands, Island* island) {
    if (std::ranges::find(islands, island) == islands.end()) islands.push_back(island);
  };
  for (const auto& island : network.islands) {
    for (const Component* member : island->members()) {
      const auto original = originals.find(member);
      add(readers_[original == originals.end() ? member : original->second], island.get());
    }
  }
  const std::unordered_map<const Component*, std::vector<Island*>> evaluated_in = readers_;
  // What only sets values of its bonds, as a fixed point, is evaluated nowhere.
  for (const Connection& connection : system.connections()) {
    for (const auto& [one, other] : {std::pair(connection.c.owner, connection.q.owner),
                                     std::pair(connection.q.owner, connection.c.owner)}) {
      const auto islands = evaluated_in.find(other);
      if (evaluated_in.contains(one) || islands == evaluated_in.end()) continue;
      for (Island* island : islands->second) add(readers_[one], island);
    }
  }
  for (const Route& route : system.routes()) {
    if (route.from.kind() != Item::Kind::kParameter) continue;
    const auto islands = evaluated_in.find(route.to_owner);
    if (islands == evaluated_in.end()) continue;
    for (Island* island : islands->second) add(readers_[&route.from.owner()], island);
  }
}

void ValueWriter::Apply(const Assignment& assignment) {
  const Item& item = assignment.item;
  if (item.value_kind() != ValueKind::kText) return Write(item, assignment.number);
  item.StoreText(assignment.text, system_->units());
  ValuesChanged(item.owner());
}

void ValueWriter::Write(const Item& item, double number) {
  assert(!item.is_structural());
  switch (item.kind()) {
    case Item::Kind::kState: {
      if (!item.state()->is_in_use()) return;
      const StateSlot& slot = *item.slot();
      if (slot.memory->y[slot.offset] == number) return;
      slot.memory->y[slot.offset] = number;
      slot.memory->is_overridden = true;
      has_written_ = true;
      return;
    }
    case Item::Kind::kLevel: return switcher_->RequestLevel(item.owner(), static_cast<Level>(number));
    case Item::Kind::kAspect:
      return switcher_->RequestOption(item.owner(), static_cast<AspectBase&>(*item.property()),
                                      static_cast<std::uint32_t>(number));
    case Item::Kind::kParameter:
    case Item::Kind::kInput: {
      const double before = item.kind() == Item::Kind::kInput ? *item.input()->own_value : item.Read();
      if (before == number) return;
      item.Store(number);
      return InputsChanged(item.owner());
    }
    default:
      if (item.Read() == number) return;
      item.Store(number);
      ValuesChanged(item.owner());
  }
}

void ValueWriter::ValuesChanged(Component& owner) {
  Derive(owner);
  for (Island* island : ReadersOf(owner)) island->RestartAtNextStep();
}

void ValueWriter::InputsChanged(Component& owner) {
  Derive(owner);
  for (Island* island : ReadersOf(owner)) island->ContinueWithNewInput();
}

void ValueWriter::Derive(Component& owner) {
  has_written_ = true;
  owner.ParametersChanged();
  UpdateCopies(owner);
}

std::span<Island* const> ValueWriter::ReadersOf(const Component& owner) const {
  const auto islands = readers_.find(&owner);
  if (islands == readers_.end()) return {};
  return islands->second;
}

void ValueWriter::UpdateCopies(const Component& original) {
  for (const auto& [copy, copied] : network_->shadows) {
    if (copied != &original) continue;
    system_->CopyValues(original, *copy);
    copy->ParametersChanged();
  }
}

}  // namespace davit
