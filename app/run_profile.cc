#include "app/run_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>
#include <utility>

#include "framework/component.h"
#include "framework/counted.h"
#include "simulator/islands/island.h"

namespace davit {
namespace {

double ToSeconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

/// What one look at the clock takes, of many.
double MeasureClock() {
  constexpr int kLooks = 1000;
  const auto begin = std::chrono::steady_clock::now();
  auto end = begin;
  for (int i = 0; i < kLooks; ++i) end = std::chrono::steady_clock::now();
  return ToSeconds(end - begin) / kLooks;
}

constexpr std::size_t kMostRows = 30;

/// So that a system of many islands gives a table of one page.
template <class Rows>
void MergeLast(Rows& rows) {
  if (rows.size() <= kMostRows) return;
  auto others = rows.back();
  others = {fmt::format("{} more", rows.size() - kMostRows), {}};
  for (std::size_t i = kMostRows; i < rows.size(); ++i) others.second.seconds += rows[i].second.seconds;
  rows.resize(kMostRows);
  rows.push_back(std::move(others));
}

}  // namespace

RunProfile::IslandWatch::IslandWatch(const Island& island, double clock_seconds)
    : method_(island.options().method), clock_seconds_(clock_seconds) {
  name_ = fmt::format("the island of {} ({})", island.members().front()->DisplayPath(),
                      Counted(island.members().size(), "component"));
}

void RunProfile::IslandWatch::Run(const Component& /*component*/, std::string_view /*name*/,
                                  const std::function<void()>& code) {
  code();  // a guard: shorter than a look at the clock
}

CallWatch* RunProfile::IslandWatch::ForEvaluation() {
  if (evaluations_++ % kEach != 0) return nullptr;
  ++timed_;
  next_ = 0;
  last_ = Clock::now();
  return this;
}

void RunProfile::IslandWatch::RunBatch(BatchEvaluation run, Component* const* components, std::size_t count,
                                       double t) {
  run(components, count, t);
  const Clock::time_point now = Clock::now();
  if (next_ == batches_.size()) batches_.push_back({components[0]->model().name, count});
  batches_[next_++].time += now - std::exchange(last_, now);
}

void RunProfile::IslandWatch::Begin(StepPart /*part*/) { begin_ = Clock::now(); }

void RunProfile::IslandWatch::End(StepPart /*part*/) { time_ += Clock::now() - begin_; }

void RunProfile::IslandWatch::AddTo(Costs& costs) const {
  if (timed_ == 0) return;
  const double whole = ToSeconds(time_);
  const double share = static_cast<double>(evaluations_) / static_cast<double>(timed_);
  const auto seconds_of = [&](const Batch& batch) {
    return share * std::max(0.0, ToSeconds(batch.time) - clock_seconds_ * static_cast<double>(timed_));
  };
  double evaluating = 0;
  for (const Batch& batch : batches_) evaluating += seconds_of(batch);
  constexpr std::array<std::pair<SolverProfile::Part, std::string_view>, SolverProfile::kParts> kParts{{
      {SolverProfile::Part::kJacobian, "Jacobians"},
      {SolverProfile::Part::kFactors, "LU factors"},
      {SolverProfile::Part::kSolves, "solves with LU factors"},
  }};
  double rest = whole;
  for (const auto& [part, name] : kParts) {
    const SolverProfile::PartCost& timed = solver_.part(part);
    if (timed.count == 0) continue;
    const double looks = clock_seconds_ * static_cast<double>(timed.count);
    const double seconds = std::clamp(ToSeconds(timed.time) - looks, 0.0, rest);
    rest -= seconds;
    Cost& cost = costs[fmt::format("{} of {}", name, name_)];
    cost.seconds += seconds;
    cost.count += timed.count;
  }
  const double fit = evaluating > rest ? rest / evaluating : 1;
  for (const Batch& batch : batches_) {
    Cost& cost = costs[std::string(batch.model)];
    cost.seconds += fit * seconds_of(batch);
    cost.count += evaluations_ * batch.components;
  }
  Cost& solver = costs[fmt::format("solver {} of {}", method_, name_)];
  solver.seconds += rest - fit * evaluating;
  solver.count += evaluations_;
}

void RunProfile::IslandWatch::PrintStates(std::ostream& err) const {
  constexpr std::size_t kMostStates = 5;
  const std::map<std::string, SolverProfile::StateCost> by_name = solver_.States();
  std::vector<std::pair<std::string, SolverProfile::StateCost>> states(by_name.begin(), by_name.end());
  double steps = 0, rejected = 0;
  std::size_t width = 0;
  for (const auto& [name, cost] : states) {
    steps += static_cast<double>(cost.limited);
    rejected += static_cast<double>(cost.rejected);
  }
  if (steps + rejected == 0) return;
  std::ranges::stable_sort(states, std::ranges::greater{},
                           [](const auto& state) { return state.second.limited + state.second.rejected; });
  states.resize(std::min(states.size(), kMostStates));
  for (const auto& [name, cost] : states) width = std::max(width, name.size());
  err << fmt::format("\nlargest errors in {}: {:.0f} steps, {:.0f} rejected\n", name_, steps, rejected);
  const auto share = [](std::uint64_t count, double all) {
    return all > 0 ? 100 * static_cast<double>(count) / all : 0.0;
  };
  for (const auto& [name, cost] : states) {
    err << fmt::format("  {:<{}}  {:5.1f} % of the steps  {:5.1f} % of the rejected ones\n", name, width,
                       share(cost.limited, steps), share(cost.rejected, rejected));
  }
}

void RunProfile::ScheduleWatch::Run(const Component& /*component*/, std::string_view /*name*/,
                                    const std::function<void()>& code) {
  code();
}

CallWatch* RunProfile::ScheduleWatch::ForEvaluation() {
  if (steps_++ % kEach != 0) return nullptr;
  ++timed_;
  return this;
}

void RunProfile::ScheduleWatch::RunBatch(BatchEvaluation run, Component* const* components, std::size_t count,
                                         double t) {
  const Clock::time_point begin = Clock::now();
  run(components, count, t);
  const double seconds = std::max(0.0, ToSeconds(Clock::now() - begin) - clock_seconds_);
  const std::lock_guard lock(mutex_);
  Cost& cost = models_[components[0]->model().name];
  cost.seconds += seconds;
  cost.count += count;
}

void RunProfile::ScheduleWatch::AddTo(Costs& costs) const {
  if (timed_ == 0) return;
  const double share = static_cast<double>(steps_) / static_cast<double>(timed_);
  for (const auto& [model, timed] : models_) {
    Cost& cost = costs[std::string(model)];
    cost.seconds += share * timed.seconds;
    cost.count += static_cast<std::uint64_t>(std::llround(share * static_cast<double>(timed.count)));
  }
}

RunProfile::RunProfile() : clock_seconds_(MeasureClock()) {}

void RunProfile::Run(const Component& /*component*/, std::string_view /*name*/,
                     const std::function<void()>& code) {
  code();  // a hook; part of the network or of the rest
}

CallWatch* RunProfile::ForIsland(const Island& island) {
  return &islands_.emplace_back(island, clock_seconds_);
}

CallWatch* RunProfile::ForSchedule() { return &schedules_.emplace_back(clock_seconds_); }

void RunProfile::Begin(StepPart /*part*/) { begin_ = Clock::now(); }

void RunProfile::End(StepPart part) {
  const Clock::duration time = Clock::now() - begin_;
  switch (part) {
    case StepPart::kNetwork: network_ += time; break;
    case StepPart::kIsland: break;
    case StepPart::kCharts:
      charts_ += time;
      ++chart_steps_;
      break;
    case StepPart::kOutput:
      output_ += time;
      ++output_steps_;
      break;
  }
}

void RunProfile::Print(double start_seconds, double wall_seconds, std::ostream& err) const {
  Costs costs;
  for (const IslandWatch& island : islands_) island.AddTo(costs);
  for (const ScheduleWatch& schedule : schedules_) schedule.AddTo(costs);
  double busy = 0;
  for (const auto& [name, cost] : costs) busy += cost.seconds;
  const double network = ToSeconds(network_);
  if (busy > network) {
    for (auto& [name, cost] : costs) cost.seconds *= network / busy;
  } else {
    costs["exchange between islands and fixed-step components"].seconds = network - busy;
  }
  if (chart_steps_ > 0) costs["charts"] = {ToSeconds(charts_), chart_steps_};
  costs["output: results and event log"] = {ToSeconds(output_), output_steps_};
  costs["start of the run"].seconds = start_seconds;
  double sum = 0;
  for (const auto& [name, cost] : costs) sum += cost.seconds;
  costs["rest: requests, levels, waiting for the clock"].seconds = std::max(0.0, wall_seconds - sum);

  std::vector<std::pair<std::string, Cost>> rows(costs.begin(), costs.end());
  std::ranges::stable_sort(rows,
                           [](const auto& a, const auto& b) { return a.second.seconds > b.second.seconds; });
  MergeLast(rows);
  rows.emplace_back("wall time", Cost{wall_seconds, 0});
  std::size_t width = 0;
  for (const auto& [name, cost] : rows) width = std::max(width, name.size());
  err << fmt::format("{:<{}}  {:>7}  {:>10}  {:>11}\n", "where the time went", width, "share", "seconds",
                     "count");
  for (const auto& [name, cost] : rows) {
    const double share = wall_seconds > 0 ? 100 * cost.seconds / wall_seconds : 0;
    err << fmt::format("{:<{}}  {:5.1f} %  {:10.6f}  {:>11}\n", name, width, share, cost.seconds,
                       cost.count > 0 ? fmt::format("{}", cost.count) : "");
  }
  for (const IslandWatch& island : islands_) island.PrintStates(err);
}

}  // namespace davit
