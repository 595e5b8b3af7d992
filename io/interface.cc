#include "io/interface.h"

#include <fmt/format.h>

#include <map>

#include "framework/nearest_name.h"
#include "framework/system.h"

namespace davit {

void Interface::Link(System& system, Diagnostics& /*diagnostics*/) { system_ = &system; }

void Interface::CheckConnections(Diagnostics& diagnostics) {
  mappings_.clear();
  for (Component* const child : children()) {
    auto* const mapping = dynamic_cast<Mapping*>(child);
    if (mapping == nullptr) continue;
    mapping->Bind(*system_, diagnostics);
    if (mapping->item() != nullptr) mappings_.push_back(mapping);
  }
  CheckWriters(diagnostics);
  CheckPlaces(diagnostics);
}

void Interface::CheckWriters(Diagnostics& diagnostics) const {
  std::map<const void*, const Mapping*> writers;
  for (const Interface* const interface : InterfacesOf(*system_)) {
    for (const Mapping* const mapping : interface->mappings_) {
      if (!mapping->is_written()) continue;
      const auto [first, is_new] = writers.emplace(mapping->item()->item().target(), mapping);
      if (is_new || interface != this) continue;
      diagnostics.Error(mapping->location(), mapping->DisplayPath(),
                        Fault{fmt::format("a second writer of {}: line {} writes it, too",
                                          Quoted(mapping->item()->path()), first->second->location().line),
                              "leave one access=\"write\""});
    }
    if (interface == this) return;  // those behind it look for themselves
  }
}

std::vector<Interface*> InterfacesOf(System& system) {
  std::vector<Interface*> interfaces;
  for (Component* const component : system.components()) {
    if (auto* const interface = dynamic_cast<Interface*>(component)) interfaces.push_back(interface);
  }
  return interfaces;
}

}  // namespace davit
