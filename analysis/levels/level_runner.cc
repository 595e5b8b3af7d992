#include "analysis/levels/level_runner.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>

#include "framework/exception_text.h"
#include "simulator/charts/chart_set.h"
#include "simulator/simulation_failure.h"
#include "simulator/step_interrupted.h"

namespace davit {
namespace {

double Now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Runs `call`; what it throws becomes the fault of `result`.
template <class Result, class Call>
void KeepFault(Result& result, const std::stop_token& stop, const Call& call) {
  try {
    call();
  } catch (const StepInterrupted&) {
    result.is_stopped = true;
  } catch (const std::exception& failure) {
    result.fault = Explain(failure);
  }
  if (stop.stop_requested()) result.is_stopped = true;
}

}  // namespace

LevelCost& LevelCost::operator+=(const LevelCost& other) {
  evaluations += other.evaluations;
  steps += other.steps;
  wall_s += other.wall_s;
  return *this;
}

LevelCost LevelRun::cost() const {
  LevelCost all;
  for (const LevelCost& one : costs) all += one;
  return all;
}

LevelRunner::LevelRunner(const CaseSetup& setup, const Registry& registry, std::span<const LevelGroup> groups)
    : groups_(groups), simulation_(LoadSystemOf(setup, setup.options, registry).Take()) {
  Diagnostics diagnostics;
  metrics_ = std::make_unique<MeasureSet>(*simulation_, setup.measures, diagnostics);
  if (diagnostics.has_errors()) throw std::invalid_argument(ToText(diagnostics.all().front()));
  std::vector<std::string> paths, indicators;
  for (const LevelGroup& group : groups) {
    for (const std::string& component : group.components) paths.push_back(component + ".level");
    for (const std::vector<std::string>& rung : group.indicators)
      indicators.insert(indicators.end(), rung.begin(), rung.end());
  }
  levels_ = simulation_->Items(paths);
  numbers_.resize(paths.size());
  indicators_ = simulation_->Items(indicators);
  seen_.resize(indicators.size());
  row_.resize(metrics_->channels());
}

void LevelRunner::SetRungs(const std::function<std::size_t(std::size_t group)>& rung_of) {
  std::size_t place = 0;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    for (const Level level : groups_[g].levels[rung_of(g)]) numbers_[place++] = static_cast<double>(level);
  }
  simulation_->Write(levels_, numbers_);
}

void LevelRunner::AddRow(ChannelRows& rows) {
  metrics_->ReadChannels(row_);
  rows.time.push_back(simulation_->time());
  rows.values.insert(rows.values.end(), row_.begin(), row_.end());
  rows.evaluations.push_back(simulation_->statistics().evaluations);
}

void LevelRunner::BeginIndicators(LevelRun& run) const {
  auto& window = run.indicators.emplace_back();
  window.reserve(groups_.size());
  for (const LevelGroup& group : groups_) window.emplace_back(group.indicators.size());
}

void LevelRunner::SeeIndicators(LevelRun& run) {
  simulation_->Read(indicators_, seen_);
  std::size_t place = 0;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    for (std::size_t rung = 0; rung < groups_[g].indicators.size(); ++rung) {
      double& largest = run.indicators.back()[g][rung];
      for (std::size_t i = 0; i < groups_[g].indicators[rung].size(); ++i)
        largest = std::max(largest, seen_[place++]);
    }
  }
}

LevelCost LevelRunner::CostSinceMark() {
  const RunStatistics now = simulation_->statistics();
  const double wall = Now();
  const LevelCost cost{.evaluations = now.evaluations - mark_.evaluations,
                       .steps = now.solver_steps - mark_.solver_steps,
                       .wall_s = wall - mark_wall_};
  mark_ = now;
  mark_wall_ = wall;
  return cost;
}

std::uint64_t LevelRunner::Phases() const { return simulation_->manager().charts().transitions(); }

LevelRun LevelRunner::Run(const WindowPlan& plan,
                          const std::function<std::size_t(std::size_t group, std::size_t window)>& rung_of,
                          const std::stop_token& stop, const std::function<void(double t)>& on_step) {
  LevelRun run;
  Simulation& simulation = *simulation_;
  const std::stop_callback give_up(stop, [&simulation] { simulation.RequestStopInside(); });
  KeepFault(run, stop, [&] {
    simulation.Initialize();
    const double same = SimulatorManager::kSameStep * simulation.time_step();
    double last_phase = run.begin = simulation.time();
    while (!simulation.is_finished() && !stop.stop_requested()) {
      const std::size_t window = run.ends.size();
      run.snapshots.push_back(simulation.TakeSnapshot());
      SetRungs([&](std::size_t group) { return rung_of(group, window); });
      BeginIndicators(run);
      CostSinceMark();
      const double begin = simulation.time();
      const double given = window < plan.ends.size() ? plan.ends[window] : simulation.stop_time();
      const std::uint64_t phases = Phases();
      const auto is_at_end = [&] {
        const double t = simulation.time() + same;
        if (!plan.ends.empty()) return t >= given;
        return t - begin >= plan.shortest || (Phases() != phases && t - last_phase >= plan.shortest);
      };
      do {
        simulation.Step();
        AddRow(run.rows);
        SeeIndicators(run);
        if (on_step) on_step(simulation.time());
        run.is_too_costly = plan.most_evaluations > 0 && run.rows.evaluations.back() > plan.most_evaluations;
      } while (!simulation.is_finished() && !stop.stop_requested() && !run.is_too_costly && !is_at_end());
      run.costs.push_back(CostSinceMark());
      run.ends.push_back(simulation.time());
      run.phase_ends.push_back(Phases() != phases);
      if (run.phase_ends.back()) last_phase = run.ends.back();
      run.rows_end.push_back(run.rows.time.size());
      if (run.is_too_costly) break;
    }
    run.switches = simulation.statistics().level_switches;
  });
  return run;
}

LevelProbe LevelRunner::Probe(const std::string& snapshot, double end, std::span<const std::size_t> in,
                              double rest_end, std::span<const std::size_t> after,
                              const std::stop_token& stop) {
  LevelProbe probe;
  Simulation& simulation = *simulation_;
  const std::stop_callback give_up(stop, [&simulation] { simulation.RequestStopInside(); });
  KeepFault(probe, stop, [&] {
    const Diagnostics diagnostics = simulation.LoadSnapshot(snapshot);
    if (diagnostics.has_errors()) throw std::runtime_error(ToText(diagnostics.all().front()));
    const double same = SimulatorManager::kSameStep * simulation.time_step();
    const auto run_to = [&](double t) {
      while (!simulation.is_finished() && !stop.stop_requested() && simulation.time() + same < t) {
        simulation.Step();
        AddRow(probe.rows);
      }
    };
    SetRungs([&](std::size_t group) { return in[group]; });
    mark_ = {};
    CostSinceMark();
    run_to(end);
    probe.cost = CostSinceMark();
    if (rest_end + same > end && !simulation.is_finished()) {
      SetRungs([&](std::size_t group) { return after[group]; });
      run_to(rest_end);
      probe.rest = CostSinceMark();
    }
  });
  return probe;
}

}  // namespace davit
