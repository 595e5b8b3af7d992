#include "simulator/requests/value_keeper.h"

#include "framework/tree/component_archive.h"
#include "simulator/requests/value_writer.h"

namespace davit {

void ValueKeeper::Clear() {
  values_.clear();
  kept_.clear();
  behaviour_.clear();
}

void ValueKeeper::Keep(const Item& item) {
  if (item.kind() == Item::Kind::kState || item.is_behaviour()) return;
  if (!kept_.insert(item.target()).second) return;
  // Of an input its own value: what it reads may be a route's.
  const double number = item.kind() == Item::Kind::kInput ? *item.input()->own_value : item.Read();
  values_.push_back({item, number, item.value_kind() == ValueKind::kText ? item.ReadText() : std::string()});
}

void ValueKeeper::KeepAll() {
  Archive archive;
  ArchiveAllValues(archive, system_);
  all_ = archive.Take();
}

void ValueKeeper::KeepInputs() {
  inputs_.clear();
  for (Component* component : system_.components()) {
    for (const InputDeclaration& input : component->declarations().inputs) {
      if (!input.is_array) inputs_.push_back(*input.own_value);
    }
  }
}

void ValueKeeper::RestoreInputs(ValueWriter& writer) {
  std::size_t next = 0;
  for (Component* component : system_.components()) {
    bool has_changed = false;
    for (const InputDeclaration& input : component->declarations().inputs) {
      if (input.is_array) continue;
      has_changed = has_changed || *input.own_value != inputs_[next];
      *input.own_value = inputs_[next++];
    }
    if (has_changed) writer.ValuesChanged(*component);
  }
}

void ValueKeeper::Restore(ValueWriter& writer) {
  if (!all_.empty()) {
    Archive archive(std::exchange(all_, {}));
    ArchiveAllValues(archive, system_);
    for (Component* component : system_.components()) component->ParametersChanged();
    for (const Component* component : system_.components()) writer.UpdateCopies(*component);
  }
  for (const Assignment& value : values_) {
    system_.ApplyAtLoad(value);
    value.item.owner().ParametersChanged();
    writer.UpdateCopies(value.item.owner());
  }
  for (const auto& [component, setting] : behaviour_) {
    if (component->behaviour() == setting) continue;
    component->SetBehaviour(setting);
    component->ParametersChanged();
  }
}

void ArchiveAllValues(Archive& archive, System& system) {
  for (Component* component : system.components()) {
    archive.Block(component->path(), [&] { ArchiveValues(archive, *component, system.units()); });
  }
}

}  // namespace davit
