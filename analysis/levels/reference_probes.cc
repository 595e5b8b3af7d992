#include "analysis/levels/reference_probes.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string_view>
#include <utility>

namespace davit {
namespace {

/// An error below this share of the tolerances is none.
constexpr double kNoError = 0.002;
/// Windows that together make less than this share of the evaluations of the reference have nothing to save.
constexpr double kCheap = 0.002;

bool IsOfAll(const LevelProbes::Job& job) { return job.group == LevelProbes::kEveryGroup; }

}  // namespace

ReferenceProbes::ReferenceProbes(LevelProbes& probes, const LevelMetrics& metrics, const LevelRun& reference,
                                 const LevelsResult& result, const Shard& shard)
    : probes_(probes),
      metrics_(metrics),
      reference_(reference),
      top_(TopSchedule(result.groups, result.ends.size())),
      common_(result.ends.size()),
      base_{.schedule = top_, .deviation = std::vector<double>(reference.rows.values.size())} {
  for (std::size_t w = 0; w < result.ends.size(); ++w) {
    base_.costs.push_back(static_cast<double>(reference.costs[w].evaluations));
    if (shard.Has(w + 1)) open_.push_back(w);
  }
}

LevelBase ReferenceProbes::Run(double switch_cost, const std::stop_token& stop) {
  base_.switch_cost = switch_cost;
  TakeCommon(Probe(Choose([](const Job& job) { return IsOfAll(job) && job.rung == 0; })));
  if (stop.stop_requested()) return base_;
  CloseWindows();
  TakeCommon(Probe(Choose([](const Job& job) { return IsOfAll(job) && job.rung > 0; })));
  if (stop.stop_requested()) return base_;
  BeginBase();
  const auto is_highest = [&](const Job& job) {
    return !IsOfAll(job) && job.rung == top_[job.group][job.window];
  };
  std::vector<LevelEffect> effects = Probe(Choose(is_highest));
  if (stop.stop_requested()) return base_;
  std::ranges::transform(effects, effects.begin(),
                         [&](LevelEffect& effect) { return Relative(std::move(effect)); });
  std::vector<Job> left = Choose([&](const Job& job) { return !IsOfAll(job) && !is_highest(job); });
  const auto useless = std::ranges::stable_partition(left, [&](const Job& job) {
    return job.rung < base_.schedule[job.group][job.window] ||
           std::ranges::none_of(effects, [&](const LevelEffect& effect) {
             return effect.group == job.group && effect.window == job.window && MakesNoError(effect);
           });
  });
  probes_.Skip({"reference", reference_, base_.schedule, true}, metrics_, {useless.begin(), useless.end()},
               "the highest level changes no error here");
  left.erase(useless.begin(), useless.end());
  std::ranges::transform(Probe(left), std::back_inserter(effects),
                         [&](const LevelEffect& effect) { return Relative(effect); });
  base_.effects = std::move(effects);
  return base_;
}

std::vector<LevelProbes::Job> ReferenceProbes::JobsOf(std::size_t window) const {
  std::size_t most = 0;
  for (const std::vector<std::size_t>& row : top_) most = std::max(most, row[window]);
  std::size_t count = most;
  for (const std::vector<std::size_t>& row : top_) count += row[window] + 1;
  std::vector<Job> jobs;
  jobs.reserve(count);
  for (std::size_t rung = 0; rung < most; ++rung) jobs.push_back({0, LevelProbes::kEveryGroup, window, rung});
  for (std::size_t g = 0; g < top_.size(); ++g) {
    for (std::size_t rung = 0; rung <= top_[g][window]; ++rung) {
      if (rung != base_.schedule[g][window]) jobs.push_back({0, g, window, rung});
    }
  }
  for (std::size_t i = 0; i < jobs.size(); ++i) jobs[i].number = window * jobs.size() + i + 1;
  return jobs;
}

std::vector<LevelProbes::Job> ReferenceProbes::Choose(
    const std::function<bool(const Job&)>& is_chosen) const {
  std::vector<Job> chosen;
  for (const std::size_t w : open_) std::ranges::copy_if(JobsOf(w), std::back_inserter(chosen), is_chosen);
  return chosen;
}

std::vector<LevelEffect> ReferenceProbes::Probe(const std::vector<Job>& jobs) {
  return probes_.Run({"reference", reference_, base_.schedule, true}, metrics_, jobs);
}

bool ReferenceProbes::MakesNoError(const LevelEffect& effect) const {
  return effect.is_usable && metrics_.ShareOf(effect.errors) < kNoError;
}

void ReferenceProbes::TakeCommon(std::vector<LevelEffect> effects) {
  for (LevelEffect& effect : effects) {
    std::optional<LevelEffect>& best = common_[effect.window];
    if (effect.is_usable && (!best || best->rung < effect.rung)) best = std::move(effect);
  }
}

void ReferenceProbes::CloseWindows() {
  const std::vector<std::size_t> cheap = CheapWindows();
  std::erase_if(open_, [&](std::size_t w) {
    std::string_view reason;
    if (common_[w] && MakesNoError(*common_[w]) && common_[w]->saving >= 0) {
      reason = "the lowest levels make no error here";
      for (std::vector<std::size_t>& row : base_.schedule) row[w] = 0;
    } else if (std::ranges::find(cheap, w) != cheap.end()) {
      reason = "the reference costs next to nothing here";
      common_[w].reset();
    } else {
      return false;
    }
    std::vector<Job> useless = JobsOf(w);
    useless.erase(useless.begin());
    probes_.Skip({"reference", reference_, base_.schedule, true}, metrics_, useless, reason);
    return true;
  });
}

std::vector<std::size_t> ReferenceProbes::CheapWindows() const {
  std::vector<std::size_t> windows(common_.size());
  std::iota(windows.begin(), windows.end(), std::size_t{0});
  const auto cost_of = [&](std::size_t w) { return static_cast<double>(reference_.costs[w].evaluations); };
  std::ranges::stable_sort(windows, {}, cost_of);
  double left = kCheap * static_cast<double>(reference_.cost().evaluations);
  const auto first = std::ranges::find_if(windows, [&](std::size_t w) { return (left -= cost_of(w)) < 0; });
  windows.erase(first, windows.end());
  return windows;
}

void ReferenceProbes::BeginBase() {
  LevelSum sum(metrics_, base_.deviation);
  for (std::size_t w = 0; w < common_.size(); ++w) {
    if (!common_[w]) continue;
    for (std::vector<std::size_t>& row : base_.schedule) row[w] = std::min(row[w], common_[w]->rung);
    base_.costs[w] = static_cast<double>(common_[w]->cost.evaluations);
    sum.Add(*common_[w], 1);
  }
  base_.deviation = sum.deviation();
}

LevelEffect ReferenceProbes::Relative(LevelEffect effect) const {
  if (!effect.is_usable) return effect;
  const std::size_t w = effect.window;
  // With the switches of a probe that its common rung lacks: that back at the end of the window, and if the
  // common rung is the highest, that at its begin.
  double switches = w + 1 < common_.size() ? 1 : 0;
  if (const std::optional<LevelEffect>& common = common_[w]) {
    for (std::size_t i = 0; i < effect.deviation.size(); ++i) effect.deviation[i] -= common->deviation[i];
    effect.saving -= common->saving;
  } else {
    ++switches;
  }
  effect.saving +=
      base_.switch_cost * (switches + FewerSwitches(base_.schedule[effect.group], w, effect.rung));
  LevelSum alone(metrics_, std::vector<double>(base_.deviation.size()));
  alone.Add(effect, 1);
  effect.errors = metrics_.ErrorsOf(alone.deviation());
  return effect;
}

}  // namespace davit
