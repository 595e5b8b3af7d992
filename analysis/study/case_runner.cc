#include "analysis/study/case_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "framework/exception_text.h"
#include "results/result_writer.h"
#include "simulator/simulation_failure.h"

namespace davit {
namespace {

/// Systems with different levels or structural parameters that are kept.
constexpr std::size_t kMostMachines = 4;

std::string OneLine(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (c == '\n') {
      line += "; ";
    } else {
      line += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return line;
}

std::string LinesOfCase(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : "; ") + line;
  return OneLine(text);
}

}  // namespace

LoadedSimulation LoadSystemOf(const CaseSetup& setup, const SimulationOptions& options,
                              const Registry& registry) {
  return Simulation::Load({.file = setup.system, .text = setup.text}, registry, options);
}

/// A loaded system.
struct CaseRunner::Machine {
  std::vector<std::string> key;  ///< the values that are not live
  std::unique_ptr<Simulation> simulation;
  std::unique_ptr<MeasureSet> measures;
  CaseCurves curves;                 ///< of the probes
  std::vector<std::size_t> columns;  ///< by probe: two may be one signal
  ItemList live;
  std::vector<std::size_t> live_items;  ///< their places among the items of the study
};

CaseRunner::CaseRunner(const CaseSetup& setup, const Registry& registry, std::unique_ptr<Simulation> first)
    : setup_(setup), registry_(registry), first_(std::move(first)) {}

CaseRunner::~CaseRunner() = default;

CaseRunner::Machine& CaseRunner::MachineFor(std::span<const CaseValue> values) {
  std::vector<std::string> key;
  SimulationOptions options = setup_.options;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (setup_.items[i].is_live) continue;
    key.push_back(ToText(values[i], setup_.items[i]));
    options.load.set.push_back(setup_.items[i].path + "=" + key.back());
  }
  const auto known =
      std::ranges::find_if(machines_, [&](const auto& machine) { return machine->key == key; });
  if (known != machines_.end()) {
    machines_.splice(machines_.begin(), machines_, known);
    return *machines_.front();
  }
  auto machine = std::make_unique<Machine>();
  machine->key = std::move(key);
  if (first_ != nullptr && machine->key.empty()) {
    machine->simulation = std::move(first_);
  } else {
    ++loads_;
    machine->simulation = LoadSystemOf(setup_, options, registry_).Take();
  }
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < setup_.items.size(); ++i) {
    if (!setup_.items[i].is_live) continue;
    paths.push_back(setup_.items[i].path);
    machine->live_items.push_back(i);
  }
  machine->live = machine->simulation->Items(paths);
  Diagnostics diagnostics;
  machine->measures = std::make_unique<MeasureSet>(*machine->simulation, setup_.measures, diagnostics);
  if (diagnostics.has_errors()) throw std::invalid_argument(ToText(diagnostics.all().front()));
  Watch(*machine);
  machines_.push_front(std::move(machine));
  if (machines_.size() > kMostMachines) machines_.pop_back();
  return *machines_.front();
}

void CaseRunner::Watch(Machine& machine) const {
  if (setup_.probes.empty()) return;
  machine.curves.signals.resize(setup_.probes.size());
  RecordingOptions options{.signals = setup_.probes, .interval = 0};
  options.on_row = [&machine](double t, std::span<const double> values) {
    machine.curves.time.push_back(t);
    for (std::size_t i = 0; i < machine.columns.size(); ++i)
      machine.curves.signals[i].push_back(values[machine.columns[i]]);
  };
  const RecordingId id = machine.simulation->StartRecording(options);
  const std::vector<ResultColumn>& columns = machine.simulation->ColumnsOf(id);
  const System& system = machine.simulation->system();
  for (const std::string& probe : setup_.probes) {
    Fault fault;
    const std::optional<Item> item = system.FindVariable(system.root(), probe, &fault);
    if (!item) throw std::invalid_argument(fault.ToText());
    const auto column = std::ranges::find(columns, item->path(), &ResultColumn::path);
    if (column == columns.end())
      throw std::invalid_argument(probe + ": it cannot be recorded; name a signal");
    machine.columns.push_back(static_cast<std::size_t>(column - columns.begin()));
  }
}

void CaseRunner::WriteLive(Machine& machine, std::span<const CaseValue> values) {
  std::vector<double> numbers;
  numbers.reserve(machine.live_items.size());
  for (const std::size_t i : machine.live_items) numbers.push_back(values[i].number);
  machine.simulation->Write(machine.live, numbers);
}

bool CaseRunner::HasTaken(Machine& machine, std::span<const CaseValue> values) {
  std::vector<double> numbers(machine.live.size());
  machine.simulation->Read(machine.live, numbers);
  bool has_taken = true;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const std::size_t i = machine.live_items[k];
    if (numbers[k] == values[i].number) continue;
    setup_.items[i].is_live = false;  // a command, a chart or a route writes it, too
    has_taken = false;
  }
  if (!has_taken) {
    first_.reset();
    machines_.clear();
  }
  return has_taken;
}

void CaseRunner::RunCase(std::uint64_t number, std::span<const CaseValue> values, const std::stop_token& stop,
                         CaseResult& result) {
  Machine* machine = &MachineFor(values);
  for (;;) {
    WriteLive(*machine, values);
    machine->measures->Begin();
    machine->curves.time.clear();
    for (std::vector<double>& signal : machine->curves.signals) signal.clear();
    if (setup_.curves) {
      machine->simulation->StopRecordings();
      machine->simulation->StartRecording({.files = {*setup_.curves / fmt::format("case_{}.csv", number)}});
    }
    machine->simulation->Initialize();
    if (HasTaken(*machine, values)) break;
    machine = &MachineFor(values);
  }
  Simulation& simulation = *machine->simulation;
  const std::stop_callback give_up(stop, [&simulation] { simulation.RequestStopInside(); });
  const RunEnd end = simulation.Run();
  if (end == RunEnd::kRequested) return;
  if (setup_.curves) simulation.StopRecordings();
  MeasuredValues measured = machine->measures->Finish();
  result.measures = std::move(measured.values);
  if (end == RunEnd::kMessage)
    measured.faults.push_back(fmt::format("stopped at t = {:.9g} s", simulation.time()));
  result.message = LinesOfCase(measured.faults);
  result.curves = machine->curves;
  if (setup_.judge) {
    const std::vector<double> judged = setup_.judge(result.curves);
    result.measures.insert(result.measures.end(), judged.begin(), judged.end());
  }
  result.is_done = true;
}

CaseResult CaseRunner::Run(std::uint64_t number, std::span<const CaseValue> values,
                           const std::stop_token& stop) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  CaseResult result;
  try {
    RunCase(number, values, stop, result);
  } catch (const SimulationFailure& failure) {
    result.message = OneLine(failure.what());
    if (!machines_.empty()) {
      const std::vector<std::string>& lines = machines_.front()->simulation->failure();
      if (!lines.empty()) result.message = LinesOfCase(lines);
    }
  } catch (const std::bad_alloc&) {
    result.message = "out of memory; let fewer cases run at a time";
    machines_.clear();
  } catch (const std::exception& fault) {  // a value that is refused, a file that cannot be written
    result.message = OneLine(Explain(fault));
  }
  result.is_interrupted = !result.is_done && stop.stop_requested();
  if (!result.is_done)
    result.measures.assign(setup_.measures.size() + setup_.judged, std::numeric_limits<double>::quiet_NaN());
  result.wall_s = std::chrono::duration<double>(Clock::now() - begin).count();
  return result;
}

}  // namespace davit
