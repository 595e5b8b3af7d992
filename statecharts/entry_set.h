#pragma once

#include <span>
#include <vector>

#include "statecharts/chart.h"

namespace davit {

/// What a chart remembers of states that were left.
struct HistoryValues {
  /// By state; only histories have a set.
  std::vector<StateSet> sets;
  /// Whether there is something to remember.
  StateSet known;
};

/// The states that transitions enter, as computeEntrySet of the standard finds them. Its memory is taken
/// once.
class EntrySet {
 public:
  explicit EntrySet(const Chart& chart);

  void Clear();
  /// Adds what `transition` enters below `domain`. `history` may be null where no history is met.
  void AddTransition(const Transition& transition, StateId domain, const HistoryValues* history);
  /// Adds states that were found before.
  void AddSteps(std::span<const EntryStep> steps);

  const StateSet& states() const { return states_; }
  /// Whether the content of the state's `<initial>` is run.
  bool IsDefaultEntry(StateId state) const { return default_entry_.Contains(state); }
  /// The transition of a history whose content is run after the entry of `state`, or kNoIndex.
  Index HistoryContent(StateId state) const {
    return has_history_content_ ? history_content_[state] : kNoIndex;
  }
  /// Whether a history was met.
  bool has_met_history() const { return has_met_history_; }

 private:
  void AddDescendantStatesToEnter(StateId state);
  void AddHistory(StateId history);
  void AddAncestorStatesToEnter(StateId state, StateId ancestor);
  void AddRegions(StateId parallel);

  const Chart& chart_;
  const HistoryValues* history_ = nullptr;
  StateId domain_ = 0;
  StateSet states_;
  StateSet default_entry_;
  std::vector<Index> history_content_;
  bool has_history_content_ = false;
  bool has_met_history_ = false;
};

inline void EntrySet::Clear() {
  states_.Clear();
  default_entry_.Clear();
  if (has_history_content_) history_content_.assign(history_content_.size(), kNoIndex);
  has_history_content_ = false;
  has_met_history_ = false;
}

inline void EntrySet::AddSteps(std::span<const EntryStep> steps) {
  for (const EntryStep& step : steps) {
    states_.Insert(step.state);
    if (step.is_default) default_entry_.Insert(step.state);
  }
}

/// The targets of a transition where histories are replaced by their states.
void AppendEffectiveTargets(const Chart& chart, const Transition& transition, const HistoryValues& history,
                            std::vector<StateId>& targets);

}  // namespace davit
