#include "app/run_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>

#include "app/check_command.h"
#include "app/exit_code.h"
#include "app/interrupt.h"
#include "app/plot_command.h"
#include "app/progress_bar.h"
#include "framework/nearest_name.h"
#include "framework/run_log.h"
#include "results/csv_writer.h"
#include "results/result_table.h"
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
                 std::vector<std::unique_ptr<CsvWriter>>& writers, std::ostream& err) {
  bool is_good = true;
  for (const auto& output : options.outputs) {
    if (output.extension() == ".csv") continue;
    is_good = false;
    err << output.string() << ": error: "
        << (output.extension() == ".mat" || output.extension() == ".h5"
                ? "MAT and HDF5 results are not there yet; name a .csv file"
                : "unknown kind of result file; name a .csv file")
        << '\n';
  }
  if (!is_good) return false;
  std::vector<std::string> names;
  std::vector<std::string> units;
  for (const Variable& column : plan.columns) {
    names.push_back(column.path);
    units.emplace_back(column.unit == kAnyUnit ? std::string_view() : column.unit);
  }
  for (const auto& output : options.outputs) {
    try {
      writers.push_back(std::make_unique<CsvWriter>(output, names, units));
    } catch (const std::runtime_error& fault) {
      err << "error: " << fault.what() << '\n';
      return false;
    }
  }
  return true;
}

/// Runs to the end, an interruption or a failure.
void RunToEnd(SimulatorManager& manager, const RunOptions& options, std::ostream& err, Outcome& outcome) {
  Interrupt interrupt;
  ProgressBar progress(err, !options.is_quiet && isatty(STDERR_FILENO) == 1);
  const double begin = manager.start_time();
  const double span = manager.stop_time() - begin;
  const double period = 1 / manager.fs();
  const Clock::time_point start = Clock::now();
  Clock::time_point next_look = start;
  manager.Start();
  for (std::uint64_t periods = 1; manager.is_running() && !manager.is_finished(); ++periods) {
    if (!options.real_time_factor) {
      manager.Step();
      // Asking the clock costs as much as a small step: ask now and then.
      if (periods % 16 != 0) continue;
    } else {
      const double t = begin + static_cast<double>(periods) * period;
      manager.RunUntil(t);
      const auto due = start + std::chrono::duration_cast<Clock::duration>(
                                   std::chrono::duration<double>((t - begin) / *options.real_time_factor));
      manager.ReportPeriod(Seconds(Clock::now() - due));
      interrupt.SleepUntil(due);
    }
    const Clock::time_point now = Clock::now();
    if (now < next_look) continue;
    next_look = now + std::chrono::milliseconds(20);
    if (interrupt.IsRequested()) {
      outcome.status = "interrupted";
      return;
    }
    progress.Show((manager.time() - begin) / span, manager.time());
  }
  if (!manager.is_finished()) outcome.status = "stopped";
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
    const bool is_rare = key == "missed_periods" || key == "charts" || key == "transitions" ||
                         key == "livelocks" || key == "lost_events";
    if (is_rare && value == 0) continue;
    const std::string text = value.is_string()         ? value.get<std::string>()
                             : value.is_number_float() ? fmt::format("{:.6g}", value.get<double>())
                                                       : value.dump();
    out << fmt::format("{:<17} {}\n", key, text);
  }
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

  std::vector<std::unique_ptr<CsvWriter>> writers;
  if (!OpenOutputs(options, system->record_plan(), writers, err)) return kWrongInput;
  SimulatorManager& manager = SimulatorManager::Of(*system);
  RunLog log(options.is_quiet ? RunLog::Severity::kError : RunLog::Severity::kInfo);
  system->root().set_run_log(&log);
  Recorder recorder(system->record_plan());
  for (auto& writer : writers) {
    recorder.AddSink([&w = *writer](double t, std::span<const double> values) { w.WriteRow(t, values); });
  }
  ResultTable table;
  if (options.plot) {
    for (const Variable& column : system->record_plan().columns) {
      table.names.push_back(column.path);
      table.units.emplace_back(column.unit == kAnyUnit ? std::string_view() : column.unit);
    }
    table.columns.resize(table.names.size());
    recorder.AddSink([&table](double t, std::span<const double> values) {
      table.time.push_back(t);
      for (std::size_t i = 0; i < values.size(); ++i) table.columns[i].push_back(values[i]);
    });
  }
  manager.AddObserver(&recorder);
  manager.set_threads(options.threads, options.thread_use);
  manager.set_steady(options.is_steady);

  int code = kDone;
  const Clock::time_point run_start = Clock::now();
  try {
    manager.Initialize();
    RunToEnd(manager, options, err, outcome);
  } catch (const SimulationFailure& failure) {
    outcome.status = "diverged";
    err << options.system.string() << ": error: " << failure.what() << '\n';
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
  const nlohmann::ordered_json summary = MakeSummary(manager.statistics(), outcome);
  if (!options.is_quiet) {
    PrintSummary(summary, out);
    for (const std::string& hint : manager.Hints()) out << fmt::format("{:<17} {}\n", "hint", hint);
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

}  // namespace davit
