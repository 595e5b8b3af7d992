// Instances of FMI 3.0.

#include <fmt/format.h>

#include <cmath>
#include <type_traits>

#include "fmi/abi/abi3.h"
#include "fmi/import/fmu_library.h"

namespace davit {
namespace {

constexpr int kMostDiscreteUpdates3 = 1000;

void TakeForeignLine3(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String /*category*/,
                      fmi3String message) {
  if (message != nullptr) ForeignLog::AddTo(environment, status != fmi3OK, message);
}

class ForeignFmu3 final : public ForeignFmu {
 public:
  ForeignFmu3(const FmuDescription& description, const ForeignFmuSource& source)
      : library_(LibraryOf(description, source.kind, source.folder)) {
    const std::string resources = std::filesystem::absolute(source.folder / "resources").string() + "/";
    const bool is_me = source.kind == FmuKind::kModelExchange;
    if (is_me) {
      instance_ = library_.Need<decltype(fmi3InstantiateModelExchange)>("fmi3InstantiateModelExchange")(
          source.name.c_str(), description.token.c_str(), resources.c_str(), false, source.is_logging, &log_,
          TakeForeignLine3);
    } else {
      instance_ = library_.Need<decltype(fmi3InstantiateCoSimulation)>("fmi3InstantiateCoSimulation")(
          source.name.c_str(), description.token.c_str(), resources.c_str(), false, source.is_logging, false,
          false, nullptr, 0, &log_, TakeForeignLine3, nullptr);
    }
    if (instance_ == nullptr)
      log_.Fail(is_me ? "fmi3InstantiateModelExchange" : "fmi3InstantiateCoSimulation", "with no instance");
  }
  ~ForeignFmu3() override {
    if (instance_ == nullptr || is_dead_) return;
    auto* const terminate = library_.Get<decltype(fmi3Terminate)>("fmi3Terminate");
    if (may_terminate_ && terminate != nullptr && terminate(instance_) == fmi3Fatal) return;
    library_.Need<decltype(fmi3FreeInstance)>("fmi3FreeInstance")(instance_);
  }

  void Configure(const FmuValueList& list, std::span<const double> values) override {
    if (list.size() == 0) return;
    Check("fmi3EnterConfigurationMode",
          library_.Need<decltype(fmi3EnterConfigurationMode)>("fmi3EnterConfigurationMode")(instance_));
    SetValues(list, values);
    Check("fmi3ExitConfigurationMode",
          library_.Need<decltype(fmi3ExitConfigurationMode)>("fmi3ExitConfigurationMode")(instance_));
  }

  void SetValues(const FmuValueList& list, std::span<const double> values) override {
    for (const FmuValueList::Run& run : list.runs()) {
      const double* const from = values.data() + run.begin;
      switch (run.type) {
        case FmuBaseType::kFloat64:
          Check("fmi3SetFloat64",
                set_float64_(instance_, run.references.data(), run.references.size(), from, run.count));
          break;
        case FmuBaseType::kFloat32: Set<float, decltype(fmi3SetFloat32)>("fmi3SetFloat32", run, from); break;
        case FmuBaseType::kInt8: Set<std::int8_t, decltype(fmi3SetInt8)>("fmi3SetInt8", run, from); break;
        case FmuBaseType::kUInt8: Set<std::uint8_t, decltype(fmi3SetUInt8)>("fmi3SetUInt8", run, from); break;
        case FmuBaseType::kInt16: Set<std::int16_t, decltype(fmi3SetInt16)>("fmi3SetInt16", run, from); break;
        case FmuBaseType::kUInt16:
          Set<std::uint16_t, decltype(fmi3SetUInt16)>("fmi3SetUInt16", run, from);
          break;
        case FmuBaseType::kInt32: Set<std::int32_t, decltype(fmi3SetInt32)>("fmi3SetInt32", run, from); break;
        case FmuBaseType::kUInt32:
          Set<std::uint32_t, decltype(fmi3SetUInt32)>("fmi3SetUInt32", run, from);
          break;
        case FmuBaseType::kInt64:
        case FmuBaseType::kEnumeration:
          Set<std::int64_t, decltype(fmi3SetInt64)>("fmi3SetInt64", run, from);
          break;
        case FmuBaseType::kUInt64:
          Set<std::uint64_t, decltype(fmi3SetUInt64)>("fmi3SetUInt64", run, from);
          break;
        case FmuBaseType::kBoolean: SetConditions(run, from); break;
        default: break;
      }
    }
  }

  void GetValues(const FmuValueList& list, std::span<double> values) override {
    for (const FmuValueList::Run& run : list.runs()) {
      double* const to = values.data() + run.begin;
      switch (run.type) {
        case FmuBaseType::kFloat64:
          Check("fmi3GetFloat64",
                get_float64_(instance_, run.references.data(), run.references.size(), to, run.count));
          break;
        case FmuBaseType::kFloat32: Get<float, decltype(fmi3GetFloat32)>("fmi3GetFloat32", run, to); break;
        case FmuBaseType::kInt8: Get<std::int8_t, decltype(fmi3GetInt8)>("fmi3GetInt8", run, to); break;
        case FmuBaseType::kUInt8: Get<std::uint8_t, decltype(fmi3GetUInt8)>("fmi3GetUInt8", run, to); break;
        case FmuBaseType::kInt16: Get<std::int16_t, decltype(fmi3GetInt16)>("fmi3GetInt16", run, to); break;
        case FmuBaseType::kUInt16:
          Get<std::uint16_t, decltype(fmi3GetUInt16)>("fmi3GetUInt16", run, to);
          break;
        case FmuBaseType::kInt32: Get<std::int32_t, decltype(fmi3GetInt32)>("fmi3GetInt32", run, to); break;
        case FmuBaseType::kUInt32:
          Get<std::uint32_t, decltype(fmi3GetUInt32)>("fmi3GetUInt32", run, to);
          break;
        case FmuBaseType::kInt64:
        case FmuBaseType::kEnumeration:
          Get<std::int64_t, decltype(fmi3GetInt64)>("fmi3GetInt64", run, to);
          break;
        case FmuBaseType::kUInt64:
          Get<std::uint64_t, decltype(fmi3GetUInt64)>("fmi3GetUInt64", run, to);
          break;
        case FmuBaseType::kBoolean: GetConditions(run, to); break;
        default: break;
      }
    }
  }

  void SetText(std::uint32_t reference, const std::string& text) override {
    const fmi3String value = text.c_str();
    Check("fmi3SetString",
          library_.Need<decltype(fmi3SetString)>("fmi3SetString")(instance_, &reference, 1, &value, 1));
  }

  void EnterInitialization(double start, std::optional<double> stop,
                           std::optional<double> tolerance) override {
    Check("fmi3EnterInitializationMode",
          library_.Need<decltype(fmi3EnterInitializationMode)>("fmi3EnterInitializationMode")(
              instance_, tolerance.has_value(), tolerance.value_or(0), start, stop.has_value(),
              stop.value_or(0)));
  }
  void ExitInitialization() override {
    Check("fmi3ExitInitializationMode",
          library_.Need<decltype(fmi3ExitInitializationMode)>("fmi3ExitInitializationMode")(instance_));
    may_terminate_ = true;
  }

  void SetInputDerivatives(const std::vector<std::uint32_t>& /*references*/,
                           std::span<const double> /*values*/) override {}

  bool DoStep(double t, double h) override {
    bool has_event = false, is_terminated = false, is_early = false;
    double reached = t;
    Check("fmi3DoStep", do_step_(instance_, t, h, true, &has_event, &is_terminated, &is_early, &reached));
    if (is_early && !is_terminated && reached < t + h) {
      log_.Fail("fmi3DoStep",
                fmt::format("with an early return at {:.9g} s, which was not allowed", reached));
    }
    return !is_terminated;
  }

  void EnterEventMode() override { Check("fmi3EnterEventMode", enter_event_mode_(instance_)); }

  FmuEvents UpdateDiscreteStates() override {
    FmuEvents events;
    for (int i = 0; i < kMostDiscreteUpdates3; ++i) {
      bool is_needed = false, is_end = false, has_nominals = false, has_states = false, has_next = false;
      double next = 0;
      Check("fmi3UpdateDiscreteStates", update_discrete_states_(instance_, &is_needed, &is_end, &has_nominals,
                                                                &has_states, &has_next, &next));
      events.is_terminated = events.is_terminated || is_end;
      events.has_new_states = events.has_new_states || has_states;
      events.has_new_nominals = events.has_new_nominals || has_nominals;
      events.next_time = has_next ? next : std::numeric_limits<double>::infinity();
      if (!is_needed || events.is_terminated) return events;
    }
    log_.Fail("fmi3UpdateDiscreteStates",
              fmt::format("{} times that it needs one more update (event iteration "
                          "without end)",
                          kMostDiscreteUpdates3));
  }

  void EnterContinuousTime() override {
    Check("fmi3EnterContinuousTimeMode", enter_continuous_time_mode_(instance_));
  }

  bool SetPoint(double t, std::span<const double> states) override {
    return IsDone("fmi3SetTime", set_time_(instance_, t)) &&
           (states.empty() ||
            IsDone("fmi3SetContinuousStates", set_states_(instance_, states.data(), states.size())));
  }
  bool GetDerivatives(std::span<double> derivatives) override {
    return derivatives.empty() || IsDone("fmi3GetContinuousStateDerivatives",
                                         get_derivatives_(instance_, derivatives.data(), derivatives.size()));
  }
  bool GetDirectionalDerivatives(const std::vector<std::uint32_t>& unknowns,
                                 const std::vector<std::uint32_t>& knowns, std::span<const double> seed,
                                 std::span<double> changes) override {
    if (get_directional_derivative_ == nullptr) return false;
    const fmi3Status status =
        get_directional_derivative_(instance_, unknowns.data(), unknowns.size(), knowns.data(), knowns.size(),
                                    seed.data(), seed.size(), changes.data(), changes.size());
    return status == fmi3OK || status == fmi3Warning;
  }
  void GetStates(std::span<double> states) override {
    if (states.empty()) return;
    Check("fmi3GetContinuousStates", get_continuous_states_(instance_, states.data(), states.size()));
  }
  void GetNominals(std::span<double> nominals) override {
    auto* const get =
        library_.Get<decltype(fmi3GetNominalsOfContinuousStates)>("fmi3GetNominalsOfContinuousStates");
    if (nominals.empty() || get == nullptr) return;
    Check("fmi3GetNominalsOfContinuousStates", get(instance_, nominals.data(), nominals.size()));
  }
  void GetIndicators(std::span<double> indicators) override {
    if (indicators.empty()) return;
    Check("fmi3GetEventIndicators", get_indicators_(instance_, indicators.data(), indicators.size()));
  }
  bool CompleteStep(bool* is_terminated) override {
    bool wants_events = false;
    Check("fmi3CompletedIntegratorStep",
          completed_integrator_step_(instance_, true, &wants_events, is_terminated));
    return wants_events;
  }

  std::string SaveState() override {
    fmi3FMUState state = nullptr;
    Check("fmi3GetFMUState", library_.Need<decltype(fmi3GetFMUState)>("fmi3GetFMUState")(instance_, &state));
    std::size_t size = 0;
    Check("fmi3SerializedFMUStateSize", library_.Need<decltype(fmi3SerializedFMUStateSize)>(
                                            "fmi3SerializedFMUStateSize")(instance_, state, &size));
    std::string bytes(size, '\0');
    Check("fmi3SerializeFMUState", library_.Need<decltype(fmi3SerializeFMUState)>("fmi3SerializeFMUState")(
                                       instance_, state, reinterpret_cast<fmi3Byte*>(bytes.data()), size));
    FreeState(state);
    return bytes;
  }
  void LoadState(const std::string& bytes) override {
    fmi3FMUState state = nullptr;
    Check("fmi3DeserializeFMUState",
          library_.Need<decltype(fmi3DeserializeFMUState)>("fmi3DeserializeFMUState")(
              instance_, reinterpret_cast<const fmi3Byte*>(bytes.data()), bytes.size(), &state));
    Check("fmi3SetFMUState", library_.Need<decltype(fmi3SetFMUState)>("fmi3SetFMUState")(instance_, state));
    FreeState(state);
  }

  std::vector<FmuLogLine> TakeLog() override { return log_.Take(); }

 private:
  template <class T, class Function>
  void Set(const char* name, const FmuValueList::Run& run, const double* from) {
    std::vector<T> values(run.count);
    for (std::size_t i = 0; i < run.count; ++i) {
      if constexpr (std::is_integral_v<T>) {
        values[i] = ToWhole<T>(from[i]);
      } else {
        values[i] = static_cast<T>(from[i]);
      }
    }
    Check(name, library_.Need<Function>(name)(instance_, run.references.data(), run.references.size(),
                                              values.data(), run.count));
  }
  template <class T, class Function>
  void Get(const char* name, const FmuValueList::Run& run, double* to) {
    std::vector<T> values(run.count);
    Check(name, library_.Need<Function>(name)(instance_, run.references.data(), run.references.size(),
                                              values.data(), run.count));
    for (std::size_t i = 0; i < run.count; ++i) to[i] = static_cast<double>(values[i]);
  }
  void SetConditions(const FmuValueList::Run& run, const double* from) {
    const auto values = std::make_unique<bool[]>(run.count);
    for (std::size_t i = 0; i < run.count; ++i) values[i] = from[i] != 0;
    Check("fmi3SetBoolean",
          library_.Need<decltype(fmi3SetBoolean)>("fmi3SetBoolean")(
              instance_, run.references.data(), run.references.size(), values.get(), run.count));
  }
  void GetConditions(const FmuValueList::Run& run, double* to) {
    const auto values = std::make_unique<bool[]>(run.count);
    Check("fmi3GetBoolean",
          library_.Need<decltype(fmi3GetBoolean)>("fmi3GetBoolean")(
              instance_, run.references.data(), run.references.size(), values.get(), run.count));
    for (std::size_t i = 0; i < run.count; ++i) to[i] = values[i] ? 1 : 0;
  }

  void Check(const char* function, fmi3Status status) {
    if (status == fmi3OK || status == fmi3Warning) [[likely]]
      return;
    may_terminate_ = may_terminate_ && status == fmi3Discard;
    is_dead_ = status == fmi3Fatal;
    log_.Fail(function, NameOfFmiStatus(status));
  }
  bool IsDone(const char* function, fmi3Status status) {
    if (status == fmi3Discard) return false;
    Check(function, status);
    return true;
  }
  void FreeState(fmi3FMUState state) {
    Check("fmi3FreeFMUState",
          library_.Need<decltype(fmi3FreeFMUState)>("fmi3FreeFMUState")(instance_, &state));
  }

  ForeignLibrary library_;
  ForeignLog log_;
  fmi3Instance instance_ = nullptr;
  bool may_terminate_ = false;  ///< initialised and well
  bool is_dead_ = false;        ///< fatal: nothing may be called
  // What steps and events call.
  ForeignFunction<decltype(fmi3DoStep)> do_step_{library_, "fmi3DoStep"};
  ForeignFunction<decltype(fmi3EnterEventMode)> enter_event_mode_{library_, "fmi3EnterEventMode"};
  ForeignFunction<decltype(fmi3UpdateDiscreteStates)> update_discrete_states_{library_,
                                                                              "fmi3UpdateDiscreteStates"};
  ForeignFunction<decltype(fmi3EnterContinuousTimeMode)> enter_continuous_time_mode_{
      library_, "fmi3EnterContinuousTimeMode"};
  ForeignFunction<decltype(fmi3GetContinuousStates)> get_continuous_states_{library_,
                                                                            "fmi3GetContinuousStates"};
  ForeignFunction<decltype(fmi3CompletedIntegratorStep)> completed_integrator_step_{
      library_, "fmi3CompletedIntegratorStep"};
  // What evaluations call.
  decltype(fmi3GetDirectionalDerivative)* get_directional_derivative_ =
      library_.Get<decltype(fmi3GetDirectionalDerivative)>("fmi3GetDirectionalDerivative");
  decltype(fmi3SetFloat64)* set_float64_ = library_.Get<decltype(fmi3SetFloat64)>("fmi3SetFloat64");
  decltype(fmi3GetFloat64)* get_float64_ = library_.Get<decltype(fmi3GetFloat64)>("fmi3GetFloat64");
  decltype(fmi3SetTime)* set_time_ = library_.Get<decltype(fmi3SetTime)>("fmi3SetTime");
  decltype(fmi3SetContinuousStates)* set_states_ =
      library_.Get<decltype(fmi3SetContinuousStates)>("fmi3SetContinuousStates");
  decltype(fmi3GetContinuousStateDerivatives)* get_derivatives_ =
      library_.Get<decltype(fmi3GetContinuousStateDerivatives)>("fmi3GetContinuousStateDerivatives");
  decltype(fmi3GetEventIndicators)* get_indicators_ =
      library_.Get<decltype(fmi3GetEventIndicators)>("fmi3GetEventIndicators");
};

}  // namespace

std::unique_ptr<ForeignFmu> MakeForeignFmu3(const FmuDescription& description,
                                            const ForeignFmuSource& source) {
  return std::make_unique<ForeignFmu3>(description, source);
}

}  // namespace davit
