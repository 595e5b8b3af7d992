#include "session/tree_item.h"

#include "simulator/simulator_manager.h"

namespace davit {

std::optional<TreeItem> TreeItem::Find(System& system, std::string_view path, Fault* fault) {
  TreeItem found;
  const std::optional<Item> signal = system.FindVariable(system.root(), path, fault);
  const std::optional<Item> setting = system.FindSetting(system.root(), path, &found.refusal_);
  if (!signal && (!setting || setting->kind() != Item::Kind::kProperty)) return std::nullopt;
  found.item_ = signal ? *signal : *setting;
  found.item_.MarkShown();
  if (setting && System::MayWrite(*setting, &found.refusal_)) found.write_ = Assignment{*setting, 0, {}};
  return found;
}

bool TreeItem::is_computed() const {
  switch (item_.kind()) {
    case Item::Kind::kOutput:
    case Item::Kind::kDerivative:
    case Item::Kind::kPortField:
    case Item::Kind::kPortEffort:
    case Item::Kind::kInputElement: return true;
    case Item::Kind::kInput: return item_.input()->is_routed;
    case Item::Kind::kState: return item_.state()->is_algebraic || !item_.state()->is_in_use();
    default: return false;
  }
}

void WriteNow(System& system, const Assignment& assignment) {
  SimulatorManager& manager = SimulatorManager::Of(system);
  if (manager.is_started()) return manager.Apply(assignment);
  if (assignment.item.kind() == Item::Kind::kState) {
    system.ApplyAtLoad(assignment);  // its start value, too
    manager.Write(assignment.item, assignment.number);
  } else {
    manager.Apply(assignment);
  }
  manager.KeepOriginals();
}

}  // namespace davit
