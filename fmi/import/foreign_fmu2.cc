// Instances of FMI 2.0.

#include <fmt/format.h>

#include <cmath>
#include <cstdarg>
#include <cstdlib>

#include "fmi/abi/abi2.h"
#include "fmi/import/fmu_library.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

constexpr int kMostDiscreteUpdates = 1000;

void TakeForeignLine2(fmi2ComponentEnvironment environment, fmi2String /*instance*/, fmi2Status status,
                      fmi2String /*category*/, fmi2String message, ...) {
  if (message == nullptr) return;
  va_list arguments;
  va_start(arguments, message);
  const std::string text = FormatForeignLine(message, arguments);
  va_end(arguments);
  ForeignLog::AddTo(environment, status != fmi2OK, text);
}

/// The address of a folder as RFC 3986 wants it.
std::string FileUri(const fs::path& folder) {
  std::string uri = "file://";
  for (const char c : folder.string()) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          std::string_view("/-._~").find(c) != std::string_view::npos;
    uri += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

class ForeignFmu2 final : public ForeignFmu {
 public:
  ForeignFmu2(const FmuDescription& description, const ForeignFmuSource& source)
      : library_(LibraryOf(description, source.kind, source.folder)) {
    callbacks_ = {TakeForeignLine2, std::calloc, std::free, nullptr, &log_};
    component_ = library_.Need<decltype(fmi2Instantiate)>("fmi2Instantiate")(
        source.name.c_str(), source.kind == FmuKind::kModelExchange ? fmi2ModelExchange : fmi2CoSimulation,
        description.token.c_str(), FileUri(fs::absolute(source.folder / "resources")).c_str(), &callbacks_,
        fmi2False, source.is_logging ? fmi2True : fmi2False);
    if (component_ == nullptr) log_.Fail("fmi2Instantiate", "with no instance");
  }
  ~ForeignFmu2() override {
    if (component_ == nullptr || is_dead_) return;
    auto* const terminate = library_.Get<decltype(fmi2Terminate)>("fmi2Terminate");
    if (may_terminate_ && terminate != nullptr && terminate(component_) == fmi2Fatal) return;
    library_.Need<decltype(fmi2FreeInstance)>("fmi2FreeInstance")(component_);
  }

  void Configure(const FmuValueList& /*list*/, std::span<const double> /*values*/) override {}

  void SetValues(const FmuValueList& list, std::span<const double> values) override {
    for (const FmuValueList::Run& run : list.runs()) {
      const double* const from = values.data() + run.begin;
      const std::size_t n = run.references.size();
      if (run.type == FmuBaseType::kFloat64) {
        Check("fmi2SetReal", set_real_(component_, run.references.data(), n, from));
        continue;
      }
      integers_.resize(n);
      for (std::size_t i = 0; i < n; ++i) integers_[i] = ToWhole<fmi2Integer>(from[i]);
      if (run.type == FmuBaseType::kBoolean) {
        Check("fmi2SetBoolean", set_boolean_(component_, run.references.data(), n, integers_.data()));
      } else {
        Check("fmi2SetInteger", set_integer_(component_, run.references.data(), n, integers_.data()));
      }
    }
  }

  void GetValues(const FmuValueList& list, std::span<double> values) override {
    for (const FmuValueList::Run& run : list.runs()) {
      double* const to = values.data() + run.begin;
      const std::size_t n = run.references.size();
      if (run.type == FmuBaseType::kFloat64) {
        Check("fmi2GetReal", get_real_(component_, run.references.data(), n, to));
        continue;
      }
      integers_.resize(n);
      const bool is_condition = run.type == FmuBaseType::kBoolean;
      if (is_condition) {
        Check("fmi2GetBoolean", get_boolean_(component_, run.references.data(), n, integers_.data()));
      } else {
        Check("fmi2GetInteger", get_integer_(component_, run.references.data(), n, integers_.data()));
      }
      for (std::size_t i = 0; i < n; ++i)
        to[i] = is_condition ? (integers_[i] != fmi2False ? 1 : 0) : integers_[i];
    }
  }

  void SetText(std::uint32_t reference, const std::string& text) override {
    const fmi2String value = text.c_str();
    Check("fmi2SetString",
          library_.Need<decltype(fmi2SetString)>("fmi2SetString")(component_, &reference, 1, &value));
  }

  void EnterInitialization(double start, std::optional<double> stop,
                           std::optional<double> tolerance) override {
    Check("fmi2SetupExperiment", library_.Need<decltype(fmi2SetupExperiment)>("fmi2SetupExperiment")(
                                     component_, tolerance ? fmi2True : fmi2False, tolerance.value_or(0),
                                     start, stop ? fmi2True : fmi2False, stop.value_or(0)));
    Check("fmi2EnterInitializationMode",
          library_.Need<decltype(fmi2EnterInitializationMode)>("fmi2EnterInitializationMode")(component_));
  }
  void ExitInitialization() override {
    Check("fmi2ExitInitializationMode",
          library_.Need<decltype(fmi2ExitInitializationMode)>("fmi2ExitInitializationMode")(component_));
    may_terminate_ = true;
  }

  void SetInputDerivatives(const std::vector<std::uint32_t>& references,
                           std::span<const double> values) override {
    integers_.assign(references.size(), 1);
    Check("fmi2SetRealInputDerivatives",
          set_real_input_derivatives_(component_, references.data(), references.size(), integers_.data(),
                                      values.data()));
  }

  bool DoStep(double t, double h) override {
    const fmi2Status status = do_step_(component_, t, h, fmi2True);
    if (status == fmi2Discard) {
      fmi2Boolean is_terminated = fmi2False;
      if (auto* const get = library_.Get<decltype(fmi2GetBooleanStatus)>("fmi2GetBooleanStatus");
          get != nullptr && get(component_, fmi2Terminated, &is_terminated) == fmi2OK &&
          is_terminated != fmi2False)
        return false;
    }
    Check("fmi2DoStep", status);
    return true;
  }

  void EnterEventMode() override { Check("fmi2EnterEventMode", enter_event_mode_(component_)); }

  FmuEvents UpdateDiscreteStates() override {
    FmuEvents events;
    for (int i = 0; i < kMostDiscreteUpdates; ++i) {
      fmi2EventInfo info{};
      Check("fmi2NewDiscreteStates", new_discrete_states_(component_, &info));
      events.is_terminated = events.is_terminated || info.terminateSimulation != fmi2False;
      events.has_new_states = events.has_new_states || info.valuesOfContinuousStatesChanged != fmi2False;
      events.has_new_nominals =
          events.has_new_nominals || info.nominalsOfContinuousStatesChanged != fmi2False;
      if (info.nextEventTimeDefined != fmi2False)
        events.next_time = info.nextEventTime;
      else
        events.next_time = std::numeric_limits<double>::infinity();
      if (info.newDiscreteStatesNeeded == fmi2False || events.is_terminated) return events;
    }
    log_.Fail("fmi2NewDiscreteStates",
              fmt::format("{} times that it needs one more update (event iteration without end)",
                          kMostDiscreteUpdates));
  }

  void EnterContinuousTime() override {
    Check("fmi2EnterContinuousTimeMode", enter_continuous_time_mode_(component_));
  }

  bool SetPoint(double t, std::span<const double> states) override {
    return IsDone("fmi2SetTime", set_time_(component_, t)) &&
           (states.empty() ||
            IsDone("fmi2SetContinuousStates", set_states_(component_, states.data(), states.size())));
  }
  bool GetDerivatives(std::span<double> derivatives) override {
    return derivatives.empty() ||
           IsDone("fmi2GetDerivatives", get_derivatives_(component_, derivatives.data(), derivatives.size()));
  }
  bool GetDirectionalDerivatives(const std::vector<std::uint32_t>& unknowns,
                                 const std::vector<std::uint32_t>& knowns, std::span<const double> seed,
                                 std::span<double> changes) override {
    if (get_directional_derivative_ == nullptr) return false;
    const fmi2Status status =
        get_directional_derivative_(component_, unknowns.data(), unknowns.size(), knowns.data(),
                                    knowns.size(), seed.data(), changes.data());
    return status == fmi2OK || status == fmi2Warning;
  }
  void GetStates(std::span<double> states) override {
    if (states.empty()) return;
    Check("fmi2GetContinuousStates", get_continuous_states_(component_, states.data(), states.size()));
  }
  void GetNominals(std::span<double> nominals) override {
    auto* const get =
        library_.Get<decltype(fmi2GetNominalsOfContinuousStates)>("fmi2GetNominalsOfContinuousStates");
    if (nominals.empty() || get == nullptr) return;
    Check("fmi2GetNominalsOfContinuousStates", get(component_, nominals.data(), nominals.size()));
  }
  void GetIndicators(std::span<double> indicators) override {
    if (indicators.empty()) return;
    Check("fmi2GetEventIndicators", get_indicators_(component_, indicators.data(), indicators.size()));
  }
  bool CompleteStep(bool* is_terminated) override {
    fmi2Boolean wants_events = fmi2False, is_end = fmi2False;
    Check("fmi2CompletedIntegratorStep",
          completed_integrator_step_(component_, fmi2True, &wants_events, &is_end));
    *is_terminated = is_end != fmi2False;
    return wants_events != fmi2False;
  }

  std::string SaveState() override {
    fmi2FMUstate state = nullptr;
    Check("fmi2GetFMUstate", library_.Need<decltype(fmi2GetFMUstate)>("fmi2GetFMUstate")(component_, &state));
    std::size_t size = 0;
    Check("fmi2SerializedFMUstateSize", library_.Need<decltype(fmi2SerializedFMUstateSize)>(
                                            "fmi2SerializedFMUstateSize")(component_, state, &size));
    std::string bytes(size, '\0');
    Check("fmi2SerializeFMUstate", library_.Need<decltype(fmi2SerializeFMUstate)>("fmi2SerializeFMUstate")(
                                       component_, state, bytes.data(), size));
    FreeState(state);
    return bytes;
  }
  void LoadState(const std::string& bytes) override {
    fmi2FMUstate state = nullptr;
    Check("fmi2DeSerializeFMUstate",
          library_.Need<decltype(fmi2DeSerializeFMUstate)>("fmi2DeSerializeFMUstate")(
              component_, bytes.data(), bytes.size(), &state));
    Check("fmi2SetFMUstate", library_.Need<decltype(fmi2SetFMUstate)>("fmi2SetFMUstate")(component_, state));
    FreeState(state);
  }

  std::vector<FmuLogLine> TakeLog() override { return log_.Take(); }

 private:
  void Check(const char* function, fmi2Status status) {
    if (status == fmi2OK || status == fmi2Warning) [[likely]]
      return;
    may_terminate_ = may_terminate_ && status == fmi2Discard;
    is_dead_ = status == fmi2Fatal;
    log_.Fail(function, NameOfFmiStatus(status));
  }
  bool IsDone(const char* function, fmi2Status status) {
    if (status == fmi2Discard) return false;
    Check(function, status);
    return true;
  }
  void FreeState(fmi2FMUstate state) {
    Check("fmi2FreeFMUstate",
          library_.Need<decltype(fmi2FreeFMUstate)>("fmi2FreeFMUstate")(component_, &state));
  }

  ForeignLibrary library_;
  ForeignLog log_;
  fmi2CallbackFunctions callbacks_{};
  fmi2Component component_ = nullptr;
  bool may_terminate_ = false;  ///< initialised and well
  bool is_dead_ = false;        ///< fatal: nothing may be called
  std::vector<fmi2Integer> integers_;
  // What steps and events call.
  ForeignFunction<decltype(fmi2CompletedIntegratorStep)> completed_integrator_step_{
      library_, "fmi2CompletedIntegratorStep"};
  ForeignFunction<decltype(fmi2DoStep)> do_step_{library_, "fmi2DoStep"};
  ForeignFunction<decltype(fmi2EnterContinuousTimeMode)> enter_continuous_time_mode_{
      library_, "fmi2EnterContinuousTimeMode"};
  ForeignFunction<decltype(fmi2EnterEventMode)> enter_event_mode_{library_, "fmi2EnterEventMode"};
  ForeignFunction<decltype(fmi2GetBoolean)> get_boolean_{library_, "fmi2GetBoolean"};
  ForeignFunction<decltype(fmi2GetContinuousStates)> get_continuous_states_{library_,
                                                                            "fmi2GetContinuousStates"};
  ForeignFunction<decltype(fmi2GetInteger)> get_integer_{library_, "fmi2GetInteger"};
  ForeignFunction<decltype(fmi2NewDiscreteStates)> new_discrete_states_{library_, "fmi2NewDiscreteStates"};
  ForeignFunction<decltype(fmi2SetBoolean)> set_boolean_{library_, "fmi2SetBoolean"};
  ForeignFunction<decltype(fmi2SetInteger)> set_integer_{library_, "fmi2SetInteger"};
  ForeignFunction<decltype(fmi2SetRealInputDerivatives)> set_real_input_derivatives_{
      library_, "fmi2SetRealInputDerivatives"};
  // What evaluations call.
  decltype(fmi2GetDirectionalDerivative)* get_directional_derivative_ =
      library_.Get<decltype(fmi2GetDirectionalDerivative)>("fmi2GetDirectionalDerivative");
  decltype(fmi2SetReal)* set_real_ = library_.Get<decltype(fmi2SetReal)>("fmi2SetReal");
  decltype(fmi2GetReal)* get_real_ = library_.Get<decltype(fmi2GetReal)>("fmi2GetReal");
  decltype(fmi2SetTime)* set_time_ = library_.Get<decltype(fmi2SetTime)>("fmi2SetTime");
  decltype(fmi2SetContinuousStates)* set_states_ =
      library_.Get<decltype(fmi2SetContinuousStates)>("fmi2SetContinuousStates");
  decltype(fmi2GetDerivatives)* get_derivatives_ =
      library_.Get<decltype(fmi2GetDerivatives)>("fmi2GetDerivatives");
  decltype(fmi2GetEventIndicators)* get_indicators_ =
      library_.Get<decltype(fmi2GetEventIndicators)>("fmi2GetEventIndicators");
};

}  // namespace

std::unique_ptr<ForeignFmu> MakeForeignFmu2(const FmuDescription& description,
                                            const ForeignFmuSource& source) {
  return std::make_unique<ForeignFmu2>(description, source);
}

}  // namespace davit
