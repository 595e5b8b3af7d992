#pragma once

#include <deque>
#include <iosfwd>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "framework/alarm.h"
#include "framework/archive.h"
#include "framework/component.h"
#include "framework/message.h"
#include "framework/parameter.h"
#include "framework/property.h"
#include "framework/system.h"
#include "simulator/network/network.h"
#include "simulator/network/step_executor.h"
#include "simulator/requests/behaviour_switcher.h"
#include "simulator/run_part.h"
#include "simulator/run_statistics.h"
#include "simulator/step_observer.h"

namespace davit {

class BehaviourMirror;
class ChartBinding;
class ChartSet;
class EvaluationFailure;
class IntegrationError;
struct ChartWrite;

/// Runs a system: the element `<SimulatorManager>` with TimeStep, fs, Autostart, StartTime, StopTime.
///
/// Call sequence: Build (once), Initialize or LoadState, then Step or RunUntil; Initialize again repeats the
/// run bit for bit. A run may be driven from any thread, one at a time, and any number of systems may run in
/// one process. Step throws SimulationFailure; after it only Initialize is allowed.
///
/// TimeStep h is the interval at which components exchange held values, not a bound on the solvers. Step
/// points are StartTime + n h. A change of TimeStep or fs during a run resets all components to their start
/// values, at the time reached; the step points then count from there. Where a component cannot run with it,
/// Step (or Initialize) throws SimulationFailure.
class SimulatorManager final : public Component {
 public:
  static constexpr ModelInfo kInfo{"SimulatorManager", "Runs the components of the system"};

  SimulatorManager();
  ~SimulatorManager() override;

  /// Shares of a TimeStep below which times count as equal.
  static constexpr double kSameStep = 1e-9;

  /// The manager of a loaded system.
  static SimulatorManager& Of(System& system);

  bool AcceptsChild(std::string_view model) const override { return model == "Integration"; }
  void Configure(Diagnostics& diagnostics) override;
  void ParametersChanged() override;

  /// Cuts `system` into islands and sorts them; what is wrong (loops, rates) goes to `diagnostics`. The
  /// system must outlive the manager's use; the manager is part of it.
  void Build(System& system, Diagnostics& diagnostics);
  /// Start values everywhere, time = StartTime; observers see the first values.
  void Initialize();
  /// One TimeStep; the last one before StopTime may be shorter. Pre: not finished.
  void Step();
  /// Steps until time() >= t (within 1e-9 of a TimeStep), the stop time, or a Stop message.
  void RunUntil(double t);
  /// Steps while the next step point is not after t; then, where t lies inside a TimeStep, the solvers alone
  /// advance to t. That is no step point: held signals are not exchanged, commands, charts, levels and
  /// recorders wait for the next one, where the next Step ends. A Stop message ends it earlier. Pre:
  /// FaultOfTime(t) is empty.
  void AdvanceTo(double t);
  /// Why AdvanceTo cannot reach t; what would be right. Empty if it can. Inside a TimeStep no time can be
  /// reached where there are fixed-step (TLM) components or several TimeSteps.
  std::string FaultOfTime(double t) const;

  /// Between two steps, writes all that is needed to go on from here. This run goes on from here, too, as one
  /// that loads it does: solvers with a long history (ida, bulirsch_stoer, adams_bashforth_moulton) start
  /// anew; with the others nothing changes.
  void SaveState(std::ostream& stream);
  /// Goes on where SaveState was called; stands in the place of Initialize. Live parameters, properties,
  /// inputs and levels become those of the snapshot; commands of the system that were due before are not
  /// repeated; StopTime is that of this system. What is wrong with the snapshot, or differs in structure,
  /// goes to `diagnostics` at `place`; after a fault only Initialize or another LoadState is allowed. Throws
  /// SimulationFailure where the TimeStep of the snapshot does not suit.
  void LoadState(std::istream& stream, const SourceLocation& place, Diagnostics& diagnostics);

  double time() const { return time_; }
  /// Whether a step point at or after t is reached.
  bool HasReached(double t) const { return time_ >= t - kSameStep * time_step_; }
  double start_time() const { return start_time_; }
  /// When this run began: StartTime, or the time of the snapshot that was loaded.
  double begin_time() const { return begin_time_; }
  /// Where the next Step ends [s].
  double next_step_point() const { return StepPoint(n_ + 1); }
  double stop_time() const { return stop_time_; }
  double time_step() const { return time_step_; }
  /// How often a second values are published and `Process` is called.
  double fs() const { return fs_; }
  bool autostart() const { return autostart_; }
  /// Whether time goes on: between Start and Stop.
  bool is_running() const { return is_running_; }
  bool is_finished() const;
  /// Whether Initialize or LoadState has begun a run.
  bool is_started() const { return is_started_; }

  void Start() { is_running_ = true; }
  void Stop() { is_running_ = false; }
  /// All components back to their start values, at the present time.
  void Reset() override;

  /// Writes a value as a command of the system file would, at the present step point. Not for structural
  /// items. During a run, levels and aspects change with the begin of the next Step: of several requests
  /// until then the last one wins.
  void Apply(const Assignment& assignment);
  /// After values were set between Build and the first run: those are what Initialize puts back, of the items
  /// that commands and charts overwrite.
  void KeepOriginals();
  /// A command that comes during the run: it acts at the first step point that is not before its time, at the
  /// next one where that has passed; after those of the system, in the order of their times. A snapshot keeps
  /// what is pending; what LoadState has brought back is not taken a second time.
  void Submit(Command command);
  std::size_t pending_commands() const { return submitted_.size(); }
  /// Somebody who stands around all calls of the code of components from now on; null: nobody. It must live
  /// as long as the manager steps.
  void set_watch(CallWatch* watch);
  /// Tells all parts of the run, between two steps, that something has happened.
  void Broadcast(std::string_view event);
  /// Something that takes part in the run; it must live as long as the manager steps.
  void AddPart(RunPart* part) { parts_.push_back(part); }
  /// Whether Initialize searches the state of rest at StartTime and begins there; SimulationFailure if there
  /// is none.
  void set_steady(bool is_steady) { is_steady_ = is_steady; }
  /// How many threads may share a step; in force from the next Initialize on. Results do not depend on it.
  void set_threads(unsigned threads, ThreadUse use = ThreadUse::kWhereItPays) {
    threads_ = threads;
    thread_use_ = use;
  }
  /// A watcher; it must live as long as the manager steps, or until it is removed. Between two steps; one
  /// that comes during a run is called OnContinue.
  void AddObserver(StepObserver* observer);
  /// Between two steps.
  void RemoveObserver(StepObserver* observer);
  /// Tells that a period of 1/fs took too long in real time (or not): drives the alarm NotRealTime.
  void ReportPeriod(double seconds_late);
  /// Tells which share of the real time of a period of 1/fs computing has taken; between two steps. Where it
  /// is more than RealTimeBudget the event `budget.overrun` goes to all parts of the run; when all periods of
  /// a simulated second have kept to the budget again, `budget.recovered`. Each is logged as the `<At>` that
  /// repeats it. The largest share is part of statistics().
  void ReportWork(double share);

  /// What was done since Initialize or LoadState.
  RunStatistics statistics() const;
  /// What could make the run faster, one line for each island concerned.
  std::vector<std::string> Hints() const;
  const std::vector<std::unique_ptr<Island>>& islands() const { return network_->islands; }
  Network& network() { return *network_; }
  /// The charts of the system; `charts().Find(component)->PostEvent("lift")` sends one an event.
  ChartSet& charts() { return *charts_; }
  const Alarm& not_real_time() const { return not_real_time_; }

 private:
  /// A command as a snapshot keeps it.
  struct PendingCommand {
    enum class Kind : std::uint8_t { kAssignment, kMessage, kEvent };
    Kind kind = Kind::kAssignment;
    double time = 0;
    std::string path;  ///< of an item; of the component for a message
    std::string text;  ///< the value; the name of the message or event

    void ArchiveMemory(Archive& archive) { archive(kind, time, path, text); }
    friend bool operator==(const PendingCommand&, const PendingCommand&) = default;
  };
  static PendingCommand Describe(const Command& command);

  double StepPoint(std::uint64_t n) const;
  /// The step point before the last one that was reached.
  double PreviousStepPoint() const { return n_ > 0 ? StepPoint(n_ - 1) : time_; }
  /// What happens at a step point before time goes on: requests, a reset, switches.
  void BeginStep();
  /// The step from t0 to t1 of a system that is_divisible, or a part of it.
  void AdvanceIslands(double t0, double t1);
  /// Whether time can stop inside a TimeStep: no fixed-step components, one TimeStep for all.
  bool is_divisible() const;
  /// Lets an observer join the run at the present time.
  void Join(StepObserver& observer) const;
  /// The first step point at which a command due at t acts.
  std::uint64_t ActingStep(double t) const;
  void RunDueCommands();
  void RunCommand(const Command& command);
  /// Levels and aspects asked for until the present step point take effect.
  void RunSwitches();
  /// The same for what is asked for the start time: the run begins with it.
  void ApplyFirstSwitches();
  /// What the charts asked for at the last step point; in a fixed order, and logged.
  void RunChartRequests();
  /// A value that a chart sets, now.
  void RunChartWrite(const ChartBinding& chart, ChartWrite& write, double value);
  /// Whether the run log keeps lines that tell what goes on.
  bool KeepsInfo() const;
  /// Hands charts the events that are due, and lets all of them run.
  void RunCharts();
  /// Events of the system file that are due; false where there are none.
  bool PostDueEvents();
  /// One tick: all rates whose TimeStep begins or ends there. `tick` counts from the origin.
  void RunTick(std::uint64_t tick, double t_begin, double t_end);
  /// Signals, C and Q of the rates that end a TimeStep at `tick`.
  void RunPhases(std::uint64_t tick, double t_begin, double t_end);
  [[noreturn]] void Fail(const IntegrationError& error) const;
  [[noreturn]] void Fail(const EvaluationFailure& failure) const;
  /// Lets algebraic unknowns have their values at the present time; which moved goes to the log.
  void MakeConsistent();
  void ReportMoved(const Island& island, const std::vector<Island::Moved>& moved) const;
  /// Tells the islands which variables are recorded at their events.
  void WatchEvents();
  /// Events of the step from t0 to t1: to the log, and their rows to the observers, in the order of time.
  void ReportEvents(double t0, double t1);
  /// Modes that have changed in the last step: to the log, and to the charts of their components.
  void ReportModes();
  /// All charts begin anew, and hear what holds.
  void StartCharts();
  void EvaluateOverridden(double t);
  /// Build again, for another TimeStep. Throws SimulationFailure with all that cannot run with it.
  void Rebuild();
  void ResetComponents();
  /// Makes waves, flows and outputs those of the states at the present time.
  void EvaluateAll();
  void SearchSteadyState();
  /// DAE islands must determine their unknowns at the start values.
  void CheckDaes(Diagnostics& diagnostics);
  /// Whole steps must fit into the time of the run.
  void CheckStopTime(Diagnostics& diagnostics) const;
  void KeepOriginal(const Assignment& assignment);
  void RestoreOriginals();
  /// What begins with a run, wherever it starts.
  void BeginRun();

  // Snapshots.
  void ArchiveState(Archive& archive);
  void ArchiveAllValues(Archive& archive);
  void ArchivePending(Archive& archive);
  std::optional<Command> FindCommand(const PendingCommand& pending, std::string* fault) const;
  /// Everything that depends on values is made anew.
  void ValuesChanged();
  /// Copies of a source that other islands evaluate follow their original.
  void UpdateShadows(const Component& owner);
  void RaiseBudgetEvent(std::string_view event, double share);
  void Log(std::string_view path, const std::string& text) const;

  Parameter time_step_parameter_{this, "TimeStep", "s", "Interval of exchange between islands",
                                 0.01, kPositive};
  Parameter fs_{this, "fs", "1/s", "Rate of publishing and of Process", 100.0, kPositive};
  Parameter start_time_{this, "StartTime", "s", "Begin of the run", 0.0, kAny, Tunability::kStructural};
  Parameter stop_time_{this, "StopTime", "s", "End of the run", 10.0, kAny, Tunability::kStructural};
  Parameter real_time_budget_{this,
                              "RealTimeBudget",
                              "",
                              "Share of real time that computing may take with --realtime before charts are "
                              "told; 0: any",
                              0.0,
                              kNonNegative};
  Property<bool> autostart_{this, "Autostart", "Whether the run begins without a Start message", true,
                            Tunability::kStructural};
  Message start_{this, "Start", "Lets time go on", [this] { Start(); }};
  Message stop_{this, "Stop", "Lets time stand still", [this] { Stop(); }};
  Message reset_{this, "Reset", "All components back to their start values", [this] { Reset(); }};
  Alarm not_real_time_{this, "NotRealTime", AlarmLevel::kWarning,
                       "the simulation cannot keep up with real time"};

  System* system_ = nullptr;
  std::vector<DynamicSimComponent*> components_;
  std::vector<DynamicSimComponent*> processed_;
  std::unique_ptr<Network> network_;
  std::unique_ptr<BehaviourSwitcher> switcher_;
  std::unique_ptr<BehaviourMirror> mirror_;
  std::vector<ModeWatch*> mode_watches_;  ///< that watch anything
  std::vector<ModeChange> mode_changes_;  ///< work space of ReportModes
  std::unique_ptr<WorkerPool> pool_;      ///< null with one thread
  unsigned threads_ = 1;
  ThreadUse thread_use_ = ThreadUse::kWhereItPays;
  bool is_steady_ = false;
  CallWatch* watch_ = nullptr;
  std::vector<StepObserver*> observers_;
  std::vector<RunPart*> parts_;

  double time_step_ = 0.01;     ///< in force; the parameter may just have been written
  double built_time_step_ = 0;  ///< that the network was made for
  double fs_in_force_ = 100;
  double origin_ = 0;  ///< step points count from here
  std::uint64_t n_ = 0;
  double time_ = 0;
  bool is_inside_step_ = false;  ///< time_ lies between the step points n_ and n_ + 1
  bool is_running_ = false;
  bool is_started_ = false;  ///< between Initialize and the end
  bool is_reset_due_ = false;
  std::size_t next_command_ = 0;
  std::deque<Command> submitted_;           ///< pending, by time
  std::vector<PendingCommand> brought_;     ///< of these, those that LoadState brought and nobody gave again
  std::vector<Assignment> originals_;       ///< what commands overwrite
  std::vector<const Component*> affected_;  ///< of Apply: its memory is taken once
  std::unique_ptr<ChartSet> charts_;
  std::size_t next_event_ = 0;
  /// How components behaved before the run.
  std::vector<std::pair<Component*, BehaviourSetting>> original_behaviour_;
  std::unordered_set<const void*> kept_;  ///< targets of `originals_`
  std::string file_values_;  ///< after LoadState: what it has overwritten, as an archive of values
  double begin_time_ = 0;
  bool is_over_budget_ = false;     ///< since the last event about it
  std::uint64_t calm_periods_ = 0;  ///< in a row, within the budget
  double calm_time_ = 0;            ///< that the next recovery takes [s]; 0 before the first overrun
  std::uint64_t processed_periods_ = 0;
  RunStatistics counts_;
  IntegratorCounters past_;  ///< of solvers that were replaced
  std::uint64_t past_events_ = 0;
  bool has_events_ = false;
};

/// Registers the manager and `<Integration>`: every program needs them.
void RegisterSimulator(Registry& registry);

}  // namespace davit
