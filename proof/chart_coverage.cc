#include "proof/chart_coverage.h"

#include <algorithm>

#include "statecharts/interpreter.h"

namespace davit {
namespace {

constexpr std::size_t kMostPairs = 1'000'000;

/// Whether two states lie in different regions of a `<parallel>`.
bool AreOrthogonal(const Chart& chart, StateId a, StateId b) {
  StateId common = a;
  while (common != b && !chart.IsDescendant(b, common)) common = chart.states[common].parent;
  return common != a && chart.states[common].kind == StateKind::kParallel;
}

bool IsListed(const Chart& chart, Index transition) {
  const IndexRange own = chart.states[chart.transitions[transition].source].transitions;
  return transition >= own.begin && transition < own.end;
}

bool HasGuard(const Transition& transition) {
  return transition.cond != kNoIndex || transition.after > 0 || transition.holds > 0;
}

}  // namespace

double ChartCounts::Share::percent() const {
  return total == 0 ? 100 : 100 * static_cast<double>(covered) / static_cast<double>(total);
}

ChartCounts::Share ChartCounts::ShareOf(const Counts& counts) {
  const auto covered = std::ranges::count_if(counts, [](const auto& one) { return one.second > 0; });
  return {static_cast<std::size_t>(covered), counts.size()};
}

std::string ChartCounts::Add(const ChartCounts& other) {
  for (const CoverageKind& kind : kCoverageKinds) {
    const Counts& mine = this->*kind.counts;
    const Counts& others = other.*kind.counts;
    for (const auto& [name, count] : mine) {
      if (!others.contains(name)) return name;
    }
    for (const auto& [name, count] : others) {
      if (!mine.contains(name)) return name;
    }
  }
  for (const CoverageKind& kind : kCoverageKinds) {
    for (const auto& [name, count] : other.*kind.counts) (this->*kind.counts)[name] += count;
  }
  return {};
}

std::string NameOfTransition(const Chart& chart, Index transition) {
  const StateId source = chart.transitions[transition].source;
  return chart.names[source].id + "/" +
         std::to_string(transition - chart.states[source].transitions.begin + 1);
}

ChartCoverage::ChartCoverage(const Chart& chart)
    : chart_(chart),
      states_(chart.states.size()),
      transitions_(chart.transitions.size()),
      true_(chart.transitions.size()),
      false_(chart.transitions.size()) {
  for (StateId a = 1; a < chart.states.size() && has_pairs_; ++a) {
    if (!chart.IsAtomic(a)) continue;
    for (StateId b = a + 1; b < chart.states.size(); ++b) {
      if (!chart.IsAtomic(b) || !AreOrthogonal(chart, a, b)) continue;
      pairs_.emplace(std::pair(a, b), 0);
      has_pairs_ = pairs_.size() <= kMostPairs;
      if (!has_pairs_) break;
    }
  }
  if (!has_pairs_) pairs_.clear();
}

void ChartCoverage::OnGuard(const Interpreter& session, Index transition, bool is_true) {
  if (&session.chart() == &chart_) ++(is_true ? true_ : false_)[transition];
}

void ChartCoverage::OnTaken(const Interpreter& session, Index transition) {
  if (&session.chart() == &chart_) ++transitions_[transition];
}

void ChartCoverage::OnEntered(const Interpreter& session, StateId state) {
  if (&session.chart() == &chart_) ++states_[state];
}

void ChartCoverage::OnConfiguration(const Interpreter& session) {
  if (&session.chart() != &chart_ || pairs_.empty()) return;
  active_.clear();
  session.configuration().ForEach([this](StateId state) {
    if (chart_.IsAtomic(state)) active_.push_back(state);
  });
  for (std::size_t i = 0; i < active_.size(); ++i) {
    for (std::size_t k = i + 1; k < active_.size(); ++k) {
      const auto pair = pairs_.find({active_[i], active_[k]});
      if (pair != pairs_.end()) ++pair->second;
    }
  }
}

ChartCounts ChartCoverage::Counts() const {
  ChartCounts counts{.file = chart_.file.string(), .has_pairs = has_pairs_};
  for (StateId state = 1; state < chart_.states.size(); ++state) {
    if (!chart_.IsHistory(state)) counts.states[chart_.names[state].id] = states_[state];
  }
  for (Index i = 0; i < chart_.transitions.size(); ++i) {
    if (!IsListed(chart_, i)) continue;
    const std::string name = NameOfTransition(chart_, i);
    counts.transitions[name] = transitions_[i];
    if (!HasGuard(chart_.transitions[i])) continue;
    counts.guards[name + " true"] = true_[i];
    counts.guards[name + " false"] = false_[i];
  }
  for (const auto& [pair, count] : pairs_)
    counts.pairs[chart_.names[pair.first].id + " " + chart_.names[pair.second].id] = count;
  return counts;
}

}  // namespace davit
