#include "statecharts/chart_tables.h"

#include <algorithm>

#include "statecharts/entry_set.h"

namespace davit {
namespace {

void MakeMatches(Chart& chart) {
  std::size_t most = 1;
  for (const std::string& descriptor : chart.descriptor_texts) {
    most = std::max(most, static_cast<std::size_t>(std::ranges::count(descriptor, '.')) + 3);
  }
  chart.most_matches = most;
  std::vector<Index> matches;
  for (SymbolId symbol = 0; symbol < chart.symbols->size(); ++symbol) {
    matches.clear();
    AppendMatches(chart, chart.symbols->Text(symbol), matches);
    const auto begin = static_cast<Index>(chart.descriptor_matches.size());
    chart.descriptor_matches.insert(chart.descriptor_matches.end(), matches.begin(), matches.end());
    chart.matches_of_symbol.push_back({begin, static_cast<Index>(chart.descriptor_matches.size())});
  }
}

/// Which ancestors are worth looking at: parents come before their children.
void MakeLinks(Chart& chart) {
  for (StateId state = 0; state < chart.states.size(); ++state) {
    State& own = chart.states[state];
    if (own.parent != kNoState) {
      own.next_eventless = chart.states[own.parent].next_eventless;
      own.next_event = chart.states[own.parent].next_event;
    }
    for (Index t = own.transitions.begin; t < own.transitions.end; ++t) {
      const bool is_eventless = chart.transitions[t].events.is_empty();
      (is_eventless ? own.next_eventless : own.next_event) = state;
      chart.has_eventless_transitions |= is_eventless;
    }
  }
}

/// The entry set of a transition is the same each time unless a history decides on it. Transitions that are
/// taken together lie in different regions, so their sets do not depend on each other.
void MakeEntries(Chart& chart) {
  constexpr std::size_t kMostSteps = 4'000'000;
  EntrySet entry(chart);
  for (Transition& transition : chart.transitions) {
    if (transition.domain == kNoState || chart.entry_steps.size() > kMostSteps) continue;
    entry.Clear();
    entry.AddTransition(transition, transition.domain, nullptr);
    if (entry.has_met_history()) continue;
    transition.has_fixed_entry = true;
    transition.entry.begin = static_cast<Index>(chart.entry_steps.size());
    entry.states().ForEach([&](StateId state) {
      chart.entry_steps.push_back({state, entry.IsDefaultEntry(state)});
    });
    transition.entry.end = static_cast<Index>(chart.entry_steps.size());
  }
}

}  // namespace

void AppendMatches(const Chart& chart, std::string_view event, std::vector<Index>& matches) {
  const auto add = [&](std::string_view descriptor) {
    const auto found = chart.descriptors.find(descriptor);
    if (found != chart.descriptors.end()) matches.push_back(found->second);
  };
  add({});
  for (std::size_t dot = event.find('.'); dot != std::string_view::npos; dot = event.find('.', dot + 1)) {
    if (dot > 0) add(event.substr(0, dot));
  }
  if (!event.empty()) add(event);
  std::ranges::sort(matches);
}

void MakeTables(Chart& chart) {
  MakeLinks(chart);
  MakeEntries(chart);
  MakeMatches(chart);
}

}  // namespace davit
