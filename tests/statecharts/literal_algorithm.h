#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/statecharts/random_chart.h"

namespace davit {

/// The algorithm of SCXML 1.0, appendix D, written down literally, with ordered sets and no tables:
/// slow, and only for comparison. Records each state that is left (`-s3`) or entered (`+s3`).
class LiteralAlgorithm {
 public:
  LiteralAlgorithm(const PlainChart& chart, int most_microsteps)
      : chart_(chart), most_microsteps_(most_microsteps) {}

  void Start();
  void Send(const std::string& event);

  const std::set<int>& configuration() const { return configuration_; }
  const std::vector<std::string>& trace() const { return trace_; }
  bool is_stuck() const { return is_stuck_; }

 private:
  using T = const PlainChart::PlainTransition*;
  using Transitions = std::vector<T>;

  Transitions SelectTransitions(const std::string* event);
  Transitions RemoveConflictingTransitions(const Transitions& enabled);
  std::set<int> ComputeExitSet(const Transitions& transitions);
  int GetTransitionDomain(T t);
  int FindLcca(const std::vector<int>& states) const;
  std::vector<int> GetEffectiveTargetStates(const std::vector<int>& targets);
  void Macrostep();
  void Microstep(const Transitions& enabled);
  void EnterStates(const Transitions& enabled);
  void AddDescendantStatesToEnter(int s);
  void AddAncestorStatesToEnter(int s, int ancestor);
  bool IsInFinalState(int s) const;
  bool IsConditionTrue(T t) const { return t->in < 0 || (configuration_.count(t->in) > 0) != t->is_negated; }
  bool IsCompound(int s) const {
    return chart_.At(s).kind == PlainChart::Kind::kState && !chart_.StatesOf(s).empty();
  }
  bool IsAtomic(int s) const { return chart_.StatesOf(s).empty() && !chart_.IsHistory(s); }
  std::vector<int> ProperAncestors(int s, int until) const;
  void Raise(const std::vector<std::string>& events);

  const PlainChart& chart_;
  int most_microsteps_;
  bool is_stuck_ = false;
  std::set<int> configuration_;
  std::map<int, std::set<int>> history_value_;
  std::deque<std::string> internal_queue_;
  std::set<int> states_to_enter_;
  int domain_ = 0;
  std::vector<std::string> trace_;
};

}  // namespace davit
