#include "fmi/runtime/fmu_instance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "components/register.h"
#include "fmi/ports/wave_port.h"
#include "fmi/runtime/load_fmu_plugins.h"
#include "fmi/runtime/sensitivity.h"
#include "simulator/events/event_locator.h"
#include "simulator/islands/island.h"
#include "simulator/run/outside_solver.h"

namespace davit {
namespace {

/// A system whose end nobody has named may run this many TimeSteps: a power of two, so that the end is a step
/// point.
constexpr double kMostSteps = 549755813888;  // 2^39, below StepGrid::kMostSteps
/// Share of a TimeStep within which a master means the step point: it may have summed up its times.
constexpr double kSamePoint = 1e-6;

std::string_view NameOf(FmuPhase phase) {
  switch (phase) {
    case FmuPhase::kInstantiated: return "instantiated";
    case FmuPhase::kInitialization: return "in initialization mode";
    case FmuPhase::kStep: return "in step mode";
    case FmuPhase::kEvent: return "in event mode";
    case FmuPhase::kContinuous: return "in continuous-time mode";
    case FmuPhase::kTerminated: return "terminated";
    case FmuPhase::kError: return "in the state of error; reset it, restore a state or free it";
    case FmuPhase::kIntermediate: return "inside a step; values can be read there";
  }
  return "";
}

}  // namespace

FmuInstance::FmuInstance(const std::filesystem::path& resources, FmuKind kind, Log log)
    : resources_(resources),
      kind_(kind),
      log_(std::move(log)),
      manifest_(ReadManifest(resources / kManifestName)),
      registry_(AllModels()) {
  RegisterWavePorts(registry_);
  plugins_ = LoadFmuPlugins(manifest_.plugins, registry_);
  const bool is_possible =
      kind == FmuKind::kModelExchange ? manifest_.has_model_exchange : manifest_.has_co_simulation;
  if (!is_possible) {
    throw std::invalid_argument(
        fmt::format("this FMU is made for {} only; instantiate it for that",
                    manifest_.has_co_simulation ? "co-simulation" : "model exchange"));
  }
  Load();
  of_file_ = {simulation_->start_time(), simulation_->stop_time(), 0};
}

FmuInstance::~FmuInstance() = default;

double FmuInstance::time() const {
  if (is_initialized_ && model_ != nullptr) return model_->time();
  if (is_initialized_) return simulation_->time();
  return experiment_ ? experiment_->start : of_file_.start;
}

template <class Call>
auto FmuInstance::Guarded(Call call) {
  try {
    return call();
  } catch (...) {
    phase_ = FmuPhase::kError;
    throw;
  }
}

void FmuInstance::RefusePhase(std::string_view call) const {
  throw std::logic_error(fmt::format("{} is not allowed here: the instance is {}", call, NameOf(phase_)));
}

void FmuInstance::Load() {
  SimulationOptions options;
  options.load.units = manifest_.units;
  options.load.set = manifest_.settings;
  options.log_level = RunLog::Severity::kInfo;
  options.log = log_;
  const auto set = [&](std::string_view path, double value) {
    options.load.set.push_back(fmt::format("{}={}", path, value));
  };
  if (experiment_) {
    const FmuExperiment& chosen = *experiment_;
    if (chosen.start != of_file_.start) set("SimulatorManager.StartTime", chosen.start);
    const bool is_end_of_file = chosen.stop && *chosen.stop == *of_file_.stop;
    if (!is_end_of_file) {
      // The end of a master need not be a step point, which fixed-step components ask of StopTime.
      set("SimulatorManager.StopTime", chosen.start + kMostSteps * simulation_->time_step());
    }
    std::istringstream paths(manifest_.tolerance_paths);
    for (std::string path; chosen.tolerance > 0 && paths >> path;) set(path, chosen.tolerance);
  }
  for (const auto& [reference, value] : settings_.numbers) {
    const FmuEntry& entry = manifest_.variables[reference];
    if (entry.write != FmuWrite::kLoad) continue;
    const std::optional<Item>& item = variables_[reference].read;
    options.load.set.push_back(
        entry.path + "=" + (entry.type == FmuType::kReal ? fmt::format("{}", value) : item->TextOf(value)));
  }
  for (const auto& [reference, text] : settings_.texts) {
    if (manifest_.variables[reference].write == FmuWrite::kLoad)
      options.load.set.push_back(manifest_.variables[reference].path + "=" + text);
  }
  LoadedSimulation loaded = Simulation::Load(resources_ / manifest_.system, registry_, options);
  if (loaded.simulation == nullptr) throw std::runtime_error(loaded.ToText());
  model_.reset();
  simulation_ = std::move(loaded.simulation);
  if (kind_ == FmuKind::kModelExchange) model_ = std::make_unique<ContinuousModel>(*simulation_);
  // The solvers stop at the end of the file, as they do in a native run, whatever end the master names.
  for (const auto& island : simulation_->manager().islands()) {
    if (of_file_.stop) island->EndStepsAt(*of_file_.stop);
  }
  is_stale_ = false;
  is_initialized_ = false;
  Bind();
}

void FmuInstance::Bind() {
  variables_.clear();
  variables_.reserve(manifest_.variables.size());
  System& system = simulation_->system();
  for (const FmuEntry& entry : manifest_.variables) {
    if (entry.source != FmuSource::kItem && entry.source != FmuSource::kUse) {
      variables_.emplace_back();
      continue;
    }
    Fault fault;
    Variable variable{system.FindVariable(system.root(), entry.path, &fault), {}};
    if (!variable.read) variable.read = system.FindSetting(system.root(), entry.path, &fault);
    if (!variable.read) throw std::runtime_error(fault.ToText() + "; export the FMU again");
    if (entry.write == FmuWrite::kStart || entry.write == FmuWrite::kLive)
      variable.write = simulation_->Items({entry.path});
    variables_.push_back(std::move(variable));
  }
  places_.clear();
  for (std::uint32_t i = 0; i < variables_.size(); ++i) places_.push_back(PlaceOf(i));
  ListStates();
  for (const auto& [reference, value] : settings_.numbers) {
    if (manifest_.variables[reference].write != FmuWrite::kLoad) WriteNow(reference, value);
  }
  for (const auto& [reference, text] : settings_.texts) {
    if (manifest_.variables[reference].write != FmuWrite::kLoad)
      simulation_->WriteText(manifest_.variables[reference].path, text);
  }
}

void FmuInstance::ListStates() {
  states_of_.assign(model_ == nullptr ? 0 : variables_.size(), kNoState);
  std::unordered_map<std::string_view, std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < manifest_.states.size(); ++i) numbers.emplace(manifest_.states[i], i);
  constexpr std::string_view kEnd = ".ddt";
  for (std::uint32_t i = 0; i < states_of_.size(); ++i) {
    if (places_[i].slot == nullptr) continue;
    std::string_view path = manifest_.variables[i].path;
    if (places_[i].is_derivative && path.ends_with(kEnd)) path.remove_suffix(kEnd.size());
    if (const auto state = numbers.find(path); state != numbers.end()) states_of_[i] = state->second;
  }
}

FmuInstance::Place FmuInstance::PlaceOf(std::uint32_t reference) const {
  const FmuEntry& entry = manifest_.variables[reference];
  if (entry.source != FmuSource::kItem || entry.type != FmuType::kReal) return {};
  const Item& item = *variables_[reference].read;
  switch (item.kind()) {
    case Item::Kind::kOutput:
    case Item::Kind::kParameter: return {item.place(), nullptr, false};
    case Item::Kind::kState: return {nullptr, item.slot(), false};
    case Item::Kind::kDerivative: return {nullptr, item.slot(), true};
    default: return {};
  }
}

void FmuInstance::WriteNow(std::uint32_t reference, double value) {
  if (!IsFreeInput(reference)) return simulation_->Write(variables_[reference].write, std::span(&value, 1));
  SimulatorManager& manager = simulation_->manager();
  manager.Write(*variables_[reference].read, value);
  if (!manager.is_started()) manager.KeepOriginals();
}

void FmuInstance::MakeReady() {
  Guarded([&] {
    if (is_stale_) Load();
    if (phase_ == FmuPhase::kInstantiated || is_initialized_) return;
    simulation_->Initialize();
    if (model_ != nullptr) {
      model_->Begin();
      CheckStructure();
    }
    is_initialized_ = true;
  });
}

void FmuInstance::CheckStructure() const {
  if (model_->StateNames() == manifest_.states && model_->GuardNames() == manifest_.guards) return;
  throw std::runtime_error(
      "the parameters that were set change the continuous states or event indicators, which "
      "modelDescription.xml fixes; export the FMU again with these parameters");
}

void FmuInstance::Setup(const FmuExperiment& experiment) {
  RequirePhase("setting up the experiment", {FmuPhase::kInstantiated});
  if (!std::isfinite(experiment.start))
    throw std::invalid_argument(
        fmt::format("the start time is {}; give a number of seconds", experiment.start));
  if (experiment.stop && !(*experiment.stop >= experiment.start)) {
    throw std::invalid_argument(
        fmt::format("the stop time {} s is before the start time {} s; give a later one", *experiment.stop,
                    experiment.start));
  }
  if (!(experiment.tolerance >= 0 && std::isfinite(experiment.tolerance))) {
    throw std::invalid_argument(
        fmt::format("the tolerance is {}; give a number > 0, such as 1e-6", experiment.tolerance));
  }
  const FmuExperiment known = experiment_.value_or(of_file_);
  const double tolerance = experiment.tolerance == manifest_.tolerance ? 0 : experiment.tolerance;
  experiment_ = {experiment.start, experiment.stop, tolerance};
  if (*experiment_ != known) is_stale_ = true;
}

void FmuInstance::EnterInitialization() {
  RequirePhase("entering initialization mode", {FmuPhase::kInstantiated});
  Guarded([&] {
    if (is_stale_) Load();
  });
  phase_ = FmuPhase::kInitialization;
}

void FmuInstance::ExitInitialization() {
  RequirePhase("leaving initialization mode", {FmuPhase::kInitialization});
  MakeReady();
  const bool begins_with_event = kind_ == FmuKind::kModelExchange || uses_event_mode_;
  phase_ = begins_with_event ? FmuPhase::kEvent : FmuPhase::kStep;
}

void FmuInstance::Terminate() {
  RequirePhase("terminating", {FmuPhase::kStep, FmuPhase::kEvent, FmuPhase::kContinuous});
  phase_ = FmuPhase::kTerminated;
}

void FmuInstance::Reset() {
  if (phase_ == FmuPhase::kIntermediate) RefusePhase("a reset");
  settings_ = {};
  events_.clear();
  ramps_.clear();
  has_ended_ = false;
  experiment_.reset();
  phase_ = FmuPhase::kInstantiated;
  Guarded([&] { Load(); });
}

const FmuEntry& FmuInstance::Entry(std::uint32_t reference, std::initializer_list<FmuType> types) const {
  if (reference >= manifest_.variables.size()) {
    throw std::invalid_argument(
        fmt::format("there is no variable with the value reference {}; they end with {}", reference,
                    manifest_.variables.size() - 1));
  }
  const FmuEntry& entry = manifest_.variables[reference];
  if (std::ranges::find(types, entry.type) != types.end()) return entry;
  throw std::invalid_argument(fmt::format(
      "{} (value reference {}) is of another type; see modelDescription.xml", entry.path, reference));
}

double FmuInstance::Get(std::uint32_t reference, std::initializer_list<FmuType> types) {
  Entry(reference, types);
  if (phase_ == FmuPhase::kError) RequirePhase("reading", {});
  if (is_stale_ || !is_initialized_) MakeReady();
  if (manifest_.variables[reference].source == FmuSource::kEvent) return events_[reference];
  if (is_initialized_ && model_ != nullptr) model_->Refresh();
  if (manifest_.variables[reference].source == FmuSource::kGuard)
    return is_initialized_ ? ReadGuard(NumberOfGuard(reference)) : 0;
  if (manifest_.variables[reference].source == FmuSource::kUse)
    return variables_[reference].read->state()->is_in_use() ? 1 : 0;
  return variables_[reference].read->Read();
}

void FmuInstance::GetReals(std::span<const std::uint32_t> references, double* values) {
  const bool is_ready = is_initialized_ && !is_stale_ && phase_ != FmuPhase::kError;
  if (is_ready && model_ != nullptr) model_->Refresh();
  for (std::size_t i = 0; i < references.size(); ++i) {
    const Place place = is_ready && references[i] < places_.size() ? places_[references[i]] : Place{};
    if (place.value != nullptr) {
      values[i] = *place.value;
    } else if (place.slot != nullptr) {
      const StateMemory& memory = *place.slot->memory;
      values[i] = (place.is_derivative ? memory.ddt : memory.y)[place.slot->offset];
    } else {
      values[i] = Get(references[i], {FmuType::kReal});
    }
  }
}

double FmuInstance::ReadGuard(std::size_t number) const {
  if (model_ != nullptr) return model_->Indicator(number);
  for (const auto& island : simulation_->manager().islands()) {
    const EventLocator& locator = island->locator();
    if (number < locator.size()) return locator.Indicator(number);
    number -= locator.size();
  }
  return 0;  // other parameters than those of the export have fewer guards
}

std::size_t FmuInstance::NumberOfGuard(std::uint32_t reference) const {
  const std::string& path = manifest_.variables[reference].path;
  return static_cast<std::size_t>(std::ranges::find(manifest_.guards, path) - manifest_.guards.begin());
}

const std::string& FmuInstance::GetText(std::uint32_t reference) {
  Entry(reference, {FmuType::kString});
  if (phase_ == FmuPhase::kError) RequirePhase("reading", {});
  if (is_stale_ || !is_initialized_) MakeReady();
  text_ = variables_[reference].read->ReadText();
  return text_;
}

void FmuInstance::CheckSet(std::uint32_t reference, double value,
                           std::initializer_list<FmuType> types) const {
  const FmuEntry& entry = Entry(reference, types);
  if (phase_ > FmuPhase::kContinuous) RefusePhase("setting " + entry.path);
  if (entry.source == FmuSource::kEvent) {
    EventsUntil(reference, value);
    return;
  }
  if (entry.write == FmuWrite::kNever) {
    throw std::invalid_argument(entry.path +
                                " cannot be set: the system computes it; set a parameter or an input");
  }
  const Variable& variable = variables_[reference];
  if (phase_ == FmuPhase::kContinuous && variable.read->kind() != Item::Kind::kInput)
    throw std::logic_error(entry.path + " can only be set in event mode; inputs can be set at any time");
  if (phase_ >= FmuPhase::kStep && entry.write != FmuWrite::kLive) {
    throw std::invalid_argument(
        entry.path + " can only be set before the initialization has ended; reset the instance first");
  }
  if (entry.write == FmuWrite::kLoad) {
    CheckAssignment(entry,
                    entry.type == FmuType::kReal ? fmt::format("{}", value) : variable.read->TextOf(value));
    return;
  }
  // An input is a signal: as from a route, any number will do, also one beyond the range.
  if (std::isfinite(value) && IsFreeInput(reference)) return;
  if (const Fault fault = variable.write.at(0).FaultOfWrite(value))
    throw std::invalid_argument(fault.ToText());
}

void FmuInstance::Set(std::uint32_t reference, double value, std::initializer_list<FmuType> types) {
  CheckSet(reference, value, types);
  const FmuEntry& entry = manifest_.variables[reference];
  if (entry.source == FmuSource::kEvent) {
    for (double n = EventsUntil(reference, value); n > 0; --n) {
      const RequestAnswer answer =
          simulation_->Submit({.sender = "master", .command = "event " + entry.path});
      if (!answer.is_accepted) throw std::invalid_argument(answer.text);
    }
    events_[reference] = value;
    return;
  }
  if (phase_ >= FmuPhase::kStep) {
    WriteNow(reference, value);
    if (model_ == nullptr) return;
    const bool is_input = variables_[reference].read->kind() == Item::Kind::kInput;
    return is_input ? model_->MarkChanged() : model_->MarkWritten();
  }
  // What the run has begun with is not written any more: it begins again.
  if (entry.write == FmuWrite::kLoad || is_initialized_) {
    is_stale_ = true;
  } else {
    WriteNow(reference, value);
  }
  settings_.numbers[reference] = value;
}

void FmuInstance::CheckAssignment(const FmuEntry& entry, const std::string& text) const {
  System& system = simulation_->system();
  Fault fault;
  if (!system.FindAssignment(system.root(), entry.path, text, &fault))
    throw std::invalid_argument(fault.ToText());
}

void FmuInstance::CheckSetText(std::uint32_t reference, std::string_view text) const {
  const FmuEntry& entry = Entry(reference, {FmuType::kString});
  RequirePhase("setting " + entry.path,
               {FmuPhase::kInstantiated, FmuPhase::kInitialization, FmuPhase::kStep, FmuPhase::kEvent});
  if (entry.write != FmuWrite::kLive && (entry.write == FmuWrite::kNever || phase_ >= FmuPhase::kStep))
    throw std::invalid_argument(entry.path +
                                " cannot be set now; set it before the initialization has ended");
  CheckAssignment(entry, std::string(text));
}

void FmuInstance::SetText(std::uint32_t reference, std::string_view text) {
  CheckSetText(reference, text);
  if (phase_ >= FmuPhase::kStep) {
    simulation_->WriteText(manifest_.variables[reference].path, text);
    if (model_ != nullptr) model_->MarkWritten();
    return;
  }
  is_stale_ = true;
  settings_.texts[reference] = text;
}

double FmuInstance::EventsUntil(std::uint32_t reference, double count) const {
  constexpr double kMost = 100;
  const auto known = events_.find(reference);
  const double present = known == events_.end() ? 0 : known->second;
  const double sent = count - present;
  if (!(sent >= 0 && sent <= kMost)) {
    throw std::invalid_argument(fmt::format(
        "the counter of the event {} is {} and cannot become {}; add 1 for each event, up to {} in one "
        "step",
        manifest_.variables[reference].path, present, count, kMost));
  }
  if (sent > 0 && !(phase_ == FmuPhase::kStep || phase_ == FmuPhase::kEvent))
    throw std::logic_error("events can only be sent between two steps, or in event mode");
  return sent;
}

void FmuInstance::RefuseKind(std::string_view call) {
  throw std::logic_error(fmt::format("{} is of model exchange, and the instance is for co-simulation", call));
}

void FmuInstance::EnterEvent() {
  ContinuousModel& model = RequireModel("entering event mode", {FmuPhase::kContinuous});
  Guarded([&] { model.EnterEvent(); });
  phase_ = FmuPhase::kEvent;
}

FmuEventInfo FmuInstance::UpdateDiscreteStates() {
  if (model_ == nullptr) {  // what is set between two steps acts at once or at the next step point
    RequirePhase("updating discrete states", {FmuPhase::kEvent});
    return {};
  }
  ContinuousModel& model = RequireModel("updating discrete states", {FmuPhase::kEvent});
  return Guarded([&] { return model.Update(); });
}

void FmuInstance::EnterContinuousTime() {
  RequireModel("entering continuous-time mode", {FmuPhase::kEvent});
  phase_ = FmuPhase::kContinuous;
}

void FmuInstance::RefuseTime(double t) const {
  throw std::invalid_argument(
      fmt::format("the time cannot become {} s, because the last completed step or event was at {} s", t,
                  model_->reached()));
}

void FmuInstance::RefuseCount(std::size_t states) const {
  throw std::invalid_argument(
      fmt::format("there are {} continuous states, and {} values were given", model_->state_count(), states));
}

const std::vector<double>& FmuInstance::States() {
  RequireModel("reading continuous states",
               {FmuPhase::kInitialization, FmuPhase::kEvent, FmuPhase::kContinuous, FmuPhase::kTerminated});
  if (is_stale_ || !is_initialized_) MakeReady();
  return model_->states();
}

const std::vector<double>& FmuInstance::Indicators() {
  RequireModel("reading event indicators",
               {FmuPhase::kInitialization, FmuPhase::kEvent, FmuPhase::kContinuous, FmuPhase::kTerminated});
  if (is_stale_ || !is_initialized_) MakeReady();
  indicators_.resize(model_->indicator_count());
  model_->Indicators(indicators_);
  return indicators_;
}

std::vector<double> FmuInstance::Nominals() {
  RequireModel("reading nominal values",
               {FmuPhase::kInitialization, FmuPhase::kEvent, FmuPhase::kContinuous, FmuPhase::kTerminated});
  if (is_stale_ || !is_initialized_) MakeReady();
  std::vector<double> values(model_->state_count());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = model_->Nominal(i);
  return values;
}

bool FmuInstance::CompleteStep() {
  ContinuousModel& model = RequireModel("completing an integrator step", {FmuPhase::kContinuous});
  return Guarded([&] { return model.CompleteStep(); });
}

double FmuInstance::NearStepPoint(double end) const {
  const double h = simulation_->time_step();
  const double start = simulation_->start_time();
  const double point = start + std::round((end - start) / h) * h;
  return std::abs(end - point) <= kSamePoint * h ? point : end;
}

void FmuInstance::EnterEventMode() {
  RequirePhase("entering event mode", {FmuPhase::kStep});
  if (!uses_event_mode_)
    throw std::logic_error("the instance was made without event mode; set eventModeUsed to true");
  phase_ = FmuPhase::kEvent;
}

void FmuInstance::EnterStepMode() {
  RequirePhase("entering step mode", {FmuPhase::kEvent});
  if (model_ != nullptr) throw std::logic_error("step mode is of co-simulation");
  phase_ = FmuPhase::kStep;
}

void FmuInstance::RequireDerivatives(std::string_view call) const {
  const std::string fault = simulation_->manager().outside().Fault();
  if (!fault.empty()) throw std::logic_error(fmt::format("{} is not possible: {}", call, fault));
}

std::vector<Item> FmuInstance::ItemsOf(std::span<const std::uint32_t> references) const {
  std::vector<Item> items;
  for (const std::uint32_t reference : references) {
    const FmuEntry& entry = Entry(reference, {FmuType::kReal});
    if (entry.source != FmuSource::kItem) throw std::invalid_argument(entry.path + " has no derivatives");
    items.push_back(*variables_[reference].read);
  }
  return items;
}

std::vector<double> FmuInstance::PresentStates() const {
  if (model_ != nullptr) return model_->states();
  std::vector<double> y;
  for (const auto& island : simulation_->manager().islands())
    y.insert(y.end(), island->states().y.begin(), island->states().y.end());
  return y;
}

bool FmuInstance::IsFreeInput(std::uint32_t reference) const {
  const std::optional<Item>& item = variables_[reference].read;
  return item && manifest_.variables[reference].type == FmuType::kReal &&
         item->kind() == Item::Kind::kInput && item->is_writable() && item->input()->own_value != nullptr;
}

void FmuInstance::SetInputDerivative(std::uint32_t reference, int order, double value) {
  const FmuEntry& entry = Entry(reference, {FmuType::kReal});
  RequirePhase("setting derivatives of inputs",
               {FmuPhase::kInstantiated, FmuPhase::kInitialization, FmuPhase::kStep, FmuPhase::kEvent});
  RequireDerivatives("setting derivatives of inputs");
  if (model_ != nullptr) throw std::logic_error("derivatives of inputs are of co-simulation");
  if (!IsFreeInput(reference)) throw std::invalid_argument(entry.path + " is not a continuous input");
  constexpr int kMost = InputRamp::kTerms - 1;
  if (order < 1 || order > kMost || !std::isfinite(value)) {
    throw std::invalid_argument(
        fmt::format("{}: the derivative of order {} is {}; give a number, of an order from 1 to {}",
                    entry.path, order, value, kMost));
  }
  ramps_[reference][static_cast<std::size_t>(order)] = value;
}

void FmuInstance::StartRamps() {
  for (auto& [reference, c] : ramps_) {
    const Item& input = *variables_[reference].read;
    c[0] = *input.input()->own_value;
    c[2] /= 2;
    c[3] /= 6;
    simulation_->manager().outside().Follow(input, c);
  }
  ramps_.clear();
}

std::vector<double> FmuInstance::OutputDerivatives(std::span<const std::uint32_t> references,
                                                   std::span<const int> orders) {
  RequirePhase("reading derivatives of outputs",
               {FmuPhase::kStep, FmuPhase::kEvent, FmuPhase::kIntermediate, FmuPhase::kTerminated});
  RequireDerivatives("reading derivatives of outputs");
  if (std::ranges::any_of(orders, [](int order) { return order != 1; }))
    throw std::invalid_argument("derivatives of outputs are of order 1 (maxOutputDerivativeOrder)");
  return Sensitivity(simulation_->manager(), simulation_->time(), PresentStates())
      .TimeDerivative(ItemsOf(references));
}

std::vector<double> FmuInstance::DirectionalDerivative(std::span<const std::uint32_t> unknowns,
                                                       std::span<const std::uint32_t> knowns,
                                                       std::span<const double> seed) {
  RequirePhase("a directional derivative", {FmuPhase::kInitialization, FmuPhase::kStep, FmuPhase::kEvent,
                                            FmuPhase::kContinuous, FmuPhase::kTerminated});
  if (model_ == nullptr) RequireDerivatives("a directional derivative");
  if (is_stale_ || !is_initialized_) MakeReady();
  const bool has_states = std::ranges::all_of(knowns, [this](std::uint32_t r) { return IsState(r); });
  const bool has_derivatives =
      std::ranges::all_of(unknowns, [this](std::uint32_t r) { return IsDerivative(r); });
  std::vector<double> change(unknowns.size());
  if (!has_states || !has_derivatives) change = Differences(unknowns, knowns, seed);
  if (has_states) UseJacobian(unknowns, knowns, seed, change);  // together with inputs: differences
  return change;
}

std::vector<double> FmuInstance::Differences(std::span<const std::uint32_t> unknowns,
                                             std::span<const std::uint32_t> knowns,
                                             std::span<const double> seed) {
  const std::vector<Item> of = ItemsOf(unknowns);
  const std::vector<Item> over = ItemsOf(knowns);
  std::vector<double> change;
  {
    Sensitivity sensitivity(simulation_->manager(), time(), PresentStates());
    for (std::size_t k = 0; k < over.size(); ++k) {
      if (!sensitivity.IsKnown(over[k])) {
        throw std::invalid_argument(manifest_.variables[knowns[k]].path +
                                    " is not a continuous state and no input; only over those there are "
                                    "derivatives");
      }
    }
    change = sensitivity.Directional(of, over, seed);
  }
  if (model_ != nullptr) model_->MarkChanged();
  return change;
}

void FmuInstance::UseJacobian(std::span<const std::uint32_t> unknowns, std::span<const std::uint32_t> knowns,
                              std::span<const double> seed, std::span<double> change) {
  if (std::ranges::none_of(unknowns, [this](std::uint32_t r) { return IsDerivative(r); })) return;
  std::vector<double> of_states(manifest_.states.size(), 0.0);
  for (std::size_t k = 0; k < knowns.size(); ++k) of_states[StateOf(knowns[k])] += seed[k];
  const std::vector<double> product = model_->DirectionalDerivative(of_states);
  for (std::size_t i = 0; i < unknowns.size(); ++i) {
    if (IsDerivative(unknowns[i])) change[i] = product[StateOf(unknowns[i])];
  }
}

std::uint64_t FmuInstance::CountOfEvents() const {
  const RunStatistics statistics = simulation_->statistics();
  return statistics.events + statistics.level_switches + statistics.transitions;
}

FmuStep FmuInstance::AdvanceInSteps(double end, const FmuStepOptions& options, bool& has_event,
                                    std::string& reason) {
  SimulatorManager& manager = simulation_->manager();
  const bool is_divided = options.ends_at_events || options.on_step_point;
  std::uint64_t count = CountOfEvents();
  std::optional<double> early;
  while (!manager.HasReached(end)) {
    double next = is_divided ? std::min(end, manager.next_step_point()) : end;
    if (early && manager.FaultOfTime(*early).empty()) next = std::min(next, *early);
    simulation_->AdvanceTo(next);
    if (!manager.HasReached(next)) {
      reason = fmt::format("the system has ended its run at {} s", simulation_->time());
      return FmuStep::kTerminated;
    }
    const std::uint64_t present = CountOfEvents();
    has_event = has_event || present != count;
    count = present;
    if (manager.HasReached(end)) break;
    if (options.ends_at_events && has_event) return FmuStep::kEarly;
    if (early && manager.HasReached(*early)) return FmuStep::kEarly;
    if (!options.on_step_point) continue;
    phase_ = FmuPhase::kIntermediate;
    early = options.on_step_point(simulation_->time());
    phase_ = FmuPhase::kStep;
    if (early && manager.HasReached(*early)) return FmuStep::kEarly;
  }
  return FmuStep::kDone;
}

FmuStep FmuInstance::DoStep(double time, double size, const FmuStepOptions& options, bool& has_event,
                            std::string& reason) {
  RequirePhase("a step", {FmuPhase::kStep});
  const double reached = simulation_->time();
  const double same = kSamePoint * simulation_->time_step();
  if (!(std::abs(time - reached) <= same)) {
    throw std::invalid_argument(
        fmt::format("the communication point is {} s, but the time reached is {} s; begin the step there",
                    time, reached));
  }
  if (!(size >= 0 && std::isfinite(size)))
    throw std::invalid_argument(fmt::format("the communication step size is {}; give a number > 0", size));
  const double end = NearStepPoint(time + size);
  if (experiment_ && experiment_->stop && end > *experiment_->stop + same) {
    throw std::invalid_argument(fmt::format(
        "{} s is after the stop time, {} s; end there, or set up a later one", end, *experiment_->stop));
  }
  if (const std::string fault = simulation_->manager().FaultOfTime(end); !fault.empty()) {
    reason = fault;
    return FmuStep::kRefused;
  }
  return Guarded([&] {
    StartRamps();
    const FmuStep how = AdvanceInSteps(end, options, has_event, reason);
    simulation_->manager().outside().EndRamps();
    has_ended_ = how == FmuStep::kTerminated;
    return how;
  });
}

FmuState FmuInstance::SaveState() {
  RequirePhase("saving the state", {FmuPhase::kInstantiated, FmuPhase::kInitialization, FmuPhase::kStep,
                                    FmuPhase::kEvent, FmuPhase::kContinuous, FmuPhase::kTerminated});
  FmuState state{.token = manifest_.token,
                 .phase = phase_,
                 .experiment = experiment_,
                 .settings = settings_,
                 .kind = kind_,
                 .events = events_,
                 .ramps = ramps_,
                 .has_ended = has_ended_};
  if (phase_ >= FmuPhase::kStep) {
    if (model_ != nullptr) state.continuous = model_->Save();
    state.snapshot = simulation_->TakeSnapshot();
  }
  return state;
}

void FmuInstance::LoadState(const FmuState& state) {
  if (phase_ == FmuPhase::kIntermediate) RefusePhase("restoring a state");
  if (state.token != manifest_.token)
    throw std::invalid_argument("the state belongs to another FMU; restore it in the one that wrote it");
  if (state.kind != kind_)
    throw std::invalid_argument("the state is that of an instance of the other kind; save one of this kind");
  const auto is_known = [&](const auto& of_variable) {
    return of_variable.first < manifest_.variables.size();
  };
  const bool is_whole = std::ranges::all_of(state.settings.numbers, is_known) &&
                        std::ranges::all_of(state.settings.texts, is_known) &&
                        std::ranges::all_of(state.ramps, [&](const auto& of_input) {
                          return is_known(of_input) && IsFreeInput(of_input.first);
                        });
  if (!is_whole) throw std::invalid_argument("the state is damaged; save it again");
  Guarded([&] {
    const bool is_same = !is_stale_ && experiment_ == state.experiment && settings_ == state.settings;
    experiment_ = state.experiment;
    settings_ = state.settings;
    events_ = state.events;
    ramps_ = state.ramps;
    has_ended_ = state.has_ended;
    if (!is_same || state.snapshot.empty()) Load();
    if (state.snapshot.empty()) return;
    const Diagnostics diagnostics = simulation_->LoadSnapshot(state.snapshot);
    if (diagnostics.has_errors()) throw std::runtime_error(ToText(diagnostics));
    if (model_ != nullptr) model_->Load(state.continuous);
    is_initialized_ = true;
  });
  phase_ = state.phase;
}

}  // namespace davit
