#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "framework/run_log.h"
#include "simulator/events/mode_watch.h"
#include "simulator/network/network.h"
#include "simulator/step_observer.h"

namespace davit {

class BehaviourMirror;

/// Reports what happens in a run to those who watch it: rows at events to observers, modes to charts, and
/// lines to the run log.
class RunReporter {
 public:
  /// `root` has the run log; it must outlive the reporter.
  explicit RunReporter(const Component& root) : root_(root) {}

  void AddObserver(StepObserver* observer) { observers_.push_back(observer); }
  void RemoveObserver(const StepObserver* observer) { std::erase(observers_, observer); }
  const std::vector<StepObserver*>& observers() const { return observers_; }

  /// A run begins, or an observer comes or goes: the islands keep rows for observers at their events.
  void WatchEvents(Network& network);
  /// The modes of the network are looked at from now on; after each step.
  void WatchModes(Network& network);
  /// Events of the step from t0 to t1: to the log, and their rows to the observers, in the order of time.
  void ReportEvents(Network& network, double t0, double t1) {
    if (has_events_) ReportRows(network, t0, t1);
  }
  /// What the solvers of the islands have found out in the last step (a Jacobian that lacks an entry, another
  /// method, steps that stability limits for long): to the log.
  void ReportSolvers(Network& network);
  /// Modes that have changed in the last step: to the log, and to the charts of their components.
  void ReportModes(BehaviourMirror& mirror) {
    if (!mode_watches_.empty()) ReportChanges(mirror);
  }
  /// Unknowns that a search for consistent values has moved: to the log. Throws SimulationFailure where one
  /// was given in the system file and moved far.
  void ReportMoved(const Island& island, const std::vector<Island::Moved>& moved, double t) const;
  const std::vector<ModeWatch*>& mode_watches() const { return mode_watches_; }

  void set_time(double t) const;
  void Log(std::string_view path, std::string_view text) const { Log(RunLog::Severity::kInfo, path, text); }
  void Log(RunLog::Severity severity, std::string_view path, std::string_view text,
           RunLog::Kind kind = RunLog::Kind::kNote, const RunLog::Cause& cause = {}) const;
  /// Whether there is a log that keeps such lines.
  bool Keeps(RunLog::Severity severity) const;

 private:
  /// What the log has of the solver of an island.
  struct SolverSeen {
    std::string_view method;
    int lines = 0;  ///< about its changes
    bool is_hinted = false;
  };

  void ReportMethod(const Island& island, SolverSeen& seen) const;
  void ReportRows(Network& network, double t0, double t1);
  void ReportChanges(BehaviourMirror& mirror);

  const Component& root_;
  std::vector<StepObserver*> observers_;
  bool has_events_ = false;
  std::vector<SolverSeen> solvers_seen_;  ///< by island
  std::vector<ModeWatch*> mode_watches_;  ///< that watch anything
  std::vector<ModeChange> mode_changes_;  ///< work space of ReportModes
};

}  // namespace davit
