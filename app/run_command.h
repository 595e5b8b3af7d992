#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/command_context.h"
#include "framework/registry.h"
#include "framework/run_log.h"
#include "framework/xml/system_loader.h"
#include "io/io_reach.h"
#include "session/run_host.h"
#include "simulator/thread_use.h"

namespace CLI {
class Option;
}

namespace davit {

class CommandStream;
class LineSource;
class PartRun;
class Simulation;

/// In which units a result file is written.
enum class ResultUnits : std::uint8_t { kSi, kDisplay };

/// What `davit run` was asked to do.
struct RunOptions {
  std::filesystem::path system;
  std::shared_ptr<const SystemDescription> description = {};  ///< in place of the file
  LoadOptions load;
  std::optional<std::string> stop;  ///< replaces StopTime, as typed
  std::vector<std::filesystem::path> outputs;
  ResultUnits units = ResultUnits::kSi;  ///< of the outputs
  std::optional<std::filesystem::path> plot;
  std::optional<std::filesystem::path> summary;  ///< JSON
  std::vector<std::string> save_states;          ///< `FILE` or `FILE@T`, as typed
  std::optional<std::filesystem::path> load_state;
  std::optional<std::filesystem::path> record;         ///< a folder for a recording
  bool is_recorded = false;                            ///< also without a folder, in memory
  std::optional<std::filesystem::path> commands;       ///< `-`: the standard input
  std::function<std::unique_ptr<LineSource>()> lines;  ///< of commands, in place of `commands`; may be empty
  std::vector<std::filesystem::path> read;             ///< further files that the system was made of
  IoReach io = IoReach::kLoopback;                     ///< which interfaces of the system are opened
  std::optional<double> real_time_factor;  ///< simulated seconds per second; nothing: as fast as possible
  bool is_real_time = false;               ///< with real-time priority, where that is permitted
  unsigned threads = 1;
  ThreadUse thread_use = ThreadUse::kWhereItPays;
  bool is_steady = false;
  bool checks_allocations = false;           ///< reports which components allocate in a step
  bool is_profiled = false;                  ///< reports where the time went
  bool is_energy_told = false;               ///< reports where the energy went
  bool is_quiet = false;                     ///< errors only
  bool is_verbose = false;                   ///< all lines of the event log
  std::optional<std::filesystem::path> log;  ///< a file for all lines of the event log
  PartRun* parts = nullptr;                  ///< the run is one part of it; null: it is whole
};

/// Another command that drives a run in its own way: what `davit serve` puts in place of Simulation::Run.
/// Loading, outputs, messages and the summary are those of `davit run`. Call sequence: Open, then Drive when
/// the run has its start values.
class RunDriver {
 public:
  virtual ~RunDriver() = default;
  /// Lines of the event log below it are not needed; what is shown does not depend on it.
  virtual RunLog::Severity threshold() const = 0;
  /// Takes the lines of the event log, also while the system is loaded.
  virtual void TakeLine(const RunLog::Entry& entry) = 0;
  /// Before any file is made. What is wrong, as it is to be printed; empty if it can drive.
  virtual std::string Open(Simulation& simulation) = 0;
  /// Runs to the end, which the summary calls `done`, `stopped`, `interrupted` or `diverged`; `commands` may
  /// be null; `before_step` may be empty, and is for LiveRunOptions and the like. Throws as Simulation::Run
  /// does.
  virtual std::string Drive(Simulation& simulation, CommandStream* commands,
                            const PartnerExchange& before_step) = 0;
};

/// `davit run`: loads, runs, writes results while it runs, prints a summary on `out` and what happens on
/// `err`. Ctrl-C, SIGTERM and SIGHUP end the run with its results, also inside a TimeStep. Returns 0, 1 when
/// the run failed, 2 for wrong input. `driver` null: the run advances by itself.
int Run(const RunOptions& options, const Registry& registry, std::ostream& out, std::ostream& err,
        RunDriver* driver = nullptr);

/// The options of a run but --realtime, for a command that runs a system; `options` outlives the command.
void AddRunOptions(CLI::App& command, RunOptions& options);

/// The option --realtime [FACTOR]; where it is given, RunOptions::is_real_time follows. The texts outlive the
/// command.
CLI::Option* AddRealTimeOption(CLI::App& command, std::vector<std::string>& texts);

/// The factor of --realtime: 1 without a number. Returns false after an error.
bool ReadRealTimeFactor(const std::vector<std::string>& texts, std::optional<double>& factor,
                        std::ostream& err);

/// Defines `davit run`.
void AddRunCommand(CLI::App& command, CommandContext& context);

}  // namespace davit
