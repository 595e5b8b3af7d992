#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "app/command_context.h"
#include "framework/registry.h"
#include "framework/xml/system_loader.h"
#include "simulator/network/step_executor.h"

namespace davit {

/// In which units a result file is written.
enum class ResultUnits : std::uint8_t { kSi, kDisplay };

/// What `davit run` was asked to do.
struct RunOptions {
  std::filesystem::path system;
  LoadOptions load;
  std::optional<std::string> stop;  ///< replaces StopTime, as typed
  std::vector<std::filesystem::path> outputs;
  ResultUnits units = ResultUnits::kSi;  ///< of the outputs
  std::optional<std::filesystem::path> plot;
  std::optional<std::filesystem::path> summary;  ///< JSON
  std::vector<std::string> save_states;          ///< `FILE` or `FILE@T`, as typed
  std::optional<std::filesystem::path> load_state;
  std::optional<std::filesystem::path> commands;  ///< `-`: the standard input
  std::optional<double> real_time_factor;  ///< simulated seconds per second; nothing: as fast as possible
  unsigned threads = 1;
  ThreadUse thread_use = ThreadUse::kWhereItPays;
  bool is_steady = false;
  bool checks_allocations = false;           ///< reports which components allocate in a step
  bool is_profiled = false;                  ///< reports where the time went
  bool is_quiet = false;                     ///< errors only
  bool is_verbose = false;                   ///< all lines of the event log
  std::optional<std::filesystem::path> log;  ///< a file for all lines of the event log
};

/// `davit run`: loads, runs, writes results while it runs, prints a summary on `out` and what happens on
/// `err`. Ctrl-C, SIGTERM and SIGHUP end the run with its results, also inside a TimeStep. Returns 0, 1 when
/// the run failed, 2 for wrong input.
int Run(const RunOptions& options, const Registry& registry, std::ostream& out, std::ostream& err);

/// Defines `davit run`.
void AddRunCommand(CLI::App& program, CommandContext& context);

}  // namespace davit
