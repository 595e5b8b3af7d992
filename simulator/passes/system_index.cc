#include "simulator/passes/system_index.h"

#include <algorithm>
#include <unordered_map>

namespace davit {

RouteSource SourceOf(const Route& route) {
  switch (route.from.kind()) {
    case Item::Kind::kParameter: return RouteSource::kParameter;
    case Item::Kind::kState: return RouteSource::kState;
    case Item::Kind::kDerivative: return RouteSource::kDerivative;
    default: return RouteSource::kOutput;  // System::AddRoute takes no other kind
  }
}

SystemIndex::SystemIndex(const System& system) {
  std::unordered_map<const Component*, std::uint32_t> numbers;
  for (Component* component : system.components()) {
    auto* dynamic = dynamic_cast<DynamicSimComponent*>(component);
    if (dynamic == nullptr || component->entry().is_stepped_by_another) continue;
    numbers.emplace(component, size());
    components_.push_back(dynamic);
  }
  routes_from_.resize(components_.size());
  for (const Route& route : system.routes()) {
    if (route.to_owner->entry().is_stepped_by_another) continue;
    const auto from = numbers.find(&route.from.owner());
    if (from != numbers.end()) routes_from_[from->second].push_back(route_count());
    from_.push_back(from == numbers.end() ? kNoNumber : from->second);
    to_.push_back(numbers.at(route.to_owner));
    routes_.push_back(&route);
  }
  connections_of_.resize(components_.size());
  for (const Connection& connection : system.connections()) {
    if (connection.c.owner->entry().is_stepped_by_another ||
        connection.q.owner->entry().is_stepped_by_another)
      continue;
    const std::uint32_t c = numbers.at(connection.c.owner);
    const std::uint32_t q = numbers.at(connection.q.owner);
    connections_of_[c].push_back(connection_count());
    connections_of_[q].push_back(connection_count());
    c_side_.push_back(c);
    q_side_.push_back(q);
    connections_.push_back(&connection);
  }
}

void SystemIndex::Refuse(std::uint32_t i, std::string_view text, Diagnostics& diagnostics) const {
  diagnostics.Error(components_[i]->location(), components_[i]->DisplayPath(), text);
}

const OutputDeclaration& OutputOf(const Route& route) {
  const auto& outputs = route.from.owner().declarations().outputs;
  return *std::find_if(outputs.begin(), outputs.end(),
                       [&](const OutputDeclaration& o) { return o.value == route.from.place(); });
}

}  // namespace davit
