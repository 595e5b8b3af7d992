#include "statecharts/state_tree.h"

#include <algorithm>

namespace davit {

StateId FindLcca(const Chart& chart, StateId state, std::span<const StateId> others) {
  while (state != 0) {
    state = chart.states[state].parent;
    if (chart.states[state].kind != StateKind::kCompound) continue;
    if (std::ranges::all_of(others, [&](StateId other) { return chart.IsDescendant(other, state); })) break;
  }
  return state;
}

StateId GetTransitionDomain(const Chart& chart, const Transition& transition,
                            std::span<const StateId> targets) {
  const bool is_inside =
      transition.is_internal && chart.states[transition.source].kind == StateKind::kCompound &&
      std::ranges::all_of(targets, [&](StateId t) { return chart.IsDescendant(t, transition.source); });
  return is_inside ? transition.source : FindLcca(chart, transition.source, targets);
}

}  // namespace davit
