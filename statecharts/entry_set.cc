#include "statecharts/entry_set.h"

namespace davit {

EntrySet::EntrySet(const Chart& chart)
    : chart_(chart),
      states_(chart.states.size()),
      default_entry_(chart.states.size()),
      history_content_(chart.states.size(), kNoIndex) {}

void EntrySet::AddTransition(const Transition& transition, StateId domain, const HistoryValues* history) {
  history_ = history;
  domain_ = domain;
  for (Index i = transition.targets.begin; i < transition.targets.end; ++i) {
    AddDescendantStatesToEnter(chart_.state_lists[i]);
  }
  for (Index i = transition.targets.begin; i < transition.targets.end; ++i) {
    AddAncestorStatesToEnter(chart_.state_lists[i], domain);
  }
}

void EntrySet::AddDescendantStatesToEnter(StateId state) {
  const State& own = chart_.states[state];
  switch (own.kind) {
    case StateKind::kShallowHistory:
    case StateKind::kDeepHistory: return AddHistory(state);
    case StateKind::kCompound: {
      states_.Insert(state);
      default_entry_.Insert(state);
      const Transition& initial = chart_.transitions[own.initial];
      for (Index i = initial.targets.begin; i < initial.targets.end; ++i) {
        AddDescendantStatesToEnter(chart_.state_lists[i]);
      }
      for (Index i = initial.targets.begin; i < initial.targets.end; ++i) {
        AddAncestorStatesToEnter(chart_.state_lists[i], state);
      }
      return;
    }
    case StateKind::kParallel: states_.Insert(state); return AddRegions(state);
    case StateKind::kAtomic:
    case StateKind::kFinal: states_.Insert(state); return;
  }
}

void EntrySet::AddHistory(StateId history) {
  has_met_history_ = true;
  const State& own = chart_.states[history];
  if (history_ != nullptr && history_->known.Contains(history)) {
    history_->sets[history].ForEach([this](StateId state) { AddDescendantStatesToEnter(state); });
    history_->sets[history].ForEach(
        [&](StateId state) { AddAncestorStatesToEnter(state, chart_.states[history].parent); });
    return;
  }
  history_content_[own.parent] = own.initial;
  has_history_content_ = true;
  const Transition& transition = chart_.transitions[own.initial];
  for (Index i = transition.targets.begin; i < transition.targets.end; ++i) {
    AddDescendantStatesToEnter(chart_.state_lists[i]);
  }
  for (Index i = transition.targets.begin; i < transition.targets.end; ++i) {
    AddAncestorStatesToEnter(chart_.state_lists[i], own.parent);
  }
}

void EntrySet::AddAncestorStatesToEnter(StateId state, StateId ancestor) {
  // Nothing outside of the domain is entered: it is active already. The text of the standard would enter
  // again what lies between the domain and a history further out.
  for (StateId up = chart_.states[state].parent; up != ancestor && chart_.IsDescendant(up, domain_);
       up = chart_.states[up].parent) {
    states_.Insert(up);
    if (chart_.states[up].kind == StateKind::kParallel) AddRegions(up);
  }
}

void EntrySet::AddRegions(StateId parallel) {
  const IndexRange children = chart_.states[parallel].children;
  for (Index i = children.begin; i < children.end; ++i) {
    const StateId child = chart_.state_lists[i];
    if (!states_.ContainsAny(child, chart_.states[child].end)) AddDescendantStatesToEnter(child);
  }
}

void AppendEffectiveTargets(const Chart& chart, const Transition& transition, const HistoryValues& history,
                            std::vector<StateId>& targets) {
  for (Index i = transition.targets.begin; i < transition.targets.end; ++i) {
    const StateId target = chart.state_lists[i];
    if (!chart.IsHistory(target)) {
      targets.push_back(target);
    } else if (history.known.Contains(target)) {
      history.sets[target].ForEach([&](StateId state) { targets.push_back(state); });
    } else {
      AppendEffectiveTargets(chart, chart.transitions[chart.states[target].initial], history, targets);
    }
  }
}

}  // namespace davit
