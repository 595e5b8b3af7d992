#include "simulator/run/system_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <istream>
#include <iterator>
#include <ostream>
#include <unordered_set>
#include <utility>

#include "framework/structure.h"
#include "framework/symptom.h"
#include "framework/tree/component_archive.h"
#include "simulator/component_fault.h"
#include "simulator/failure_text.h"
#include "simulator/run/outside_solver.h"
#include "simulator/run/run_context.h"
#include "simulator/run/run_start.h"
#include "simulator/stability_hint.h"

namespace davit {
namespace {

/// A run may continue beyond the end of the one that was saved.
const std::vector<std::string>& MayDiffer() {
  static const std::vector<std::string> paths{"SimulatorManager.StopTime", "SimulatorManager.Autostart"};
  return paths;
}

}  // namespace

SystemRun::SystemRun(Component& manager, RunSettings settings)
    : context_(std::make_unique<RunContext>(manager, std::move(settings), clock_)),
      start_(std::make_unique<RunStart>(*context_)),
      outside_(std::make_unique<OutsideSolver>(*this, *context_)) {}

SystemRun::~SystemRun() = default;

void SystemRun::SettingsChanged() {
  const bool has_changed =
      context_->settings.time_step != clock_.grid.time_step || context_->settings.fs != fs_in_force_;
  if (clock_.is_started && has_changed) is_reset_due_ = true;
  is_method_due_ = clock_.is_started;
  if (clock_.is_started) return;
  clock_.grid.time_step = context_->settings.time_step;
  clock_.grid.stop_time = context_->settings.stop_time;
  fs_in_force_ = context_->settings.fs;
}

void SystemRun::Build(System& system, Diagnostics& diagnostics) {
  context_->system = &system;
  clock_.grid.stop_time = context_->settings.stop_time;
  context_->components.clear();
  context_->processed.clear();
  for (Component* component : system.components()) {
    auto* dynamic = dynamic_cast<DynamicSimComponent*>(component);
    if (dynamic == nullptr) continue;
    context_->components.push_back(dynamic);
    if (dynamic->entry().has_process) context_->processed.push_back(dynamic);
  }
  const IntegrationDefaults defaults = start_->methods.ReadDefaults(diagnostics);
  context_->network = BuildNetwork(system, defaults, clock_.grid.time_step, diagnostics);
  context_->loop = std::make_unique<StepLoop>(*context_->network);
  context_->loop->set_watch(context_->watch);
  context_->loop->set_interrupt(interrupt_);
  context_->switcher = std::make_unique<BehaviourSwitcher>(context_->components, *context_->network);
  context_->writer.Bind(system, *context_->network, *context_->switcher);
  context_->written.Bind(system, *context_->network);
  context_->handed_down.Bind(system, context_->writer);
  context_->parameter_routes.Bind(system);
  built_time_step_ = clock_.grid.time_step;
  context_->charts.Finish(context_->queue, diagnostics);
  context_->queue.Reserve(context_->charts.charts().size());
  context_->mirror = std::make_unique<BehaviourMirror>(context_->charts, diagnostics);
  if (!clock_.is_started) {
    clock_.begin_time = context_->settings.start_time;
    context_->keeper = std::make_unique<ValueKeeper>(system);
    KeepOriginals();
  }
  std::unordered_set<const DynamicSimComponent*> members;
  for (const auto& island : context_->network->islands)
    members.insert(island->members().begin(), island->members().end());
  for (const auto& rate : context_->network->rates) {
    for (const DynamicSimComponent* component : rate->components) {
      if (!members.contains(component)) rate->modes.Add(*component);
      component->CheckTimeStep(rate->h, diagnostics);
    }
  }
  for (Component* component : system.components()) context_->network->indicators.Add(*component);
  MarkRead();
  outside_->NetworkChanged();
  CheckStopTime(diagnostics);
  CheckSizes(diagnostics);
  start_->CheckDaes(diagnostics);
}

void SystemRun::MarkRead() {
  for (const Route& route : context_->system->routes()) route.from.MarkRead();
  for (const ChartBinding* chart : context_->charts.charts()) {
    if (chart->is_default()) continue;  // those read only what they wait for
    for (const ChartBinding::Signal& signal : chart->signals()) signal.item.MarkRead();
  }
}

void SystemRun::CheckStart(Diagnostics& diagnostics) { start_->Check(diagnostics); }

void SystemRun::CheckSizes(Diagnostics& diagnostics) const {
  for (const DynamicSimComponent* component : context_->components) {
    for (const StateDeclaration& state : component->declarations().states) {
      // A model that has several forms may give an array no elements, by SetSize.
      if (!state.is_array || !state.is_active || state.count > 0 || state.is_sized) continue;
      diagnostics.Warning(
          component->location(), component->DisplayPath(),
          fmt::format("the array {} has no elements; {} should give it a size with SetSize in "
                      "Configure",
                      state.label.name, component->model().name));
    }
  }
}

void SystemRun::CheckStopTime(Diagnostics& diagnostics) const {
  const double time =
      context_->settings.stop_time - (clock_.is_started ? clock_.grid.origin : context_->settings.start_time);
  for (const auto& rate : context_->network->rates) {
    const bool is_own = rate->ticks != context_->network->ticks;
    if (rate->components.empty() || (!is_own && !context_->network->has_fixed_steps())) continue;
    const double steps = time / rate->h;
    if (std::abs(steps - std::round(steps)) <= 1e-9 * std::max(1.0, steps)) continue;
    diagnostics.Error(context_->root.location(), context_->root.DisplayPath(),
                      fmt::format("StopTime - StartTime is not an integer multiple of the TimeStep{}, which "
                                  "fixed-step (TLM) components need; choose a TimeStep that divides it",
                                  is_own ? fmt::format(" of {:.6g} s", rate->h) : ""));
  }
}

void SystemRun::Rebuild() {
  Diagnostics diagnostics;
  std::vector<SolutionWatch*> watches;
  for (const auto& island : islands()) watches.push_back(island->solution_watch());
  Build(*context_->system, diagnostics);
  // The same components are coupled.
  for (std::size_t i = 0; i < std::min(watches.size(), islands().size()); ++i)
    islands()[i]->set_solution_watch(watches[i]);
  if (!diagnostics.has_errors()) return;
  std::string faults;
  for (const Diagnostic& fault : diagnostics.all()) {
    faults += fmt::format("{}{}: {}", faults.empty() ? "" : "\n", fault.path, fault.message());
  }
  throw SimulationFailure(faults, clock_.time);
}

void SystemRun::KeepOriginals() {
  context_->keeper->Clear();
  for (const Command& command : context_->system->schedule()) {
    if (const Assignment* write = command.write()) context_->keeper->Keep(write->item);
  }
  for (ChartBinding* chart : context_->charts.charts()) {
    for (const ChartBinding::Write& write : chart->writes()) context_->keeper->Keep(write.target);
  }
  for (DynamicSimComponent* component : context_->switcher->components())
    context_->keeper->KeepBehaviour(*component);
  context_->parameter_routes.KeepOriginals(*context_->keeper);
  context_->keeper->KeepInputs();
}

void SystemRun::BeginRun() {
  assert(context_->system != nullptr);
  HideWritten();
  clock_.is_started = false;
  clock_.is_inside = false;
  context_->keeper->Restore(context_->writer);
  context_->keeper->KeepInputs();
  context_->queue.Begin(context_->system->schedule());
  context_->runner.Reset();
  counts_ = {};
  budget_.Reset();
  real_time_watch_.Reset();
}

void SystemRun::set_watch(CallWatch* watch) {
  context_->watch = watch;
  context_->loop->set_watch(watch);
}

void SystemRun::set_interrupt(const std::atomic<bool>* interrupt) {
  interrupt_ = interrupt;
  if (context_->loop != nullptr) context_->loop->set_interrupt(interrupt);
}

void SystemRun::set_threads(unsigned threads, ThreadUse use) {
  start_->threads = threads;
  start_->thread_use = use;
}

void SystemRun::AddObserver(StepObserver* observer) {
  context_->reporter.AddObserver(observer);
  if (!clock_.is_started) return;
  context_->reporter.WatchEvents(*context_->network);
  Join(*observer);
}

void SystemRun::ReturnObserver(StepObserver* observer) {
  context_->reporter.AddObserver(observer);
  if (clock_.is_started) context_->reporter.WatchEvents(*context_->network);
}

void SystemRun::RemoveObserver(const StepObserver* observer) {
  context_->reporter.RemoveObserver(observer);
  if (clock_.is_started) context_->reporter.WatchEvents(*context_->network);
}

void SystemRun::Join(StepObserver& observer) const {
  const double t = clock_.is_inside ? clock_.grid.Point(clock_.grid.n) : clock_.time;
  observer.OnContinue(context_->settings.start_time,
                      clock_.grid.n > 0 ? clock_.grid.Point(clock_.grid.n - 1) : t, t);
  if (clock_.is_inside) observer.OnPartialStep(clock_.time);
}

void SystemRun::Initialize() {
  BeginRun();
  SettingsChanged();
  clock_.time = clock_.grid.origin = clock_.begin_time = context_->settings.start_time;
  clock_.grid.n = 0;
  processed_periods_ = 0;
  is_reset_due_ = false;
  context_->settings.not_real_time.Reset();
  clock_.is_running = context_->settings.autostart;
  context_->reporter.set_time(clock_.time);
  if (clock_.grid.time_step != built_time_step_) Rebuild();
  start_->ApplyFirstSwitches();
  Checked([&] {
    context_->handed_down.Reset();
    start_->ResetComponents();
    start_->WarnOfLostStarts();
    clock_.is_started = true;
    context_->runner.Requests(clock_.grid, clock_.time);
    start_->EvaluateFirst();
    start_->RequireDerivatives();
  });
  if (is_steady_) start_->SearchSteadyState();
  start_->MakeConsistent();
  context_->reporter.WatchEvents(*context_->network);
  context_->charts.ResetCounters();
  start_->StartCharts();
  if (context_->runner.Events(clock_.grid, clock_.time)) context_->charts.Step(clock_.time);
  for (StepObserver* observer : context_->reporter.observers()) observer->OnStart(clock_.time);
}

bool SystemRun::is_finished() const { return clock_.time >= context_->settings.stop_time; }

void SystemRun::Submit(Command command) {
  assert(clock_.is_started);
  if (ShowsInputs()) ShowInput(command, false);
  if (const Assignment* write = command.write()) context_->keeper->Keep(write->item);
  context_->queue.Submit(std::move(command));
}

bool SystemRun::ShowsInputs() const {
  return clock_.is_started && std::ranges::any_of(context_->reporter.observers(), &StepObserver::TakesInputs);
}

void SystemRun::ShowInput(const Command& command, bool is_now) {
  const std::vector<StepObserver*> observers =
      context_->reporter.observers();  // one of them may let others go
  for (StepObserver* observer : observers) {
    if (observer->TakesInputs()) observer->OnInput(command, is_now);
  }
}

void SystemRun::ForgetBrought() { context_->queue.ForgetBrought(); }

std::size_t SystemRun::pending_commands() const { return context_->queue.submitted(); }

bool SystemRun::is_stale() const { return context_->writer.has_written() && !context_->written.is_shown(); }

void SystemRun::ShowWritten() {
  assert(clock_.is_started);
  if (!is_stale() || context_->network->exchange != nullptr) return;
  const std::optional<std::uint64_t> tick =
      clock_.is_inside ? std::nullopt : std::optional(clock_.grid.n * context_->network->ticks);
  Checked([&] { context_->written.Show(clock_.time, tick, clock_.grid.time_step); });
}

void SystemRun::HideWritten() {
  if (context_->written.is_shown()) [[unlikely]]
    context_->written.Restore();
}

void SystemRun::Apply(const Assignment& assignment) {
  HideWritten();
  if (ShowsInputs()) ShowInput({.time = clock_.time, .action = assignment}, true);
  if (clock_.is_started || !assignment.item.is_behaviour()) return context_->writer.Apply(assignment);
  context_->system->ApplyAtLoad(assignment);
  context_->writer.ValuesChanged(assignment.item.owner());
}

void SystemRun::Write(const Item& item, double number) {
  HideWritten();
  if (ShowsInputs()) ShowInput({.time = clock_.time, .action = Assignment{item, number, {}}}, true);
  if (clock_.is_started || !item.is_behaviour()) return context_->writer.Write(item, number);
  item.Store(number);
  context_->writer.ValuesChanged(item.owner());
}

void SystemRun::RunSwitches() {
  if (!context_->switcher->Take()) return;
  for (StepObserver* observer : context_->reporter.observers()) observer->OnSwitch(clock_.time, true);
  Checked([&] {
    context_->switcher->Apply(clock_.time, clock_.grid.next(), context_->root.run_log());
    for (auto& rate : context_->network->rates) rate->tlm.RestartOverridden(clock_.time);
    for (const DynamicSimComponent* component : context_->switcher->changed())
      context_->mirror->ReportSwitch(*component);
    for (ModeWatch* watch : context_->reporter.mode_watches()) watch->LookAt(clock_.time);
  });
  for (StepObserver* observer : context_->reporter.observers()) observer->OnSwitch(clock_.time, false);
}

void SystemRun::BeginStep() {
  context_->reporter.set_time(clock_.time);
  if (!context_->charts.is_empty() || context_->queue.has_writes())
    context_->runner.Requests(clock_.grid, clock_.time);
  if (context_->writer.has_written()) context_->mirror->ReportChoices();
  if (is_reset_due_) Reset();
  if (is_method_due_) start_->methods.Change();
  if (!context_->parameter_routes.is_empty())
    Checked([&] { context_->parameter_routes.Write(context_->writer, clock_.time); });
  context_->handed_down.Refresh();
  if (context_->switcher->has_requests()) RunSwitches();
}

bool SystemRun::is_waiting() const {
  return clock_.is_started && !clock_.is_running && !context_->settings.autostart && clock_.grid.n == 0 &&
         !clock_.is_inside;
}

void SystemRun::Wait() {
  assert(is_waiting());
  HideWritten();
  context_->reporter.set_time(clock_.time);
  const bool has_events = context_->runner.Events(clock_.grid, clock_.time);
  if (has_events || context_->charts.has_events()) context_->charts.Step(clock_.time);
  BeginStep();
}

void SystemRun::Step() {
  assert(!is_finished());
  HideWritten();
  if (!clock_.is_inside) BeginStep();
  const double t0 = clock_.time;
  const double t1 = clock_.grid.next();
  if (clock_.is_inside) {
    context_->loop->RunRest(t0, t1, context_->settings.stop_time);
  } else {
    context_->loop->Run(clock_.grid.n, t0, t1, context_->settings.stop_time);
  }
  clock_.is_inside = false;
  ReportStep(t0, t1);
  if (context_->queue.has_events()) context_->runner.Events(clock_.grid, clock_.time);
  if (!context_->charts.is_empty()) {
    const WatchedPart part(context_->watch, StepPart::kCharts);
    context_->charts.Step(clock_.time);
  }
  ShowStep();
  if (!context_->processed.empty()) RunProcesses();
}

void SystemRun::ReportStep(double t0, double t1) {
  context_->writer.ForgetWrites();
  const WatchedPart part(context_->watch, StepPart::kOutput);
  context_->reporter.ReportEvents(*context_->network, t0, t1);
  if (!context_->network->islands.empty()) context_->reporter.ReportSolvers(*context_->network);
  ++clock_.grid.n;
  ++counts_.steps;
  clock_.time = t1;
  context_->reporter.set_time(clock_.time);
  context_->reporter.ReportModes(*context_->mirror);
}

void SystemRun::ShowStep() {
  if (context_->reporter.observers().empty()) return;
  const WatchedPart part(context_->watch, StepPart::kOutput);
  for (StepObserver* observer : context_->reporter.observers()) observer->OnStep(clock_.time);
}

void SystemRun::RunProcesses() {
  constexpr double kMostPeriods = 1e18;
  const double count = (clock_.time - context_->settings.start_time) * fs_in_force_ + kSameStep;
  const auto periods = static_cast<std::uint64_t>(std::min(count, kMostPeriods));
  if (periods <= processed_periods_) return;
  processed_periods_ = periods;
  Checked([&] {
    CallEach(context_->processed, clock_.time, context_->watch, "Process",
             [](DynamicSimComponent& component) { component.Process(); });
  });
}

void SystemRun::Reset() {
  if (!clock_.is_started) return;
  HideWritten();
  context_->reporter.Log("",
                         "reset: all components go back to their start values, inputs to those of the start");
  context_->keeper->RestoreInputs(context_->writer);
  CountSolvers(counts_);
  is_reset_due_ = false;
  clock_.grid.time_step = context_->settings.time_step;
  fs_in_force_ = context_->settings.fs;
  clock_.grid.origin = clock_.time;
  clock_.grid.n = 0;
  Rebuild();
  context_->handed_down.Reset();
  start_->ResetComponents();
  start_->EvaluateFirst();
  start_->MakeConsistent();
  context_->reporter.WatchEvents(*context_->network);
  start_->StartCharts();
}

void SystemRun::RunUntil(double t) {
  while (clock_.is_running && !is_finished() && !HasReached(t)) Step();
}

std::string SystemRun::FaultOfTime(double t) const {
  const double same = kSameStep * clock_.grid.time_step;
  if (!std::isfinite(t)) return fmt::format("{} is not a time; give a number of seconds", t);
  if (t < clock_.time - same) {
    return fmt::format(
        "{:.9g} s is before the time reached, {:.9g} s; give a later time, or begin again with Initialize", t,
        clock_.time);
  }
  if (t > context_->settings.stop_time + same) {
    return fmt::format(
        "{:.9g} s is after the end of the run; give a time up to {:.9g} s, or load the system with a later "
        "StopTime",
        t, static_cast<double>(context_->settings.stop_time));
  }
  const double n = std::floor((t - clock_.grid.origin) / clock_.grid.time_step + kSameStep);
  const double before = clock_.grid.origin + n * clock_.grid.time_step;
  if (context_->loop->is_divisible() || t <= before + same || t >= context_->settings.stop_time - same)
    return {};
  return fmt::format(
      "{:.9g} s is not a communication point, and {} advance with the fixed TimeStep of {:.6g} s; take "
      "{:.9g} s or "
      "{:.9g} s, or a TimeStep that divides the time",
      t, context_->network->has_fixed_steps() ? "fixed-step (TLM) components" : "multirate components",
      clock_.grid.time_step, before, before + clock_.grid.time_step);
}

void SystemRun::AdvanceTo(double t) {
  assert(FaultOfTime(t).empty());
  const double last = t + kSameStep * clock_.grid.time_step;
  while (clock_.is_running && !is_finished() && clock_.grid.next() <= last) Step();
  if (!clock_.is_running || HasReached(t)) return;
  HideWritten();
  if (!clock_.is_inside) {
    BeginStep();
    if (clock_.grid.next() <= last) return AdvanceTo(t);  // a command has made the TimeStep shorter
  }
  const double t0 = clock_.time;
  if (clock_.is_inside) {
    context_->loop->RunPart(t0, t, context_->settings.stop_time);
  } else {
    context_->loop->RunFirstPart(t0, t, context_->settings.stop_time);
  }
  clock_.is_inside = true;
  context_->writer.ForgetWrites();
  clock_.time = t;
  context_->reporter.ReportEvents(*context_->network, t0, t);
  context_->reporter.set_time(t);
  context_->reporter.ReportModes(*context_->mirror);
  for (StepObserver* observer : context_->reporter.observers()) observer->OnPartialStep(t);
}

void SystemRun::Settle() {
  HideWritten();
  // What is shown may be what a solver has tried.
  Checked([&] {
    for (auto& island : context_->network->islands) island->EvaluateAt(clock_.time);
  });
  if (is_finished()) return;
  if (clock_.is_inside) {
    context_->handed_down.Refresh();
    if (context_->switcher->has_requests()) RunSwitches();
    context_->loop->RunPart(clock_.time, clock_.time, context_->settings.stop_time);
  } else {
    BeginStep();
    context_->loop->RunFirstPart(clock_.time, clock_.time, context_->settings.stop_time);
    clock_.is_inside = true;
  }
}

void SystemRun::ReportPeriod(double seconds_late) {
  const bool is_missed = seconds_late > 0;
  if (is_missed) ++counts_.missed_periods;
  switch (real_time_watch_.Report(is_missed, fs_in_force_)) {
    case RealTimeWatch::Finding::kOpen: return;
    case RealTimeWatch::Finding::kFallsBehind:
      // Whoever is late already has no time for a text that nobody reads.
      if (context_->settings.not_real_time.is_set()) return context_->settings.not_real_time.Set();
      return context_->settings.not_real_time.Set(
          fmt::format("{:.3g} ms late{}", 1e3 * seconds_late, SeeSection(Symptom::kRealTimeMissed)));
    case RealTimeWatch::Finding::kKeepsPace: return context_->settings.not_real_time.Clear();
  }
}

void SystemRun::ReportWork(double share) {
  counts_.largest_work_share = std::max(counts_.largest_work_share, share);
  if (context_->settings.real_time_budget <= 0) return;
  const std::string_view event = budget_.Report(share, context_->settings.real_time_budget, fs_in_force_);
  if (event.empty()) return;
  context_->reporter.Log("", fmt::format("computing took {:.3g} % of a period, the budget is {:.3g} %",
                                         100 * share, 100 * context_->settings.real_time_budget));
  // Charts look at it at the next step point; there an <At> reaches them, too.
  Submit({.time = clock_.grid.next(), .action = EventPost{nullptr, std::string(event)}});
}

void SystemRun::CountSolvers(RunStatistics& statistics) const {
  for (const auto& island : context_->network->islands) {
    const IntegratorCounters counters = island->counters();
    statistics.events += island->event_count();
    statistics.solver_steps += counters.steps;
    statistics.rejected_steps += counters.rejected;
    statistics.evaluations += counters.evaluations;
    statistics.implicit_steps += counters.implicit_steps;
    statistics.method_switches += counters.method_switches;
  }
}

RunStatistics SystemRun::statistics() const {
  RunStatistics statistics = counts_;
  statistics.level_switches = context_->switcher->switches();
  statistics.released_oil = context_->switcher->released_oil();
  statistics.released_energy = context_->switcher->released_energy();
  statistics.commands += context_->runner.count();
  statistics.threads = context_->loop->threads_in_use();
  for (const auto& rate : context_->network->rates) statistics.states += rate->tlm.states().size();
  statistics.components = context_->components.size();
  statistics.islands = context_->network->islands.size();
  CountSolvers(statistics);
  for (const auto& island : context_->network->islands) statistics.states += island->states().size();
  statistics.charts = context_->charts.charts().size();
  statistics.transitions = context_->charts.transitions();
  statistics.livelocks = context_->charts.livelocks();
  statistics.lost_events = context_->charts.lost_events() + context_->queue.lost();
  statistics.simulated = clock_.time - clock_.begin_time;
  return statistics;
}

std::vector<std::string> SystemRun::Hints() const {
  constexpr std::uint64_t kLeastLooks = 20;  // each represents 50 steps
  std::vector<std::string> hints;
  for (const auto& island : context_->network->islands) {
    if (!IsLimitedByStability(*island, kLeastLooks)) continue;
    hints.push_back(fmt::format("the island of {}: {}", island->members().front()->DisplayPath(),
                                StabilityHint(*island)));
  }
  return hints;
}

const std::vector<std::unique_ptr<Island>>& SystemRun::islands() const { return context_->network->islands; }
Network& SystemRun::network() const { return *context_->network; }
ChartSet& SystemRun::charts() const { return context_->charts; }

void SystemRun::SaveState(std::ostream& stream) {
  HideWritten();
  context_->runner.Asked(clock_.time);  // the next step would begin with it
  for (auto& island : context_->network->islands) island->MakeRestartPoint();
  if (context_->network->exchange != nullptr) context_->network->exchange->Gather();
  Archive archive;
  Structure structure = StructureOf(*context_->system, MayDiffer());
  archive.List(structure);
  ArchiveState(archive);
  const std::string file = SealArchive(archive.Take());
  stream.write(file.data(), static_cast<std::streamsize>(file.size()));
  for (StepObserver* observer : context_->reporter.observers()) observer->OnSave();
}

void SystemRun::LoadState(std::istream& stream, const SourceLocation& place, Diagnostics& diagnostics) {
  const std::string file{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  std::string fault;
  std::optional<std::string> content = OpenArchive(file, &fault);
  if (!content) return diagnostics.Error(place, {}, fault);
  Archive archive(std::move(*content));
  Structure structure;
  archive.List(structure);
  const std::size_t errors_before = diagnostics.error_count();
  if (archive.is_good())
    CompareStructures(StructureOf(*context_->system, MayDiffer()), structure, place, diagnostics);
  if (diagnostics.error_count() > errors_before) return;
  BeginRun();
  context_->keeper->KeepAll();
  ArchiveState(archive);
  if (archive.is_good() && !archive.is_at_end())
    archive.Refuse("it contains more data than this version reads");
  if (!archive.is_good()) {
    clock_.is_started = false;
    return diagnostics.Error(
        place, {},
        fmt::format("does not fit: {}; save a new one with this version of davit", archive.fault()));
  }
  clock_.begin_time = clock_.time;
  context_->handed_down.Resume();
  context_->queue.Resume(clock_.grid, clock_.is_inside);
  context_->reporter.WatchEvents(*context_->network);
  context_->reporter.Log("", "restarts from a snapshot");
  for (StepObserver* observer : context_->reporter.observers()) Join(*observer);
}

void SystemRun::ValuesChanged() {
  for (Component* component : context_->system->components()) component->ParametersChanged();
  for (const Component* component : context_->system->components()) context_->writer.UpdateCopies(*component);
}

void SystemRun::ArchiveState(Archive& archive) {
  archive.Block("the run", [&] {
    archive(clock_.time, clock_.grid.origin, clock_.grid.n, clock_.is_inside, clock_.is_running,
            is_reset_due_, processed_periods_, budget_, context_->writer);
    const bool makes_sense = std::isfinite(clock_.time) && std::isfinite(clock_.grid.origin) &&
                             clock_.grid.n < 1'000'000'000'000'000;
    if (!makes_sense) archive.Refuse("its time is not a number");
  });
  ArchiveAllValues(archive, *context_->system);
  if (archive.is_loading()) {
    if (!archive.is_good()) return;
    context_->reporter.set_time(clock_.time);
    ValuesChanged();  // of the manager, too: the TimeStep
    if (clock_.grid.time_step != built_time_step_) Rebuild();
    start_->ResetComponents();
    context_->network->InitializeWaves();  // sizes what components remember
    context_->network->operators.BeginInputs(clock_.time);
    context_->network->operators.BeginOutputs(clock_.time);
    clock_.is_started = true;
  }
  archive.Block("the steps", [&] { archive(clock_.grid.time_step, fs_in_force_); });
  if (archive.is_loading() &&
      clock_.time <
          clock_.grid.origin + (static_cast<double>(clock_.grid.n) - kSameStep) * clock_.grid.time_step) {
    --clock_.grid.n;  // the last step was cut at StopTime: the next one takes what is left of it
  }
  std::unordered_set<const void*> bonds;
  for (Component* component : context_->system->components()) {
    archive.Block(component->path(), [&] { ArchiveRun(archive, *component, bonds); });
  }
  for (const auto& [copy, original] : context_->network->shadows) {
    archive.Block("copy of " + original->path(), [&] { ArchiveRun(archive, *copy, bonds); });
  }
  for (auto& rate : context_->network->rates) {
    archive.Block(fmt::format("TimeStep of {:.17g} s", rate->h),
                  [&] { archive(rate->step_begin, rate->tlm); });
  }
  for (auto& island : context_->network->islands) {
    archive.Block("island of " + island->members().front()->path(), [&] { archive(*island); });
  }
  archive.Block("levels", [&] { archive(*context_->switcher); });
  archive.Block("charts", [&] { archive(context_->charts); });
  if (archive.is_loading()) context_->mirror->Resume();
  archive.Block("pending commands", [&] { context_->queue.ArchiveMemory(archive, *context_->system); });
}

}  // namespace davit
