#include "simulator/simulator_manager.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <unordered_set>
#include <utility>

#include "framework/event_receiver.h"
#include "framework/run_log.h"
#include "simulator/charts/behaviour_mirror.h"
#include "simulator/charts/chart_set.h"
#include "simulator/charts/statechart.h"
#include "simulator/component_fault.h"
#include "simulator/evaluation_failure.h"
#include "simulator/network/dae_check.h"
#include "simulator/simulation_failure.h"
#include "simulator/solvers/integration.h"
#include "simulator/solvers/integration_error.h"
#include "simulator/solvers/steady_state.h"

namespace davit {
namespace {

/// How long computing must keep to the budget before it counts as recovered: simulated time [s]. Where it is
/// overrun soon after, the next recovery takes twice as long, up to the second value.
constexpr double kCalmTime = 1;
constexpr double kLongestCalmTime = 64;
/// More steps than this cannot be told apart in double precision.
constexpr double kMostSteps = 1e12;

/// Whether an assignment asks for a level or an option.
bool IsSwitch(const Assignment& assignment) {
  return assignment.target == Assignment::Target::kLevel || assignment.target == Assignment::Target::kAspect;
}

}  // namespace

SimulatorManager::SimulatorManager() : charts_(std::make_unique<ChartSet>()) {}

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
  } else if ((stop_time_ - start_time_) / time_step_parameter_ > kMostSteps) {
    diagnostics.Error(location(), DisplayPath(),
                      "TimeStep is too small for the time between StartTime and StopTime; take a larger one");
  }
}

void SimulatorManager::ParametersChanged() {
  const bool has_changed = time_step_parameter_ != time_step_ || fs_ != fs_in_force_;
  if (is_started_ && has_changed) is_reset_due_ = true;
  if (is_started_) return;
  time_step_ = time_step_parameter_;
  fs_in_force_ = fs_;
}

void SimulatorManager::Build(System& system, Diagnostics& diagnostics) {
  system_ = &system;
  components_.clear();
  processed_.clear();
  for (Component* component : system.components()) {
    auto* dynamic = dynamic_cast<DynamicSimComponent*>(component);
    if (dynamic == nullptr) continue;
    components_.push_back(dynamic);
    if (dynamic->entry().has_process) processed_.push_back(dynamic);
  }
  IntegrationDefaults defaults;
  defaults.ode.fixed_step = time_step_;
  const Integration* chosen[2] = {nullptr, nullptr};  // by kind
  for (const Component* child : children()) {
    const auto* integration = dynamic_cast<const Integration*>(child);
    if (integration == nullptr) continue;
    const Integration*& known = chosen[static_cast<std::size_t>(integration->kind())];
    if (known != nullptr) {
      diagnostics.Error(integration->location(), DisplayPath(),
                        fmt::format("a second {} integration; the first stands in line {}: keep one of them",
                                    Integration::kKindNames[static_cast<std::size_t>(integration->kind())],
                                    known->location().line));
      continue;
    }
    known = integration;
  }
  if (chosen[0] != nullptr) {
    defaults.ode = chosen[0]->Options(time_step_);
    // One element speaks for both kinds.
    defaults.dae = defaults.ode;
    defaults.dae.method = "ida";
  }
  if (chosen[1] != nullptr) defaults.dae = chosen[1]->Options(time_step_);
  network_ = BuildNetwork(system, defaults, time_step_, diagnostics);
  set_watch(watch_);
  switcher_ = std::make_unique<BehaviourSwitcher>(components_, *network_);
  built_time_step_ = time_step_;
  charts_->Finish(diagnostics);
  mirror_ = std::make_unique<BehaviourMirror>(*charts_, diagnostics);
  affected_.reserve(2 * components_.size() + network_->shadows.size() + 1);
  if (!is_started_) {
    begin_time_ = start_time_;
    KeepOriginals();
  }
  std::unordered_set<const DynamicSimComponent*> members;
  for (const auto& island : network_->islands)
    members.insert(island->members().begin(), island->members().end());
  for (const auto& rate : network_->rates) {
    for (const DynamicSimComponent* component : rate->components) {
      if (!members.contains(component)) rate->modes.Add(*component);
    }
  }
  for (const auto& rate : network_->rates) {
    for (const DynamicSimComponent* component : rate->components)
      component->CheckTimeStep(rate->h, diagnostics);
  }
  CheckStopTime(diagnostics);
  CheckDaes(diagnostics);
}

void SimulatorManager::CheckDaes(Diagnostics& diagnostics) {
  const auto& islands = network_->islands;
  const bool has_dae = std::any_of(islands.begin(), islands.end(), [](const auto& i) { return i->is_dae(); });
  if (!has_dae || diagnostics.has_errors()) return;
  // As at the start of a run, which begins anew with all of this.
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

void SimulatorManager::CheckStopTime(Diagnostics& diagnostics) const {
  const double time = stop_time_ - (is_started_ ? origin_ : start_time_);
  for (const auto& rate : network_->rates) {
    const bool is_own = rate->ticks != network_->ticks;
    if (rate->components.empty() || (!is_own && !network_->has_whole_steps())) continue;
    const double steps = time / rate->h;
    if (std::abs(steps - std::round(steps)) <= 1e-9 * std::max(1.0, steps)) continue;
    diagnostics.Error(
        location(), DisplayPath(),
        fmt::format("StopTime is no whole number of TimeSteps{} after StartTime, but there are components "
                    "that know whole steps only; choose a TimeStep that divides the time",
                    is_own ? fmt::format(" of {:.6g} s", rate->h) : ""));
  }
}

void SimulatorManager::Rebuild() {
  Diagnostics diagnostics;
  Build(*system_, diagnostics);
  if (!diagnostics.has_errors()) return;
  std::string faults;
  for (const Diagnostic& fault : diagnostics.all()) {
    faults += fmt::format("{}{}: {}", faults.empty() ? "" : "\n", fault.path, fault.message);
  }
  throw SimulationFailure(faults, time_);
}

void SimulatorManager::KeepOriginals() {
  originals_.clear();
  kept_.clear();
  for (const Command& command : system_->commands()) {
    if (const auto* scheduled = std::get_if<ScheduledAssignment>(&command)) {
      KeepOriginal(scheduled->assignment);
    }
  }
  for (ChartBinding* chart : charts_->charts()) {
    for (const ChartBinding::Write& write : chart->writes()) KeepOriginal(write.target);
  }
  original_behaviour_.clear();
  for (DynamicSimComponent* component : switcher_->components()) {
    original_behaviour_.emplace_back(component, component->behaviour());
  }
}

void SimulatorManager::KeepOriginal(const Assignment& assignment) {
  if (assignment.target == Assignment::Target::kState || IsSwitch(assignment)) return;
  const void* target = nullptr;
  if (assignment.value != nullptr) target = assignment.value;
  if (assignment.property != nullptr) target = assignment.property;
  if (!kept_.insert(target).second) return;
  Assignment original = assignment;
  if (original.value != nullptr) original.number = *original.value;
  if (original.property != nullptr) original.text = original.property->ToText();
  original.is_number = false;
  originals_.push_back(original);
}

void SimulatorManager::UpdateShadows(const Component& owner) {
  for (const auto& [copy, original] : network_->shadows) {
    if (original != &owner) continue;
    system_->CopyValues(owner, *copy);
    copy->ParametersChanged();
  }
}

void SimulatorManager::RestoreOriginals() {
  if (!file_values_.empty()) {
    Archive archive(std::exchange(file_values_, {}));
    ArchiveAllValues(archive);
    ValuesChanged();
  }
  for (const Assignment& original : originals_) {
    system_->ApplyAtLoad(original);
    original.owner->ParametersChanged();
    UpdateShadows(*original.owner);
  }
  for (const auto& [component, setting] : original_behaviour_) {
    if (component->behaviour() == setting) continue;
    component->SetBehaviour(setting);
    component->ParametersChanged();
  }
}

void SimulatorManager::BeginRun() {
  assert(system_ != nullptr);
  is_started_ = false;
  RestoreOriginals();
  submitted_.clear();
  brought_.clear();
  counts_ = {};
  past_ = {};
  past_events_ = 0;
  is_over_budget_ = false;
  is_inside_step_ = false;
  calm_periods_ = 0;
  calm_time_ = 0;
}

void SimulatorManager::set_watch(CallWatch* watch) {
  watch_ = watch;
  for (auto& island : network_->islands) island->set_watch(watch);
  for (auto& rate : network_->rates) rate->tlm.set_watch(watch);
}

void SimulatorManager::Initialize() {
  BeginRun();
  ParametersChanged();
  time_ = origin_ = begin_time_ = start_time_;
  n_ = 0;
  next_command_ = 0;
  next_event_ = 0;
  processed_periods_ = 0;
  is_reset_due_ = false;
  not_real_time_.Reset();
  is_running_ = autostart_;
  if (RunLog* log = run_log()) log->set_time(time_);
  if (time_step_ != built_time_step_) Rebuild();
  ApplyFirstSwitches();
  try {
    ResetComponents();
    is_started_ = true;
    RunDueCommands();
    EvaluateAll();
    for (auto& island : network_->islands) island->CheckDerivatives(time_);
  } catch (const EvaluationFailure& failure) {
    Fail(failure);
  }
  if (is_steady_) SearchSteadyState();
  MakeConsistent();
  WatchEvents();
  charts_->ResetCounters();
  StartCharts();
  if (PostDueEvents()) charts_->Step(time_);
  for (StepObserver* observer : observers_) observer->OnStart(time_);
}

void SimulatorManager::ResetComponents() {
  for (auto& rate : network_->rates) {
    for (DynamicSimComponent* component : rate->components) component->set_simulator_time_step(rate->h);
  }
  switcher_->Start(time_);
  for (ChartBinding* chart : charts_->charts()) chart->ClearOutputs();  // read before the charts begin
  CallEach(components_, time_, nullptr, "Reset", [](DynamicSimComponent& component) { component.Reset(); });
  mode_watches_.clear();
  for (auto& island : network_->islands) {
    island->Start(time_);
    if (!island->modes().is_empty()) mode_watches_.push_back(&island->modes());
  }
  for (auto& rate : network_->rates) {
    rate->executor = nullptr;
    if (!rate->modes.is_empty()) mode_watches_.push_back(&rate->modes);
  }
  std::size_t usual_changes = 0;
  for (ModeWatch* watch : mode_watches_) usual_changes += watch->changes().capacity();
  mode_changes_.reserve(usual_changes);
  pool_ = threads_ > 1 ? std::make_unique<WorkerPool>(threads_) : nullptr;
  for (auto& rate : network_->rates) {
    rate->executor = std::make_unique<StepExecutor>(rate->tlm, rate->islands, pool_.get(), thread_use_);
  }
}

double SimulatorManager::StepPoint(std::uint64_t n) const {
  const double t = origin_ + static_cast<double>(n) * time_step_;
  return t > stop_time_ - kSameStep * time_step_ ? static_cast<double>(stop_time_) : t;
}

std::uint64_t SimulatorManager::ActingStep(double t) const {
  const double n = std::ceil((t - origin_) / time_step_ - kSameStep);
  return n <= 0 ? 0 : static_cast<std::uint64_t>(std::min(n, 2 * kMostSteps));
}

bool SimulatorManager::is_finished() const { return time_ >= stop_time_; }

void SimulatorManager::RunDueCommands() {
  const auto& commands = system_->commands();
  while (next_command_ < commands.size() && ActingStep(DueTime(commands[next_command_])) <= n_) {
    RunCommand(commands[next_command_++]);
  }
  while (!submitted_.empty() && ActingStep(DueTime(submitted_.front())) <= n_) {
    const Command command = std::move(submitted_.front());
    submitted_.pop_front();
    RunCommand(command);
  }
}

void SimulatorManager::RunCommand(const Command& command) {
  ++counts_.commands;
  if (const auto* scheduled = std::get_if<ScheduledAssignment>(&command)) {
    if (run_log() != nullptr) {
      Log(scheduled->assignment.owner->DisplayPath(),
          "set " + scheduled->assignment.path + " = " + scheduled->assignment.text);
    }
    Apply(scheduled->assignment);
  } else if (const auto* message = std::get_if<ScheduledMessage>(&command)) {
    Log(message->owner->DisplayPath(), "message " + std::string(message->message->label().name));
    message->message->Send();
  } else {
    Broadcast(std::get<ScheduledEvent>(command).name);
  }
}

void SimulatorManager::Submit(Command command) {
  assert(is_started_);
  if (!brought_.empty()) {
    const auto place = std::find(brought_.begin(), brought_.end(), Describe(command));
    if (place != brought_.end()) {
      brought_.erase(place);
      return;
    }
  }
  if (const auto* scheduled = std::get_if<ScheduledAssignment>(&command)) KeepOriginal(scheduled->assignment);
  InsertByTime(std::move(command), submitted_);
}

void SimulatorManager::Broadcast(std::string_view event) {
  std::size_t hearers = parts_.size();
  for (RunPart* part : parts_) part->OnEvent(event);
  for (ChartBinding* chart : charts_->charts()) {
    if (!chart->CheckEvent(event).empty()) continue;  // it knows no such event
    ++hearers;
    chart->PostEvent(event);
  }
  Log("", fmt::format("event {}{}", event, hearers == 0 ? ": nobody hears it" : ""));
}

void SimulatorManager::RunChartRequests() {
  if (charts_->is_empty()) return;
  for (const ChartRequest& request : charts_->SortRequests()) {
    if (request.write == nullptr) {
      if (KeepsInfo()) {
        Log(request.message->owner->DisplayPath(),
            fmt::format("message {}, sent by {}", request.message->message->label().name,
                        request.sender->node().DisplayPath()));
      }
      request.message->message->Send();
    } else if (IsSwitch(request.write->target) && request.sender->chart()->dwell > 0) {
      request.sender->gate().Ask(request.write->gate_item, request.value);
    } else {
      RunChartWrite(*request.sender, *request.write, request.value);
    }
  }
  charts_->ClearRequests();
  for (ChartBinding* chart : charts_->charts()) {
    if (chart->gate().is_empty()) continue;
    double value = 0;
    for (std::size_t item = 0; (item = chart->gate().TakeDue(time_, &value)) != DwellGate::kNone;)
      RunChartWrite(*chart, chart->WriteOf(item), value);
  }
}

void SimulatorManager::RunChartWrite(const ChartBinding& chart, ChartWrite& write, double value) {
  Assignment& assignment = write.target;
  assignment.number = value;
  if (assignment.target == Assignment::Target::kLevel) assignment.level = static_cast<Level>(value);
  if (assignment.target == Assignment::Target::kAspect) assignment.option = static_cast<std::uint32_t>(value);
  if (KeepsInfo()) {
    const std::string text = write.options.empty()
                                 ? fmt::format("{}", value)
                                 : charts_->symbols()->Text(write.options[static_cast<std::size_t>(value)]);
    const std::string sender = chart.node().DisplayPath();
    // The line of a switch stands for the chart in a run without it.
    Log(assignment.owner->DisplayPath(),
        IsSwitch(assignment) ? fmt::format("{} asks for <At time=\"{} s\" set=\"{}\" value=\"{}\"/>", sender,
                                           time_, assignment.path, text)
                             : fmt::format("set {} = {} by {}", assignment.path, text, sender));
  }
  Apply(assignment);
}

bool SimulatorManager::KeepsInfo() const {
  const RunLog* log = run_log();
  return log != nullptr && log->Keeps(RunLog::Severity::kInfo);
}

bool SimulatorManager::PostDueEvents() {
  const auto& events = system_->events();
  const std::size_t first = next_event_;
  while (next_event_ < events.size() && ActingStep(events[next_event_].time) <= n_) {
    const ScheduledEvent& event = events[next_event_++];
    ++counts_.commands;
    if (event.owner == nullptr) {
      Broadcast(event.name);
      continue;
    }
    Log(event.owner->DisplayPath(), "event " + event.name);
    event.owner->declarations().event_receiver->PostEvent(event.name);
  }
  return next_event_ > first;
}

void SimulatorManager::RunCharts() {
  PostDueEvents();
  if (!charts_->is_empty()) charts_->Step(time_);
}

void SimulatorManager::Apply(const Assignment& assignment) {
  assert(!assignment.is_structural);
  Component& owner = *assignment.owner;
  if (assignment.target == Assignment::Target::kState) {
    if (!assignment.state->is_in_use()) return;
    const StateSlot& slot = assignment.state->slots[assignment.element];
    slot.memory->y[slot.offset] = assignment.number;
    slot.memory->is_overridden = true;
    return;
  }
  if (is_started_ && assignment.target == Assignment::Target::kLevel) {
    switcher_->RequestLevel(owner, assignment.level);
    return;
  }
  if (is_started_ && assignment.target == Assignment::Target::kAspect) {
    switcher_->RequestOption(owner, *assignment.aspect, assignment.option);
    return;
  }
  system_->ApplyAtLoad(assignment);
  owner.ParametersChanged();
  UpdateShadows(owner);
  // Those that read a parameter of the owner through a route are affected too.
  std::vector<const Component*>& affected = affected_;
  affected.assign(1, &owner);
  for (const Route& route : system_->routes()) {
    if (route.from.owner == &owner && route.from.kind == Variable::Kind::kParameter)
      affected.push_back(route.to_owner);
  }
  for (const auto& [copy, original] : network_->shadows) {
    if (std::find(affected.begin(), affected.end(), original) != affected.end()) affected.push_back(copy);
  }
  for (auto& island : network_->islands) {
    const auto& members = island->members();
    if (std::find_first_of(members.begin(), members.end(), affected.begin(), affected.end()) !=
        members.end()) {
      island->RestartAtNextStep();
    }
  }
}

void SimulatorManager::RunSwitches() {
  if (!switcher_->Take()) return;
  for (StepObserver* observer : observers_) observer->OnSwitch(time_, true);
  try {
    switcher_->Apply(time_, StepPoint(n_ + 1), run_log());
    for (auto& rate : network_->rates) rate->tlm.RestartOverridden(time_);
    for (const DynamicSimComponent* component : switcher_->changed()) mirror_->TellSwitch(*component);
    for (ModeWatch* watch : mode_watches_) watch->LookAt(time_);
  } catch (const IntegrationError& error) {
    Fail(error);
  } catch (const EvaluationFailure& failure) {
    Fail(failure);
  }
  for (StepObserver* observer : observers_) observer->OnSwitch(time_, false);
}

void SimulatorManager::ApplyFirstSwitches() {
  for (const Command& command : system_->commands()) {
    if (ActingStep(DueTime(command)) > 0) break;
    const auto* scheduled = std::get_if<ScheduledAssignment>(&command);
    if (scheduled == nullptr || !IsSwitch(scheduled->assignment)) continue;
    system_->ApplyAtLoad(scheduled->assignment);
    scheduled->assignment.owner->ParametersChanged();
  }
}

void SimulatorManager::BeginStep() {
  if (RunLog* log = run_log()) log->set_time(time_);
  RunChartRequests();
  RunDueCommands();
  if (is_reset_due_) Reset();
  RunSwitches();
}

void SimulatorManager::Step() {
  assert(!is_finished());
  RunLog* log = run_log();
  if (!is_inside_step_) BeginStep();
  const double t0 = time_;
  const double t1 = StepPoint(n_ + 1);
  const std::uint64_t ticks = network_->ticks;
  double begin = t0;
  for (std::uint64_t i = 1; i <= ticks; ++i) {
    const double end =
        i == ticks ? t1 : t0 + (t1 - t0) * (static_cast<double>(i) / static_cast<double>(ticks));
    RunTick(n_ * ticks + i, begin, end);
    begin = end;
  }
  if (has_events_) ReportEvents(t0, t1);
  is_inside_step_ = false;
  ++n_;
  ++counts_.steps;
  time_ = t1;
  if (log != nullptr) log->set_time(time_);
  if (!mode_watches_.empty()) ReportModes();
  RunCharts();
  for (StepObserver* observer : observers_) observer->OnStep(time_);
  if (!processed_.empty()) {
    const auto periods = static_cast<std::uint64_t>((time_ - start_time_) * fs_in_force_ + kSameStep);
    if (periods > processed_periods_) {
      processed_periods_ = periods;
      try {
        CallEach(processed_, time_, watch_, "Process",
                 [](DynamicSimComponent& component) { component.Process(); });
      } catch (const EvaluationFailure& failure) {
        Fail(failure);
      }
    }
  }
}

void SimulatorManager::RunTick(std::uint64_t tick, double t_begin, double t_end) {
  try {
    RunPhases(tick, t_begin, t_end);
  } catch (const IntegrationError& error) {
    Fail(error);
  } catch (const EvaluationFailure& failure) {
    Fail(failure);
  }
  for (const auto& rate : network_->rates) {
    const StateVectors& states = rate->tlm.states();
    const std::size_t bad = states.FindNotFinite();
    if (bad == states.size()) continue;
    throw SimulationFailure(
        fmt::format("{}: the run diverged at t = {:.9g} s: {} is not finite; try a smaller TimeStep",
                    states.Owner(bad).DisplayPath(), t_end, states.Name(bad)),
        t_end);
  }
  for (auto& rate : network_->rates) {
    if (!rate->IsStepPoint(tick) || rate->post_integrated.empty()) continue;
    try {
      CallEach(rate->post_integrated, t_end, watch_, "PostIntegrate",
               [](DynamicSimComponent& component) { component.PostIntegrate(); });
      EvaluateOverridden(t_end);
    } catch (const EvaluationFailure& failure) {
      Fail(failure);
    }
  }
}

void SimulatorManager::RunPhases(std::uint64_t tick, double t_begin, double t_end) {
  if (is_inside_step_) return AdvanceIslands(t_begin, t_end);
  auto& rates = network_->rates;
  for (auto& rate : rates) {
    if (!rate->IsStepPoint(tick - 1)) continue;
    rate->step_begin = t_begin;
    rate->tlm.RestartOverridden(t_begin);
  }
  for (auto& rate : rates) {
    if (!rate->IsStepPoint(tick)) continue;
    rate->tlm.UpdateLatches();
    rate->tlm.Extrapolate(t_end - rate->step_begin);
  }
  for (auto& rate : rates) {
    if (rate->IsStepPoint(tick)) rate->executor->RunSignals(t_end);
  }
  for (auto& rate : rates) {
    if (!rate->IsStepPoint(tick - 1)) continue;
    for (Island* island : rate->islands) {
      island->UpdateLatches();
      island->HoldWaves();
    }
    CallEach(rate->pre_integrated, t_begin, watch_, "PreIntegrate",
             [](DynamicSimComponent& component) { component.PreIntegrate(); });
    if (!rate->pre_integrated.empty()) rate->tlm.RestartOverridden(t_begin);
  }
  for (auto& rate : rates) {
    if (rate->IsStepPoint(tick)) rate->executor->RunC(t_end);
  }
  for (auto& rate : rates) {
    if (!rate->IsStepPoint(tick)) continue;
    rate->executor->RunQ(rate->step_begin, t_end, stop_time_);
    rate->modes.LookAt(t_end);
  }
}

void SimulatorManager::Fail(const IntegrationError& error) const {
  const StateVectors& states = error.island().states();
  const std::string advice =
      !error.advice().empty() ? error.advice()
      : !std::isfinite(states.ddt[error.state()])
          ? "look for a division by zero, the root of a negative number or an overflow in its derivative"
          : "try a smaller tolerance or step, or look for a parameter that makes it stiff";
  throw SimulationFailure(fmt::format("{}: the run diverged at t = {:.9g} s: {} ({}, last value {:.9g}); {}",
                                      states.Owner(error.state()).DisplayPath(), error.time(), error.what(),
                                      states.Name(error.state()), states.y[error.state()], advice),
                          error.time());
}

void SimulatorManager::Fail(const EvaluationFailure& failure) const {
  throw SimulationFailure(fmt::format("{}: the run failed at t = {:.9g} s: {}", failure.owner().DisplayPath(),
                                      failure.time(), failure.what()),
                          failure.time());
}

void SimulatorManager::EvaluateOverridden(double t) {
  for (auto& island : network_->islands) {
    if (island->is_overridden()) island->EvaluateAt(t);
  }
}

void SimulatorManager::Reset() {
  if (!is_started_) return;
  Log("", "reset: all components go back to their start values");
  for (const auto& island : network_->islands) {
    past_.steps += island->counters().steps;
    past_.rejected += island->counters().rejected;
    past_.evaluations += island->counters().evaluations;
  }
  is_reset_due_ = false;
  time_step_ = time_step_parameter_;
  fs_in_force_ = fs_;
  origin_ = time_;
  n_ = 0;
  for (const auto& island : network_->islands) past_events_ += island->event_count();
  Rebuild();
  ResetComponents();
  EvaluateAll();
  MakeConsistent();
  WatchEvents();
  StartCharts();
}

void SimulatorManager::MakeConsistent() {
  bool has_moved = false;
  try {
    for (auto& island : network_->islands) {
      const auto moved = island->MakeConsistent(time_, time_ + time_step_);
      has_moved = has_moved || island->is_dae();
      ReportMoved(*island, moved);
    }
  } catch (const IntegrationError& error) {
    Fail(error);
  } catch (const EvaluationFailure& failure) {
    Fail(failure);
  }
  if (has_moved) EvaluateAll();
}

void SimulatorManager::ReportMoved(const Island& island, const std::vector<Island::Moved>& moved) const {
  const StateVectors& states = island.states();
  std::string list;
  std::string too_far;
  for (const Island::Moved& m : moved) {
    const StateDeclaration& declaration = states.Declaration(m.state);
    const std::string text = fmt::format("{} from {:.6g} to {:.6g}", states.Name(m.state), m.from, m.to);
    list += (list.empty() ? "" : ", ") + text;
    const double limit = std::max(std::abs(m.from), declaration.nominal);
    if (declaration.is_start_given && std::abs(m.to - m.from) > limit) {
      too_far += (too_far.empty() ? "" : ", ") + text;
    }
  }
  if (!list.empty()) Log("", "start values that the algebraic equations ask for: " + list);
  if (too_far.empty()) return;
  throw SimulationFailure("start values that were given contradict the algebraic equations: " + too_far +
                              "; leave them out, or change what determines them",
                          time_);
}

void SimulatorManager::AddObserver(StepObserver* observer) {
  observers_.push_back(observer);
  if (!is_started_) return;
  WatchEvents();
  Join(*observer);
}

void SimulatorManager::RemoveObserver(StepObserver* observer) {
  std::erase(observers_, observer);
  if (is_started_) WatchEvents();
}

void SimulatorManager::Join(StepObserver& observer) const {
  const double t = is_inside_step_ ? StepPoint(n_) : time_;
  observer.OnContinue(start_time_, PreviousStepPoint(), t);
  if (is_inside_step_) observer.OnPartialStep(time_);
}

void SimulatorManager::WatchEvents() {
  has_events_ = false;
  for (auto& island : network_->islands) {
    Island::EventLog& log = island->event_log();
    log = {};
    if (!island->has_guards()) continue;
    if (!std::exchange(has_events_, true)) {
      for (StepObserver* observer : observers_) observer->ExpectEvents();
    }
    const auto& members = island->members();
    for (StepObserver* observer : observers_) {
      Island::EventLog::Watcher watcher{observer, {}, {}, {}};
      const std::span<const Variable> variables = observer->EventVariables();
      for (std::uint32_t i = 0; i < variables.size(); ++i) {
        if (std::find(members.begin(), members.end(), variables[i].owner) == members.end()) continue;
        watcher.columns.push_back(i);
        watcher.variables.push_back(variables[i]);
      }
      log.watchers.push_back(std::move(watcher));
    }
  }
}

void SimulatorManager::ReportEvents(double t0, double t1) {
  struct Row {
    double t;
    Island::EventLog* log;
    std::size_t number;
  };
  std::vector<Row> rows;
  for (auto& island : network_->islands) {
    Island::EventLog& log = island->event_log();
    for (std::size_t i = 0; i < log.times.size(); ++i) rows.push_back({log.times[i], &log, i});
    for (const Island::EventLog::Entry& entry : log.entries) {
      Log(entry.guard->owner().DisplayPath(),
          fmt::format("{}{} at t = {:.12g} s", entry.guard->name(),
                      entry.rests ? ": events without end; it rests" : "", entry.t));
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.t < b.t; });
  for (const Row& row : rows) {
    if (row.t < t0) continue;  // of an island with a longer TimeStep: later rows are written
    for (const Island::EventLog::Watcher& watcher : row.log->watchers) {
      const std::size_t width = watcher.columns.size();
      watcher.observer->OnEvent(row.t, t1, watcher.columns,
                                std::span(watcher.values).subspan(row.number * width, width));
    }
  }
  for (const Row& row : rows) {
    row.log->times.clear();
    row.log->entries.clear();
    for (Island::EventLog::Watcher& watcher : row.log->watchers) watcher.values.clear();
  }
}

void SimulatorManager::ReportModes() {
  mode_changes_.clear();
  for (ModeWatch* watch : mode_watches_) {
    for (const ModeChange& change : watch->changes()) {
      // Few, and nearly in order; std::stable_sort would take memory.
      const auto place = std::ranges::upper_bound(mode_changes_, change.t, {}, &ModeChange::t);
      mode_changes_.insert(place, change);
    }
    watch->changes().clear();
  }
  if (mode_changes_.empty()) return;
  for (const ModeChange& change : mode_changes_) {
    mirror_->TellMode(change);
    if (!KeepsInfo()) continue;
    const ModeBase& mode = *change.owner->declarations().modes[change.mode];
    Log(change.owner->DisplayPath(),
        fmt::format("{} {} -> {} at t = {:.12g} s", mode.label().name, mode.options()[change.from],
                    mode.options()[change.to], change.t));
  }
}

void SimulatorManager::StartCharts() {
  for (ModeWatch* watch : mode_watches_) watch->Start();
  charts_->Enter(time_);
  mirror_->Start(time_);
  charts_->Settle(time_);
}

void SimulatorManager::EvaluateAll() {
  // Twice: the first time islands and whole-step components show their values, then they see those of the
  // others.
  for (int round = 0; round < 2; ++round) {
    network_->InitializeWaves();
    network_->EvaluateAt(time_);
  }
  network_->InitializeWaves();
  for (auto& rate : network_->rates) rate->tlm.EvaluateAt(time_);
}

void SimulatorManager::SearchSteadyState() {
  SteadyStateResult result;
  try {
    result = SteadyState(*network_, time_step_).Search(time_);
  } catch (const EvaluationFailure& failure) {
    result.fault = fmt::format("{}: {}", failure.owner().DisplayPath(), failure.what());
  }
  if (!result.is_found) throw SimulationFailure("no state of rest was found: " + result.fault, time_);
  Log("", fmt::format("starts at rest, found in {} iterations", result.iterations));
  for (const std::string& direction : result.free_directions) {
    Log("", "rest leaves free: " + direction + "; the nearest to the start values is taken");
  }
  for (const std::string& path : result.unsettled) {
    Log(path, "cannot tell its waves at rest; those of its start values are taken");
  }
}

void SimulatorManager::RunUntil(double t) {
  while (is_running_ && !is_finished() && !HasReached(t)) Step();
}

void SimulatorManager::ReportPeriod(double seconds_late) {
  if (seconds_late > 0) {
    ++counts_.missed_periods;
    not_real_time_.Set(fmt::format("{:.3g} ms late", 1e3 * seconds_late));
  } else {
    not_real_time_.Clear();
  }
}

void SimulatorManager::ReportWork(double share) {
  counts_.largest_work_share = std::max(counts_.largest_work_share, share);
  if (real_time_budget_ <= 0) return;
  const double calm = static_cast<double>(calm_periods_) / fs_in_force_;
  if (share > real_time_budget_) {
    if (!std::exchange(is_over_budget_, true)) {
      // It was calm for calm_time_ until the recovery, and then less than half of that.
      constexpr double kSoon = 1.5;
      calm_time_ = calm < kSoon * calm_time_ ? std::min(2 * calm_time_, kLongestCalmTime) : kCalmTime;
      RaiseBudgetEvent("budget.overrun", share);
    }
    calm_periods_ = 0;
    return;
  }
  ++calm_periods_;
  if (!is_over_budget_ || static_cast<double>(calm_periods_) < calm_time_ * fs_in_force_) return;
  is_over_budget_ = false;
  RaiseBudgetEvent("budget.recovered", share);
}

void SimulatorManager::RaiseBudgetEvent(std::string_view event, double share) {
  // Charts look at it at the next step point; there an <At> reaches them, too.
  Log("", fmt::format(
              "computing took {:.3g} % of a period, the budget is {:.3g} %: <At time=\"{}\" event=\"{}\"/>",
              100 * share, 100 * real_time_budget_, StepPoint(n_ + 1), event));
  Broadcast(event);
}

RunStatistics SimulatorManager::statistics() const {
  RunStatistics statistics = counts_;
  statistics.level_switches = switcher_->switches();
  statistics.released_oil = switcher_->released_oil();
  statistics.released_energy = switcher_->released_energy();
  statistics.threads = 1;
  for (const auto& rate : network_->rates) {
    if (rate->executor != nullptr)
      statistics.threads = std::max(statistics.threads, rate->executor->threads_in_use());
    statistics.states += rate->tlm.states().size();
  }
  statistics.components = components_.size();
  statistics.islands = network_->islands.size();
  statistics.solver_steps = past_.steps;
  statistics.rejected_steps = past_.rejected;
  statistics.evaluations = past_.evaluations;
  statistics.events = past_events_;
  for (const auto& island : network_->islands) {
    statistics.states += island->states().size();
    statistics.events += island->event_count();
    statistics.solver_steps += island->counters().steps;
    statistics.rejected_steps += island->counters().rejected;
    statistics.evaluations += island->counters().evaluations;
  }
  statistics.charts = charts_->charts().size();
  statistics.transitions = charts_->transitions();
  statistics.livelocks = charts_->livelocks();
  statistics.lost_events = charts_->lost_events();
  statistics.simulated = time_ - begin_time_;
  return statistics;
}

std::vector<std::string> SimulatorManager::Hints() const {
  constexpr std::uint64_t kLeastLooks = 20;  // each stands for 50 steps
  std::vector<std::string> hints;
  for (const auto& island : network_->islands) {
    const IntegratorCounters counters = island->counters();
    if (counters.looked_at < kLeastLooks || 2 * counters.at_limit < counters.looked_at) continue;
    hints.push_back(
        fmt::format("the island of {} is stiff: {:.0f} % of its steps are as long as {} stays stable; "
                    "try rosenbrock4 or ida",
                    island->members().front()->DisplayPath(),
                    100.0 * static_cast<double>(counters.at_limit) / static_cast<double>(counters.looked_at),
                    island->options().method));
  }
  return hints;
}

void SimulatorManager::Log(std::string_view path, const std::string& text) const {
  if (RunLog* log = run_log()) log->Write(RunLog::Severity::kInfo, path, text);
}

void RegisterSimulator(Registry& registry) { registry.Add<SimulatorManager, Integration, Statechart>(); }

}  // namespace davit
