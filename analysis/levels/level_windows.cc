#include "analysis/levels/level_windows.h"

#include <algorithm>
#include <utility>

namespace davit {
namespace {

/// Adds the window `w` of another run to the last one of `run`, or begins a new one.
void AddWindow(LevelRun& run, const LevelRun& other, std::size_t w, bool is_new) {
  if (is_new) {
    run.ends.push_back(other.ends[w]);
    run.rows_end.push_back(other.rows_end[w]);
    run.costs.push_back(other.costs[w]);
    run.snapshots.push_back(other.snapshots[w]);
    run.indicators.push_back(other.indicators[w]);
    return;
  }
  run.ends.back() = other.ends[w];
  run.rows_end.back() = other.rows_end[w];
  run.costs.back() += other.costs[w];
  for (std::size_t g = 0; g < other.indicators[w].size(); ++g) {
    for (std::size_t rung = 0; rung < other.indicators[w][g].size(); ++rung) {
      double& largest = run.indicators.back()[g][rung];
      largest = std::max(largest, other.indicators[w][g][rung]);
    }
  }
}

}  // namespace

LevelRun JoinWindows(const LevelRun& run, const WindowPlan& plan) {
  LevelRun joined{
      .rows = run.rows, .switches = run.switches, .fault = run.fault, .is_stopped = run.is_stopped};
  if (run.ends.empty()) return joined;
  const double same = 1e-9 * plan.longest;
  const double most = plan.largest_share * static_cast<double>(run.cost().evaluations);
  double begin = run.begin;
  bool has_phase = false;  // a change of phase in the present window
  for (std::size_t w = 0; w < run.ends.size(); ++w) {
    bool is_new = w == 0;
    if (!is_new) {
      const double length = run.ends[w - 1] - begin;
      is_new = (has_phase && length >= plan.shortest - same) || run.ends[w] - begin > plan.longest + same ||
               static_cast<double>(joined.costs.back().evaluations + run.costs[w].evaluations) > most;
      if (is_new) {
        begin = run.ends[w - 1];
        has_phase = false;
      }
    }
    AddWindow(joined, run, w, is_new);
    has_phase = has_phase || run.phase_ends[w];
  }
  return joined;
}

}  // namespace davit
