#include "simulator/simulator_manager.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <unordered_set>
#include <utility>

#include "simulator/charts/behaviour_mirror.h"
#include "simulator/charts/chart_set.h"
#include "simulator/charts/statechart.h"
#include "simulator/component_fault.h"
#include "simulator/evaluation_failure.h"
#include "simulator/failure_text.h"
#include "simulator/network/dae_check.h"
#include "simulator/network/steady_state.h"
#include "simulator/network/unwritten.h"
#include "simulator/request_runner.h"
#include "simulator/requests/behaviour_switcher.h"
#include "simulator/requests/handed_down_values.h"
#include "simulator/requests/parameter_routes.h"
#include "simulator/requests/value_keeper.h"
#include "simulator/requests/value_writer.h"
#include "simulator/requests/written_values.h"
#include "simulator/simulation_failure.h"
#include "simulator/solvers/integration.h"
#include "simulator/stability_hint.h"
#include "simulator/start_reaction.h"

namespace davit {
namespace {

/// Inputs that depend on outputs may ask for the start anew again and again.
constexpr int kMostFirstInputs = 10;

/// Whether `call` is true of one of those that begin from what they read.
template <class Call>
bool AnyStart(const std::vector<DynamicSimComponent*>& components, const Call& call) {
  bool is_any = false;
  for (DynamicSimComponent* component : components) {
    if (auto* const start = dynamic_cast<StartReaction*>(component)) is_any = call(*start) || is_any;
  }
  return is_any;
}

/// Calls `evaluate`, again after components have begun anew from their first inputs.
template <class Call>
void EvaluateStart(const std::vector<DynamicSimComponent*>& components, double t, const Call& evaluate) {
  const auto take = [t](StartReaction& start) { return start.TakeFirstInputs(t); };
  evaluate();
  for (int round = 0; round < kMostFirstInputs && AnyStart(components, take); ++round) evaluate();
}

}  // namespace

SimulatorManager::SimulatorManager()
    : charts_(std::make_unique<ChartSet>()),
      writer_(std::make_unique<ValueWriter>()),
      written_(std::make_unique<WrittenValues>()),
      handed_down_(std::make_unique<HandedDownValues>()),
      parameter_routes_(std::make_unique<ParameterRoutes>()),
      runner_(std::make_unique<RequestRunner>(*this, queue_, *writer_, *charts_)) {}

SimulatorManager::~SimulatorManager() = default;

SimulatorManager& SimulatorManager::Of(System& system) {
  for (Component* component : system.root().children()) {
    if (auto* manager = dynamic_cast<SimulatorManager*>(component)) return *manager;
  }
  throw std::logic_error("a system without SimulatorManager: call RegisterSimulator before loading");
}

void SimulatorManager::Configure(Diagnostics& diagnostics) {
  if (stop_time_ <= start_time_) {
    diagnostics.Error(location(), DisplayPath(),
                      fmt::format("StopTime {} s is not after StartTime {} s; make it larger",
                                  static_cast<double>(stop_time_), static_cast<double>(start_time_)));
  } else if ((stop_time_ - start_time_) / time_step_parameter_ > StepGrid::kMostSteps) {
    diagnostics.Error(location(), DisplayPath(),
                      "TimeStep is too small for the time between StartTime and StopTime; take a larger one");
  }
}

void SimulatorManager::ParametersChanged() {
  const bool has_changed = time_step_parameter_ != grid_.time_step || fs_ != fs_in_force_;
  if (is_started_ && has_changed) is_reset_due_ = true;
  is_method_due_ = is_started_;
  if (is_started_) return;
  grid_.time_step = time_step_parameter_;
  grid_.stop_time = stop_time_;
  fs_in_force_ = fs_;
}

IntegrationDefaults SimulatorManager::ReadDefaults(Diagnostics& diagnostics) const {
  IntegrationDefaults defaults;
  defaults.ode.fixed_step = grid_.time_step;
  const Integration* chosen[2] = {nullptr, nullptr};  // by kind
  for (const Component* child : children()) {
    const auto* integration = dynamic_cast<const Integration*>(child);
    if (integration == nullptr) continue;
    const Integration*& known = chosen[static_cast<std::size_t>(integration->kind())];
    if (known != nullptr) {
      diagnostics.Error(integration->location(), DisplayPath(),
                        fmt::format("a second {} integration; the first is in line {}; keep one of them",
                                    Integration::kKindNames[static_cast<std::size_t>(integration->kind())],
                                    known->location().line));
      continue;
    }
    known = integration;
  }
  if (chosen[0] != nullptr) {
    defaults.ode = chosen[0]->Options(grid_.time_step);
    // One element speaks for both kinds.
    defaults.dae = defaults.ode;
    defaults.dae.method = "ida";
  }
  if (chosen[1] != nullptr) defaults.dae = chosen[1]->Options(grid_.time_step);
  defaults.ode.is_default = true;
  return defaults;
}

std::span<const std::string_view> SimulatorManager::MethodNames() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all{"AsGiven"};
    for (const OdeMethod& method : OdeMethods()) all.push_back(method.name);
    return all;
  }();
  return names;
}

std::string_view SimulatorManager::MethodInForce() const {
  return method_ == MethodChoice::kAsGiven ? std::string_view(given_method_)
                                           : MethodNames()[static_cast<std::size_t>(method_.ToNumber())];
}

void SimulatorManager::ChooseMethods() {
  is_method_due_ = false;
  const OdeMethod* const method = FindOdeMethod(MethodInForce());
  for (auto& island : network_->islands) {
    if (method == nullptr || island->is_dae() || !island->options().is_default) continue;
    const bool can_use = MayUse(*island, *method);
    island->ChooseMethod(can_use ? method->name : std::string_view(given_method_));
  }
}

void SimulatorManager::ChangeMethods() {
  is_method_due_ = false;
  const OdeMethod& method = *FindOdeMethod(MethodInForce());
  for (auto& island : network_->islands) {
    const IntegratorOptions& options = island->options();
    if (island->is_dae() || !options.is_default || options.method == method.name) continue;
    if (!MayUse(*island, method)) continue;
    reporter_.Log(
        island->members().front()->DisplayPath(),
        fmt::format("its island continues with the method {} in place of {}", method.name, options.method));
    island->ChangeMethod(method.name);
  }
}

bool SimulatorManager::MayUse(const Island& island, const OdeMethod& method) const {
  if (island.CanUse(method)) return true;
  reporter_.Log(RunLog::Severity::kWarning, island.members().front()->DisplayPath(),
                fmt::format("its island keeps the method {}: events cannot be located inside the steps of {}",
                            island.options().method, method.name));
  return false;
}

namespace {

/// Of which states, of which components.
std::string NoDerivative(const std::vector<std::pair<const Component*, std::string>>& unwritten) {
  std::string names;
  for (const auto& [owner, name] : unwritten) names += (names.empty() ? "" : ", ") + name;
  return fmt::format(
      "no derivative of {}: EvaluateDiffEquations of {} must write its ddt (an override of that "
      "name, public)",
      names, unwritten.front().first->model().name);
}

}  // namespace

void SimulatorManager::Build(System& system, Diagnostics& diagnostics) {
  system_ = &system;
  grid_.stop_time = stop_time_;
  components_.clear();
  processed_.clear();
  for (Component* component : system.components()) {
    auto* dynamic = dynamic_cast<DynamicSimComponent*>(component);
    if (dynamic == nullptr) continue;
    components_.push_back(dynamic);
    if (dynamic->entry().has_process) processed_.push_back(dynamic);
  }
  const IntegrationDefaults defaults = ReadDefaults(diagnostics);
  given_method_ = defaults.ode.method;
  network_ = BuildNetwork(system, defaults, grid_.time_step, diagnostics);
  ramps_.clear();
  loop_ = std::make_unique<StepLoop>(*network_);
  loop_->set_watch(watch_);
  loop_->set_interrupt(interrupt_);
  switcher_ = std::make_unique<BehaviourSwitcher>(components_, *network_);
  writer_->Bind(system, *network_, *switcher_);
  written_->Bind(system, *network_);
  handed_down_->Bind(system, *writer_);
  parameter_routes_->Bind(system);
  built_time_step_ = grid_.time_step;
  charts_->Finish(queue_, diagnostics);
  queue_.Reserve(charts_->charts().size());
  mirror_ = std::make_unique<BehaviourMirror>(*charts_, diagnostics);
  if (!is_started_) {
    begin_time_ = start_time_;
    keeper_ = std::make_unique<ValueKeeper>(system);
    KeepOriginals();
  }
  std::unordered_set<const DynamicSimComponent*> members;
  for (const auto& island : network_->islands)
    members.insert(island->members().begin(), island->members().end());
  for (const auto& rate : network_->rates) {
    for (const DynamicSimComponent* component : rate->components) {
      if (!members.contains(component)) rate->modes.Add(*component);
      component->CheckTimeStep(rate->h, diagnostics);
    }
  }
  if (is_solved_outside_) SolveOutside();
  CheckStopTime(diagnostics);
  CheckSizes(diagnostics);
  CheckDaes(diagnostics);
}

void SimulatorManager::CheckDaes(Diagnostics& diagnostics) {
  const auto& islands = network_->islands;
  const bool has_dae = std::any_of(islands.begin(), islands.end(), [](const auto& i) { return i->is_dae(); });
  if (!has_dae || diagnostics.has_errors()) return;
  // As at the start of a run, which starts again with all of this.
  const double kept = std::exchange(time_, is_started_ ? time_ : static_cast<double>(start_time_));
  try {
    ResetComponents();
    EvaluateAll();
    for (const auto& island : islands) {
      if (island->is_dae()) DaeCheck(*island, time_, diagnostics).Run();
    }
  } catch (const EvaluationFailure& failure) {
    diagnostics.Error(failure.owner().location(), failure.owner().DisplayPath(),
                      std::string(failure.what()) + "; give other start values with <Start>");
  }
  time_ = kept;
}

void SimulatorManager::CheckSizes(Diagnostics& diagnostics) const {
  for (const DynamicSimComponent* component : components_) {
    const std::vector<StateDeclaration>& states = component->declarations().states;
    // A model that has two forms may give one of them no elements.
    const bool has_others = std::ranges::any_of(states, [](const auto& other) { return other.count > 0; });
    for (const StateDeclaration& state : states) {
      const bool is_meant = state.is_sized && has_others;
      if (!state.is_array || !state.is_active || state.count > 0 || is_meant) continue;
      diagnostics.Warning(
          component->location(), component->DisplayPath(),
          fmt::format("the array {} has no elements; {} should give it a size with SetSize in "
                      "Configure",
                      state.label.name, component->model().name));
    }
  }
}

std::vector<std::pair<const Component*, std::string>> SimulatorManager::FindUnwrittenDerivatives() {
  std::vector<std::pair<const Component*, std::string>> unwritten;
  std::unordered_set<const DynamicSimComponent*> members;
  for (const auto& island : network_->islands) {
    members.insert(island->members().begin(), island->members().end());
    for (const std::size_t i : island->FindUnwrittenDerivatives(time_))
      unwritten.emplace_back(&island->states().Owner(i), island->states().Name(i));
  }
  // With fixed steps, the default step integrates what the equations of a component alone write.
  for (DynamicSimComponent* component : components_) {
    if (members.contains(component) || component->entry().has_own_timestep) continue;
    const auto for_each = [&](const auto& visit) {
      for (StateDeclaration& state : component->mutable_declarations().states) {
        if (state.is_algebraic || !state.is_in_use()) continue;
        for (std::uint32_t i = 0; i < state.count; ++i)
          visit(state, i, state.slots[i].memory->ddt[state.slots[i].offset]);
      }
    };
    for_each([](const StateDeclaration&, std::uint32_t, double& ddt) { ddt = kUnwritten; });
    component->EvaluateDiffEquations(time_);
    for_each([&](const StateDeclaration& state, std::uint32_t i, double& ddt) {
      if (!IsUnwritten(ddt)) return;
      ddt = 0;
      unwritten.emplace_back(component, fmt::format("{}.{}{}", component->path(), state.label.name,
                                                    state.is_array ? fmt::format("[{}]", i) : std::string()));
    });
  }
  return unwritten;
}

void SimulatorManager::ForEachLostStart(
    const std::function<void(const System::GivenStart& start, const std::string& text)>& tell) const {
  std::unordered_set<const void*> told;
  for (const System::GivenStart& start : system_->given_starts()) {
    const Item& item = start.state;
    const double wanted = item.state()->start[item.element()];
    const double now = item.Read();
    if (!item.state()->is_in_use() || now == wanted || !told.insert(item.target()).second) continue;
    tell(start,
         fmt::format("the start value of {}, {}, is not used: Reset of {} writes {} over it; give what "
                     "the model computes it from, or leave it out",
                     item.name(), item.TextOf(wanted), item.owner().model().name, item.TextOf(now)));
  }
}

void SimulatorManager::CheckStart(Diagnostics& diagnostics) {
  assert(system_ != nullptr && !is_started_);
  const double kept = std::exchange(time_, static_cast<double>(start_time_));
  try {
    ApplyFirstSwitches();
    handed_down_->Reset();
    ResetComponents();
    ForEachLostStart([&](const System::GivenStart& start, const std::string& text) {
      diagnostics.Warning(start.location, start.state.owner().DisplayPath(), text);
    });
    EvaluateStart(components_, time_, [this] { EvaluateAll(); });
    const auto unwritten = FindUnwrittenDerivatives();
    for (const auto& one : unwritten)
      diagnostics.Error(one.first->location(), one.first->DisplayPath(), NoDerivative({one}));
    if (unwritten.empty()) {
      MakeConsistent();
      // With it a step begins: components refuse states that their equations do not hold for.
      for (const auto& rate : network_->rates) {
        CallEach(rate->pre_integrated, time_, watch_, "PreIntegrate",
                 [](DynamicSimComponent& component) { component.PreIntegrate(); });
      }
    }
  } catch (const EvaluationFailure& failure) {
    diagnostics.Error(failure.owner().location(), failure.owner().DisplayPath(), failure.what());
  } catch (const SimulationFailure& failure) {  // names its component
    diagnostics.Error(system_->root().location(), {}, failure.what());
  }
  time_ = kept;
}

void SimulatorManager::CheckStopTime(Diagnostics& diagnostics) const {
  const double time = stop_time_ - (is_started_ ? grid_.origin : start_time_);
  for (const auto& rate : network_->rates) {
    const bool is_own = rate->ticks != network_->ticks;
    if (rate->components.empty() || (!is_own && !network_->has_fixed_steps())) continue;
    const double steps = time / rate->h;
    if (std::abs(steps - std::round(steps)) <= 1e-9 * std::max(1.0, steps)) continue;
    diagnostics.Error(location(), DisplayPath(),
                      fmt::format("StopTime - StartTime is not an integer multiple of the TimeStep{}, which "
                                  "fixed-step (TLM) components need; choose a TimeStep that divides it",
                                  is_own ? fmt::format(" of {:.6g} s", rate->h) : ""));
  }
}

void SimulatorManager::Rebuild() {
  Diagnostics diagnostics;
  Build(*system_, diagnostics);
  if (!diagnostics.has_errors()) return;
  std::string faults;
  for (const Diagnostic& fault : diagnostics.all()) {
    faults += fmt::format("{}{}: {}", faults.empty() ? "" : "\n", fault.path, fault.message());
  }
  throw SimulationFailure(faults, time_);
}

void SimulatorManager::KeepOriginals() {
  keeper_->Clear();
  for (const Command& command : system_->schedule()) {
    if (const Assignment* write = command.write()) keeper_->Keep(write->item);
  }
  for (ChartBinding* chart : charts_->charts()) {
    for (const ChartBinding::Write& write : chart->writes()) keeper_->Keep(write.target);
  }
  for (DynamicSimComponent* component : switcher_->components()) keeper_->KeepBehaviour(*component);
  parameter_routes_->KeepOriginals(*keeper_);
  keeper_->KeepInputs();
}

void SimulatorManager::BeginRun() {
  assert(system_ != nullptr);
  HideWritten();
  is_started_ = false;
  is_inside_step_ = false;
  keeper_->Restore(*writer_);
  keeper_->KeepInputs();
  queue_.Begin(system_->schedule());
  runner_->Reset();
  counts_ = {};
  past_ = {};
  past_events_ = 0;
  budget_.Reset();
  real_time_watch_.Reset();
}

void SimulatorManager::set_watch(CallWatch* watch) {
  watch_ = watch;
  loop_->set_watch(watch);
}

void SimulatorManager::set_interrupt(const std::atomic<bool>* interrupt) {
  interrupt_ = interrupt;
  if (loop_ != nullptr) loop_->set_interrupt(interrupt);
}

void SimulatorManager::AddObserver(StepObserver* observer) {
  reporter_.AddObserver(observer);
  if (!is_started_) return;
  reporter_.WatchEvents(*network_);
  Join(*observer);
}

void SimulatorManager::RemoveObserver(const StepObserver* observer) {
  reporter_.RemoveObserver(observer);
  if (is_started_) reporter_.WatchEvents(*network_);
}

void SimulatorManager::Join(StepObserver& observer) const {
  const double t = is_inside_step_ ? grid_.Point(grid_.n) : time_;
  observer.OnContinue(start_time_, grid_.n > 0 ? grid_.Point(grid_.n - 1) : t, t);
  if (is_inside_step_) observer.OnPartialStep(time_);
}

void SimulatorManager::Initialize() {
  BeginRun();
  ParametersChanged();
  time_ = grid_.origin = begin_time_ = start_time_;
  grid_.n = 0;
  processed_periods_ = 0;
  is_reset_due_ = false;
  not_real_time_.Reset();
  is_running_ = autostart_;
  reporter_.set_time(time_);
  if (grid_.time_step != built_time_step_) Rebuild();
  ApplyFirstSwitches();
  Checked([&] {
    handed_down_->Reset();
    ResetComponents();
    ForEachLostStart([this](const System::GivenStart& start, const std::string& text) {
      reporter_.Log(RunLog::Severity::kWarning, start.state.owner().DisplayPath(), text);
    });
    is_started_ = true;
    runner_->Requests(grid_, time_);
    EvaluateStart(components_, time_, [this] { EvaluateAll(); });
    const auto unwritten = FindUnwrittenDerivatives();
    if (!unwritten.empty()) throw EvaluationFailure(*unwritten.front().first, time_, NoDerivative(unwritten));
  });
  if (is_steady_) SearchSteadyState();
  MakeConsistent();
  reporter_.WatchEvents(*network_);
  charts_->ResetCounters();
  StartCharts();
  if (runner_->Events(grid_, time_)) charts_->Step(time_);
  for (StepObserver* observer : reporter_.observers()) observer->OnStart(time_);
}

void SimulatorManager::ResetComponents() {
  ChooseMethods();
  for (auto& rate : network_->rates) {
    for (DynamicSimComponent* component : rate->components) component->set_simulator_time_step(rate->h);
  }
  switcher_->Start(time_);
  for (ChartBinding* chart : charts_->charts()) chart->ClearOutputs();  // read before the charts begin
  CallEach(components_, time_, nullptr, "Reset", [](DynamicSimComponent& component) { component.Reset(); });
  for (auto& island : network_->islands) island->Start(time_);
  reporter_.WatchModes(*network_);
  loop_->Start(threads_, thread_use_);
}

bool SimulatorManager::is_finished() const { return time_ >= stop_time_; }

void SimulatorManager::Submit(Command command) {
  assert(is_started_);
  if (const Assignment* write = command.write()) keeper_->Keep(write->item);
  queue_.Submit(std::move(command));
}

bool SimulatorManager::is_stale() const { return writer_->has_written() && !written_->is_shown(); }

void SimulatorManager::ShowWritten() {
  assert(is_started_);
  if (!is_stale() || network_->exchange != nullptr) return;
  const std::optional<std::uint64_t> tick =
      is_inside_step_ ? std::nullopt : std::optional(grid_.n * network_->ticks);
  Checked([&] { written_->Show(time_, tick, grid_.time_step); });
}

void SimulatorManager::HideWritten() {
  if (written_->is_shown()) [[unlikely]]
    written_->Restore();
}

void SimulatorManager::Apply(const Assignment& assignment) {
  HideWritten();
  if (is_started_ || !assignment.item.is_behaviour()) return writer_->Apply(assignment);
  system_->ApplyAtLoad(assignment);
  writer_->ValuesChanged(assignment.item.owner());
}

void SimulatorManager::Write(const Item& item, double number) {
  HideWritten();
  if (is_started_ || !item.is_behaviour()) return writer_->Write(item, number);
  item.Store(number);
  writer_->ValuesChanged(item.owner());
}

void SimulatorManager::RunSwitches() {
  if (!switcher_->Take()) return;
  for (StepObserver* observer : reporter_.observers()) observer->OnSwitch(time_, true);
  Checked([&] {
    switcher_->Apply(time_, grid_.next(), run_log());
    for (auto& rate : network_->rates) rate->tlm.RestartOverridden(time_);
    for (const DynamicSimComponent* component : switcher_->changed()) mirror_->ReportSwitch(*component);
    for (ModeWatch* watch : reporter_.mode_watches()) watch->LookAt(time_);
  });
  for (StepObserver* observer : reporter_.observers()) observer->OnSwitch(time_, false);
}

void SimulatorManager::ApplyFirstSwitches() {
  for (const Command& command : system_->schedule()) {
    if (!grid_.HasReached(command.time)) break;
    const Assignment* write = command.write();
    if (write == nullptr || !write->item.is_behaviour()) continue;
    system_->ApplyAtLoad(*write);
    write->item.owner().ParametersChanged();
  }
}

void SimulatorManager::BeginStep() {
  reporter_.set_time(time_);
  if (!charts_->is_empty() || queue_.has_writes()) runner_->Requests(grid_, time_);
  if (is_reset_due_) Reset();
  if (is_method_due_) ChangeMethods();
  if (!parameter_routes_->is_empty()) Checked([&] { parameter_routes_->Write(*writer_, time_); });
  handed_down_->Refresh();
  if (switcher_->has_requests()) RunSwitches();
}

bool SimulatorManager::is_waiting() const {
  return is_started_ && !is_running_ && !autostart_ && grid_.n == 0 && !is_inside_step_;
}

void SimulatorManager::Wait() {
  assert(is_waiting());
  HideWritten();
  reporter_.set_time(time_);
  const bool has_events = runner_->Events(grid_, time_);
  if (has_events || charts_->has_events()) charts_->Step(time_);
  BeginStep();
}

void SimulatorManager::Step() {
  assert(!is_finished());
  HideWritten();
  if (!is_inside_step_) BeginStep();
  const double t0 = time_;
  const double t1 = grid_.next();
  if (is_inside_step_) {
    loop_->RunRest(t0, t1, stop_time_);
  } else {
    loop_->Run(grid_.n, t0, t1, stop_time_);
  }
  is_inside_step_ = false;
  ReportStep(t0, t1);
  if (queue_.has_events()) runner_->Events(grid_, time_);
  if (!charts_->is_empty()) {
    const WatchedPart part(watch_, StepPart::kCharts);
    charts_->Step(time_);
  }
  ShowStep();
  if (!processed_.empty()) RunProcesses();
}

void SimulatorManager::ReportStep(double t0, double t1) {
  writer_->ForgetWrites();
  const WatchedPart part(watch_, StepPart::kOutput);
  reporter_.ReportEvents(*network_, t0, t1);
  if (!network_->islands.empty()) reporter_.ReportSolvers(*network_);
  ++grid_.n;
  ++counts_.steps;
  time_ = t1;
  reporter_.set_time(time_);
  reporter_.ReportModes(*mirror_);
}

void SimulatorManager::ShowStep() {
  if (reporter_.observers().empty()) return;
  const WatchedPart part(watch_, StepPart::kOutput);
  for (StepObserver* observer : reporter_.observers()) observer->OnStep(time_);
}

void SimulatorManager::RunProcesses() {
  const auto periods = static_cast<std::uint64_t>((time_ - start_time_) * fs_in_force_ + kSameStep);
  if (periods <= processed_periods_) return;
  processed_periods_ = periods;
  Checked([&] {
    CallEach(processed_, time_, watch_, "Process",
             [](DynamicSimComponent& component) { component.Process(); });
  });
}

void SimulatorManager::Reset() {
  if (!is_started_) return;
  HideWritten();
  reporter_.Log("", "reset: all components go back to their start values, inputs to those of the start");
  keeper_->RestoreInputs(*writer_);
  for (const auto& island : network_->islands) {
    past_ = past_ + island->counters();
    past_events_ += island->event_count();
  }
  is_reset_due_ = false;
  grid_.time_step = time_step_parameter_;
  fs_in_force_ = fs_;
  grid_.origin = time_;
  grid_.n = 0;
  Rebuild();
  handed_down_->Reset();
  ResetComponents();
  EvaluateStart(components_, time_, [this] { EvaluateAll(); });
  MakeConsistent();
  reporter_.WatchEvents(*network_);
  StartCharts();
}

void SimulatorManager::MakeConsistent() {
  bool has_moved = false;
  Checked([&] {
    for (auto& island : network_->islands) {
      const auto moved = island->MakeConsistent(time_, time_ + grid_.time_step);
      has_moved = has_moved || island->is_dae();
      reporter_.ReportMoved(*island, moved, time_);
    }
  });
  if (has_moved) EvaluateAll();
}

void SimulatorManager::StartCharts() {
  bool has_changed = false;
  Checked([&] {
    has_changed = AnyStart(components_, [this](StartReaction& start) { return start.CompleteStart(time_); });
    if (has_changed) EvaluateAll();
  });
  if (has_changed) MakeConsistent();
  queue_.ClearAsked();
  for (ModeWatch* watch : reporter_.mode_watches()) watch->Start();
  charts_->Enter(time_);
  mirror_->Start(time_);
  charts_->Settle(time_);
  writer_->ForgetWrites();
}

void SimulatorManager::EvaluateAll() {
  // Twice: the first time islands and fixed-step components show their values, then they see those of the
  // others.
  // Operators and routes to parameters pass values on once each round.
  constexpr std::size_t kMostRounds = 8;
  const std::size_t hops = network_->operators.size() + (parameter_routes_->is_empty() ? 0 : 1);
  const std::size_t rounds = std::min(2 + hops, kMostRounds);
  for (std::size_t round = 0; round < rounds; ++round) {
    network_->InitializeWaves();
    network_->EvaluateAt(time_);
    parameter_routes_->WriteFirst(*writer_);
  }
  network_->InitializeWaves();
  for (auto& rate : network_->rates) rate->tlm.EvaluateAt(time_);
}

void SimulatorManager::SearchSteadyState() {
  // What components hold between step points, and what providers hand down, follows from search to search.
  constexpr int kMostRounds = 60;
  SteadyStateResult result;
  int iterations = 0;
  bool is_settled = false;
  const Component* unsettled = nullptr;
  for (int round = 0; round < kMostRounds && !is_settled; ++round) {
    try {
      result = SteadyState(*network_, grid_.time_step).Search(time_);
    } catch (const EvaluationFailure& failure) {
      result.fault = fmt::format("{}: {}", failure.owner().DisplayPath(), failure.what());
    }
    if (!result.is_found)
      throw SimulationFailure("no steady state (equilibrium) was found: " + result.fault, time_);
    iterations += result.iterations;
    is_settled = !handed_down_->Refresh();
    for (DynamicSimComponent* component : components_) {
      if (!component->SampleInSteadyState()) continue;
      unsettled = component;
      is_settled = false;
    }
  }
  result.iterations = iterations;
  reporter_.Log("", fmt::format("starts in steady state, found in {} iterations", result.iterations));
  if (!is_settled) {
    reporter_.Log(RunLog::Severity::kWarning, unsettled == nullptr ? "" : unsettled->DisplayPath(),
                  "what it samples at step points has not settled in the search for the steady state, so it "
                  "changes in the run; give start values nearer to it");
  }
  for (const std::string& direction : result.free_directions) {
    reporter_.Log("", "the steady state leaves a direction undetermined (free): " + direction +
                          "; the one nearest to the start values is taken");
  }
  for (const std::string& place : result.creeping) {
    reporter_.Log("", "no steady state in this pose: the oil does not hold " + place +
                          "; its place is kept, all else is steady");
  }
  for (const std::string& path : result.unsettled) {
    reporter_.Log(path, "cannot compute its waves in steady state; those of its start values are kept");
  }
}

void SimulatorManager::RunUntil(double t) {
  while (is_running_ && !is_finished() && !HasReached(t)) Step();
}

void SimulatorManager::ReportPeriod(double seconds_late) {
  const bool is_missed = seconds_late > 0;
  if (is_missed) ++counts_.missed_periods;
  switch (real_time_watch_.Report(is_missed, fs_in_force_)) {
    case RealTimeWatch::Finding::kOpen: return;
    case RealTimeWatch::Finding::kFallsBehind:
      return not_real_time_.Set(fmt::format("{:.3g} ms late", 1e3 * seconds_late));
    case RealTimeWatch::Finding::kKeepsPace: return not_real_time_.Clear();
  }
}

void SimulatorManager::ReportWork(double share) {
  counts_.largest_work_share = std::max(counts_.largest_work_share, share);
  if (real_time_budget_ <= 0) return;
  const std::string_view event = budget_.Report(share, real_time_budget_, fs_in_force_);
  if (event.empty()) return;
  reporter_.Log("", fmt::format("computing took {:.3g} % of a period, the budget is {:.3g} %", 100 * share,
                                100 * real_time_budget_));
  // Charts look at it at the next step point; there an <At> reaches them, too.
  queue_.Submit({.time = grid_.next(), .action = EventPost{nullptr, std::string(event)}});
}

RunStatistics SimulatorManager::statistics() const {
  RunStatistics statistics = counts_;
  statistics.level_switches = switcher_->switches();
  statistics.released_oil = switcher_->released_oil();
  statistics.released_energy = switcher_->released_energy();
  statistics.commands += runner_->count();
  statistics.threads = loop_->threads_in_use();
  for (const auto& rate : network_->rates) statistics.states += rate->tlm.states().size();
  statistics.components = components_.size();
  statistics.islands = network_->islands.size();
  statistics.solver_steps = past_.steps;
  statistics.rejected_steps = past_.rejected;
  statistics.evaluations = past_.evaluations;
  statistics.implicit_steps = past_.implicit_steps;
  statistics.method_switches = past_.method_switches;
  statistics.events = past_events_;
  for (const auto& island : network_->islands) {
    statistics.states += island->states().size();
    statistics.events += island->event_count();
    statistics.solver_steps += island->counters().steps;
    statistics.rejected_steps += island->counters().rejected;
    statistics.evaluations += island->counters().evaluations;
    statistics.implicit_steps += island->counters().implicit_steps;
    statistics.method_switches += island->counters().method_switches;
  }
  statistics.charts = charts_->charts().size();
  statistics.transitions = charts_->transitions();
  statistics.livelocks = charts_->livelocks();
  statistics.lost_events = charts_->lost_events() + queue_.lost();
  statistics.simulated = time_ - begin_time_;
  return statistics;
}

std::vector<std::string> SimulatorManager::Hints() const {
  constexpr std::uint64_t kLeastLooks = 20;  // each represents 50 steps
  std::vector<std::string> hints;
  for (const auto& island : network_->islands) {
    if (!IsLimitedByStability(*island, kLeastLooks)) continue;
    hints.push_back(fmt::format("the island of {}: {}", island->members().front()->DisplayPath(),
                                StabilityHint(*island)));
  }
  return hints;
}

void RegisterSimulator(Registry& registry) {
  registry.Add<SimulatorManager, Integration, Statechart, OperatorChain>();
}

}  // namespace davit
