#include "statecharts/chart_lint.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "statecharts/entry_set.h"

namespace davit {
namespace {

class Lint {
 public:
  Lint(const Chart& chart, Diagnostics& diagnostics) : chart_(chart), diagnostics_(diagnostics) {}

  void Run() {
    CheckReachable();
    for (StateId state = 0; state < chart_.states.size(); ++state) {
      CheckShadowed(state);
      CheckEventlessLoop(state);
    }
  }

 private:
  void Warn(const SourceLocation& place, StateId state, std::string_view message) {
    diagnostics_.Warning(place, chart_.PathOf(state), message);
  }

  /// What one transition can make active; histories count with their default and, once seen, with what lies
  /// below their state, which must have been reached by other ways.
  void Enter(const Transition& transition, StateId domain) {
    EntrySet entry(chart_);
    entry.AddTransition(transition, domain, nullptr);
    entry.states().ForEach([this](StateId state) {
      if (reached_.Contains(state)) return;
      reached_.Insert(state);
      open_.push_back(state);
    });
  }

  void CheckReachable() {
    constexpr std::size_t kMostWork = 20'000'000;
    if (chart_.states.size() * chart_.transitions.size() > kMostWork) return;  // a machine wrote this chart
    reached_.Resize(chart_.states.size());
    reached_.Insert(0);
    open_.push_back(0);
    Enter(chart_.transitions[chart_.states[0].initial], 0);
    while (!open_.empty()) {
      const State& state = chart_.states[open_.back()];
      open_.pop_back();
      for (Index i = state.transitions.begin; i < state.transitions.end; ++i) {
        const Transition& transition = chart_.transitions[i];
        if (!transition.targets.is_empty())
          Enter(transition, transition.domain == kNoState ? 0 : transition.domain);
      }
    }
    for (StateId state = 1; state < chart_.states.size(); ++state) {
      const bool is_first = reached_.Contains(chart_.states[state].parent);
      if (reached_.Contains(state) || chart_.IsHistory(state) || !is_first) continue;
      Warn(chart_.At(chart_.names[state].line, chart_.names[state].file), state,
           "no transition leads to this state; it is never entered");
    }
  }

  bool IsUnconditional(const Transition& transition) const {
    return transition.cond == kNoIndex && transition.after == 0 && transition.holds == 0;
  }

  /// Whether each event that fits `later` also fits `earlier`.
  bool IsCovered(const Transition& later, const Transition& earlier) const {
    if (later.events.is_empty() || earlier.events.is_empty()) {
      return later.events.is_empty() && earlier.events.is_empty();
    }
    for (Index i = later.events.begin; i < later.events.end; ++i) {
      const std::string& wanted = chart_.descriptor_texts[chart_.descriptor_lists[i]];
      bool is_found = false;
      for (Index j = earlier.events.begin; j < earlier.events.end && !is_found; ++j) {
        const std::string& descriptor = chart_.descriptor_texts[chart_.descriptor_lists[j]];
        is_found = descriptor.empty() || wanted == descriptor || wanted.starts_with(descriptor + ".");
      }
      if (!is_found) return false;
    }
    return true;
  }

  void CheckShadowed(StateId state) {
    constexpr Index kMost = 200;  // each is compared with each
    const IndexRange range = chart_.states[state].transitions;
    if (range.size() > kMost) return;
    for (Index later = range.begin; later < range.end; ++later) {
      for (Index earlier = range.begin; earlier < later; ++earlier) {
        const Transition& first = chart_.transitions[earlier];
        const Transition& second = chart_.transitions[later];
        if (!IsUnconditional(first) || !IsCovered(second, first)) continue;
        Warn(
            chart_.At(second.line, second.file), state,
            fmt::format("this transition is never taken: the one of line {} always comes first", first.line));
        break;
      }
    }
  }

  /// Follows unconditional eventless transitions between single atomic states.
  void CheckEventlessLoop(StateId start) {
    StateId state = start;
    for (std::size_t steps = 0; steps <= chart_.states.size(); ++steps) {
      const Transition* next = nullptr;
      const IndexRange range = chart_.states[state].transitions;
      for (Index i = range.begin; i < range.end && next == nullptr; ++i) {
        const Transition& transition = chart_.transitions[i];
        if (transition.events.is_empty() && IsUnconditional(transition)) next = &transition;
      }
      if (next == nullptr || next->targets.size() > 1) return;
      state = next->targets.is_empty() ? state : chart_.state_lists[next->targets.begin];
      if (state > start) continue;  // a loop is reported once, at its last state in the document
      if (state < start) return;
      Warn(chart_.At(next->line, next->file), start,
           "livelock: eventless transitions without condition form a cycle");
      return;
    }
  }

  const Chart& chart_;
  Diagnostics& diagnostics_;
  StateSet reached_;
  std::vector<StateId> open_;
};

}  // namespace

void CheckChart(const Chart& chart, Diagnostics& diagnostics) { Lint(chart, diagnostics).Run(); }

}  // namespace davit
