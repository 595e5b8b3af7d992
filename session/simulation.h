#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/diagnostics.h"
#include "framework/registry.h"
#include "framework/run_log.h"
#include "framework/system.h"
#include "framework/xml/system_loader.h"
#include "session/call_guard.h"
#include "session/explanation.h"
#include "session/item_list.h"
#include "session/recording_options.h"
#include "session/request.h"
#include "session/run_host.h"
#include "session/system_builder.h"
#include "simulator/run_statistics.h"
#include "simulator/simulation_failure.h"
#include "simulator/simulator_manager.h"
#include "simulator/thread_use.h"

namespace davit {

struct CommandLine;
struct DueSnapshot;
struct ResultColumn;
struct RealTimeRecord;
class CauseLog;
class EnergyAccounting;
class Simulation;
class Stepper;
class TimeTravel;
struct TravelOptions;

/// How a system is loaded and run.
struct SimulationOptions {
  LoadOptions load = {};  ///< what the command line adds to a file
  unsigned threads = 1;   ///< most that share a step; results do not depend on it
  ThreadUse thread_use = ThreadUse::kWhereItPays;
  bool is_steady = false;                                 ///< begins at the steady state of StartTime
  RunLog::Severity log_level = RunLog::Severity::kError;  ///< lines below it are dropped
  /// Takes the lines of the run log, in the thread that drives; empty: they go to stderr.
  std::function<void(RunLog::Severity severity, std::string_view line)> log = {};
  /// The same with the parts of each line; where it is given `log` gets none.
  std::function<void(const RunLog::Entry& entry)> log_entries = {};
};

/// A simulation, or what is wrong with the system.
struct LoadedSimulation {
  std::unique_ptr<Simulation> simulation;  ///< null where there are errors
  Diagnostics diagnostics;                 ///< all faults and warnings

  /// All of them, ordered by place, a line each: `file:line: error: /path: what is wrong; what would be
  /// right`.
  std::string ToText() const;
  /// The simulation. Throws std::invalid_argument with ToText() where there is none.
  std::unique_ptr<Simulation> Take() &&;
};

/// A system that is loaded, checked and run: what a program holds that has davit inside.
///
///     davit::LoadedSimulation loaded = davit::Simulation::Load("crane.xml", registry);
///     if (loaded.simulation == nullptr) return Complain(loaded.ToText());
///     davit::Simulation& crane = *loaded.simulation;
///     crane.Initialize();
///     while (!crane.is_finished()) crane.Step();
///
/// Call sequence: Load; Initialize or LoadState; then Step, Run, RunUntil and AdvanceTo in any order, until
/// is_finished. Initialize again repeats the run bit for bit, from the values that are set then. All numbers
/// are in SI.
///
/// Threads. One thread at a time drives a simulation: makes all calls but Post and RequestStop, which any
/// thread may make at any time. Two simulations share nothing that changes and may be driven by two threads.
/// Callbacks (rows, answers, log lines) come in the thread that drives; they may read, Post and RequestStop.
///
/// Failures. std::logic_error: a call in the wrong order, from a second thread while one is inside, or from a
/// callback where that is not allowed; its text says what to call first, and nothing has changed.
/// std::invalid_argument: a name, number or text that is wrong; its text says what would be right, and
/// nothing has changed. SimulationFailure: the run cannot continue; values are those of the last step point,
/// and only Initialize, LoadState, reading and recordings' ends are allowed. std::runtime_error: a file
/// cannot be written; the step is complete, and the run can continue.
class Simulation {
 public:
  // Loading: any thread.

  /// Reads a system file, checks it and makes it ready to run. `registry` must outlive the simulation, and
  /// may serve any number of them. Throws nothing but std::bad_alloc.
  static LoadedSimulation Load(const std::filesystem::path& file, const Registry& registry,
                               const SimulationOptions& options = {});
  /// The same for a text; `name` replaces the file in diagnostics, included files are looked up beside it.
  static LoadedSimulation LoadText(std::string_view text, const std::filesystem::path& name,
                                   const Registry& registry, const SimulationOptions& options = {});
  /// The same for a system built in code; diagnostics have the paths of components and no lines.
  static LoadedSimulation Load(const SystemBuilder& builder, const Registry& registry,
                               const SimulationOptions& options = {});
  static LoadedSimulation Load(SystemSource source, const Registry& registry,
                               const SimulationOptions& options = {});

  /// Closes the files of all recordings and refuses the requests that wait. No call may be under way.
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  // Running: the thread that drives.

  /// Everything to its start values, time to StartTime. May be called again at any time: items written by
  /// Write keep their values, states, levels, and what `<At>`, charts or requests write go back to what they
  /// were before the first Initialize. Files of recordings that have rows are closed before;
  /// std::runtime_error where that fails, and the run is as it was. Requests that wait are refused. Throws
  /// SimulationFailure where no consistent start or no steady state is found.
  void Initialize();
  /// One TimeStep; the last one before StopTime may be shorter, and so may the one after AdvanceTo. Allocates
  /// nothing where no request has come. Throws SimulationFailure and std::runtime_error.
  void Step();
  /// To StopTime, a Stop message or RequestStop. Throws as Step does.
  RunEnd Run();
  /// The same with what `host` adds, and at the pace of the clock if `real_time_factor` (simulated seconds
  /// per second, > 0) is given.
  RunEnd Run(RunHost& host, std::optional<double> real_time_factor = {});
  /// Steps to the first step point at or after t, which is not after StopTime; nothing for a time already
  /// reached. Throws as Step does.
  RunEnd RunUntil(double t);
  /// To t exactly, also inside a TimeStep: there the solvers alone advance; held signals, charts, requests
  /// and rows wait for the step point, where the next Step ends. What Write sets there counts from there.
  /// std::invalid_argument for a time before the one reached or after StopTime, and for one inside a TimeStep
  /// where there are fixed-step (TLM) components or several TimeSteps. Throws as Step does.
  RunEnd AdvanceTo(double t);
  /// From any thread, at any time: ends the Run, RunUntil or AdvanceTo that is under way at the next step
  /// point, or else the next such call before its first step. A run that was stopped can continue.
  void RequestStop();
  /// Whether a stop is requested that no call has taken yet. From any thread.
  bool is_stop_requested() const;
  /// The same as RequestStop, but a TimeStep that is under way is given up at the next step of a solver: the
  /// call that runs throws StepInterrupted. Results are complete up to the last step point; a run that was
  /// given up cannot continue, only Initialize or LoadState are allowed then.
  void RequestStopInside();

  double time() const { return manager_.time(); }
  double start_time() const { return manager_.start_time(); }
  /// When this run began: StartTime, or the time of the snapshot that was loaded.
  double begin_time() const { return manager_.begin_time(); }
  double stop_time() const { return manager_.stop_time(); }
  double time_step() const { return manager_.time_step(); }
  /// Whether a run is under way or at its end: initialised or loaded, and not failed since.
  bool is_initialized() const { return manager_.is_started() && failure_.empty(); }
  bool is_finished() const { return is_initialized() && manager_.is_finished(); }
  /// Of a run that has failed: why, a line for each; empty otherwise.
  const std::vector<std::string>& failure() const { return failure_; }

  // Items: the thread that drives; reading also in callbacks.

  /// Finds items by their paths, as a `<Record>` or an `<At>` names them: `load.x`, `pump.level`. Before or
  /// during a run. std::invalid_argument with all names that are wrong.
  ItemList Items(const std::vector<std::string>& paths) const;
  /// The present values; one place for each item. Allocates nothing where nothing was written since the last
  /// step. States have their start values before Initialize.
  ///
  /// What equations compute (outputs, derivatives, port variables, algebraic unknowns, routed inputs) follows
  /// what was written since the last step; it is evaluated when it is read, and the run has the same bits
  /// whether it is read or not. What only a step does waits for the next one: levels and options, routes to
  /// parameters, values that a fluid hands down, components with fixed steps (TLM). Throws SimulationFailure
  /// where the equations have no value for what was written; the run is as it was.
  void Read(const ItemList& items, std::span<double> values) const;
  double Read(std::string_view path) const;
  /// With its unit, so that WriteText reads it back: `5000 kg`, `Advanced`.
  std::string ReadText(std::string_view path) const;
  /// Brings what equations compute in line with what was written, as Read does: for whoever reads an Item by
  /// itself. Does nothing inside a step, without a run, and where nothing was written.
  void ShowWritten() const;
  /// Writes one value for each item, all or none: SI, or the number of a level, option or condition. It
  /// counts from the present time on; levels and options from the next step point on; before Initialize it is
  /// what the run begins with. An item that has the value already is left alone. Allocates nothing. Writable
  /// are live parameters and properties, inputs without a route, states, levels and aspects.
  /// std::invalid_argument with all that cannot be written.
  void Write(const ItemList& items, std::span<const double> values);
  void Write(std::string_view path, double value);
  /// The same with a text as in a system file: `5 t`, `Advanced`.
  void WriteText(std::string_view path, std::string_view text);

  // Requests.

  /// From any thread, at any time: a request that is checked before the next step, acts at the first step
  /// point that is not before its time, and is logged. `answer` is called once, with the outcome of the check
  /// or when the simulation ends before. Returns false, and nothing happens, where RequestInbox::kMostWaiting
  /// wait already.
  bool Post(Request request, AnswerTaker answer = {});
  /// The same at once, from the thread that drives; also from RunHost::BeforeStep.
  RequestAnswer Submit(const Request& request);
  /// A command that was read already; `place` is where. Pre: its action is kCommand.
  RequestAnswer Submit(CommandLine line, const SourceLocation& place);
  /// Checks and answers what was posted, as each step does: for a program that does not step for a while.
  void TakeRequests();

  // Recordings: the thread that drives.

  /// Before or during a run. std::invalid_argument for wrong signals, interval or kind of file,
  /// std::runtime_error for a file that cannot be written; then nothing is recorded. What `on_row` throws
  /// leaves the call that steps, when the step is complete; the recording has ended then.
  RecordingId StartRecording(const RecordingOptions& options);
  const std::vector<ResultColumn>& ColumnsOf(RecordingId id) const;
  /// Ends one and closes its files; std::runtime_error where they cannot be written, it has ended then, too.
  /// std::invalid_argument where there is none.
  void StopRecording(RecordingId id);
  /// Ends all.
  void StopRecordings();
  /// Writes the rows of all files that are still in memory. Steps do it by the clock, within a second; this
  /// is for a program that waits between two steps. The next call that steps throws what goes wrong.
  void FlushRecordings();

  // Snapshots: the thread that drives, between two steps.

  /// All that is needed to restart from here. Solvers with a long history (ida, bulirsch_stoer,
  /// adams_bashforth_moulton) restart here, in this run as in those that load; with the others nothing
  /// changes. std::runtime_error where the file cannot be written.
  void SaveState(const std::filesystem::path& file);
  void SaveState(std::ostream& stream);
  /// In memory.
  std::string TakeSnapshot();
  /// SaveState at the first step point at or after t, which is not before the time reached; at once if that
  /// is now. A failure to write leaves the call that steps, when the step is complete.
  void SaveStateAt(double t, const std::filesystem::path& file);
  /// Those of SaveStateAt whose time has not come.
  const std::vector<DueSnapshot>& due_snapshots() const;
  /// Restarts from a snapshot, instead of Initialize; the system must have the same structure.
  /// Returns what is wrong with it: after errors the run is as it was, but for is_initialized(), which is
  /// false where it cannot continue. Throws SimulationFailure where its TimeStep does not suit,
  /// std::runtime_error as Initialize.
  Diagnostics LoadState(const std::filesystem::path& file);
  Diagnostics LoadState(std::istream& stream, const std::string& name);
  /// What TakeSnapshot gave.
  Diagnostics LoadSnapshot(std::string_view snapshot);
  /// Another simulation, of the same source and options, that continues from here bit for bit, as SaveState
  /// says. Recordings, requests that wait in the inbox and due snapshots stay here. The files of the system
  /// are read again: std::runtime_error where they have changed so that the snapshot does not fit.
  std::unique_ptr<Simulation> Clone();

  // Time travel and causes: the thread that drives, between two steps.

  /// Records the run from now on, or from its beginning; see TimeTravel, which also says what it throws. A
  /// run that is recorded stops at step points only.
  void RecordRun(const TravelOptions& options);
  /// Null for a run that is not recorded.
  const TimeTravel* time_travel() const;
  /// Moves the run in its time. A run that has failed has not, before. Throws std::invalid_argument where it
  /// is not recorded, and what `move` throws.
  void Travel(const std::function<void(TimeTravel&)>& move);
  /// From now on keeps what brings about what happens.
  void KeepCauses();
  /// Null where none are kept.
  const CauseLog* causes() const;
  /// Why the item, component or chart at `path` is what it is at `time` [s], as far as the causes and the
  /// recording have it; empty where they do not. Throws std::invalid_argument for a wrong path.
  std::vector<Reason> Why(std::string_view path, std::optional<double> time = {});

  // Energy: the thread that drives.

  /// Accounts for the energy of the run from now on, or from its beginning; after Initialize or LoadState,
  /// from there. Takes time, and changes no result. std::invalid_argument where the run is recorded: it goes
  /// back.
  void AccountEnergy();
  /// Null where it is not accounted for.
  EnergyAccounting* energy() const;

  // What else there is: the thread that drives.

  /// Since Initialize or LoadState.
  RunStatistics statistics() const;
  /// The same of runs at the pace of the clock.
  const RealTimeRecord& real_time() const;
  /// What could make the run faster, a line each.
  std::vector<std::string> hints() const;
  /// For what this class does not offer. Whoever steps the manager by hand leaves out requests, snapshots and
  /// the checks of this class.
  System& system() { return *system_; }
  const System& system() const { return *system_; }
  SimulatorManager& manager() { return manager_; }

 private:
  Simulation(std::unique_ptr<System> system, SystemSource source, const SimulationOptions& options);

  /// Throws std::logic_error where no run is under way.
  void RequireRun(std::string_view call) const;
  /// The same where no step is left.
  void RequireStep(std::string_view call) const;
  /// Throws std::logic_error inside a step.
  void RequireNoStep(std::string_view call) const;
  /// Runs `call` and keeps why the run has failed, if it has.
  template <class Call>
  auto Watched(Call call);
  void KeepFailure(const SimulationFailure& failure);
  Diagnostics LoadFrom(std::istream& stream, const SourceLocation& place);
  TreeItem FindItem(std::string_view path) const;
  /// Before it is read.
  void ShowWrittenFor(const TreeItem& item) const;
  void CheckList(const ItemList& items, std::size_t values) const;

  std::unique_ptr<System> system_;
  SimulatorManager& manager_;
  SystemSource source_;  ///< from which it can be loaded once more
  SimulationOptions options_;
  RunLog log_;
  std::unique_ptr<Stepper> stepper_;
  std::vector<std::string> failure_;  ///< of the run; empty while it is well
  mutable CallGuard guard_;
};

}  // namespace davit
