#include "hopsan/component.h"

#include <algorithm>

#include "framework/system.h"

namespace davit::hopsan {

void HopsanComponent::AddNodeStart(std::string_view port, const Domain& domain, PortBase& base) {
  NodeStart start{&base, &domain, {}};
  const auto add = [&](std::string_view variable, std::string_view unit, double value) {
    const Text name = Keep(std::string(port) + '_' + std::string(variable));
    start_values_.push_back(std::make_unique<StartValue>(this, name, Text::Static(unit), "", value));
    start.values.push_back(start_values_.back().get());
  };
  if (phase_ == Phase::kC) {
    const std::unique_ptr<BondPool> pool = domain.bond.make_pool();
    Bond& fresh = pool->Add();
    for (const DomainVariable& variable : domain.variables)
      add(variable.name, variable.unit, variable.of(fresh));
    add("CharImpedance", domain.impedance_unit, 0);
  }
  node_starts_.push_back(std::move(start));
}

bool HopsanComponent::IsConnected(const Input& input) const {
  const auto& inputs = declarations().inputs;
  return std::any_of(inputs.begin(), inputs.end(),
                     [&](const InputDeclaration& one) { return one.source == input.id() && one.is_routed; });
}

void HopsanComponent::Link(System& system, Diagnostics& diagnostics) {
  // Paths are those of the file, also inside of a hopsan.Subsystem.
  const Component* scope = parent();
  while (scope->entry().is_stepped_by_another) scope = scope->parent();
  for (const Sensed& sensed : sensed_) {
    const std::string& path = sensed.path->value();
    if (path.empty()) continue;
    Fault fault;
    const std::optional<PortRef> port = system.FindPort(*scope, path, &fault);
    if (!port) {
      diagnostics.Error(location(), DisplayPath(),
                        std::string(sensed.path->label().name) + ": " + fault.ToText());
    } else if (!(*port->port->domain == *sensed.domain)) {
      diagnostics.Error(location(), DisplayPath(),
                        std::string(sensed.path->label().name) + ": '" + path + "' is a port of the domain " +
                            std::string(port->port->domain->name) + "; name one of " +
                            std::string(sensed.domain->name));
    } else if (port->port->port->bond_count() != 1) {
      diagnostics.Error(location(), DisplayPath(),
                        std::string(sensed.path->label().name) + ": '" + path +
                            "' is a multi-port; name the single port at the other side");
    } else {
      *sensed.bond = &port->port->port->bond(0);
    }
  }
}

void HopsanComponent::CheckConnections(Diagnostics& diagnostics) {
  if (clock_ != nullptr || dynamic_cast<const HopsanComponent*>(parent()) != nullptr) return;
  for (const Component* sibling : parent()->children()) {
    if (dynamic_cast<const HopsanComponent*>(sibling) == nullptr) continue;
    if (sibling != this) return;  // the first one complains
    break;
  }
  diagnostics.Error(location(), DisplayPath(),
                    "nothing steps the Hopsan components; add <hopsan.Scheduler name=\"hopsan_scheduler\"/>");
}

}  // namespace davit::hopsan
