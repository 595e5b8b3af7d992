#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/alarm.h"
#include "framework/archive.h"
#include "framework/component.h"
#include "framework/message.h"
#include "framework/parameter.h"
#include "framework/property.h"
#include "framework/system.h"
#include "simulator/network/network.h"
#include "simulator/real_time_budget.h"
#include "simulator/real_time_watch.h"
#include "simulator/requests/request_queue.h"
#include "simulator/run_reporter.h"
#include "simulator/run_statistics.h"
#include "simulator/step_grid.h"
#include "simulator/step_loop.h"
#include "simulator/step_observer.h"

namespace davit {

class BehaviourMirror;
class BehaviourSwitcher;
class ChartSet;
class HandedDownValues;
class ParameterRoutes;
class RequestRunner;
class ValueKeeper;
class ValueWriter;
class WrittenValues;

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
  static constexpr ModelInfo kInfo{.name = "SimulatorManager", .text = "Runs the components of the system"};

  SimulatorManager();
  ~SimulatorManager() override;

  /// Shares of a TimeStep below which times count as equal.
  static constexpr double kSameStep = StepGrid::kSameStep;

  /// The manager of a loaded system.
  static SimulatorManager& Of(System& system);

  bool AcceptsChild(std::string_view model) const override { return model == "Integration"; }
  void Configure(Diagnostics& diagnostics) override;
  void ParametersChanged() override;

  /// Cuts `system` into islands and sorts them; what is wrong (loops, rates) goes to `diagnostics`. The
  /// system must outlive the manager's use; the manager is part of it.
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

  // For solvers outside of davit (model exchange). Between events they integrate the equations of all islands
  // by themselves; then they give the states (Island::GiveStates) and call AdvanceTo for the time they have
  // reached: step points, breaks and events up to there happen as in any other run. Settle ends what is
  // changed at one time.
  /// Why the equations cannot be handed to a solver outside, and what can be done; empty if they can. Pre:
  /// built.
  std::string FaultOfOutside() const;
  /// Before Initialize. Pre: FaultOfOutside is empty.
  void SolveOutside();
  /// The next step point at which anything can happen: charts, commands, held signals, operators, hooks that
  /// act; infinity where there is no need to stop at step points.
  double next_step_event() const;
  /// Whether something looks at the values of step points and of accepted steps without changing any: alarms,
  /// checks, modes.
  bool has_looks() const;
  /// At the time reached: what was written there, and where it is a step point all that begins a step, takes
  /// effect. States may change. Pre: a run has begun.
  void Settle();
  /// An input that nothing is routed to follows a polynomial from the time reached on, c[k] is the factor of
  /// (t - time())^k, until it is written or EndRamps. Where no island reads it alone it is written at once
  /// and held; returns false then.
  bool Follow(const Item& input, const std::array<double, Island::Ramp::kTerms>& c);
  /// Inputs that follow a polynomial keep the value that they have.
  void EndRamps();

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

  double time() const { return time_; }
  /// Whether a step point at or after t is reached.
  bool HasReached(double t) const { return time_ >= t - kSameStep * grid_.time_step; }
  double start_time() const { return start_time_; }
  /// When this run began: StartTime, or the time of the snapshot that was loaded.
  double begin_time() const { return begin_time_; }
  /// Where the next Step ends [s].
  double next_step_point() const { return grid_.next(); }
  double stop_time() const { return stop_time_; }
  double time_step() const { return grid_.time_step; }
  /// How often a second values are published and `Process` is called.
  double fs() const { return fs_; }
  bool autostart() const { return autostart_; }
  /// Whether time advances: between Start and Stop.
  bool is_running() const { return is_running_; }
  bool is_finished() const;
  /// Whether Initialize or LoadState has begun a run.
  bool is_started() const { return is_started_; }

  void Start() { is_running_ = true; }
  void Stop() { is_running_ = false; }
  /// With Autostart="false", after Initialize: whether the run waits at StartTime for the message Start.
  bool is_waiting() const;
  /// Does what has come meanwhile: events of charts, writes and messages that are due at StartTime, among
  /// them Start. Pre: is_waiting.
  void Wait();
  /// All components back to their start values and inputs to those of the start of the run, at the present
  /// time. Parameters stay as they are.
  void Reset() override;

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
  std::size_t pending_commands() const { return queue_.submitted(); }
  /// Observer invoked for each call of the code of components from now on; null: none. It must live
  /// as long as the manager steps.
  void set_watch(CallWatch* watch);
  /// Where this becomes true, from any thread, the step that is under way is given up at the next step of a
  /// solver: Step throws StepInterrupted. Null: nothing can interrupt. It must live as long as the manager
  /// steps.
  void set_interrupt(const std::atomic<bool>* interrupt);
  /// Whether the step that is under way is to be given up.
  bool is_interrupted() const { return interrupt_ != nullptr && interrupt_->load(std::memory_order_relaxed); }
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
  const std::vector<std::unique_ptr<Island>>& islands() const { return network_->islands; }
  Network& network() { return *network_; }
  /// The charts of the system; `charts().Find(component)->PostEvent("lift")` sends one an event.
  ChartSet& charts() { return *charts_; }
  const Alarm& not_real_time() const { return not_real_time_; }

 private:
  /// How islands are solved that no member speaks of, from the `<Integration>` elements.
  IntegrationDefaults ReadDefaults(Diagnostics& diagnostics) const;
  /// Arrays of states should have elements.
  void CheckSizes(Diagnostics& diagnostics) const;
  /// DAE islands must determine their unknowns at the start values.
  void CheckDaes(Diagnostics& diagnostics);
  /// States whose derivatives no evaluation writes, each with its owner: `crane.x`.
  std::vector<std::pair<const Component*, std::string>> FindUnwrittenDerivatives();
  /// Calls `tell(start, text)` for each given start value that a Reset has written over. After
  /// ResetComponents.
  void ForEachLostStart(
      const std::function<void(const System::GivenStart& start, const std::string& text)>& tell) const;
  /// Fixed steps must fit into the time of the run.
  void CheckStopTime(Diagnostics& diagnostics) const;
  /// The solvers have advanced from t0 to t1: the events and modes of the step, and the time.
  void ReportStep(double t0, double t1);
  /// The ODE method that the property Method chooses, or that of `<Integration>`.
  std::string_view MethodInForce() const;
  /// Islands get the method in force: before they start, or at a step point.
  void ChooseMethods();
  void ChangeMethods();
  /// Whether an island can have a method; if not, the log says so.
  bool MayUse(const Island& island, const OdeMethod& method) const;
  /// To the observers.
  void ShowStep();
  /// Build again, for another TimeStep. Throws SimulationFailure with all that cannot run with it.
  void Rebuild();

  /// What begins with a run, wherever it starts.
  void BeginRun();
  void ResetComponents();
  /// What is asked for the start time: the run begins with it.
  void ApplyFirstSwitches();
  /// Makes waves, flows and outputs those of the states at the present time.
  void EvaluateAll();
  void SearchSteadyState();
  /// Lets algebraic unknowns have their values at the present time; which moved goes to the log.
  void MakeConsistent();
  /// All charts enter their initial states, and hear what holds.
  void StartCharts();

  /// What happens at a step point before time advances: requests, a reset, switches.
  void BeginStep();
  /// Levels and aspects asked for until the present step point take effect.
  void RunSwitches();
  /// Calls Process of those who have it, where a period of 1/fs ends.
  void RunProcesses();
  /// What ShowWritten has shown gives way to what the run knows.
  void HideWritten();
  /// Lets an observer join the run at the present time.
  void Join(StepObserver& observer) const;

  // Snapshots.
  void ArchiveState(Archive& archive);
  /// Recomputes everything that depends on values.
  void ValuesChanged();

  Parameter time_step_parameter_{this, "TimeStep", "s", "Interval of exchange between islands",
                                 0.01, kPositive};
  Parameter fs_{this, "fs", "1/s", "Rate of published values and of calls of Process", 100.0, kPositive};
  Parameter start_time_{this, "StartTime", "s", "Start of the run", 0.0, kAny, Tunability::kStructural};
  Parameter stop_time_{this, "StopTime", "s", "End of the run", 10.0, kAny, Tunability::kStructural};
  Parameter real_time_budget_{
      this,
      "RealTimeBudget",
      "",
      "Share of real time that computing may take with --realtime before charts get the event "
      "budget.overrun; 0: no limit",
      0.0,
      kNonNegative};
  enum class MethodChoice : std::uint8_t { kAsGiven };  ///< others: of OdeMethods, counted from 1
  static std::span<const std::string_view> MethodNames();
  Property<MethodChoice> method_{
      this, "Method",
      "ODE method of islands without an Integration of their own; AsGiven: that of Integration",
      MethodNames(), Choice<MethodChoice>{MethodChoice::kAsGiven, Tunability::kLive, {}}};
  Property<bool> autostart_{this, "Autostart", "Whether the run starts without a Start message", true,
                            Tunability::kStructural};
  Message start_{this, "Start", "Resumes the run", [this] { Start(); }};
  Message stop_{this, "Stop", "Pauses the run", [this] { Stop(); }};
  Message reset_{this, "Reset", "Sets all components back to their start values", [this] { Reset(); }};
  Message set_method_{this, "SetMethod", "Another ODE method from here on: its text is written into Method",
                      method_};
  Alarm not_real_time_{this, "NotRealTime", AlarmLevel::kWarning,
                       "the simulation cannot keep up with real time"};

  System* system_ = nullptr;
  std::vector<DynamicSimComponent*> components_;
  std::vector<DynamicSimComponent*> processed_;
  std::unique_ptr<Network> network_;
  std::unique_ptr<StepLoop> loop_;
  std::unique_ptr<BehaviourSwitcher> switcher_;
  std::unique_ptr<BehaviourMirror> mirror_;
  std::unique_ptr<ChartSet> charts_;
  std::unique_ptr<ValueWriter> writer_;
  std::unique_ptr<WrittenValues> written_;
  std::unique_ptr<ValueKeeper> keeper_;
  std::unique_ptr<HandedDownValues> handed_down_;
  std::unique_ptr<ParameterRoutes> parameter_routes_;
  std::unique_ptr<RequestRunner> runner_;
  RequestQueue queue_;
  RunReporter reporter_{*this};
  RealTimeBudget budget_;
  RealTimeWatch real_time_watch_;
  CallWatch* watch_ = nullptr;
  const std::atomic<bool>* interrupt_ = nullptr;
  unsigned threads_ = 1;
  ThreadUse thread_use_ = ThreadUse::kWhereItPays;
  bool is_steady_ = false;
  bool is_solved_outside_ = false;
  std::vector<std::pair<Island*, std::vector<Island::Ramp>>> ramps_;

  StepGrid grid_;               ///< in force; the parameters may just have been written
  double built_time_step_ = 0;  ///< that the network was made for
  std::string given_method_;    ///< of `<Integration>`
  bool is_method_due_ = false;  ///< Method was written
  double fs_in_force_ = 100;
  double time_ = 0;
  bool is_inside_step_ = false;  ///< time_ lies between the step points n and n + 1
  double begin_time_ = 0;
  bool is_running_ = false;
  bool is_started_ = false;  ///< between Initialize and the end
  bool is_reset_due_ = false;
  std::uint64_t processed_periods_ = 0;
  RunStatistics counts_;
  IntegratorCounters past_;  ///< of solvers that were replaced
  std::uint64_t past_events_ = 0;
};

/// Registers the manager and `<Integration>`: every program needs them.
void RegisterSimulator(Registry& registry);

}  // namespace davit
