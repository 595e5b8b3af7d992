#include "proof/bench_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <mutex>
#include <utility>

#include "framework/event_name.h"
#include "framework/exception_text.h"
#include "framework/nearest_name.h"
#include "framework/units/quantity.h"
#include "framework/xml/command_line.h"
#include "proof/case_signals.h"
#include "session/replaced_settings.h"
#include "session/run_host.h"
#include "simulator/charts/chart_set.h"
#include "simulator/network/worker_pool.h"
#include "statecharts/session_table.h"

namespace davit {
namespace {

std::string OneLine(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

/// An action of a case, as the run takes it.
struct Action {
  const BenchElement* element = nullptr;
  CommandLine line = {};
  std::optional<CaseSignals::Expression> when = {};
  double delay = 0;                  ///< [s]
  std::optional<double> begin = {};  ///< [s] when the condition became true
  std::optional<double> due = {};    ///< [s] of an `<At>` from the start
  bool is_sent = false;
};

/// A case that is ready to run, or what is wrong with it.
class LoadedCase {
 public:
  LoadedCase(const BenchCase& one, const std::filesystem::path& folder, const Registry& registry,
             const LoadOptions& load, Diagnostics& diagnostics)
      : case_(one), diagnostics_(diagnostics) {
    Load(registry, load);
    if (simulation_ == nullptr) return;
    CheckStart();
    signals_ = std::make_unique<CaseSignals>(*simulation_);
    for (const BenchElement& action : one.actions) {
      if (action.is_whole) ReadAction(action);
    }
    for (const BenchElement& expectation : one.expectations) {
      if (expectation.is_whole)
        expectations_.emplace_back(expectation, folder, RunSpan{begin_, simulation_->manager().stop_time()},
                                   *simulation_, *signals_, diagnostics);
    }
    if (!diagnostics.has_errors()) signals_->Link();
  }

  Simulation* simulation() { return simulation_.get(); }
  CaseSignals& signals() { return *signals_; }
  std::vector<Action>& actions() { return actions_; }
  const std::vector<Expectation>& expectations() const { return expectations_; }

  /// The charts that count: those of the bench, or all that have a file.
  std::vector<ChartBinding*> FindCharts(const std::vector<std::string>& covered) {
    std::vector<ChartBinding*> found;
    const ChartSet& charts = simulation_->manager().charts();
    for (const std::string& path : covered) {
      const Component* node = simulation_->system().Find(path);
      ChartBinding* chart = node == nullptr ? nullptr : charts.Find(*node);
      if (chart == nullptr && node != nullptr) {  // the chart of a component
        for (ChartBinding* one : charts.charts()) {
          if (one->belongs_to_component() && &one->scope() == node) chart = one;
        }
      }
      if (chart != nullptr) found.push_back(chart);
    }
    for (ChartBinding* chart : charts.charts()) {
      if (covered.empty() && !chart->is_default()) found.push_back(chart);
    }
    return found;
  }
  std::vector<std::string> ChartNames() const {
    std::vector<std::string> names;
    for (const ChartBinding* chart : simulation_->manager().charts().charts()) {
      if (!chart->is_default()) names.push_back(PathOf(chart->node()));
    }
    return names;
  }
  static std::string PathOf(const Component& node) { return node.DisplayPath().substr(1); }

 private:
  void Fail(const SourceLocation& place, const Fault& fault) { diagnostics_.Error(place, {}, fault); }

  void Load(const Registry& registry, const LoadOptions& load) {
    SimulationOptions options{.load = load};
    options.log = [](RunLog::Severity, std::string_view) {};  // what matters is in the report
    std::vector<const BenchElement*> settings;
    for (const BenchElement& setting : case_.settings) {
      if (setting.is_whole) settings.push_back(&setting);
    }
    bool has_stop = !case_.stop.empty();
    for (;;) {
      options.load.set = load.set;
      options.load.level = load.level;
      for (const BenchElement* setting : settings)
        (IsLevel(*setting) ? options.load.level : options.load.set).push_back(TextOf(*setting));
      if (has_stop) options.load.set.push_back("SimulatorManager.StopTime=" + case_.stop);
      LoadedSimulation loaded = Simulation::Load(case_.system, registry, options);
      const std::size_t given = settings.size() + (has_stop ? 1 : 0);
      for (Diagnostic one : loaded.diagnostics.all()) {
        if (one.severity == Severity::kWarning) continue;
        std::erase_if(settings, [&](const BenchElement* setting) { return TakePlace(*setting, one); });
        if (has_stop && (IsFrom("--set SimulatorManager.StopTime=" + case_.stop, one) ||
                         one.fault.what.find("StopTime") != std::string::npos)) {
          one.location = case_.place;
          has_stop = false;
        }
        if (IsFrom(case_.system.string(), one) && one.location.line == 0) {
          one.location = case_.place;
          one.fault.what = fmt::format("{}: {}", case_.system.string(), one.fault.what);
        }
        diagnostics_.Add(std::move(one));
      }
      simulation_ = std::move(loaded.simulation);
      options_ = options.load;
      // Without what is wrong with the case itself, the rest of it can be checked.
      if (simulation_ != nullptr || settings.size() + (has_stop ? 1 : 0) == given) return;
    }
  }

  static bool IsLevel(const BenchElement& setting) { return setting.kind->name == "Level"; }
  static std::string TextOf(const BenchElement& setting) {
    return fmt::format("{}={}", setting.Get("path"), setting.Get(IsLevel(setting) ? "level" : "value"));
  }
  static bool IsFrom(std::string_view origin, const Diagnostic& one) {
    return one.location.file != nullptr && *one.location.file == origin;
  }
  /// Whether it is about an option that `setting` stands for; then it gets the place of its element.
  static bool TakePlace(const BenchElement& setting, Diagnostic& one) {
    if (!IsFrom((IsLevel(setting) ? "--level " : "--set ") + TextOf(setting), one)) return false;
    one.location = setting.place;
    return true;
  }

  /// Cases that would never begin.
  void CheckStart() {
    const SimulatorManager& manager = simulation_->manager();
    begin_ = manager.start_time();
    const auto sends_start = [](const BenchElement& action) { return action.Get("message") == "Start"; };
    if (!manager.autostart() && case_.snapshot.empty() && std::ranges::none_of(case_.actions, sends_start)) {
      Fail(case_.place, {"the run waits for the message Start, and the case sends none",
                         "add <Set path=\"SimulatorManager.Autostart\" value=\"true\"/>"});
    }
    if (!case_.snapshot.empty()) {
      const ReplacedSettings settings(simulation_->system(), options_);
      Diagnostics faults = simulation_->LoadState(case_.snapshot);
      if (!faults.has_errors()) settings.Check(faults);
      for (Diagnostic one : faults.all()) {
        const bool is_of_setting = std::ranges::any_of(
            case_.settings, [&](const BenchElement& setting) { return TakePlace(setting, one); });
        if (is_of_setting) one.severity = Severity::kError;  // the case would prove something else
        if (one.severity == Severity::kWarning) continue;
        if (IsFrom(case_.snapshot.string(), one)) {
          one.location = case_.place;
          one.fault.what = fmt::format("{}: {}", case_.snapshot.string(), one.fault.what);
        }
        diagnostics_.Add(std::move(one));
      }
      if (faults.has_errors()) return;
      begin_ = simulation_->time();
    }
    if (!std::isfinite(manager.stop_time())) {
      Fail(case_.place, {"the run has no end", "give the case a stop"});
    } else if (begin_ >= manager.stop_time()) {
      Fail(case_.place, {fmt::format("the case begins at {:.9g} s and stops at {:.9g} s: it can never start",
                                     begin_, manager.stop_time()),
                         "give it a later stop"});
    }
  }

  void ReadAction(const BenchElement& element) {
    Action action{.element = &element};
    if (element.Has("time")) ReadTime(element, "time", action.due.emplace());
    if (element.Has("delay")) ReadTime(element, "delay", action.delay);
    if (element.Has("expr"))
      action.when =
          signals_->Compile(element.Get("expr"), ValueType::kBoolean, element.place, "expr", diagnostics_);
    const double stop = simulation_->manager().stop_time();
    if (action.due && (*action.due < begin_ || *action.due > stop)) {
      Fail(element.place, {fmt::format("time: {} is not in the run, from {:.9g} s to {:.9g} s",
                                       Quoted(element.Get("time")), begin_, stop),
                           "choose a time inside of it"});
    }
    Fault fault;
    std::string path;
    action.line.action = CommandLine::Action::kCommand;
    action.line.command = FindCommand(element, fault, path);
    if (action.line.command) {
      actions_.push_back(std::move(action));
    } else {
      diagnostics_.Error(element.place, path, fault);
    }
  }

  void ReadTime(const BenchElement& element, std::string_view name, double& time) {
    const QuantityResult result = ParseQuantity(element.Get(name), "s", simulation_->system().units());
    if (result.value) {
      time = result.value->si;
    } else {
      Fail(element.place, {fmt::format("{}: {}", name, result.fault.what), result.fault.remedy});
    }
  }

  /// `path`: of the chart that is concerned.
  std::optional<Command> FindCommand(const BenchElement& element, Fault& fault, std::string& path) const {
    const System& system = simulation_->system();
    const Component& root = system.root();
    const auto text = [&](std::string_view name) {
      return element.Has(name) ? std::optional<std::string>(element.Get(name)) : std::nullopt;
    };
    if (element.Has("event")) {
      if (!IsEventName(element.Get("event"))) {
        fault = NoEventNameFault(element.Get("event"));
        return std::nullopt;
      }
      if (!element.Has("to") && !IsHeard(element.Get("event"), fault, path)) return std::nullopt;
      if (const Component* to = element.Has("to") ? system.Find(element.Get("to")) : nullptr)
        path = to->DisplayPath();
      auto event = system.FindEvent(root, text("to"), element.Get("event"), &fault);
      if (!event) return std::nullopt;
      return Command{.action = std::move(*event)};
    }
    if (element.Has("message"))
      return system.FindMessageCommand(root, element.Get("to"), element.Get("message"), text("value"),
                                       &fault);
    const auto write = system.FindLiveAssignment(root, element.Get("set"), element.Get("value"), &fault);
    if (!write) return std::nullopt;
    return Command{.action = *write};
  }

  /// Whether a chart takes an event that goes to all of them.
  bool IsHeard(std::string_view event, Fault& fault, std::string& path) const {
    fault = {"no chart takes the event " + Quoted(event), "the system has no chart of its own"};
    for (const ChartBinding* chart : simulation_->manager().charts().charts()) {
      Fault unknown = chart->CheckEvent(event);
      if (!unknown) return true;
      if (chart->is_default() || fault.remedy.starts_with("did you mean")) continue;
      fault = std::move(unknown);
      path = chart->node().DisplayPath();
    }
    return false;
  }

  const BenchCase& case_;
  Diagnostics& diagnostics_;
  LoadOptions options_;  ///< that it was loaded with
  std::unique_ptr<Simulation> simulation_;
  std::unique_ptr<CaseSignals> signals_;
  std::vector<Action> actions_;
  std::vector<Expectation> expectations_;
  double begin_ = 0;  ///< [s]
};

/// Does what a case does at times and on conditions, before the step that follows.
class CaseHost final : public RunHost {
 public:
  CaseHost(LoadedCase& one, std::stop_token stop) : case_(one), stop_(std::move(stop)) {}

  Clock::duration BeforeStep() override {
    last_ = case_.simulation()->time();
    for (Action& action : case_.actions()) {
      if (action.is_sent || (action.when && !case_.signals().IsTrueNow(*action.when))) continue;
      action.is_sent = true;
      if (action.when) {
        action.begin = last_;
        action.due = last_ + action.delay;
      }
      CommandLine line = action.line;
      line.time = action.due;
      case_.simulation()->Submit(std::move(line), action.element->place);
    }
    return {};
  }
  /// Why an action has not acted; empty if it has.
  std::string FaultOf(const Action& action) const {
    if (!action.due) return fmt::format("'{}' never became true", action.when->text);
    const double same = SimulatorManager::kSameStep * case_.simulation()->manager().time_step();
    if (*action.due <= last_ + same) return {};
    return fmt::format(
        "{}the action was due at {:.9g} s, the run ends at {:.9g} s",
        action.begin ? fmt::format("the condition became true at {:.9g} s, ", *action.begin) : std::string(),
        *action.due, case_.simulation()->time());
  }
  void LookAround() override {
    if (stop_.stop_requested()) case_.simulation()->RequestStop();
  }

 private:
  LoadedCase& case_;
  std::stop_token stop_;
  double last_ = 0;  ///< [s] where the last step began
};

FailureCurves CurvesOf(const Expectation& expectation, const CaseSignals& signals, const Verdict& verdict) {
  FailureCurves kept{.time = signals.curves().time, .at = verdict.at};
  for (const std::uint32_t column : expectation.Shown(signals)) {
    const Item& item = signals.columns()[column];
    kept.names.push_back(item.path());
    kept.units.push_back(item.unit() == kAnyUnit ? std::string() : item.unit());
    kept.values.push_back(signals.curves().signals[column]);
    const auto options = item.options();
    kept.options.emplace_back(options.begin(), options.end());
  }
  if (const ResultTable* reference = expectation.reference()) {
    kept.reference_time = reference->time;
    kept.reference = reference->columns[expectation.reference_column()];
  }
  return kept;
}

}  // namespace

bool CaseReport::is_passed() const {
  return fault.empty() && !is_interrupted &&
         std::ranges::all_of(expectations, [](const ExpectationResult& one) { return one.verdict.is_met; });
}

void BenchRun::Check(Diagnostics& diagnostics) const {
  for (const BenchCase& one : bench_.cases) {
    if (one.system.empty()) continue;
    Diagnostics found;
    LoadedCase loaded(one, bench_.file.parent_path(), registry_, load_, found);
    if (loaded.simulation() != nullptr) {
      const std::vector<std::string> known = loaded.ChartNames();
      for (const std::string& path : bench_.covered) {
        if (loaded.FindCharts({path}).empty() && &one == &bench_.cases.front())
          found.Error(one.place, {},
                      Fault{"Cover: no chart " + Quoted(path), SuggestName("there are", path, known)});
      }
    }
    // A fault of the bench or of a system that several cases share is reported once.
    for (const Diagnostic& fault : found.all()) {
      const bool is_known = std::ranges::any_of(
          diagnostics.all(), [&](const Diagnostic& other) { return ToText(other) == ToText(fault); });
      if (!is_known) diagnostics.Add(fault);
    }
  }
}

CaseReport BenchRun::RunCase(const BenchCase& one, const Options& options) const {
  CaseReport report{.name = one.name,
                    .requirement = std::string(one.Get("text")),
                    .place = one.place,
                    .fault_place = one.place};
  const auto begin = std::chrono::steady_clock::now();
  Diagnostics diagnostics;
  LoadedCase loaded(one, bench_.file.parent_path(), registry_, load_, diagnostics);
  if (diagnostics.has_errors()) {
    report.fault = OneLine(ToText(diagnostics));
    return report;
  }
  Simulation& simulation = *loaded.simulation();
  std::vector<std::pair<std::string, std::unique_ptr<ChartCoverage>>> coverage;
  if (options.counts_coverage) {
    for (ChartBinding* chart : loaded.FindCharts(bench_.covered)) {
      coverage.emplace_back(LoadedCase::PathOf(chart->node()),
                            std::make_unique<ChartCoverage>(*chart->chart()));
      chart->table().set_watch(coverage.back().second.get());
    }
  }
  loaded.signals().Record();
  const double start = one.snapshot.empty() ? simulation.start_time() : simulation.time();
  CaseHost host(loaded, options.stop);
  try {
    if (one.snapshot.empty()) {
      simulation.Initialize();
    } else {
      simulation.LoadState(one.snapshot);
    }
    simulation.Run(host);
  } catch (const std::exception& failure) {
    report.fault = OneLine(Explain(failure));
  }
  report.is_interrupted = options.stop.stop_requested();
  report.simulated = simulation.time() - start;
  for (const Action& action : loaded.actions()) {
    if (!report.fault.empty()) break;
    report.fault = host.FaultOf(action);
    report.fault_place = action.element->place;
  }
  if (!report.is_interrupted) {
    for (const Expectation& expectation : loaded.expectations()) {
      ExpectationResult result{.expectation = expectation.Text(),
                               .requirement = std::string(expectation.element().Get("text")),
                               .place = expectation.element().place,
                               .verdict = expectation.Judge(loaded.signals()),
                               .curves = {}};
      if (!result.verdict.is_met && !loaded.signals().curves().time.empty())
        result.curves = CurvesOf(expectation, loaded.signals(), result.verdict);
      report.expectations.push_back(std::move(result));
    }
  }
  for (const auto& [path, counted] : coverage) report.coverage[path] = counted->Counts();
  report.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report;
}

std::vector<CaseReport> BenchRun::Run(const Options& options) const {
  std::vector<CaseReport> reports(bench_.cases.size());
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::size_t done = 0;
  WorkerPool pool(static_cast<unsigned>(std::clamp<std::size_t>(bench_.cases.size(), 1, options.workers)));
  pool.Run([&](unsigned /*worker*/) {
    for (std::size_t i = next++; i < reports.size(); i = next++) {
      if (options.stop.stop_requested()) {
        reports[i] = {.name = bench_.cases[i].name, .place = bench_.cases[i].place, .is_interrupted = true};
        continue;
      }
      reports[i] = RunCase(bench_.cases[i], options);
      const std::lock_guard lock(mutex);
      if (options.on_case) options.on_case(++done);
    }
  });
  return reports;
}

std::map<std::string, ChartCounts> JoinCoverage(const std::vector<CaseReport>& reports) {
  std::map<std::string, ChartCounts> joined;
  for (const CaseReport& report : reports) {
    for (const auto& [path, counts] : report.coverage) {
      const auto [place, is_new] = joined.emplace(path, counts);
      if (is_new || (place->second.file == counts.file && place->second.Add(counts).empty())) continue;
      const auto [other, is_first] = joined.emplace(fmt::format("{} ({})", path, counts.file), counts);
      if (!is_first) other->second.Add(counts);
    }
  }
  return joined;
}

}  // namespace davit
