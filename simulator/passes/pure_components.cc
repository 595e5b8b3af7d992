#include "simulator/passes/pure_components.h"

#include "simulator/passes/component_traits.h"

namespace davit {

std::vector<bool> FindPureComponents(const SystemIndex& index, const SolverTypes& solvers) {
  std::vector<bool> is_pure(index.size());
  std::vector<std::uint32_t> impure;
  for (std::uint32_t i = 0; i < index.size(); ++i) {
    const DynamicSimComponent& component = index.component(i);
    is_pure[i] = !index.HasPorts(i) && !HasStates(component) && !component.entry().is_tlm &&
                 solvers[i] != SolverType::kAlgebraic && component.guards().empty();
    if (!is_pure[i]) impure.push_back(i);
  }
  while (!impure.empty()) {
    const std::uint32_t i = impure.back();
    impure.pop_back();
    for (const std::uint32_t r : index.RoutesFrom(i)) {
      const std::uint32_t to = index.To(r);
      if (SourceOf(index.route(r)) == RouteSource::kParameter || !is_pure[to]) continue;
      is_pure[to] = false;
      impure.push_back(to);
    }
  }
  return is_pure;
}

}  // namespace davit
