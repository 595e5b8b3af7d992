#include "simulator/run/run_reporter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "framework/mode.h"
#include "framework/symptom.h"
#include "simulator/charts/behaviour_mirror.h"
#include "simulator/guard.h"
#include "simulator/simulation_failure.h"
#include "simulator/solvers/switching_integrator.h"
#include "simulator/stability_hint.h"

namespace davit {

void RunReporter::WatchEvents(Network& network) {
  has_events_ = false;
  for (auto& island : network.islands) {
    IslandStepper::EventLog& log = island->event_log();
    log = {};
    if (!island->has_guards()) continue;
    if (!std::exchange(has_events_, true)) {
      for (StepObserver* observer : observers_) observer->ExpectEvents();
    }
    const auto& members = island->members();
    for (StepObserver* observer : observers_) {
      IslandStepper::EventLog::Watcher watcher{observer, {}, {}, {}};
      const std::span<const Item> items = observer->EventVariables();
      for (std::uint32_t i = 0; i < items.size(); ++i) {
        if (std::ranges::find(members, &items[i].owner()) == members.end()) continue;
        watcher.columns.push_back(i);
        watcher.variables.push_back(items[i]);
      }
      log.watchers.push_back(std::move(watcher));
    }
  }
}

void RunReporter::WatchModes(Network& network) {
  mode_watches_.clear();
  solvers_seen_.assign(network.islands.size(), {});
  for (auto& island : network.islands) {
    if (!island->modes().is_empty()) mode_watches_.push_back(&island->modes());
  }
  for (auto& rate : network.rates) {
    if (!rate->modes.is_empty()) mode_watches_.push_back(&rate->modes);
  }
  std::size_t usual_changes = 0;
  for (ModeWatch* watch : mode_watches_) usual_changes += watch->changes().capacity();
  mode_changes_.reserve(usual_changes);
}

void RunReporter::ReportSolvers(Network& network) {
  constexpr std::uint64_t kManyLooks = 2000;
  for (std::size_t i = 0; i < network.islands.size(); ++i) {
    Island& island = *network.islands[i];
    SolverSeen& seen = solvers_seen_[i];
    if (const std::string fault = island.TakeJacobianFault(); !fault.empty())
      Log(RunLog::Severity::kWarning, island.members().front()->DisplayPath(), fault);
    if (island.options().method != SwitchingIntegrator::kMethod) {
      seen.method = {};  // SetMethod has chosen another one
    } else if (island.method_in_use() != seen.method) {
      ReportMethod(island, seen);
    }
    if (seen.is_hinted || !IsLimitedByStability(island, kManyLooks)) continue;
    seen.is_hinted = true;
    Log(RunLog::Severity::kWarning, island.members().front()->DisplayPath(), StabilityHint(island));
  }
}

void RunReporter::ReportMethod(const Island& island, SolverSeen& seen) const {
  constexpr int kMostLines = 5;
  const std::string_view before = std::exchange(seen.method, island.method_in_use());
  if (before.empty()) return;
  if (seen.lines == kMostLines) return;
  const bool is_back = island.method_in_use() == SwitchingIntegrator::kExplicitMethod;
  Log(island.members().front()->DisplayPath(),
      fmt::format("method auto: {} -> {}: {}{}", before, island.method_in_use(),
                  is_back ? "it costs less here" : "stability limits the steps of the first",
                  ++seen.lines == kMostLines ? "; further changes are counted only" : ""));
}

void RunReporter::ReportRows(Network& network, double t0, double t1) {
  struct Row {
    double t;
    IslandStepper::EventLog* log;
    std::size_t number;
  };
  std::vector<Row> rows;
  for (auto& island : network.islands) {
    IslandStepper::EventLog& log = island->event_log();
    for (std::size_t i = 0; i < log.times.size(); ++i) rows.push_back({log.times[i], &log, i});
    for (const IslandStepper::EventLog::Entry& entry : log.entries) {
      const auto severity = entry.rests ? RunLog::Severity::kInfo : RunLog::Severity::kDetail;
      if (!Keeps(severity)) continue;
      Log(severity, entry.guard->owner().DisplayPath(),
          fmt::format("{}{} at t = {:.12g} s", entry.guard->name(),
                      entry.rests ? ": Zeno behaviour detected, rest reaction applied" : "", entry.t));
    }
  }
  std::ranges::stable_sort(rows, {}, &Row::t);
  for (const Row& row : rows) {
    if (row.t < t0) continue;  // of an island with a longer TimeStep: later rows are written
    for (const IslandStepper::EventLog::Watcher& watcher : row.log->watchers) {
      const std::size_t width = watcher.columns.size();
      watcher.observer->OnEvent(row.t, t1, watcher.columns,
                                std::span(watcher.values).subspan(row.number * width, width));
    }
  }
  for (const Row& row : rows) {
    row.log->times.clear();
    row.log->entries.clear();
    for (IslandStepper::EventLog::Watcher& watcher : row.log->watchers) watcher.values.clear();
  }
}

void RunReporter::ReportChanges(BehaviourMirror& mirror) {
  mode_changes_.clear();
  for (ModeWatch* watch : mode_watches_) {
    for (const ModeChange& change : watch->changes()) {
      // Few, and nearly in order; std::stable_sort would allocate.
      const auto place = std::ranges::upper_bound(mode_changes_, change.t, {}, &ModeChange::t);
      mode_changes_.insert(place, change);
    }
    watch->changes().clear();
  }
  for (const ModeChange& change : mode_changes_) {
    mirror.ReportMode(change);
    if (!Keeps(RunLog::Severity::kDetail)) continue;
    const ModeBase& mode = *change.owner->declarations().modes[change.mode];
    Log(RunLog::Severity::kDetail, change.owner->DisplayPath(),
        fmt::format("{} {} -> {} at t = {:.12g} s", mode.label().name, mode.options()[change.from],
                    mode.options()[change.to], change.t),
        RunLog::Kind::kMode, {.item = change.owner->path() + "." + std::string(mode.label().name)});
  }
}

void RunReporter::ReportMoved(const Island& island, const std::vector<Island::Moved>& moved, double t) const {
  const StateVectors& states = island.states();
  std::string list;
  std::string too_far;
  for (const Island::Moved& m : moved) {
    const StateDeclaration& declaration = states.Declaration(m.state);
    const std::string text = fmt::format("{} from {:.6g} to {:.6g}", states.Name(m.state), m.from, m.to);
    list += (list.empty() ? "" : ", ") + text;
    const double limit = std::max(std::abs(m.from), declaration.nominal);
    if (declaration.is_start_given && std::abs(m.to - m.from) > limit) {
      too_far += (too_far.empty() ? "" : ", ") + text;
    }
  }
  if (!list.empty()) Log("", "initial values adjusted for consistency: " + list);
  if (too_far.empty()) return;
  throw SimulationFailure(
      "consistent initialisation failed: given start values contradict the algebraic equations: " + too_far +
          "; leave them out, or change what determines them" + SeeSection(Symptom::kInconsistentStart),
      t);
}

void RunReporter::set_time(double t) const {
  if (RunLog* log = root_.run_log()) log->set_time(t);
}

void RunReporter::Log(RunLog::Severity severity, std::string_view path, std::string_view text,
                      RunLog::Kind kind, const RunLog::Cause& cause) const {
  if (RunLog* log = root_.run_log()) log->Write(severity, path, text, kind, cause);
}

bool RunReporter::Keeps(RunLog::Severity severity) const {
  const RunLog* log = root_.run_log();
  return log != nullptr && log->Keeps(severity);
}

}  // namespace davit
