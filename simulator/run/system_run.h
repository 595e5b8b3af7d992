#pragma once

#include <atomic>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "framework/diagnostics.h"
#include "simulator/real_time_budget.h"
#include "simulator/real_time_watch.h"
#include "simulator/run/run_clock.h"
#include "simulator/run_statistics.h"
#include "simulator/thread_use.h"

namespace davit {

class Archive;
struct Assignment;
class CallWatch;
class ChartSet;
struct Command;
class Component;
class Island;
class Item;
struct Network;
class OutsideSolver;
struct RunContext;
struct RunSettings;
class RunStart;
class StepObserver;
class System;

/// A run of a system: builds its network, begins, steps, resets, saves.
///
/// Call sequence: Build (once), Initialize or LoadState, then Step or RunUntil; Initialize again repeats the
/// run bit for bit. A run may be driven from any thread, one at a time, and any number of systems may run in
/// one process. Step throws SimulationFailure; after it only Initialize is allowed.
///
/// TimeStep h is the interval at which components exchange held values, not a bound on the solvers. Step
/// points are StartTime + n h. A change of TimeStep or fs during a run resets all components to their start
/// values, at the time reached; the step points then count from there. Where a component cannot run with it,
/// Step (or Initialize) throws SimulationFailure.
class SystemRun {
 public:
  /// Shares of a TimeStep below which times count as equal.
  static constexpr double kSameStep = StepGrid::kSameStep;

  /// `manager` has the items of `settings`.
  SystemRun(Component& manager, RunSettings settings);
  ~SystemRun();
  SystemRun(const SystemRun&) = delete;
  SystemRun& operator=(const SystemRun&) = delete;

  /// Items of the settings were written.
  void SettingsChanged();

  /// Cuts `system` into islands and sorts them; what is wrong (loops, rates) goes to `diagnostics`. The
  /// system must outlive the run.
  void Build(System& system, Diagnostics& diagnostics);
  /// What only start values show, as Initialize would meet it: evaluations that fail, derivatives that are
  /// never written, start values that a Reset writes over. Pre: built without errors, and no run has begun.
  void CheckStart(Diagnostics& diagnostics);
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
  /// At the time reached: what was written there, and where it is a step point all that begins a step, takes
  /// effect. States may change. Pre: a run has begun.
  void Settle();
  /// For solvers outside of davit.
  OutsideSolver& outside() { return *outside_; }

  /// Between two steps, writes all that is needed to restart from here. This run restarts from here, too, as
  /// one that loads it does: solvers with a long history (ida, bulirsch_stoer, adams_bashforth_moulton)
  /// restart; with the others nothing changes.
  void SaveState(std::ostream& stream);
  /// Restarts where SaveState was called; used instead of Initialize. Live parameters, properties,
  /// inputs and levels become those of the snapshot; commands of the system that were due before are not
  /// repeated; StopTime is that of this system. What is wrong with the snapshot, or differs in structure,
  /// goes to `diagnostics` at `place`; after a fault only Initialize or another LoadState is allowed. Throws
  /// SimulationFailure where the TimeStep of the snapshot does not suit.
  void LoadState(std::istream& stream, const SourceLocation& place, Diagnostics& diagnostics);

  const RunClock& clock() const { return clock_; }
  /// Whether a step point at or after t is reached.
  bool HasReached(double t) const { return clock_.time >= t - kSameStep * clock_.grid.time_step; }
  bool is_finished() const;
  void set_running(bool is_running) { clock_.is_running = is_running; }
  /// With Autostart="false", after Initialize: whether the run waits at StartTime for the message Start.
  bool is_waiting() const;
  /// Does what has come meanwhile: events of charts, writes and messages that are due at StartTime, among
  /// them Start. Pre: is_waiting.
  void Wait();
  /// All components back to their start values and inputs to those of the start of the run, at the present
  /// time. Parameters stay as they are.
  void Reset();

  /// Writes a value as a command of the system file would, at the present step point. Not for structural
  /// items. During a run, levels and aspects change at the beginning of the next Step: of several requests
  /// until then the last one wins.
  void Apply(const Assignment& assignment);
  /// The same for a number, in SI or as the position of an option, without a text. Pre: item.IsValid(number).
  void Write(const Item& item, double number);
  /// Whether something was written since the last step, and what equations compute is older.
  bool is_stale() const;
  /// Makes what equations compute that of what was written since the last step, for whoever reads it; see
  /// WrittenValues. Whatever follows is as if it had not been called. Pre: a run has begun. Throws
  /// SimulationFailure where the equations have no value; then nothing has changed.
  void ShowWritten();
  /// After values were set between Build and the first run: those are what Initialize puts back, of the items
  /// that commands and charts overwrite.
  void KeepOriginals();
  /// A command that comes during the run: it acts at the first step point that is not before its time, at the
  /// next one where that has passed; after those of the system, in the order of their times. A snapshot keeps
  /// what is pending; what LoadState has brought back is not taken a second time.
  void Submit(Command command);
  /// Whoever has loaded a snapshot does not send again what it has brought back.
  void ForgetBrought();
  std::size_t pending_commands() const;

  /// Observer invoked for each call of the code of components from now on; null: none. It must live
  /// as long as the run steps.
  void set_watch(CallWatch* watch);
  /// Where this becomes true, from any thread, the step that is under way is given up at the next step of a
  /// solver: Step throws StepInterrupted. Null: nothing can interrupt. It must live as long as the run steps.
  void set_interrupt(const std::atomic<bool>* interrupt);
  /// Whether the step that is under way is to be given up.
  bool is_interrupted() const { return interrupt_ != nullptr && interrupt_->load(std::memory_order_relaxed); }
  /// Whether Initialize searches the state of rest at StartTime and begins there; SimulationFailure if there
  /// is none.
  void set_steady(bool is_steady) { is_steady_ = is_steady; }
  /// How many threads may share a step; in force from the next Initialize on. Results do not depend on it.
  void set_threads(unsigned threads, ThreadUse use);
  /// A watcher; it must live as long as the run steps, or until it is removed. Between two steps; one
  /// that comes during a run is called OnContinue.
  void AddObserver(StepObserver* observer);
  /// One that was removed comes back, where the run is at the point at which it left: it misses nothing.
  void ReturnObserver(StepObserver* observer);
  /// Between two steps.
  void RemoveObserver(const StepObserver* observer);
  /// Reports that a period of 1/fs took too long in real time (or not): counts missed periods and drives the
  /// alarm NotRealTime as RealTimeWatch says.
  void ReportPeriod(double seconds_late);
  /// Reports which share of the real time of a period of 1/fs computing has taken; between two steps. Where
  /// it is more than RealTimeBudget the event `budget.overrun` goes to all parts of the run; when all periods
  /// of a simulated second have kept to the budget again, `budget.recovered`. Each is logged as the `<At>`
  /// that repeats it. The largest share is part of statistics().
  void ReportWork(double share);

  /// What was done since Initialize or LoadState.
  RunStatistics statistics() const;
  /// What could make the run faster, one line for each island concerned.
  std::vector<std::string> Hints() const;
  const std::vector<std::unique_ptr<Island>>& islands() const;
  Network& network() const;
  ChartSet& charts() const;

 private:
  /// Routes and charts that the system names read indicators.
  void MarkRead();
  /// Arrays of states should have elements.
  void CheckSizes(Diagnostics& diagnostics) const;
  /// Fixed steps must fit into the time of the run.
  void CheckStopTime(Diagnostics& diagnostics) const;
  /// Build again, for another TimeStep. Throws SimulationFailure with all that cannot run with it.
  void Rebuild();
  /// Whether an observer wants to hear of what comes from outside, and that it does.
  bool ShowsInputs() const;
  void ShowInput(const Command& command, bool is_now);
  /// What begins with a run, wherever it starts.
  void BeginRun();

  /// What happens at a step point before time advances: requests, a reset, switches.
  void BeginStep();
  /// Levels and aspects asked for until the present step point take effect.
  void RunSwitches();
  /// The solvers have advanced from t0 to t1: the events and modes of the step, and the time.
  void ReportStep(double t0, double t1);
  /// To the observers.
  void ShowStep();
  /// Calls Process of those who have it, where a period of 1/fs ends.
  void RunProcesses();
  /// What ShowWritten has shown gives way to what the run knows.
  void HideWritten();
  /// Lets an observer join the run at the present time.
  void Join(StepObserver& observer) const;
  /// Adds what solvers have done.
  void CountSolvers(RunStatistics& statistics) const;

  void ArchiveState(Archive& archive);
  /// Recomputes everything that depends on values.
  void ValuesChanged();

  RunClock clock_;
  std::unique_ptr<RunContext> context_;
  std::unique_ptr<RunStart> start_;
  std::unique_ptr<OutsideSolver> outside_;
  double built_time_step_ = 0;  ///< that the network was made for
  double fs_in_force_ = 100;
  std::uint64_t processed_periods_ = 0;
  bool is_reset_due_ = false;
  bool is_method_due_ = false;  ///< Method was written
  bool is_steady_ = false;
  const std::atomic<bool>* interrupt_ = nullptr;
  RealTimeBudget budget_;
  RealTimeWatch real_time_watch_;
  RunStatistics counts_;  ///< and what solvers have done that were replaced
};

}  // namespace davit
