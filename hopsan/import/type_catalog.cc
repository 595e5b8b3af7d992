#include "hopsan/import/type_catalog.h"

namespace davit::hopsan {
namespace {
constexpr std::string_view kPrefix = "hopsan.";
}

const HopsanComponent* TypeCatalog::Find(std::string_view type) {
  if (const auto known = types_.find(type); known != types_.end()) return known->second;
  const ModelEntry* const entry = registry_.Find(std::string(kPrefix) + std::string(type));
  const HopsanComponent* found = nullptr;
  if (entry != nullptr && entry->is_stepped_by_another) {
    const std::string name = "type" + std::to_string(types_.size());
    found = static_cast<const HopsanComponent*>(&system_.Create(*entry, name, system_.root(), {}));
  }
  types_.emplace(type, found);
  return found;
}

TypePort TypeCatalog::PortOf(const HopsanComponent& type, std::string_view name) {
  const Declarations& d = type.declarations();
  for (const PortDeclaration& port : d.ports) {
    if (port.label.name == name)
      return {port.is_array ? PortKind::kMultiPower : PortKind::kPower, port.domain, port.role};
  }
  for (const HopsanComponent::Sensed& sensed : type.sensed()) {
    if (sensed.path->label().name == name) return {PortKind::kSensor, sensed.domain};
  }
  for (const InputDeclaration& input : d.inputs) {
    if (input.label.name == name) return {input.is_array ? PortKind::kMultiInput : PortKind::kInput};
  }
  for (const OutputDeclaration& output : d.outputs) {
    if (output.label.name == name) return {PortKind::kOutput};
  }
  return {};
}

std::vector<std::string> TypeCatalog::names() const {
  std::vector<std::string> names;
  for (const std::string& name : registry_.names()) {
    if (name.starts_with(kPrefix)) names.push_back(name.substr(kPrefix.size()));
  }
  return names;
}

}  // namespace davit::hopsan
