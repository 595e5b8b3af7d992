#include "fmi/import/fmu_component.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <stdexcept>

#include "fmi/import/fmu_cache.h"
#include "fmi/import/fmu_declarer.h"
#include "fmi/ports/wave_port.h"
#include "fmi/terminals.h"
#include "fmi/zip_reader.h"
#include "framework/archive.h"
#include "framework/registry.h"
#include "framework/run_log.h"
#include "framework/system.h"
#include "simulator/evaluation_failure.h"
#include "simulator/islands/island.h"
#include "simulator/simulator_manager.h"
#include "simulator/solvers/integrator.h"
#include "simulator/step_interrupted.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

/// `file: error: what` and `error: what` without what precedes `what`.
std::string WithoutPlace(std::string_view text) {
  constexpr std::string_view kError = "error: ";
  const std::size_t place = text.find(kError);
  return std::string(place == std::string_view::npos ? text : text.substr(place + kError.size()));
}

}  // namespace

FmuComponent::FmuComponent() {
  source_.while_waiting = [this] {
    if (manager_->is_interrupted()) throw StepInterrupted(manager_->time(), last_time_);
  };
  memory_.SetActive(false);
  EffortsRead({});
}

FmuComponent::~FmuComponent() {
  const ForeignCall running(shown_fmu_);
  fmu_.reset();
}

std::string FmuComponent::ChooseKind(const Attributes& attributes) {
  const FmuDescription& d = *description_;
  if (d.co_simulation.empty() && d.model_exchange.empty()) {
    return d.has_scheduled_execution
               ? "it is for scheduled execution only; davit runs co-simulation and model exchange"
               : "it is neither for co-simulation nor for model exchange; the FMU is not complete";
  }
  const auto kind = attributes.find("kind");
  const std::string wanted = kind == attributes.end() ? std::string(kKindNames[0]) : kind->second;
  source_.kind = wanted == kKindNames[2] || (wanted != kKindNames[1] && d.co_simulation.empty())
                     ? FmuKind::kModelExchange
                     : FmuKind::kCoSimulation;
  if ((is_co_simulation() ? d.co_simulation : d.model_exchange).empty()) {
    return fmt::format("kind: it is for {} only; write kind=\"{}\", or leave it out",
                       is_co_simulation() ? "model exchange" : "co-simulation",
                       kKindNames[is_co_simulation() ? 2 : 1]);
  }
  return {};
}

void FmuComponent::DeclareItems(const Attributes& attributes, const UnitSystem& units,
                                Diagnostics& diagnostics) {
  const auto file = attributes.find("file");
  if (file == attributes.end() || file->second.empty())
    return diagnostics.Error({}, {}, "file is missing; name an FMU, as in file=\"engine.fmu\"");
  const fs::path folder = location().file == nullptr ? fs::path() : fs::path(*location().file).parent_path();
  file_path_ = folder / file->second;
  const bool is_alone = location().file != nullptr && file_path_ == *location().file;  // and named already
  const auto fail = [&](const std::string& what) {
    diagnostics.Error({}, {}, is_alone ? what : fmt::format("{}: {}", file->second, what));
  };
  const std::string shown = (file_path_ / kFmuDescription).string();
  std::optional<TextResult> terminals;
  try {
    const ZipReader archive(file_path_);
    if (!archive.Has(kFmuDescription)) return fail("it has no modelDescription.xml; name an FMU");
    binaries_ = archive.FilesBelow(kBinaries);
    description_ = std::make_unique<FmuDescription>(ReadFmuDescription(archive, diagnostics, shown));
    if (archive.Has(kTerminalsFile)) terminals = archive.ReadText(kTerminalsFile, "file of terminals");
  } catch (const std::runtime_error& fault) {
    return fail(WithoutPlace(fault.what()));
  }
  if (diagnostics.has_errors()) return;
  if (const std::string fault = ChooseKind(attributes); !fault.empty()) return fail(fault);
  source_.name = DisplayPath();
  declared_file_ = file->second;
  shown_fmu_ = ToText({Severity::kError, location(), DisplayPath(), {declared_file_, {}}});
  DeclarePorts(attributes, units, terminals, diagnostics);
  const auto locals = attributes.find("locals");
  FmuDeclarer(*this, *description_, source_.kind, attributes, units, shown, diagnostics)
      .Declare(locals == attributes.end() ? std::string() : locals->second, ports_.taken(),
               {.value = [this](std::size_t i) { return Indicator(i); },
                .reaction = [this](double t) { RunEvents(t, false); }},
               items_);
  states_.resize(items_.states.size());
  derivatives_.resize(items_.states.size());
  indicators_.resize(items_.indicators);
}

void FmuComponent::DeclarePorts(const Attributes& attributes, const UnitSystem& units,
                                const std::optional<TextResult>& terminals, Diagnostics& diagnostics) {
  const auto text = attributes.find("ports");
  const bool has_text = text != attributes.end() && !text->second.empty();
  if (has_text && !is_co_simulation()) {
    return diagnostics.Error({}, {},
                             "ports: wave ports need an FMU for co-simulation; leave ports out, or write "
                             "kind=\"CoSimulation\"");
  }
  if (!is_co_simulation() || (has_text && text->second == "none")) return;
  std::vector<FmuPortSpec> specs;
  if (has_text) {
    specs = ParsePortText(text->second, diagnostics);
  } else if (terminals) {
    specs = ReadTerminals(*terminals, declared_file_, diagnostics);
  }
  ports_.Declare(*this, *description_, specs, units, diagnostics);
}

void FmuComponent::Configure(Diagnostics& diagnostics) {
  if (description_ == nullptr || diagnostics.has_errors()) return;
  if (file_.value() != declared_file_) {
    diagnostics.Error(location(), DisplayPath(),
                      "file cannot be set from outside, because all items follow from it; write it as an "
                      "attribute");
  }
  const bool wants_other =
      kind_ != KindChoice::kAutomatic && (kind_ == KindChoice::kCoSimulation) != is_co_simulation();
  if (wants_other) {
    diagnostics.Error(location(), DisplayPath(),
                      "kind cannot be set from outside, because all items follow from it; write it as an "
                      "attribute");
  }
  source_.is_logging = log_;
  std::string fault = FindBinaryFault(*description_, source_.kind, binaries_);
  try {
    if (fault.empty() && source_.folder.empty()) source_.folder = UnpackToCache(file_path_);
  } catch (const std::runtime_error& failure) {
    fault = WithoutPlace(failure.what());
  }
  if (fault.empty() && !isolated_) {  // else its library is loaded in the other process only
    const ForeignCall running(shown_fmu_);
    fault = FindLibraryFault(*description_, source_.kind, source_.folder);
  }
  if (!fault.empty())
    diagnostics.Error(location(), DisplayPath(), fmt::format("{}: {}", declared_file_, fault));
}

void FmuComponent::Link(System& system, Diagnostics& diagnostics) {
  system_ = &system;
  manager_ = &SimulatorManager::Of(system);
  if (description_ == nullptr || source_.folder.empty()) return;
  if (!capabilities().is_once_per_process || isolated_) return;
  for (const Component* component : system.components()) {
    const auto* const other = dynamic_cast<const FmuComponent*>(component);
    if (other == this) return;
    if (other == nullptr || other->isolated_ || other->source_.folder != source_.folder) continue;
    diagnostics.Error(
        location(), DisplayPath(),
        fmt::format("{} can be instantiated only once in a process, and {} is an instance of it; "
                    "write isolated=\"true\"",
                    declared_file_, other->DisplayPath()));
  }
}

void FmuComponent::CheckTimeStep(double h, Diagnostics& diagnostics) const {
  if (description_ == nullptr || !is_co_simulation()) return;
  const double fixed = capabilities().fixed_step;
  const double steps = fixed > 0 ? h / fixed : 0;
  if (fixed <= 0 || capabilities().has_variable_steps) return;
  if (std::abs(steps - std::round(steps)) <= 1e-9 * steps && steps >= 0.5) return;
  diagnostics.Error(
      location(), DisplayPath(),
      fmt::format("the FMU takes steps of {:g} s and multiples only, but the TimeStep is {:g} s; give the "
                  "component a TimeStep that fits",
                  fixed, h));
}

void FmuComponent::Fail(double t, const FmuFailure& failure) {
  is_running_ = false;
  FailEvaluation(t, fmt::format("{}: {}", declared_file_, failure.what()));
}

void FmuComponent::PassLog() {
  if (fmu_ == nullptr) return;
  for (const FmuLogLine& line : fmu_->TakeLog()) {
    if (run_log() == nullptr) continue;
    run_log()->Write(line.is_error ? RunLog::Severity::kWarning : RunLog::Severity::kInfo, DisplayPath(),
                     line.text);
  }
}

void FmuComponent::Reset() {
  DynamicSimComponent::Reset();
  if (description_ == nullptr || manager_ == nullptr) return;
  const double start = manager_->time();
  is_running_ = false;
  Run(start, [&] { Start(start, false); });
  PassLog();
}

void FmuComponent::ParametersChanged() {
  if (is_running_) Run(last_time_, [&] { SendParameters(last_time_, false); });
}

void FmuComponent::PreIntegrate() {
  if (!is_running_ || has_ended_) return;
  Run(last_time_, [&] {
    if (is_co_simulation()) {
      for (FmuItems::RunInputs* inputs : {&items_.continuous_run, &items_.discrete_run}) {
        FetchInputs(*inputs);
        SendInputs(*inputs);
      }
      if (has_c_ports()) SendPorts();
      if (has_c_ports()) StepFromFlows();
      return;
    }
    const bool has_changed = FetchInputs(items_.discrete_run);
    if ((has_changed || is_first_step_) && BringTo(last_time_)) {
      CompleteBeforeEvent(last_time_);
      RunEvents(last_time_, false);
      has_changed_ = true;
    }
    is_first_step_ = false;
  });
}

void FmuComponent::PostIntegrate() {
  if (!is_running_ || has_ended_) return;
  if (is_co_simulation()) {
    Run(last_time_, [&] { Advance(last_time_); });
  } else if (wants_solver_steps() && !IsToldOfSteps() && IsNewStep(last_time_)) {
    Run(last_time_, [&] {
      if (!CompleteStep(last_time_)) return;
      RunEvents(last_time_, false);
      has_changed_ = true;
    });
  }
  PassLog();
  CheckOutputs(last_time_);
}

void FmuComponent::Advance(double t) {
  if (has_c_ports()) return ReadOutputs(items_.early_links, items_.early);
  const double h = t - time_;
  if (!(h > 0)) return;
  SendSlopes(t);
  SendPorts();
  const bool is_end = !fmu_->DoStep(time_, h);
  time_ = t;
  if (is_end) return End();
  ReadOutputs(items_.early_links, items_.early);
  ReadPorts();
}

void FmuComponent::StepFromFlows() {
  const double h = GetSimulatorTimestep();
  const double start = manager_->start_time();
  const double t = start + (std::round((time_ - start) / h) + 1) * h;
  const bool is_end = !fmu_->DoStep(time_, t - time_);
  time_ = t;
  if (is_end) return End();
  ReadPorts();
}

void FmuComponent::SendPorts() {
  if (ports_.is_empty() || !ports_.Fetch()) return;
  fmu_->SetValues(ports_.in().list, ports_.in().values);
}

void FmuComponent::ReadPorts() {
  if (ports_.is_empty()) return;
  fmu_->GetValues(ports_.out().list, ports_.out().values);
  if (ports_.TakeChange()) has_changed_ = true;
  ports_.Show();
}

void FmuComponent::SendSlopes(double t) {
  if (slopes_.empty()) return;
  const double h = t - time_;
  constexpr double kSame = 1e-9;  // of a step
  const FmuItems::InputPart& routed = items_.continuous_run.routed;
  for (std::size_t i = 0; i < slopes_.size(); ++i) {
    const FmuItems::InputLink& link = routed.links[slopes_[i].link];
    const LeftLimit* const before = slopes_[i].before_break;
    const bool has_jumped = before != nullptr && std::abs(before->t - t) <= kSame * h;
    const double value = has_jumped ? before->value : slopes_[i].read();
    slope_values_[i] = (link.unit.FromSi(value) - routed.values.values[link.place]) / h;
  }
  fmu_->SetInputDerivatives(slope_references_, slope_values_);
}

bool FmuComponent::wants_solver_steps() const {
  return description_ != nullptr && !is_co_simulation() && capabilities().needs_completed_steps;
}

bool FmuComponent::IsToldOfSteps() {
  if (island_ == nullptr) return false;
  if (const std::string& method = island_->options().method; method != method_) {
    method_ = method;
    is_told_ = island_->is_implicit() || FindOdeMethod(method)->has_values_inside;
  }
  return is_told_;
}

void FmuComponent::CompleteBeforeEvent(double t) {
  if (wants_solver_steps() && !is_first_step_ && IsNewStep(t)) CompleteStep(t);
}

bool FmuComponent::IsNewStep(double t) const {
  constexpr double kSame = 1e-9;  // of a TimeStep: a step point and the end of a step there are one
  return t - completed_time_ > kSame * GetSimulatorTimestep();
}

bool FmuComponent::CompleteSolverStep(double t) {
  if (!is_running_ || has_ended_ || !IsNewStep(t)) return false;
  bool wants_events = false;
  Run(t, [&] { wants_events = CompleteStep(t); });
  return wants_events;
}

bool FmuComponent::CompleteStep(double t) {
  completed_time_ = t;
  if (!BringTo(t)) return false;
  bool is_end = false;
  const bool wants_events = fmu_->CompleteStep(&is_end);
  if (is_end) End();
  return wants_events && !is_end;
}

void FmuComponent::RunEvents(double t, bool has_entered) {
  if (!is_running_ && !has_entered) return;
  constexpr int kMostRounds = 1000;
  const auto run = [&] {
    if (!has_entered) {
      if (event_time_ == t && !has_point_) return;  // another indicator has brought it here
      fmu_->EnterEventMode();
    }
    FetchInputs(items_.discrete_run);
    SendInputs(items_.discrete_run);
    FmuEvents all;
    for (int round = 0;; ++round) {
      const FmuEvents events = fmu_->UpdateDiscreteStates();
      all.is_terminated = all.is_terminated || events.is_terminated;
      all.has_new_states = all.has_new_states || events.has_new_states;
      all.has_new_nominals = all.has_new_nominals || events.has_new_nominals;
      all.next_time = events.next_time;
      if (all.is_terminated || !(all.next_time <= t)) break;
      if (round == kMostRounds) {
        throw FmuFailure(
            fmt::format("its next time event stays at {:.9g} s, which is not later (Zeno "
                        "behaviour)",
                        all.next_time));
      }
    }
    next_event_ = all.next_time;
    has_new_values_ = all.has_new_states || all.has_new_nominals;
    if (all.has_new_states) TakeStates();
    if (all.has_new_nominals) TakeNominals();
    if (all.is_terminated) return End();
    fmu_->EnterContinuousTime();
    TakeUses();
    has_point_ = false;
    event_time_ = t;
  };
  if (has_entered) {
    run();
  } else {
    Run(t, run);
  }
}

void FmuComponent::End() {
  ReadOutputs(items_.early_links, items_.early);
  ReadOutputs(items_.late_links, items_.late);
  ReadPorts();
  has_ended_ = true;
  next_event_ = std::numeric_limits<double>::infinity();
  if (run_log() != nullptr)
    run_log()->Write(RunLog::Severity::kWarning, DisplayPath(), declared_file_ + " has ended the run");
  manager_->Stop();
}

double FmuComponent::NextBreakTime(double t) const {
  return next_event_ > t ? next_event_ : std::numeric_limits<double>::infinity();
}

bool FmuComponent::ReactAtBreak(double t) {
  if (!is_running_ || !(t >= next_event_) || !BringTo(t)) return false;
  if (items_.indicators > 0) Indicator(0);
  const std::vector<double> before = LastValues();
  RunEvents(t, false);
  return has_ended_ || has_new_values_ || HasJumped(t, before);
}

std::vector<double> FmuComponent::LastValues() const {
  std::vector<double> values;
  values.reserve(items_.states.size());
  for (const StateVariable& state : items_.states) values.push_back(state.ddt);
  for (const auto* part : {&indicators_, &items_.routed_early.values, &items_.routed_late.values})
    values.insert(values.end(), part->begin(), part->end());
  return values;
}

bool FmuComponent::HasJumped(double t, const std::vector<double>& before) {
  EvaluateEfforts(t);
  EvaluateDiffEquations(t);
  if (!has_derivatives_) return true;
  if (items_.indicators > 0) Indicator(0);
  return LastValues() != before;
}

bool FmuComponent::SampleInSteadyState() {
  if (is_co_simulation() && !has_warned_ && run_log() != nullptr) {
    has_warned_ = true;
    run_log()->Write(
        RunLog::Severity::kWarning, DisplayPath(),
        declared_file_ +
            " is for co-simulation, which cannot be searched for a steady state: its outputs are "
            "taken as they are at StartTime");
  }
  return false;
}

void FmuComponent::ArchiveMemory(Archive& archive) {
  if (fmu_ == nullptr) return;
  if (!capabilities().has_serialized_state) {
    const std::string fault = fmt::format(
        "{}: {} cannot save its state (canSerializeFMUState is false), so there is no snapshot of this "
        "system; "
        "ask its maker",
        DisplayPath(), declared_file_);
    if (archive.is_loading()) return archive.Refuse(fault);
    throw std::runtime_error(fault);
  }
  std::string bytes;
  const ForeignCall running(shown_fmu_);
  try {
    if (!archive.is_loading()) bytes = fmu_->SaveState();
    ReleaseInputs();
    const bool was_initializing = is_initializing_;
    archive(bytes, is_initializing_, is_first_step_, has_ended_, has_changed_);
    archive(time_, last_time_, completed_time_, event_time_, next_event_);
    for (FmuItems::RunInputs* inputs : {&items_.continuous_run, &items_.discrete_run}) {
      for (FmuItems::InputPart& part : inputs->own) archive(part.values.values, part.is_new);
    }
    if (!archive.is_loading() || !archive.is_good()) return;
    // Many have the mode that they are in not in their state.
    if (was_initializing && !is_initializing_) fmu_->ExitInitialization();
    fmu_->LoadState(bytes);
    TakeUses();
    ReadPorts();
  } catch (const FmuFailure& failure) {
    const std::string fault = fmt::format("{}: {}: {}", DisplayPath(), declared_file_, failure.what());
    if (archive.is_loading()) return archive.Refuse(fault);
    throw std::runtime_error(fault);
  }
  block_.memory = nullptr;
  has_point_ = false;
  std::ranges::fill(items_.continuous_run.routed.values.values, std::numeric_limits<double>::quiet_NaN());
}

void RegisterFmi(Registry& registry) {
  registry.Add<FmuComponent>();
  RegisterWavePorts(registry);
}

}  // namespace davit
