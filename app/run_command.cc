#include "app/run_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <utility>

#include "analysis/study/rank_channel.h"
#include "app/allocation_watch.h"
#include "app/check_command.h"
#include "app/command_stream.h"
#include "app/exit_code.h"
#include "app/fmu_files.h"
#include "app/heap/allocation_counter.h"
#include "app/hopsan_files.h"
#include "app/interfaces.h"
#include "app/line_source.h"
#include "app/plot_command.h"
#include "app/print_diagnostics.h"
#include "app/run_profile.h"
#include "app/run_summary.h"
#include "app/save_state_option.h"
#include "app/terminal_host.h"
#include "framework/exception_text.h"
#include "framework/units/quantity.h"
#include "framework/xml/command_verb.h"
#include "framework/xml/schedule_reader.h"
#include "results/output_failure.h"
#include "results/result_table.h"
#include "results/rewrite_result.h"
#include "session/output_paths.h"
#include "session/part_run.h"
#include "session/real_time_thread.h"
#include "session/replaced_settings.h"
#include "session/state_saver.h"
#include "session/time_travel.h"
#include "simulator/step_interrupted.h"

namespace davit {
namespace {

using Clock = std::chrono::steady_clock;

double Seconds(Clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

SimulationOptions ToSimulationOptions(const RunOptions& options) {
  SimulationOptions simulation;
  simulation.load = options.load;
  if (options.stop) simulation.load.set.push_back("SimulatorManager.StopTime=" + *options.stop);
  simulation.threads = options.threads;
  simulation.thread_use = options.thread_use;
  simulation.is_steady = options.is_steady;
  return simulation;
}

/// Where a part that is not the first one saves snapshots, which that alone can complete.
std::vector<std::string> SavesElsewhere(std::vector<std::string> options) {
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::size_t at = options[i].rfind('@');
    const std::string time = at == std::string::npos ? "" : options[i].substr(at);
    const std::string name = fmt::format("davit_part_{}_{}.snapshot", getpid(), i);
    options[i] = (std::filesystem::temp_directory_path() / name).string() + time;
  }
  return options;
}

void RemoveFiles(const std::vector<std::string>& save_states) {
  for (const std::string& option : save_states) {
    std::error_code ignored;
    std::filesystem::remove(FileOfSaveState(option), ignored);
  }
}

/// One `davit run`. Call sequence: Load, Prepare, OpenOutputs as long as they give true; then Execute,
/// Report.
class RunCommand {
 public:
  RunCommand(const RunOptions& options, std::ostream& out, std::ostream& err, RunDriver* driver)
      : options_(options),
        parts_(options.parts),
        is_first_(parts_ == nullptr || parts_->is_first()),
        driver_(driver),
        out_(out),
        err_(err),
        bar_(err, !options.is_quiet && isatty(STDERR_FILENO) == 1),
        messages_({options.is_quiet, options.is_verbose, is_first_ ? options.log : std::nullopt}, bar_, err) {
  }

  int Run(const Registry& registry) {
    if (!Load(registry) || (is_first_ && !HasRightPaths()) || !OpenLog() || !Prepare() || !OpenDriver() ||
        !AgreeWithParts() || !OpenIo() || !HearSignals() || !OpenOutputs())
      return code_;
    Execute();
    if (is_refused_) return code_;
    EndParts();
    CloseOutputs();
    CloseLog();
    Report();
    if (options_.plot && code_ == kDone && is_first_)
      code_ = PlotTable(table_, {}, options_.system.stem().string(), *options_.plot, out_, err_);
    return code_;
  }

 private:
  bool Fail(int code) {
    code_ = code;
    return false;
  }
  bool Fail(int code, const std::string& text) {
    bar_.Clear();
    err_ << text << '\n';
    messages_.WriteToFile(text);
    return Fail(code);
  }

  bool Load(const Registry& registry) {
    const Clock::time_point begin = Clock::now();
    SimulationOptions options = ToSimulationOptions(options_);
    options.log_level = messages_.threshold();
    if (driver_ != nullptr) options.log_level = std::min(options.log_level, driver_->threshold());
    options.log_entries = [this](const RunLog::Entry& entry) {
      if (parts_ == nullptr || parts_->TakeLine(entry)) messages_.Take(entry.severity, entry.line);
      if (driver_ != nullptr) driver_->TakeLine(entry);
    };
    simulation_ = LoadSimulation(options_.system, registry, options, err_, options_.description);
    summary_.load_seconds = Seconds(Clock::now() - begin);
    return simulation_ != nullptr || Fail(kWrongInput);
  }

  bool HasRightPaths() {
    std::vector<OutputPath> outputs;
    outputs.reserve(options_.outputs.size() + 4);
    for (const std::filesystem::path& file : options_.outputs)
      outputs.push_back({"-o " + file.string(), file, true});
    const auto add = [&](const char* option, const std::optional<std::filesystem::path>& file) {
      if (file) outputs.push_back({fmt::format("{} {}", option, file->string()), *file});
    };
    add("--summary", options_.summary);
    add("--log", options_.log);
    add("--plot", options_.plot);
    std::vector<std::filesystem::path> inputs = options_.read;
    if (options_.commands && *options_.commands != "-") inputs.push_back(*options_.commands);
    std::vector<std::filesystem::path> snapshots;  // one may replace another, or that of --load-state
    if (options_.load_state) {
      inputs.push_back(*options_.load_state);
      snapshots.push_back(*options_.load_state);
    }
    for (const std::string& text : options_.save_states) {
      const std::filesystem::path file = FileOfSaveState(text);
      if (file.empty() || std::ranges::find(snapshots, file) != snapshots.end()) continue;
      snapshots.push_back(file);
      add("--save-state", file);
    }
    Diagnostics diagnostics;
    CheckOutputPaths(outputs, InputsOf(simulation_->system(), std::move(inputs)), diagnostics);
    PrintDiagnostics(diagnostics, err_);
    return !diagnostics.has_errors() || Fail(kWrongInput);
  }

  bool OpenLog() {
    try {
      messages_.Open();
      return true;
    } catch (const std::runtime_error& fault) {
      return Fail(kWrongInput, std::string("error: ") + Explain(fault));
    }
  }

  /// Begins where a snapshot says, and makes what takes part in the run.
  bool Prepare() {
    const ReplacedSettings settings(simulation_->system(), options_.load);
    try {
      Diagnostics diagnostics;
      LoadState(diagnostics);
      if (options_.load_state && !diagnostics.has_errors()) settings.Check(diagnostics);
      save_at_end_ = ReadSaveStateOptions(options_.save_states, *simulation_, diagnostics);
      PrintDiagnostics(diagnostics, err_);
      if (diagnostics.has_errors()) return Fail(kWrongInput);
    } catch (const SimulationFailure&) {
      return Fail(kRunFailed, FaultOfRun());
    } catch (const std::runtime_error& fault) {
      return Fail(kRunFailed, std::string("error: ") + Explain(fault));
    }
    if (!RecordRun()) return false;
    if (IsContinued()) {
      Diagnostics replaced;
      settings.Check(replaced);
      PrintDiagnostics(replaced, err_);
    }
    if (!options_.commands && !options_.lines) return CanStart();
    try {
      commands_ =
          options_.lines
              ? std::make_unique<CommandStream>(options_.lines(), "console", *simulation_, messages_, out_)
              : std::make_unique<CommandStream>(*options_.commands, *simulation_, messages_, out_);
    } catch (const std::runtime_error& fault) {
      return Fail(kWrongInput, std::string("error: ") + Explain(fault));
    }
    return true;
  }

  /// `--record`, and what `why` needs.
  bool RecordRun() {
    const bool is_recorded = options_.record || options_.is_recorded;
    const bool has_asker = options_.commands || options_.lines || driver_ != nullptr;
    if (has_asker || is_recorded) simulation_->KeepCauses();
    if (!is_recorded || parts_ != nullptr) return true;
    const std::string name = "--record " + options_.record.value_or("").string();
    try {
      simulation_->RecordRun({.folder = options_.record.value_or("")});
    } catch (const SimulationFailure&) {
      return Fail(kRunFailed, FaultOfRun());
    } catch (const std::exception& fault) {
      return Fail(kWrongInput, fmt::format("{}: error: {}", name, fault.what()));
    }
    const TimeTravel& travel = *simulation_->time_travel();
    const bool is_continued = IsContinued();
    if (is_continued && options_.load_state)
      return Fail(kWrongInput, name +
                                   ": error: the folder contains a recording, which the run continues; leave "
                                   "--load-state out, or name another folder");
    if (is_continued && !has_asker && simulation_->is_finished())
      return Fail(
          kWrongInput,
          fmt::format("{}: error: nothing is left to run: the recording there ends at {:.9g} s; look at "
                      "it with davit console, name another folder, or give a later end with --stop",
                      name, travel.end_time()));
    return true;
  }

  /// Whether the run continues a recording.
  bool IsContinued() const {
    const TimeTravel* travel = simulation_->time_travel();
    return travel != nullptr && travel->tape() != nullptr && travel->end_time() > travel->begin_time();
  }

  bool OpenDriver() {
    if (driver_ == nullptr) return true;
    const std::string fault = driver_->Open(*simulation_);
    return fault.empty() || Fail(kWrongInput, fault);
  }

  /// The parts of a run have no partners outside.
  bool OpenIo() {
    if (parts_ != nullptr) return true;
    Diagnostics diagnostics;
    exchange_ = OpenInterfaces(*simulation_, options_.io, diagnostics);
    PrintDiagnostics(diagnostics, err_);
    return !diagnostics.has_errors() || Fail(kWrongInput);
  }

  /// Without commands nobody could send the message Start.
  bool CanStart() {
    if (driver_ != nullptr) return true;
    const SimulatorManager& manager = simulation_->manager();
    if (options_.load_state ? !manager.is_waiting() : manager.autostart()) return true;
    return Fail(kWrongInput,
                options_.system.string() +
                    ": error: /SimulatorManager: Autostart is false, and nothing can send the message Start; "
                    "give --commands with the line 'message SimulatorManager Start', or --set "
                    "SimulatorManager.Autostart=true");
  }

  /// `--load-state`.
  void LoadState(Diagnostics& diagnostics) {
    if (!options_.load_state) return;
    if (options_.is_steady) {
      return diagnostics.Error(
          OptionPlace("--steady", ""), {},
          "the run restarts from a snapshot, so no steady state is searched for; leave out --steady "
          "or --load-state");
    }
    diagnostics = simulation_->LoadState(*options_.load_state);
    if (diagnostics.has_errors() || !simulation_->is_finished()) return;
    const SourceLocation place{std::make_shared<const std::string>(options_.load_state->string()), 0};
    diagnostics.Error(
        place, {},
        fmt::format("nothing is left to run: the snapshot was saved at {:.9g} s, StopTime is {:.9g} "
                    "s; give a later end with --stop",
                    simulation_->time(), simulation_->stop_time()));
  }

  bool AgreeWithParts() {
    if (parts_ == nullptr) return true;
    std::string faults;
    const auto refuse = [&](bool is_given, std::string_view option, std::string_view remedy) {
      if (is_given) faults += fmt::format("{}: error: not over several processes; {}\n", option, remedy);
    };
    refuse(options_.record.has_value(), "--record", "record it without mpirun");
    refuse(options_.commands.has_value(), "--commands", "write <At> or --at, or run without mpirun");
    refuse(options_.real_time_factor.has_value(), "--realtime", "leave it out, or run without mpirun");
    refuse(options_.threads > 1, "--threads", "start more processes with mpirun -n in place of it");
    refuse(options_.is_profiled, "--profile", "profile it without mpirun");
    refuse(options_.is_energy_told, "--energy", "run it without mpirun");
    refuse(options_.checks_allocations, "--check-allocations", "check it without mpirun");
    for (const std::string& fault : parts_->Agree(*simulation_))
      faults += fmt::format("{}: error: {}\n", options_.system.string(), fault);
    if (faults.empty()) return true;
    faults.pop_back();
    parts_->CallOff();
    return Fail(kWrongInput, faults);
  }

  /// Deals the system out, where there are several parts; the run has its start values.
  bool BeginParts() {
    if (parts_ == nullptr) return true;
    std::vector<std::string> faults;
    try {
      faults = parts_->Begin(*simulation_, columns_);
    } catch (const OutputFailure& fault) {
      is_refused_ = true;
      return Fail(fault.is_of_path() ? kWrongInput : kRunFailed, std::string("error: ") + fault.what());
    }
    for (const std::string& fault : faults)
      Fail(kWrongInput,
           fmt::format("{}: error: mpirun: {}, or run it without mpirun", options_.system.string(), fault));
    is_refused_ = !faults.empty();
    if (!is_refused_ && is_first_ && parts_->is_undivided())
      err_ << fmt::format(
          "{}: warning: all of it must advance together, so process 0 alone runs it; only lines of at least "
          "two "
          "TimeSteps, such as hydraulic.Line, and sampled signals divide a system\n",
          options_.system.string());
    return !is_refused_;
  }

  /// All have come to their end.
  void EndParts() {
    if (parts_ == nullptr) return;
    try {
      parts_->End();
    } catch (const std::runtime_error& fault) {
      Fail(kRunFailed, std::string("error: ") + Explain(fault));
    }
    parts_->ShowLines(
        [this](RunLog::Severity severity, std::string_view line) { messages_.Take(severity, line); });
    const SimulationFailure* failure = parts_->failure();
    if (failure == nullptr) return;
    summary_.status = "diverged";
    if (!is_first_) return Fail(kRunFailed), void();
    std::string text = options_.system.string() + ": error: ";
    for (const char c : std::string_view(failure->what())) {
      text += c;
      if (c == '\n') text += options_.system.string() + ": error: ";
    }
    Fail(kRunFailed, text);
  }

  /// Before there are files: whenever Ctrl-C comes from here on, they are completed.
  bool HearSignals() {
    if (driver_ == nullptr) host_.emplace(*simulation_, commands_.get(), exchange_, bar_);
    return true;
  }

  /// Nothing is created unless all files can be.
  bool OpenOutputs() {
    if (options_.outputs.empty() && !options_.plot) return true;
    RecordingOptions recording{.files = options_.outputs, .has_row_now = false};
    if (options_.plot) {
      recording.on_row = [this](double t, std::span<const double> values) {
        table_.time.push_back(t);
        for (std::size_t i = 0; i < values.size(); ++i) table_.columns[i].push_back(values[i]);
      };
    }
    if (parts_ != nullptr) {
      parts_->set_sinks(std::move(recording.files), std::move(recording.on_row));
      recording.files.clear();
      recording.on_row = [this](double t, std::span<const double> values) { parts_->TakeRow(t, values); };
    }
    try {
      const RecordingId id = simulation_->StartRecording(recording);
      columns_ = simulation_->ColumnsOf(id);
      for (const ResultColumn& column : columns_) {
        table_.names.push_back(column.path);
        table_.units.push_back(column.unit);
        table_.options.push_back(column.options);
      }
      table_.columns.resize(table_.names.size());
      return CanBeRewritten();
    } catch (const std::invalid_argument& fault) {
      return Fail(kWrongInput, fault.what());
    } catch (const OutputFailure& fault) {
      return Fail(fault.is_of_path() ? kWrongInput : kRunFailed, std::string("error: ") + fault.what());
    } catch (const std::runtime_error& fault) {
      return Fail(kRunFailed, std::string("error: ") + Explain(fault));
    }
  }

  void Execute() {
    const Clock::time_point begin = Clock::now();
    try {
      if (options_.is_energy_told) simulation_->AccountEnergy();
      if (!simulation_->is_initialized()) simulation_->Initialize();
      start_seconds_ = Seconds(Clock::now() - begin);
      if (!BeginParts()) return;
      // From the first step on: before it, memory is taken as it is needed.
      if (options_.checks_allocations) simulation_->manager().set_watch(&allocations_);
      if (options_.is_profiled) simulation_->manager().set_watch(&profile_.emplace());
      summary_.status = RunToEnd();
      if (!simulation_->is_initialized()) {  // the driver has reported why
        Fail(kRunFailed);
      } else {
        for (const std::filesystem::path& file : save_at_end_) simulation_->SaveState(file);
        if (simulation_->time_travel() != nullptr)
          simulation_->Travel([](TimeTravel& travel) { travel.Close(); });
      }
      WarnOfDueSnapshots();
    } catch (const StepInterrupted& interrupted) {
      summary_.status = "interrupted";
      bar_.Clear();
      err_ << fmt::format("{}; results are complete up to {:.9g} s\n", interrupted.what(),
                          interrupted.time());
      for (const std::filesystem::path& file : save_at_end_)
        err_ << fmt::format("{}: warning: not written: inside a TimeStep there is no state to save\n",
                            file.string());
      WarnOfDueSnapshots();
    } catch (const SimulationFailure& failure) {
      summary_.status = "diverged";
      if (parts_ == nullptr) {
        Fail(kRunFailed, FaultOfRun());
      } else {
        TellParts(failure);
      }
    } catch (const std::runtime_error& fault) {  // a full disk
      summary_.status = "failed";
      if (parts_ != nullptr) parts_->Fail(Explain(fault), simulation_->time());
      if (is_first_) Fail(kRunFailed, std::string("error: ") + Explain(fault));
    }
    host_.reset();
    bar_.Clear();
    summary_.wall_seconds = Seconds(Clock::now() - begin);
  }

  /// What has failed here; what came from another part is known there.
  void TellParts(const SimulationFailure& failure) {
    if (parts_->failure() != nullptr) return;
    std::string text;
    for (const std::string& line : simulation_->failure()) text += (text.empty() ? "" : "\n") + line;
    parts_->Fail(text, failure.time());
  }

  void WarnOfDueSnapshots() {
    for (const DueSnapshot& snapshot : simulation_->due_snapshots()) {
      err_ << fmt::format("{}: warning: not written, the run has ended before t = {:.9g} s\n",
                          snapshot.file.string(), snapshot.time);
    }
  }

  /// What makes the clock's pace as even as the system permits, while the run lasts.
  void BecomeRealTime(std::optional<RealTimeThread>& thread) {
    if (!options_.is_real_time || parts_ != nullptr) return;
    if (options_.threads > 1) {
      err_ << "--realtime: warning: no real-time priority with --threads, since threads wait for each other; "
              "leave one of them out\n";
      return;
    }
    for (const std::string& refusal : thread.emplace().refusals())
      err_ << "--realtime: warning: " << refusal << '\n';
  }

  /// Returns how it ended.
  std::string RunToEnd() {
    std::optional<RealTimeThread> real_time;
    BecomeRealTime(real_time);
    if (driver_ != nullptr) return driver_->Drive(*simulation_, commands_.get(), exchange_);
    RunEnd end = simulation_->Run(*host_, options_.real_time_factor);
    while (commands_ != nullptr && !host_->is_interrupted()) {
      if (end == RunEnd::kReached) commands_->Pause(true);  // it answers an until
      // A run that is recorded may be asked about its past when it is at its end.
      if (end == RunEnd::kReached && !commands_->is_stopped() &&
          (simulation_->time_travel() == nullptr || !host_->WaitForRequest()))
        break;
      const auto request = commands_->TakeRequest();
      if (!request && (end == RunEnd::kRequested || commands_->is_stopped())) break;
      if (request)
        commands_->Serve(*request,
                         [&](const std::filesystem::path& file) { return simulation_->LoadState(file); });
      if (!simulation_->is_initialized()) return "diverged";
      end = simulation_->Run(*host_, options_.real_time_factor);
    }
    if (host_->has_no_start() && !host_->is_interrupted()) {
      Fail(kWrongInput, options_.commands->string() +
                            ": error: the run has not begun: Autostart is false, and no line is "
                            "'message SimulatorManager Start' at StartTime; add it");
      return "not started";
    }
    if (end == RunEnd::kRequested && host_->is_interrupted()) return "interrupted";
    return end == RunEnd::kReached ? "done" : "stopped";
  }

  /// Why the run has failed, a line for each reason.
  std::string FaultOfRun() const {
    std::string text;
    for (const std::string& line : simulation_->failure())
      text += (text.empty() ? "" : "\n") + options_.system.string() + ": error: " + line;
    return text;
  }

  /// A result in display units is written in SI while the system runs: units depend on the largest values.
  bool CanBeRewritten() {
    if (options_.units == ResultUnits::kSi) return true;
    for (const std::filesystem::path& file : options_.outputs) {
      if (std::filesystem::is_regular_file(file)) continue;
      return Fail(kWrongInput, file.string() +
                                   ": error: --units display writes the result once more at the end, which a "
                                   "pipe or device does not allow; name a file");
    }
    return true;
  }

  void CloseOutputs() {
    try {
      simulation_->StopRecordings();
      if (options_.units == ResultUnits::kSi || !is_first_) return;
      for (const std::filesystem::path& file : options_.outputs) RewriteInDisplayUnits(file, columns_);
    } catch (const std::runtime_error& fault) {
      Fail(kRunFailed, std::string("error: ") + Explain(fault));
    }
  }

  void CloseLog() {
    try {
      messages_.Finish();
    } catch (const std::runtime_error& fault) {
      Fail(kRunFailed, std::string("error: ") + Explain(fault));
    }
  }

  void Report() {
    if (options_.checks_allocations) allocations_.Print(err_);
    if (profile_) profile_->Print(start_seconds_, summary_.wall_seconds, err_);
    if (!is_first_) return;
    summary_.statistics = simulation_->statistics();
    summary_.real_time = simulation_->real_time();
    if (simulation_->energy() != nullptr && simulation_->is_initialized())
      summary_.energy = simulation_->energy()->Balance();
    if (parts_ != nullptr) {
      parts_->AddTo(summary_.statistics);
      summary_.parts = parts_->parts();
    }
    if (!options_.is_quiet) {
      PrintSummary(summary_, out_);
      for (const std::string& hint : simulation_->hints()) out_ << fmt::format("{:<17} {}\n", "hint", hint);
      if (options_.checks_allocations && AllocationCounter::is_counting())
        out_ << fmt::format("{:<17} {}\n", "allocations", allocations_.count());
    }
    if (options_.summary && !WriteSummary(summary_, *options_.summary))
      Fail(kRunFailed, options_.summary->string() + ": error: cannot write the summary; check the path");
  }

  const RunOptions& options_;
  PartRun* const parts_;  ///< null: the run is whole
  const bool is_first_;   ///< it reports
  RunDriver* const driver_;
  std::ostream& out_;
  std::ostream& err_;
  ProgressBar bar_;
  RunMessages messages_;
  std::unique_ptr<Simulation> simulation_;
  PartnerExchange exchange_;  ///< with the interfaces; empty where none is open
  std::unique_ptr<CommandStream> commands_;
  std::optional<TerminalHost> host_;  ///< from before the outputs until the end of the run
  std::vector<std::filesystem::path> save_at_end_;
  std::vector<ResultColumn> columns_;  ///< of the outputs
  ResultTable table_;                  ///< for --plot
  AllocationWatch allocations_;
  std::optional<RunProfile> profile_;
  double start_seconds_ = 0;  ///< that Initialize has taken
  RunSummary summary_;
  bool is_refused_ = false;  ///< it cannot be dealt out
  int code_ = kDone;
};

}  // namespace

int Run(const RunOptions& options, const Registry& registry, std::ostream& out, std::ostream& err,
        RunDriver* driver) {
  return RunCommand(options, out, err, driver).Run(registry);
}

bool ReadRealTimeFactor(const std::vector<std::string>& texts, std::optional<double>& factor,
                        std::ostream& err) {
  factor = 1;
  if (texts.empty() || texts.back().empty()) return true;
  const QuantityResult result = ParseQuantity(texts.back(), "", UnitSystem());
  if (result.value && result.value->si > 0) {
    factor = result.value->si;
    return true;
  }
  err << "--realtime " << texts.back()
      << ": error: " << (result.value ? "the factor must be > 0" : result.fault.ToText())
      << "; write for example --realtime 2\n";
  return false;
}

/// All commands of a running system.
std::string Usages() {
  std::string text;
  for (const CommandVerb& verb : CommandVerbs()) text.append(text.empty() ? "" : " | ").append(UsageOf(verb));
  return text;
}

/// Levels in place of those of the system file.
void AddLevelSourceOptions(CLI::App& command, LoadOptions& load) {
  const auto add = [&](const char* name, const char* text,
                       std::optional<std::filesystem::path> OutsideLevels::*file) {
    command
        .add_option_function<std::string>(
            name,
            [&load, file](const std::string& value) {
              if (!load.levels) load.levels.emplace();
              *load.levels.*file = value;
            },
            text)
        ->type_name("FILE");
  };
  add("--schedule", "Levels over time from a file of davit levels, in place of those of the system",
      &OutsideLevels::schedule);
  add("--level-chart", "A chart (SCXML) chooses the levels, as one of davit levels, in place of the system",
      &OutsideLevels::chart);
}

void AddRunOptions(CLI::App& command, RunOptions& options) {
  command.add_option("SYSTEM", options.system, "System file (XML), Hopsan model (.hmf) or FMU")->required();
  command.add_option("--stop", options.stop, "Time at which the run ends, e.g. '50 s'")->type_name("T");
  AddLoadOptions(command, options.load);
  AddLevelSourceOptions(command, options.load);
  command
      .add_option("-o,--output", options.outputs,
                  "Result file (.csv, .mat or .h5); may be given several times")
      ->type_name("FILE")
      ->expected(1)
      ->take_all();
  command
      .add_option_function<std::string>(
          "--units",
          [&options](const std::string& units) {
            options.units = units == "display" ? ResultUnits::kDisplay : ResultUnits::kSi;
          },
          "Units of the result files: si, or display (bar, l/min, deg, rpm, kN ...); the files name "
          "the unit of each signal")
      ->type_name("si|display")
      ->check(CLI::IsMember({"si", "display"}));
  command.add_option("--signals", options.load.signals, "Signals to record (globs), instead of <Record>")
      ->type_name("GLOBS")
      ->expected(1)
      ->take_all();
  command.add_option("--interval", options.load.interval, "Time between recorded rows")->type_name("DT");
  command
      .add_option("--times", options.load.times,
                  "Custom times of rows: '1 s, 5 s', 'log 1e-6 s : 1e4 s : 50' or 'lin 0 s : 2 s : 9', the "
                  "last of which is the number of rows; may be given several times")
      ->type_name("TIMES")
      ->expected(1)
      ->take_all();
  command.add_option("--threads", options.threads, "Maximum number of threads; results do not depend on it")
      ->type_name("N")
      ->check(CLI::Range(1, 256));
  command.add_flag("--steady", options.is_steady,
                   "Starts in steady state: searches for the equilibrium at StartTime");
  command.add_flag_callback(
      "--always-threads", [&options] { options.thread_use = ThreadUse::kAlways; },
      "Uses all threads even if fewer are faster");
  command.add_option("--plot", options.plot, "Draws the recorded signals (.svg or .png)")->type_name("FILE");
  command.add_option("--summary", options.summary, "Writes the summary as JSON")->type_name("FILE");
  command
      .add_option_function<std::string>(
          "--io",
          [&options](const std::string& reach) {
            options.io = reach == "none"      ? IoReach::kNone
                         : reach == "network" ? IoReach::kNetwork
                                              : IoReach::kLoopback;
          },
          "Which interfaces of the system, such as ModbusServer, are opened: none, those that stay on this "
          "computer (loopback, default), or all (network)")
      ->type_name("none|loopback|network")
      ->check(CLI::IsMember({"none", "loopback", "network"}));
  CLI::Option* quiet = command.add_flag("--quiet", options.is_quiet, "Prints errors only");
  command
      .add_flag("-v,--verbose", options.is_verbose,
                "Prints every event: modes of components, default charts, writes of charts, and all lines "
                "that are alike")
      ->excludes(quiet);
  command
      .add_option("--log", options.log, "Writes every event with its time, also events that are not printed")
      ->type_name("FILE");
  CLI::Option* profile =
      command.add_flag("--profile", options.is_profiled,
                       "Reports at the end how the computing time was spent (solvers, Jacobians, "
                       "models, charts, output), and which states limit the steps");
  CLI::Option* energy = command.add_flag("--energy", options.is_energy_told,
                                         "Accounts for the energy: reports at the end where it came from and "
                                         "where it went, as davit energy does; "
                                         "davit serve shows it on its page, too");
  command
      .add_flag("--check-allocations", options.checks_allocations,
                "Warns about components whose evaluations, hooks or guards allocate memory "
                "during the steps; the run is slower, its results are the same")
      ->excludes(profile);
  command
      .add_option("--save-state", options.save_states,
                  "Writes a snapshot at the end, or at time T; may be given several times")
      ->type_name("FILE[@T]")
      ->expected(1)
      ->take_all();
  command.add_option("--load-state", options.load_state, "Restarts from a snapshot")->type_name("FILE");
  command
      .add_option(
          "--record", options.record,
          "Records the run into a folder, at most 100 MB: goto, back and branch then go to any of its "
          "times. A folder with a recording of the system is continued from its end")
      ->type_name("DIR")
      ->excludes(energy);
  command
      .add_option(
          "--commands", options.commands,
          "Takes commands during the run, one a line, from a file, a pipe, or - for stdin:\n" + Usages())
      ->type_name("FILE");
}

CLI::Option* AddRealTimeOption(CLI::App& command, std::vector<std::string>& texts) {
  return command.add_option("--realtime", texts, "Runs in real time: FACTOR times as fast as the clock")
      ->type_name("FACTOR")
      ->expected(0, 1);
}

void AddRunCommand(CLI::App& command, CommandContext& context) {
  const auto run = std::make_shared<RunOptions>();
  const auto factor = std::make_shared<std::vector<std::string>>();
  AddRunOptions(command, *run);
  const auto fmu = std::make_shared<FmuOptions>();
  command
      .add_option("--input", fmu->input,
                  "Inputs of an FMU over time, a CSV with their names in the first line")
      ->type_name("FILE.csv");
  command.add_option("--kind", fmu->kind, "FMU kind to run")->type_name("CoSimulation|ModelExchange");
  command.add_option("--locals", fmu->locals, "Local variables of an FMU to record as well (globs)")
      ->type_name("GLOBS");
  const auto hopsan = std::make_shared<HopsanOptions>();
  AddHopsanOptions(command, *hopsan);
  command.add_flag("--hopsan-names", hopsan->has_names,
                   "For a Hopsan model, writes a CSV of every variable under its Hopsan name, at the times "
                   "that Hopsan logs");
  const CLI::Option* real_time = AddRealTimeOption(command, *factor);
  AddPluginOption(command, context);
  command.callback([&context, run, factor, real_time, fmu, hopsan] {
    std::optional<PartRun> parts;  // first: however the command ends, the other processes learn of it
    if (context.ranks != nullptr && context.ranks->parts() != nullptr) parts.emplace(*context.ranks->parts());
    if (IsHopsanFile(run->system)) TakeHopsanParameters(run->load, *hopsan);
    if (IsHopsanFile(run->system) && hopsan->has_names) {
      context.exit_code = context.LoadPlugins() ? RunHopsan(*run, *hopsan, context) : kWrongInput;
      return;
    }
    if (hopsan->is_given()) {
      context.exit_code = kWrongInput;
      if (!IsHopsanFile(run->system)) {
        context.err << run->system.string()
                    << ": error: --hopsan-names and --stub are for Hopsan models (.hmf); leave them out\n";
        return;
      }
      run->description = MakeSystemOfHopsan(run->system, *hopsan, context);
      run->read = hopsan->files->files();
      if (run->description == nullptr) return;
    }
    if (IsFmuFile(run->system) || IsFmuSystem(run->system)) {
      run->description = IsFmuFile(run->system) ? MakeSystemOfFmu(run->system, *fmu, context.err)
                                                : MakeSystemOfSsp(run->system, run->load, context.err);
      if (fmu->input) run->read.push_back(*fmu->input);
      context.exit_code = kWrongInput;
      if (run->description == nullptr) return;
    } else if (fmu->input || !fmu->kind.empty() || !fmu->locals.empty()) {
      context.err << run->system.string()
                  << ": error: --input, --kind and --locals are for a single FMU; in a system file write "
                     "<Route> and attributes\n";
      context.exit_code = kWrongInput;
      return;
    }
    const bool is_right =
        (real_time->count() == 0 || ReadRealTimeFactor(*factor, run->real_time_factor, context.err)) &&
        context.LoadPlugins(run->description != nullptr ? std::filesystem::path() : run->system);
    run->is_real_time = real_time->count() > 0;
    if (parts) run->parts = &*parts;
    if (parts && !parts->is_first()) run->save_states = SavesElsewhere(run->save_states);
    context.exit_code = is_right ? Run(*run, context.registry, context.out, context.err) : kWrongInput;
    if (parts && !parts->is_first()) RemoveFiles(run->save_states);
  });
}

}  // namespace davit
