#include "analysis/levels/level_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace davit {
namespace {

/// How much of a tolerance a change of a schedule that has run may use: only the change is predicted.
constexpr double kVerifiedSafety = 0.95;
/// Levels that never change and are predicted beyond this share of a tolerance are not run.
constexpr double kHopeless = 4;
/// Levels that never change and are predicted to cost this much more than they may are run last.
constexpr double kTooDear = 1.5;
/// Levels that never change and have run are left this far beyond the tolerances, and their neighbours run
/// that should cost at most this much of the best one: so many of them one after the other without success.
constexpr double kNearMiss = 3, kWorthARun = 1.02;
constexpr int kMostMisses = 6;
/// A schedule that costs more than this much of the best one is given up.
constexpr double kPromising = 1.15;
/// How much of the budget may be spent until a first schedule is within the tolerances.
constexpr double kOverdraft = 3;
/// Levels that are the same for all may exceed the tolerances this much to begin with.
constexpr double kNear = 10;
/// Schedules with a smaller aim, one after the other, that are no better than one before them.
constexpr int kMostFailures = 3;
/// A window with this share of the squared error keeps the highest levels, and so do some windows before it.
constexpr double kConcentrated = 0.3;
/// The smallest share of the tolerances that a schedule is chosen for.
constexpr double kLeastSafety = 0.01;

/// One group gets another rung for good.
struct Change {
  std::size_t group = 0, rung = 0;
  double saving = 0;  ///< evaluations, by prediction
};

}  // namespace

void LevelSearch::Run(const LevelBase& reference) {
  Start start = UseTolerances(reference, TryPredicted(reference));
  if (!IsToEnd()) {
    Start constant = PredictConstant(reference);
    constant = FindConstant(reference, std::move(constant), kTooDear);
    const LevelPoint found = constant.point;
    if (IsBetter(constant.point, start.point)) std::swap(constant, start);
    Improve(std::move(start));
    const std::uint64_t most = MostEvaluations({});
    if (most == 0 || constant.point.cost.evaluations <= most) Improve(std::move(constant));
    if (!IsToEnd()) FindConstant(reference, {.point = found}, std::numeric_limits<double>::infinity());
    ExploreConstant(reference);
  }
  if (!IsToEnd()) ImproveFromBelow();
  for (const LevelPoint& one : result_.fixed) {
    if (one.schedule.empty() || !one.is_good() || !IsBetter(one, result_.chosen())) continue;
    result_.tried.push_back(one);
    result_.best = result_.tried.size() - 1;
  }
  if (!HasFound()) TakeReference();
}

LevelSearch::Start LevelSearch::TryPredicted(const LevelBase& reference) {
  Start best;
  LevelBase base = reference;
  std::vector<std::size_t> reach(reference.costs.size());
  double safety = kLevelSafety;
  for (int failures = 0; safety > kLeastSafety && failures < kMostFailures && !trial_.is_stopped();) {
    const ChosenLevels choice = ChooseLevels(trial_.metrics(), base, safety, false);
    if (IsKnown(choice.schedule)) {
      safety = SmallerAim(safety, 0);
      continue;
    }
    const bool is_first = result_.tried.empty();
    Start start = Try(choice, result_.reference.evaluations);
    if (start.point.is_good()) return start;
    const bool has_run = start.point.fault.empty();
    if (!has_run || !KeepHighest(base, start, reach))
      safety = SmallerAim(safety, has_run ? start.point.share : 0);
    if (is_first || IsBetter(start.point, best.point)) {
      best = std::move(start);
      failures = 0;
    } else {
      ++failures;
    }
  }
  return best;
}

LevelSearch::Start LevelSearch::UseTolerances(const LevelBase& reference, Start best) {
  if (!best.point.is_good()) return best;
  LevelBase base = trial_.Around(reference, best.run, best.point.schedule);
  double safety = kVerifiedSafety;
  for (int failures = 0; failures < kMostFailures;) {
    const ChosenLevels choice = ChooseLevels(trial_.metrics(), base, safety, false);
    const std::uint64_t most = MostEvaluations(best.point);
    if (choice.schedule == base.schedule || IsToEndBefore(most)) break;
    if (!IsKnown(choice.schedule)) {
      Start next = Try(choice, most);
      if (IsBetter(next.point, best.point)) {
        best = std::move(next);
        base = trial_.Around(reference, best.run, best.point.schedule);
        failures = 0;
        continue;
      }
    }
    ++failures;
    safety = (safety + best.point.share) / 2;
  }
  return best;
}

bool LevelSearch::IsKnown(const LevelSchedule& schedule) const {
  return std::ranges::find(result_.tried, schedule, &LevelPoint::schedule) != result_.tried.end();
}

bool LevelSearch::KeepHighest(LevelBase& base, const Start& start, std::vector<std::size_t>& reach) const {
  const std::vector<double> parts =
      trial_.metrics().PartsOf(trial_.DeviationOf(start.run.rows), start.run.rows_end);
  const auto worst = std::ranges::max_element(parts);
  if (worst == parts.end() || *worst < kConcentrated) return false;
  const auto window = static_cast<std::size_t>(worst - parts.begin());
  std::size_t& count = reach[window];
  while (count <= window) {
    count = std::max<std::size_t>(2, 2 * count);
    const auto is_kept = [&](const LevelEffect& effect) {
      return effect.window <= window && effect.window + count > window;
    };
    if (std::erase_if(base.effects, is_kept) > 0) return true;
  }
  return false;
}

LevelPoint LevelSearch::Reference() const {
  return {.name = "reference",
          .schedule = trial_.TopSchedule(),
          .errors = std::vector<double>(result_.metrics.size()),
          .predicted_errors = std::vector<double>(result_.metrics.size()),
          .cost = result_.reference};
}

void LevelSearch::TakeReference() {
  result_.tried.push_back(Reference());
  result_.best = result_.tried.size() - 1;
}

LevelSearch::Start LevelSearch::Try(const ChosenLevels& choice, std::uint64_t most_evaluations) {
  Start start;
  start.point = trial_.Run(fmt::format("schedule {}", result_.tried.size() + 1), choice.schedule, &start.run,
                           most_evaluations);
  if (!choice.deviation.empty()) start.point.predicted_errors = trial_.metrics().ErrorsOf(choice.deviation);
  result_.tried.push_back(start.point);
  if (IsBetter(start.point, result_.chosen())) result_.best = result_.tried.size() - 1;
  return start;
}

void LevelSearch::ImproveFromBelow() {
  const LevelPoint* near = nullptr;
  for (const LevelPoint& one : result_.fixed) {
    if (one.schedule.empty() || !one.fault.empty() || one.share > kNear) continue;
    if (near == nullptr || IsBetter(one, *near)) near = &one;
  }
  if (near == nullptr) return;
  const std::uint64_t most = MostEvaluations({});
  if (most > 0 && near->cost.evaluations > most) return;
  if (!IsToEndBefore(near->cost.evaluations)) Improve(Try({.schedule = near->schedule}));
}

std::vector<std::size_t> LevelSearch::RungsOfGroups() const {
  std::vector<std::size_t> rungs;
  rungs.reserve(result_.groups.size());
  for (const LevelGroup& group : result_.groups) rungs.push_back(group.levels.size());
  return rungs;
}

LevelSearch::Start LevelSearch::PredictConstant(const LevelBase& reference) {
  const ChosenLevels choice =
      ChooseFixedLevels(trial_.metrics(), reference, RungsOfGroups(), kVerifiedSafety);
  // It runs to its end even if it is not the cheapest: a chart may be built around it.
  const std::uint64_t most = result_.reference.evaluations;
  if (choice.schedule == reference.schedule || IsToEndBefore(most)) return {.point = Reference()};
  Start best = Try(choice, most);
  // What is left of an effect at the end of a window does not always stay: a prediction beyond the tolerances
  // may be wrong. Without any schedule within them, each group is lowered from the reference as far as a run
  // is.
  if (!best.point.is_good() && !HasFound()) best = {.point = Reference()};
  return best;
}

LevelSearch::Start LevelSearch::FindConstant(const LevelBase& reference, Start best, double dear) {
  const std::vector<std::size_t> rungs = RungsOfGroups();
  std::set<LevelSchedule> known{reference.schedule};
  for (const LevelPoint& point : result_.tried) known.insert(point.schedule);
  // What saves most alone comes first.
  std::vector<Change> changes;
  changes.reserve(3 * rungs.size());
  for (std::size_t g = 0; g < rungs.size(); ++g) {
    for (std::size_t rung = 0; rung < rungs[g]; ++rung) {
      LevelSchedule alone = reference.schedule;
      std::ranges::fill(alone[g], rung);
      changes.push_back({g, rung, PredictLevels(trial_.metrics(), reference, alone).saving});
    }
  }
  std::ranges::stable_sort(changes, std::ranges::greater(), &Change::saving);
  for (bool has_moved = true; has_moved;) {
    has_moved = false;
    for (const Change& change : changes) {
      LevelSchedule other = best.point.schedule;
      std::ranges::fill(other[change.group], change.rung);
      if (!known.insert(other).second) continue;
      const ChosenLevels next = PredictLevels(trial_.metrics(), reference, other);
      if (trial_.metrics().ShareOf(trial_.metrics().ErrorsOf(next.deviation)) > kHopeless) continue;
      const std::uint64_t most = MostEvaluations(best.point);
      const double cost = static_cast<double>(result_.reference.evaluations) - next.saving;
      if (HasFound() && cost > dear * static_cast<double>(most)) continue;
      if (IsToEndBefore(most)) return best;
      Start now = Try(next, most);
      if (!IsBetter(now.point, best.point)) continue;
      best = std::move(now);
      has_moved = true;
    }
  }
  return best;
}

void LevelSearch::ExploreConstant(const LevelBase& reference) {
  const std::vector<std::size_t> rungs = RungsOfGroups();
  const auto is_constant = [](const LevelSchedule& schedule) {
    return std::ranges::all_of(schedule, [](const std::vector<std::size_t>& row) {
      return std::ranges::all_of(row, [&](std::size_t rung) { return rung == row.front(); });
    });
  };
  std::set<LevelSchedule> known{reference.schedule};
  std::map<LevelSchedule, double> costs;  // of those to run, by prediction
  std::vector<LevelPoint> bases = result_.fixed;
  bases.insert(bases.end(), result_.tried.begin(), result_.tried.end());
  for (const LevelPoint& base : bases) known.insert(base.schedule);
  const auto share_of = [&](const ChosenLevels& levels) {
    return trial_.metrics().ShareOf(trial_.metrics().ErrorsOf(levels.deviation));
  };
  const auto add = [&](const LevelPoint& base) {
    if (base.schedule.empty() || !base.fault.empty() || base.share > kNearMiss || !is_constant(base.schedule))
      return;
    const ChosenLevels here = PredictLevels(trial_.metrics(), reference, base.schedule);
    for (std::size_t g = 0; g < rungs.size(); ++g) {
      for (std::size_t rung = 0; rung < rungs[g]; ++rung) {
        LevelSchedule other = base.schedule;
        std::ranges::fill(other[g], rung);
        if (known.contains(other)) continue;
        // Beyond the tolerances only a higher level can help.
        if (!base.is_good() && rung < base.schedule[g].front()) continue;
        const ChosenLevels there = PredictLevels(trial_.metrics(), reference, other);
        if (base.share + share_of(there) - share_of(here) > kNearMiss) continue;
        const double cost = static_cast<double>(base.cost.evaluations) + here.saving - there.saving;
        const auto [place, is_new] = costs.emplace(std::move(other), cost);
        if (!is_new) place->second = std::min(place->second, cost);
      }
    }
  };
  std::ranges::for_each(bases, add);
  for (int misses = 0; misses < kMostMisses && !costs.empty() && HasFound();) {
    const auto next = std::ranges::min_element(costs, {}, [](const auto& one) { return one.second; });
    const std::uint64_t most = result_.chosen().cost.evaluations;
    if (next->second > kWorthARun * static_cast<double>(most) || IsToEndBefore(most)) return;
    const std::size_t before = result_.best;
    const ChosenLevels choice = PredictLevels(trial_.metrics(), reference, next->first);
    known.insert(next->first);
    costs.erase(next);
    add(Try(choice, most).point);
    misses = result_.best == before ? misses + 1 : 0;
  }
}

void LevelSearch::Improve(Start start) {
  if (!start.point.fault.empty() || start.run.snapshots.empty()) return;  // of the reference there is none
  LevelBase base;
  double safety = kVerifiedSafety;
  bool is_known = false;  // what is around the start
  for (std::uint64_t round = 0; round < rounds_ && !IsToEnd(); ++round) {
    if (!is_known) {
      const double runs = trial_.RunsAround(static_cast<double>(start.point.cost.evaluations)),
                   before = result_.Runs();
      if (IsToEnd(excess_ * runs)) return;
      base = trial_.BaseOf(start.point.name, start.run, start.point.schedule);
      excess_ = std::max(1.0, (result_.Runs() - before) / runs);
    }
    if (trial_.is_stopped()) return;
    const ChosenLevels next = ChooseLevels(trial_.metrics(), base, safety, true);
    if (next.schedule == base.schedule) return;
    if (IsKnown(next.schedule)) {
      safety = SmallerAim(safety, 0);  // it was no better
      is_known = true;
      continue;
    }
    const std::uint64_t most = MostEvaluations(start.point);
    if (IsToEndBefore(most)) return;
    Start now = Try(next, most);
    is_known = !IsBetter(now.point, start.point);
    if (is_known) {
      safety = SmallerAim(safety, 0);
    } else {
      start = std::move(now);
    }
  }
}

bool LevelSearch::IsToEndBefore(std::uint64_t most) const {
  const std::uint64_t whole = result_.reference.evaluations;
  return IsToEnd(most == 0 ? 1 : static_cast<double>(most) / static_cast<double>(whole));
}

std::uint64_t LevelSearch::MostEvaluations(const LevelPoint& point) const {
  std::uint64_t most = point.fault.empty() && point.is_good() ? point.cost.evaluations : 0;
  if (HasFound()) {
    const auto promising =
        static_cast<std::uint64_t>(kPromising * static_cast<double>(result_.chosen().cost.evaluations));
    most = most == 0 ? promising : std::min(most, promising);
  }
  return most;
}

bool LevelSearch::IsToEnd(double runs) const {
  return trial_.is_stopped() || result_.Runs() + runs >= (HasFound() ? 1 : kOverdraft) * budget_;
}

}  // namespace davit
