#include "tests/statecharts/literal_algorithm.h"

#include <algorithm>

namespace davit {
namespace {

bool NameMatch(const std::vector<std::string>& descriptors, const std::string& event) {
  return std::any_of(descriptors.begin(), descriptors.end(), [&](const std::string& descriptor) {
    return descriptor == "*" || descriptor == event || event.rfind(descriptor + ".", 0) == 0;
  });
}

}  // namespace

void LiteralAlgorithm::Start() {
  PlainChart::PlainTransition initial;
  initial.source = 0;
  initial.targets = chart_.At(0).initial;
  if (initial.targets.empty()) initial.targets = {chart_.StatesOf(0).front()};
  EnterStates({&initial});
  Macrostep();
}

void LiteralAlgorithm::Send(const std::string& event) {
  const Transitions enabled = SelectTransitions(&event);
  if (!enabled.empty()) Microstep(enabled);
  Macrostep();
}

void LiteralAlgorithm::Macrostep() {
  is_stuck_ = false;
  for (int steps = 0;;) {
    Transitions enabled = SelectTransitions(nullptr);
    if (enabled.empty()) {
      if (internal_queue_.empty()) return;
      const std::string event = internal_queue_.front();
      internal_queue_.pop_front();
      enabled = SelectTransitions(&event);
    }
    if (!enabled.empty()) Microstep(enabled);
    if (++steps >= most_microsteps_) {
      is_stuck_ = true;
      return;
    }
  }
}

LiteralAlgorithm::Transitions LiteralAlgorithm::SelectTransitions(const std::string* event) {
  Transitions enabled;
  for (const int leaf : configuration_) {
    if (!IsAtomic(leaf)) continue;
    std::vector<int> line = ProperAncestors(leaf, -1);
    line.insert(line.begin(), leaf);
    bool is_found = false;
    for (const int s : line) {
      for (const PlainChart::PlainTransition& t : chart_.At(s).transitions) {
        const bool is_match = event == nullptr ? t.events.empty() : NameMatch(t.events, *event);
        if (!is_match || !IsConditionTrue(&t)) continue;
        if (std::find(enabled.begin(), enabled.end(), &t) == enabled.end()) enabled.push_back(&t);
        is_found = true;
        break;
      }
      if (is_found) break;
    }
  }
  return RemoveConflictingTransitions(enabled);
}

LiteralAlgorithm::Transitions LiteralAlgorithm::RemoveConflictingTransitions(const Transitions& enabled) {
  Transitions filtered;
  for (const T t1 : enabled) {
    bool is_preempted = false;
    Transitions to_remove;
    for (const T t2 : filtered) {
      const std::set<int> exit1 = ComputeExitSet({t1});
      const std::set<int> exit2 = ComputeExitSet({t2});
      const bool intersects =
          std::any_of(exit1.begin(), exit1.end(), [&](int s) { return exit2.count(s) > 0; });
      if (!intersects) continue;
      if (chart_.IsDescendant(t1->source, t2->source)) {
        to_remove.push_back(t2);
      } else {
        is_preempted = true;
        break;
      }
    }
    if (is_preempted) continue;
    for (const T t : to_remove) filtered.erase(std::find(filtered.begin(), filtered.end(), t));
    filtered.push_back(t1);
  }
  return filtered;
}

std::set<int> LiteralAlgorithm::ComputeExitSet(const Transitions& transitions) {
  std::set<int> exit_set;
  for (const T t : transitions) {
    if (t->targets.empty()) continue;
    const int domain = GetTransitionDomain(t);
    for (const int s : configuration_) {
      if (chart_.IsDescendant(s, domain)) exit_set.insert(s);
    }
  }
  return exit_set;
}

int LiteralAlgorithm::GetTransitionDomain(T t) {
  const std::vector<int> targets = GetEffectiveTargetStates(t->targets);
  const bool is_inside =
      std::all_of(targets.begin(), targets.end(), [&](int s) { return chart_.IsDescendant(s, t->source); });
  if (t->is_internal && IsCompound(t->source) && is_inside) return t->source;
  std::vector<int> states{t->source};
  states.insert(states.end(), targets.begin(), targets.end());
  return FindLcca(states);
}

int LiteralAlgorithm::FindLcca(const std::vector<int>& states) const {
  for (const int ancestor : ProperAncestors(states.front(), -1)) {
    if (ancestor != 0 && !IsCompound(ancestor)) continue;
    if (std::all_of(states.begin() + 1, states.end(),
                    [&](int s) { return chart_.IsDescendant(s, ancestor); })) {
      return ancestor;
    }
  }
  return 0;
}

std::vector<int> LiteralAlgorithm::GetEffectiveTargetStates(const std::vector<int>& targets) {
  std::vector<int> effective;
  for (const int s : targets) {
    if (!chart_.IsHistory(s)) {
      effective.push_back(s);
    } else if (history_value_.count(s) > 0) {
      effective.insert(effective.end(), history_value_[s].begin(), history_value_[s].end());
    } else {
      const std::vector<int> inner = GetEffectiveTargetStates(chart_.At(s).history_default);
      effective.insert(effective.end(), inner.begin(), inner.end());
    }
  }
  return effective;
}

/// From the parent upwards; `until` is left out.
std::vector<int> LiteralAlgorithm::ProperAncestors(int s, int until) const {
  std::vector<int> ancestors;
  for (int up = chart_.At(s).parent; up >= 0 && up != until; up = chart_.At(up).parent)
    ancestors.push_back(up);
  return ancestors;
}

void LiteralAlgorithm::Raise(const std::vector<std::string>& events) {
  internal_queue_.insert(internal_queue_.end(), events.begin(), events.end());
}

void LiteralAlgorithm::Microstep(const Transitions& enabled) {
  const std::set<int> exit_set = ComputeExitSet(enabled);
  for (const int s : exit_set) {
    for (const int h : chart_.At(s).children) {
      if (!chart_.IsHistory(h)) continue;
      std::set<int> value;
      for (const int active : configuration_) {
        const bool is_deep = chart_.At(h).kind == PlainChart::Kind::kDeep;
        if (is_deep ? IsAtomic(active) && chart_.IsDescendant(active, s) : chart_.At(active).parent == s) {
          value.insert(active);
        }
      }
      history_value_[h] = value;
    }
  }
  for (auto s = exit_set.rbegin(); s != exit_set.rend(); ++s) {
    trace_.push_back("-s" + std::to_string(*s));
    Raise(chart_.At(*s).raised_on_exit);
    configuration_.erase(*s);
  }
  for (const T t : enabled) Raise(t->raised);
  EnterStates(enabled);
}

void LiteralAlgorithm::EnterStates(const Transitions& enabled) {
  states_to_enter_.clear();
  for (const T t : enabled) {
    if (t->targets.empty()) continue;
    domain_ = t->source == 0 ? 0 : GetTransitionDomain(t);
    for (const int s : t->targets) AddDescendantStatesToEnter(s);
    for (const int s : GetEffectiveTargetStates(t->targets)) AddAncestorStatesToEnter(s, domain_);
  }
  for (const int s : states_to_enter_) {
    configuration_.insert(s);
    trace_.push_back("+s" + std::to_string(s));
    Raise(chart_.At(s).raised_on_entry);
    if (chart_.At(s).kind != PlainChart::Kind::kFinal) continue;
    const int parent = chart_.At(s).parent;
    Raise({"done.state.s" + std::to_string(parent)});
    const int grandparent = chart_.At(parent).parent;
    if (grandparent > 0 && chart_.At(grandparent).kind == PlainChart::Kind::kParallel &&
        IsInFinalState(grandparent)) {
      Raise({"done.state.s" + std::to_string(grandparent)});
    }
  }
}

void LiteralAlgorithm::AddDescendantStatesToEnter(int s) {
  if (chart_.IsHistory(s)) {
    const std::vector<int> value = history_value_.count(s) > 0
                                       ? std::vector<int>(history_value_[s].begin(), history_value_[s].end())
                                       : chart_.At(s).history_default;
    for (const int t : value) AddDescendantStatesToEnter(t);
    for (const int t : value) AddAncestorStatesToEnter(t, chart_.At(s).parent);
    return;
  }
  states_to_enter_.insert(s);
  if (IsCompound(s)) {
    std::vector<int> initial = chart_.At(s).initial;
    if (initial.empty()) initial = {chart_.StatesOf(s).front()};
    for (const int t : initial) AddDescendantStatesToEnter(t);
    for (const int t : initial) AddAncestorStatesToEnter(t, s);
  } else if (chart_.At(s).kind == PlainChart::Kind::kParallel) {
    for (const int child : chart_.StatesOf(s)) {
      const bool has_one = std::any_of(states_to_enter_.begin(), states_to_enter_.end(),
                                       [&](int t) { return chart_.IsDescendant(t, child); });
      if (!has_one) AddDescendantStatesToEnter(child);
    }
  }
}

void LiteralAlgorithm::AddAncestorStatesToEnter(int s, int ancestor) {
  for (const int up : ProperAncestors(s, ancestor)) {
    if (!chart_.IsDescendant(up, domain_)) break;  // see the header
    states_to_enter_.insert(up);
    if (chart_.At(up).kind != PlainChart::Kind::kParallel) continue;
    for (const int child : chart_.StatesOf(up)) {
      const bool has_one = std::any_of(states_to_enter_.begin(), states_to_enter_.end(),
                                       [&](int t) { return chart_.IsDescendant(t, child); });
      if (!has_one) AddDescendantStatesToEnter(child);
    }
  }
}

bool LiteralAlgorithm::IsInFinalState(int s) const {
  const std::vector<int> children = chart_.StatesOf(s);
  if (IsCompound(s)) {
    return std::any_of(children.begin(), children.end(), [&](int child) {
      return chart_.At(child).kind == PlainChart::Kind::kFinal && configuration_.count(child) > 0;
    });
  }
  return chart_.At(s).kind == PlainChart::Kind::kParallel &&
         std::all_of(children.begin(), children.end(), [&](int child) { return IsInFinalState(child); });
}

}  // namespace davit
