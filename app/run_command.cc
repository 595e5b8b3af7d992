#include "app/run_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

#include "app/allocation_watch.h"
#include "app/check_command.h"
#include "app/command_stream.h"
#include "app/exit_code.h"
#include "app/heap/allocation_counter.h"
#include "app/interrupt.h"
#include "app/plot_command.h"
#include "app/print_diagnostics.h"
#include "app/progress_bar.h"
#include "app/state_saver.h"
#include "framework/nearest_name.h"
#include "framework/plugin.h"
#include "framework/run_log.h"
#include "framework/units/quantity.h"
#include "framework/xml/schedule_reader.h"
#include "results/load_result.h"
#include "results/result_table.h"
#include "results/result_writer.h"
#include "simulator/output_watch.h"
#include "simulator/recorder.h"
#include "simulator/simulation_failure.h"
#include "simulator/simulator_manager.h"

namespace davit {
namespace {

using Clock = std::chrono::steady_clock;

double Seconds(Clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

/// How a run ended.
struct Outcome {
  std::string status = "done";
  std::string fault;  ///< of a failed run
  double load_seconds = 0;
  double wall_seconds = 0;
};

/// Opens the result files; a file that cannot be written is wrong input. Nothing is created unless all can
/// be.
bool OpenOutputs(const RunOptions& options, const RecordPlan& plan,
                 std::vector<std::unique_ptr<ResultWriter>>& writers, std::ostream& err) {
  bool is_good = true;
  for (const auto& output : options.outputs) {
    if (IsResultFile(output)) continue;
    is_good = false;
    err << output.string() << ": error: unknown kind of result file; name a .csv, .mat or .h5 file\n";
  }
  if (!is_good) return false;
  std::vector<ResultColumn> columns;
  columns.reserve(plan.columns.size());
  for (const Item& column : plan.columns) {
    columns.push_back({column.path(), column.unit() == kAnyUnit ? std::string() : column.unit(),
                       std::string(column.text())});
  }
  for (const auto& output : options.outputs) {
    try {
      writers.push_back(MakeResultWriter(output, columns));
    } catch (const std::runtime_error& fault) {
      err << "error: " << fault.what() << '\n';
      return false;
    }
  }
  return true;
}

/// What takes part in a run besides the manager, where it was asked for.
struct Company {
  std::unique_ptr<CommandStream> commands;
  std::unique_ptr<StateSaver> saver;
};

/// Advances a run to its end, an interruption or a failure.
class Runner {
 public:
  Runner(SimulatorManager& manager, Company& company, const RunOptions& options, std::ostream& err)
      : manager_(manager),
        company_(company),
        factor_(options.real_time_factor),
        progress_(err, !options.is_quiet && isatty(STDERR_FILENO) == 1) {}

  /// Returns how it ended.
  std::string Run() {
    manager_.Start();
    start_ = next_look_ = Clock::now();
    if (company_.saver != nullptr) company_.saver->SaveDue();
    const double period = 1 / manager_.fs();
    for (std::uint64_t periods = 1; IsGoingOn(); ++periods) {
      if (!factor_) {
        Step();
        // Asking the clock costs as much as a small step: ask now and then.
        if (periods % 16 != 0) continue;
      } else {
        RunPeriod(manager_.begin_time() + static_cast<double>(periods) * period);
      }
      LookAround();
    }
    if (is_interrupted_) return "interrupted";
    return manager_.is_finished() && !IsStopped() ? "done" : "stopped";
  }

 private:
  bool IsStopped() const { return company_.commands != nullptr && company_.commands->is_stopped(); }
  bool IsGoingOn() const {
    return manager_.is_running() && !manager_.is_finished() && !IsStopped() && !is_interrupted_;
  }

  void Step() {
    if (company_.commands != nullptr) {
      company_.commands->Take();
      const auto paused = company_.commands->WaitWhilePaused(interrupt_);
      start_ += std::chrono::duration_cast<Clock::duration>(paused);
      if (paused.count() > 0) is_interrupted_ = is_interrupted_ || interrupt_.IsRequested();
      if (!IsGoingOn()) return;
    }
    manager_.Step();
    if (company_.saver != nullptr) company_.saver->SaveDue();
  }

  /// Advances to t, at the pace of the clock.
  void RunPeriod(double t) {
    const Clock::time_point begin = Clock::now();
    const Clock::time_point start_before = start_;
    const double t_begin = manager_.time();
    while (IsGoingOn() && !manager_.HasReached(t)) Step();
    const Clock::time_point end = Clock::now();
    const Clock::duration paused = start_ - start_before;
    const auto due = start_ + RealTime(t - manager_.begin_time());
    manager_.ReportPeriod(Seconds(end - due));
    const double available = Seconds(RealTime(manager_.time() - t_begin));
    if (available > 0 && IsGoingOn()) manager_.ReportWork(Seconds(end - begin - paused) / available);
    if (IsGoingOn()) interrupt_.SleepUntil(due);
  }

  /// How long a simulated time may take.
  Clock::duration RealTime(double simulated) const {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(simulated / *factor_));
  }

  void LookAround() {
    const Clock::time_point now = Clock::now();
    if (now < next_look_) return;
    next_look_ = now + std::chrono::milliseconds(20);
    is_interrupted_ = is_interrupted_ || interrupt_.IsRequested();
    const double begin = manager_.begin_time();
    progress_.Show((manager_.time() - begin) / (manager_.stop_time() - begin), manager_.time());
  }

  SimulatorManager& manager_;
  Company& company_;
  std::optional<double> factor_;
  Interrupt interrupt_;
  ProgressBar progress_;
  Clock::time_point start_;  ///< when the run began, later by what it has paused
  Clock::time_point next_look_;
  bool is_interrupted_ = false;
};

/// `--load-state`. What is wrong goes to `diagnostics`.
void LoadSnapshot(const std::filesystem::path& file, SimulatorManager& manager, Diagnostics& diagnostics) {
  const SourceLocation place{std::make_shared<const std::string>(file.string()), 0};
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    return diagnostics.Error(place, {}, "cannot be read; name a file that --save-state has written");
  }
  manager.LoadState(stream, place, diagnostics);
  if (!diagnostics.has_errors() && manager.is_finished()) {
    diagnostics.Error(place, {},
                      fmt::format("nothing is left to run: it was saved at {:.9g} s, StopTime is {:.9g} s; "
                                  "give a later end with --stop",
                                  manager.time(), manager.stop_time()));
  }
}

/// Begins where a snapshot says, and makes what takes part in the run; false after wrong input.
bool Prepare(const RunOptions& options, System& system, Company& company, std::ostream& err) {
  SimulatorManager& manager = SimulatorManager::Of(system);
  Diagnostics diagnostics;
  if (options.load_state && options.is_steady) {
    diagnostics.Error(OptionPlace("--steady", ""), {},
                      "a snapshot is where the run begins, no rest is searched; leave out --steady or "
                      "--load-state");
  } else if (options.load_state) {
    LoadSnapshot(*options.load_state, manager, diagnostics);
  }
  if (!options.save_states.empty()) {
    company.saver = std::make_unique<StateSaver>(options.save_states, system, diagnostics);
  }
  PrintDiagnostics(diagnostics, err);
  if (diagnostics.has_errors()) return false;
  if (!options.commands) return true;
  try {
    company.commands = std::make_unique<CommandStream>(*options.commands, system, err);
  } catch (const std::runtime_error& fault) {
    err << "error: " << fault.what() << '\n';
    return false;
  }
  return true;
}

nlohmann::ordered_json MakeSummary(const RunStatistics& statistics, const Outcome& outcome) {
  nlohmann::ordered_json summary;
  summary["components"] = statistics.components;
  summary["states"] = statistics.states;
  summary["islands"] = statistics.islands;
  summary["steps"] = statistics.steps;
  summary["solver_steps"] = statistics.solver_steps;
  summary["rejected_steps"] = statistics.rejected_steps;
  summary["evaluations"] = statistics.evaluations;
  summary["level_switches"] = statistics.level_switches;
  summary["events"] = statistics.events;
  summary["commands"] = statistics.commands;
  summary["charts"] = statistics.charts;
  summary["transitions"] = statistics.transitions;
  summary["livelocks"] = statistics.livelocks;
  summary["lost_events"] = statistics.lost_events;
  summary["missed_periods"] = statistics.missed_periods;
  summary["largest_work_share"] = statistics.largest_work_share;
  summary["simulated_s"] = statistics.simulated;
  summary["wall_s"] = outcome.wall_seconds;
  summary["load_s"] = outcome.load_seconds;
  summary["real_time_factor"] = outcome.wall_seconds > 0 ? statistics.simulated / outcome.wall_seconds : 0.0;
  summary["threads"] = statistics.threads;
  summary["status"] = outcome.status;
  return summary;
}

void PrintSummary(const nlohmann::ordered_json& summary, std::ostream& out) {
  for (const auto& [key, value] : summary.items()) {
    const bool is_rare = key == "missed_periods" || key == "largest_work_share" || key == "charts" ||
                         key == "transitions" || key == "livelocks" || key == "lost_events";
    if (is_rare && value == 0) continue;
    const std::string text = value.is_string()         ? value.get<std::string>()
                             : value.is_number_float() ? fmt::format("{:.6g}", value.get<double>())
                                                       : value.dump();
    out << fmt::format("{:<17} {}\n", key, text);
  }
}

/// The factor of --realtime: 1 without a number. Returns false after an error.
bool ReadFactor(const std::vector<std::string>& texts, std::optional<double>& factor, std::ostream& err) {
  factor = 1;
  if (texts.empty() || texts.back().empty()) return true;
  const QuantityResult result = ParseQuantity(texts.back(), "", UnitSystem());
  if (result.value && result.value->si > 0) {
    factor = result.value->si;
    return true;
  }
  err << "--realtime " << texts.back()
      << ": error: " << (result.value ? "the factor must be > 0" : result.error)
      << "; write for example --realtime 2\n";
  return false;
}

}  // namespace

int Run(const RunOptions& options, const Registry& registry, std::ostream& out, std::ostream& err) {
  const Clock::time_point load_start = Clock::now();
  LoadOptions load = options.load;
  if (options.stop) load.set.push_back("SimulatorManager.StopTime=" + *options.stop);
  const std::unique_ptr<System> system = LoadAndBuild(options.system, registry, load, err);
  if (system == nullptr) return kWrongInput;
  Outcome outcome;
  outcome.load_seconds = Seconds(Clock::now() - load_start);

  SimulatorManager& manager = SimulatorManager::Of(*system);
  RunLog log(options.is_quiet ? RunLog::Severity::kError : RunLog::Severity::kInfo);
  system->root().set_run_log(&log);
  Recorder recorder(system->record_plan());
  manager.AddObserver(&recorder);
  OutputWatch watch;
  for (const Component* component : system->components()) {
    if (IsFromPlugin(component->entry())) watch.Watch(*component);
  }
  if (!watch.is_empty()) manager.AddObserver(&watch);
  manager.set_threads(options.threads, options.thread_use);
  manager.set_steady(options.is_steady);
  Company company;
  try {
    if (!Prepare(options, *system, company, err)) return kWrongInput;
  } catch (const SimulationFailure& failure) {
    err << options.system.string() << ": error: " << failure.what() << '\n';
    return kRunFailed;
  }
  std::vector<std::unique_ptr<ResultWriter>> writers;
  if (!OpenOutputs(options, system->record_plan(), writers, err)) return kWrongInput;
  for (auto& writer : writers) {
    recorder.AddSink([&w = *writer](double t, std::span<const double> values) { w.WriteRow(t, values); });
  }
  ResultTable table;
  if (options.plot) {
    for (const Item& column : system->record_plan().columns) {
      table.names.push_back(column.path());
      table.units.push_back(column.unit() == kAnyUnit ? std::string() : column.unit());
    }
    table.columns.resize(table.names.size());
    recorder.AddSink([&table](double t, std::span<const double> values) {
      table.time.push_back(t);
      for (std::size_t i = 0; i < values.size(); ++i) table.columns[i].push_back(values[i]);
    });
  }

  int code = kDone;
  AllocationWatch allocations;
  const Clock::time_point run_start = Clock::now();
  try {
    if (!options.load_state) manager.Initialize();
    // From the first step on: before it, memory is taken as it is needed.
    if (options.checks_allocations) manager.set_watch(&allocations);
    outcome.status = Runner(manager, company, options, err).Run();
    if (company.saver != nullptr) {
      for (const std::string& warning : company.saver->SaveAtEnd()) err << warning << '\n';
    }
  } catch (const SimulationFailure& failure) {
    outcome.status = "diverged";
    err << options.system.string() << ": error: " << failure.what() << '\n';
    // A state that diverges may only read what the output of another component gives.
    const std::optional<OutputWatch::Fault> fault = watch.Find();
    if (fault && !std::string_view(failure.what()).starts_with(fault->path + ":")) {
      err << options.system.string() << ": error: " << fault->path << ": " << fault->text << '\n';
    }
    code = kRunFailed;
  } catch (const std::runtime_error& fault) {  // a full disk
    outcome.status = "failed";
    err << "error: " << fault.what() << '\n';
    code = kRunFailed;
  }
  outcome.wall_seconds = Seconds(Clock::now() - run_start);
  try {
    for (auto& writer : writers) writer->Close();
  } catch (const std::runtime_error& fault) {
    err << "error: " << fault.what() << '\n';
    code = kRunFailed;
  }
  if (options.checks_allocations) allocations.Print(err);
  const nlohmann::ordered_json summary = MakeSummary(manager.statistics(), outcome);
  if (!options.is_quiet) {
    PrintSummary(summary, out);
    for (const std::string& hint : manager.Hints()) out << fmt::format("{:<17} {}\n", "hint", hint);
    if (options.checks_allocations && AllocationCounter::is_counting())
      out << fmt::format("{:<17} {}\n", "allocations", allocations.count());
  }
  if (options.summary) {
    std::ofstream stream(*options.summary);
    stream << summary.dump(2) << '\n';
    if (!stream.flush()) {
      err << options.summary->string() << ": error: cannot write the summary; check the path\n";
      code = kRunFailed;
    }
  }
  if (options.plot && code == kDone) {
    code = PlotTable(table, {}, options.system.stem().string(), *options.plot, out, err);
  }
  return code;
}

void AddRunCommand(CLI::App& program, CommandContext& context) {
  CLI::App& command = *program.add_subcommand("run", "Runs a system");
  const auto run = std::make_shared<RunOptions>();
  const auto factor = std::make_shared<std::vector<std::string>>();
  command.add_option("SYSTEM", run->system, "System file (XML)")->required();
  command.add_option("--stop", run->stop, "Time at which the run ends, e.g. '50 s'")->type_name("T");
  AddLoadOptions(command, run->load);
  command
      .add_option("-o,--output", run->outputs, "Result file (.csv, .mat or .h5); may be given several times")
      ->type_name("FILE")
      ->expected(1)
      ->take_all();
  command.add_option("--signals", run->load.signals, "What to record (globs), instead of <Record>")
      ->type_name("GLOBS")
      ->expected(1)
      ->take_all();
  command.add_option("--interval", run->load.interval, "Time between recorded rows")->type_name("DT");
  command.add_option("--threads", run->threads, "Most threads to use; results do not depend on it")
      ->type_name("N")
      ->check(CLI::Range(1, 256));
  command.add_flag("--steady", run->is_steady, "Starts at rest: searches the equilibrium at StartTime");
  command.add_flag_callback(
      "--always-threads", [run] { run->thread_use = ThreadUse::kAlways; },
      "Uses all threads even where fewer are faster");
  const CLI::Option* real_time =
      command.add_option("--realtime", *factor, "Paces the run with the clock, FACTOR times as fast")
          ->type_name("FACTOR")
          ->expected(0, 1);
  command.add_option("--plot", run->plot, "Draws the recorded signals (.svg or .png)")->type_name("FILE");
  command.add_option("--summary", run->summary, "Writes the summary as JSON")->type_name("FILE");
  command.add_flag("--quiet", run->is_quiet, "Prints errors only");
  command.add_flag("--check-allocations", run->checks_allocations,
                   "Warns of components whose evaluations, hooks or guards take memory from the heap during "
                   "the steps; the run is slower, its results are the same");
  command
      .add_option("--save-state", run->save_states,
                  "Writes a snapshot at the end, or at time T; may be given several times")
      ->type_name("FILE[@T]")
      ->expected(1)
      ->take_all();
  command.add_option("--load-state", run->load_state, "Goes on from a snapshot")->type_name("FILE");
  command
      .add_option("--commands", run->commands,
                  "Obeys lines that come while the run goes on, from a file, a pipe, or - for stdin:\n"
                  "[T] set PATH VALUE | level PATH LEVEL | message PATH NAME | event NAME | pause | "
                  "continue | stop")
      ->type_name("FILE");
  AddPluginOption(command, context);
  command.callback([&context, run, factor, real_time] {
    const bool is_right =
        (real_time->count() == 0 || ReadFactor(*factor, run->real_time_factor, context.err)) &&
        context.LoadPlugins(run->system);
    context.exit_code = is_right ? Run(*run, context.registry, context.out, context.err) : kWrongInput;
  });
}

}  // namespace davit
