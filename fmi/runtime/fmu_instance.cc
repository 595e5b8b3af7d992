#include "fmi/runtime/fmu_instance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "components/register.h"

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
    case FmuPhase::kTerminated: return "terminated";
    case FmuPhase::kError: return "in the state of error; reset it, restore a state or free it";
  }
  return "";
}

}  // namespace

FmuInstance::FmuInstance(const std::filesystem::path& resources, Log log)
    : resources_(resources),
      log_(std::move(log)),
      manifest_(ReadManifest(resources / kManifestName)),
      registry_(AllModels()) {
  Load();
  of_file_ = {simulation_->start_time(), simulation_->stop_time(), 0};
}

FmuInstance::~FmuInstance() = default;

double FmuInstance::time() const {
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

void FmuInstance::RequirePhase(std::string_view call, std::initializer_list<FmuPhase> phases) const {
  if (std::ranges::find(phases, phase_) != phases.end()) return;
  throw std::logic_error(fmt::format("{} is not allowed here: the instance is {}", call, NameOf(phase_)));
}

void FmuInstance::Load() {
  SimulationOptions options;
  options.load.units = manifest_.units;
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
  simulation_ = std::move(loaded.simulation);
  is_stale_ = false;
  is_initialized_ = false;
  Bind();
}

void FmuInstance::Bind() {
  variables_.clear();
  variables_.reserve(manifest_.variables.size());
  System& system = simulation_->system();
  for (const FmuEntry& entry : manifest_.variables) {
    Fault fault;
    Variable variable{system.FindVariable(system.root(), entry.path, &fault), {}};
    if (!variable.read) variable.read = system.FindSetting(system.root(), entry.path, &fault);
    if (!variable.read) throw std::runtime_error(fault.ToText() + "; export the FMU again");
    if (entry.write == FmuWrite::kStart || entry.write == FmuWrite::kLive)
      variable.write = simulation_->Items({entry.path});
    variables_.push_back(std::move(variable));
  }
  for (const auto& [reference, value] : settings_.numbers) {
    if (manifest_.variables[reference].write != FmuWrite::kLoad) WriteNow(reference, value);
  }
  for (const auto& [reference, text] : settings_.texts) {
    if (manifest_.variables[reference].write != FmuWrite::kLoad)
      simulation_->WriteText(manifest_.variables[reference].path, text);
  }
}

void FmuInstance::WriteNow(std::uint32_t reference, double value) {
  simulation_->Write(variables_[reference].write, std::span(&value, 1));
}

void FmuInstance::MakeReady() {
  Guarded([&] {
    if (is_stale_) Load();
    if (phase_ == FmuPhase::kInstantiated || is_initialized_) return;
    simulation_->Initialize();
    is_initialized_ = true;
  });
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
  phase_ = FmuPhase::kStep;
}

void FmuInstance::Terminate() {
  RequirePhase("terminating", {FmuPhase::kStep});
  phase_ = FmuPhase::kTerminated;
}

void FmuInstance::Reset() {
  settings_ = {};
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
  return variables_[reference].read->Read();
}

const std::string& FmuInstance::GetText(std::uint32_t reference) {
  Entry(reference, {FmuType::kString});
  if (phase_ == FmuPhase::kError) RequirePhase("reading", {});
  if (is_stale_ || !is_initialized_) MakeReady();
  text_ = variables_[reference].read->ReadText();
  return text_;
}

void FmuInstance::Set(std::uint32_t reference, double value, std::initializer_list<FmuType> types) {
  const FmuEntry& entry = Entry(reference, types);
  RequirePhase("setting " + entry.path,
               {FmuPhase::kInstantiated, FmuPhase::kInitialization, FmuPhase::kStep});
  if (entry.write == FmuWrite::kNever)
    throw std::invalid_argument(entry.path +
                                " cannot be set: the system computes it; set a parameter or an input");
  if (phase_ == FmuPhase::kStep) {
    if (entry.write != FmuWrite::kLive) {
      throw std::invalid_argument(
          entry.path + " can only be set before the initialization has ended; reset the instance first");
    }
    return WriteNow(reference, value);
  }
  if (entry.write == FmuWrite::kLoad) {
    const Item& item = *variables_[reference].read;
    System& system = simulation_->system();
    Fault fault;
    const std::string text = entry.type == FmuType::kReal ? fmt::format("{}", value) : item.TextOf(value);
    if (!system.FindAssignment(system.root(), entry.path, text, &fault))
      throw std::invalid_argument(fault.ToText());
    is_stale_ = true;
  } else if (is_initialized_) {
    // What the run has begun with is not written any more: it begins again.
    const Item& item = *variables_[reference].read;
    if (const Fault fault = item.Check(value)) throw std::invalid_argument(fault.ToText());
    is_stale_ = true;
  } else {
    WriteNow(reference, value);
  }
  settings_.numbers[reference] = value;
}

void FmuInstance::SetText(std::uint32_t reference, std::string_view text) {
  const FmuEntry& entry = Entry(reference, {FmuType::kString});
  RequirePhase("setting " + entry.path,
               {FmuPhase::kInstantiated, FmuPhase::kInitialization, FmuPhase::kStep});
  if (entry.write != FmuWrite::kLive && (entry.write == FmuWrite::kNever || phase_ == FmuPhase::kStep))
    throw std::invalid_argument(entry.path +
                                " cannot be set now; set it before the initialization has ended");
  System& system = simulation_->system();
  Fault fault;
  if (!system.FindAssignment(system.root(), entry.path, text, &fault))
    throw std::invalid_argument(fault.ToText());
  if (phase_ == FmuPhase::kStep) return simulation_->WriteText(entry.path, text);
  is_stale_ = true;
  settings_.texts[reference] = text;
}

double FmuInstance::NearStepPoint(double end) const {
  const double h = simulation_->time_step();
  const double start = simulation_->start_time();
  const double point = start + std::round((end - start) / h) * h;
  return std::abs(end - point) <= kSamePoint * h ? point : end;
}

FmuStep FmuInstance::DoStep(double time, double size, std::string& reason) {
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
    simulation_->AdvanceTo(end);
    if (simulation_->manager().HasReached(end)) return FmuStep::kDone;
    reason = fmt::format("the system has ended its run at {} s", simulation_->time());
    return FmuStep::kTerminated;
  });
}

FmuState FmuInstance::SaveState() {
  RequirePhase("saving the state",
               {FmuPhase::kInstantiated, FmuPhase::kInitialization, FmuPhase::kStep, FmuPhase::kTerminated});
  FmuState state{phase_, experiment_, settings_, {}};
  if (phase_ == FmuPhase::kStep || phase_ == FmuPhase::kTerminated)
    state.snapshot = simulation_->TakeSnapshot();
  return state;
}

void FmuInstance::LoadState(const FmuState& state) {
  for (const auto& [reference, value] : state.settings.numbers) {
    if (reference >= manifest_.variables.size())
      throw std::invalid_argument("the state is damaged; save it again");
  }
  for (const auto& [reference, text] : state.settings.texts) {
    if (reference >= manifest_.variables.size())
      throw std::invalid_argument("the state is damaged; save it again");
  }
  Guarded([&] {
    const bool is_same = !is_stale_ && experiment_ == state.experiment && settings_ == state.settings;
    experiment_ = state.experiment;
    settings_ = state.settings;
    if (!is_same || state.snapshot.empty()) Load();
    if (state.snapshot.empty()) return;
    const Diagnostics diagnostics = simulation_->LoadSnapshot(state.snapshot);
    if (diagnostics.has_errors()) {
      std::string faults;
      for (const Diagnostic& fault : diagnostics.SortedByPlace())
        faults += (faults.empty() ? "" : "\n") + ToText(fault);
      throw std::runtime_error(faults);
    }
    is_initialized_ = true;
  });
  phase_ = state.phase;
}

}  // namespace davit
