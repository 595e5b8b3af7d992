#include <cstring>
#include <deque>
#include <exception>
#include <limits>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>

#include "fmi/abi/abi3.h"
#include "fmi/runtime/fmu_instance.h"
#include "fmi/runtime/resource_path.h"

namespace davit {
namespace {

constexpr const char* kEvents3 = "logEvents";
constexpr const char* kWarnings3 = "logStatusWarning";
constexpr const char* kErrors3 = "logStatusError";
constexpr const char* kDiscards3 = "logStatusDiscard";

/// An instance as a master of FMI 3.0 sees it.
class Instance3 {
 public:
  Instance3(fmi3InstanceEnvironment environment, fmi3LogMessageCallback logger, bool is_logging)
      : environment_(environment), logger_(logger), is_logging_(is_logging) {}

  void Load(const std::filesystem::path& resources) {
    instance_ = std::make_unique<FmuInstance>(
        resources, [this](RunLog::Severity severity, std::string_view line) { TakeLine(severity, line); });
  }

  FmuInstance& instance() { return *instance_; }

  /// An error is told always; the rest as the master has asked for it.
  void Log(fmi3Status status, const char* category, const std::string& text) {
    if (logger_ == nullptr) return;
    const bool is_wanted =
        status >= fmi3Error || (is_logging_ && (categories_.empty() || categories_.contains(category)));
    if (is_wanted) logger_(environment_, status, category, text.c_str());
  }

  /// Runs a call; what it throws becomes a line of the log and fmi3Error.
  template <class Call>
  fmi3Status Answer(const char* function, Call call) {
    try {
      if constexpr (std::is_void_v<decltype(call(*instance_))>) {
        call(*instance_);
        return fmi3OK;
      } else {
        return call(*instance_);
      }
    } catch (const std::exception& fault) {
      Log(fmi3Error, kErrors3, std::string(function) + ": " + fault.what());
    } catch (...) {
      Log(fmi3Error, kErrors3, std::string(function) + ": an unknown exception");
    }
    return fmi3Error;
  }

  void SetLogging(bool is_on, std::size_t count, const fmi3String categories[]) {
    if (count > 0 && categories == nullptr) throw std::invalid_argument("no categories were given");
    is_logging_ = is_on;
    categories_.clear();
    for (std::size_t i = 0; i < count; ++i) categories_.insert(categories[i]);
    if (categories_.contains("logAll")) categories_.clear();
  }

  std::deque<std::string> texts;  ///< what fmi3GetString gave, until the next call

 private:
  void TakeLine(RunLog::Severity severity, std::string_view line) {
    const bool is_error = severity == RunLog::Severity::kError;
    const bool is_warning = severity == RunLog::Severity::kWarning;
    // An error of the run is the answer of the call that meets it.
    Log(is_error || is_warning ? fmi3Warning : fmi3OK,
        is_error     ? kErrors3
        : is_warning ? kWarnings3
                     : kEvents3,
        std::string(line));
  }

  fmi3InstanceEnvironment environment_;
  fmi3LogMessageCallback logger_;
  bool is_logging_ = false;
  std::set<std::string, std::less<>> categories_;
  std::unique_ptr<FmuInstance> instance_;
};

Instance3* Find3(fmi3Instance instance) { return static_cast<Instance3*>(instance); }

/// What every function does first. Without an instance there is nobody to tell.
template <class Call>
fmi3Status Answer3(fmi3Instance instance, const char* function, Call call) {
  return instance == nullptr ? fmi3Error : Find3(instance)->Answer(function, call);
}

void RequireArray3(const void* first, std::size_t count) {
  if (count > 0 && first == nullptr) throw std::invalid_argument("an array is missing; give one");
}

/// All variables are scalars.
void RequireArrays3(const fmi3ValueReference* references, std::size_t count, const void* values,
                    std::size_t value_count) {
  RequireArray3(references, count);
  RequireArray3(values, value_count);
  if (count != value_count)
    throw std::invalid_argument(
        "all variables of this FMU are scalars; give as many values as value references");
}

fmi3Status Unsupported3(fmi3Instance instance, const char* function, const char* why) {
  return Answer3(instance, function, [&](FmuInstance&) { throw std::logic_error(why); });
}

FmuState& StateOf3(fmi3FMUState state) {
  if (state == nullptr) throw std::invalid_argument("there is no state; save one first");
  return *static_cast<FmuState*>(state);
}

template <class T>
void Tell3(T* place, T value) {
  if (place != nullptr) *place = value;
}

constexpr const char* kNoClocks3 = "this FMU has no clocks";
constexpr const char* kNoModelExchange3 = "this FMU is made for co-simulation only";
constexpr const char* kNoEventMode3 = "this FMU has no event mode (hasEventMode is false)";

}  // namespace
}  // namespace davit

using namespace davit;  // NOLINT(google-build-using-namespace): the functions below belong to no namespace

const char* fmi3GetVersion() { return "3.0"; }

fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean loggingOn, std::size_t nCategories,
                               const fmi3String categories[]) {
  return Answer3(instance, "fmi3SetDebugLogging",
                 [&](FmuInstance&) { Find3(instance)->SetLogging(loggingOn, nCategories, categories); });
}

fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath, fmi3Boolean /*visible*/,
    fmi3Boolean loggingOn, fmi3Boolean eventModeUsed, fmi3Boolean /*earlyReturnAllowed*/,
    const fmi3ValueReference* /*requiredIntermediateVariables*/, std::size_t nRequiredIntermediateVariables,
    fmi3InstanceEnvironment instanceEnvironment, fmi3LogMessageCallback logMessage,
    fmi3IntermediateUpdateCallback /*intermediateUpdate*/) {
  try {
    auto made = std::make_unique<Instance3>(instanceEnvironment, logMessage, loggingOn);
    try {
      if (instanceName == nullptr || *instanceName == 0)
        throw std::invalid_argument("the instance has no name; give it one");
      if (eventModeUsed)
        throw std::invalid_argument(std::string(kNoEventMode3) + "; set eventModeUsed to false");
      if (nRequiredIntermediateVariables > 0) {
        throw std::invalid_argument(
            "this FMU has no intermediate update (providesIntermediateUpdate is false); ask for no "
            "variables");
      }
      if (resourcePath == nullptr)
        throw std::invalid_argument(
            "no path of the resources was given; give the folder of the unpacked FMU");
      made->Load(ReadResourcePath(resourcePath));
      const std::string& token = made->instance().manifest().token;
      if (instantiationToken == nullptr || token != instantiationToken) {
        throw std::invalid_argument("the instantiationToken is not that of this FMU, " + token +
                                    "; modelDescription.xml and the binary must be of one export");
      }
      return made.release();
    } catch (const std::exception& fault) {
      if (made != nullptr)
        made->Log(fmi3Error, kErrors3, std::string("fmi3InstantiateCoSimulation: ") + fault.what());
    }
  } catch (...) {
    return nullptr;
  }
  return nullptr;
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String /*instanceName*/, fmi3String /*instantiationToken*/,
                                          fmi3String /*resourcePath*/, fmi3Boolean /*visible*/,
                                          fmi3Boolean /*loggingOn*/,
                                          fmi3InstanceEnvironment instanceEnvironment,
                                          fmi3LogMessageCallback logMessage) {
  if (logMessage != nullptr) logMessage(instanceEnvironment, fmi3Error, kErrors3, kNoModelExchange3);
  return nullptr;
}

fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String /*instanceName*/, fmi3String /*instantiationToken*/, fmi3String /*resourcePath*/,
    fmi3Boolean /*visible*/, fmi3Boolean /*loggingOn*/, fmi3InstanceEnvironment instanceEnvironment,
    fmi3LogMessageCallback logMessage, fmi3ClockUpdateCallback /*clockUpdate*/,
    fmi3LockPreemptionCallback /*lockPreemption*/, fmi3UnlockPreemptionCallback /*unlockPreemption*/) {
  if (logMessage != nullptr) logMessage(instanceEnvironment, fmi3Error, kErrors3, kNoModelExchange3);
  return nullptr;
}

void fmi3FreeInstance(fmi3Instance instance) { delete Find3(instance); }

fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean toleranceDefined,
                                       fmi3Float64 tolerance, fmi3Float64 startTime,
                                       fmi3Boolean stopTimeDefined, fmi3Float64 stopTime) {
  return Answer3(instance, "fmi3EnterInitializationMode", [&](FmuInstance& fmu) {
    FmuExperiment experiment{startTime, std::nullopt, 0};
    if (stopTimeDefined) experiment.stop = stopTime;
    if (toleranceDefined) experiment.tolerance = tolerance;
    fmu.Setup(experiment);
    fmu.EnterInitialization();
  });
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance instance) {
  return Answer3(instance, "fmi3ExitInitializationMode", [](FmuInstance& fmu) { fmu.ExitInitialization(); });
}

fmi3Status fmi3Terminate(fmi3Instance instance) {
  return Answer3(instance, "fmi3Terminate", [](FmuInstance& fmu) { fmu.Terminate(); });
}

fmi3Status fmi3Reset(fmi3Instance instance) {
  return Answer3(instance, "fmi3Reset", [](FmuInstance& fmu) { fmu.Reset(); });
}

fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                          std::size_t nValueReferences, fmi3Float64 values[], std::size_t nValues) {
  return Answer3(instance, "fmi3GetFloat64", [&](FmuInstance& fmu) {
    RequireArrays3(valueReferences, nValueReferences, values, nValues);
    for (std::size_t i = 0; i < nValues; ++i) {
      const bool is_time = valueReferences[i] == fmu.manifest().variables.size();
      values[i] = is_time ? fmu.time() : fmu.Get(valueReferences[i], {FmuType::kReal});
    }
  });
}

fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                          std::size_t nValueReferences, const fmi3Float64 values[], std::size_t nValues) {
  return Answer3(instance, "fmi3SetFloat64", [&](FmuInstance& fmu) {
    RequireArrays3(valueReferences, nValueReferences, values, nValues);
    for (std::size_t i = 0; i < nValues; ++i) fmu.Set(valueReferences[i], values[i], {FmuType::kReal});
  });
}

fmi3Status fmi3GetInt32(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                        std::size_t nValueReferences, fmi3Int32 values[], std::size_t nValues) {
  return Answer3(instance, "fmi3GetInt32", [&](FmuInstance& fmu) {
    RequireArrays3(valueReferences, nValueReferences, values, nValues);
    for (std::size_t i = 0; i < nValues; ++i)
      values[i] = static_cast<fmi3Int32>(fmu.Get(valueReferences[i], {FmuType::kInteger}));
  });
}

fmi3Status fmi3SetInt32(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                        std::size_t nValueReferences, const fmi3Int32 values[], std::size_t nValues) {
  return Answer3(instance, "fmi3SetInt32", [&](FmuInstance& fmu) {
    RequireArrays3(valueReferences, nValueReferences, values, nValues);
    for (std::size_t i = 0; i < nValues; ++i) fmu.Set(valueReferences[i], values[i], {FmuType::kInteger});
  });
}

fmi3Status fmi3GetInt64(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                        std::size_t nValueReferences, fmi3Int64 values[], std::size_t nValues) {
  return Answer3(instance, "fmi3GetInt64", [&](FmuInstance& fmu) {
    RequireArrays3(valueReferences, nValueReferences, values, nValues);
    for (std::size_t i = 0; i < nValues; ++i)
      values[i] = static_cast<fmi3Int64>(fmu.Get(valueReferences[i], {FmuType::kEnumeration}));
  });
}

fmi3Status fmi3SetInt64(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                        std::size_t nValueReferences, const fmi3Int64 values[], std::size_t nValues) {
  return Answer3(instance, "fmi3SetInt64", [&](FmuInstance& fmu) {
    RequireArrays3(valueReferences, nValueReferences, values, nValues);
    for (std::size_t i = 0; i < nValues; ++i)
      fmu.Set(valueReferences[i], static_cast<double>(values[i]), {FmuType::kEnumeration});
  });
}

fmi3Status fmi3GetBoolean(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                          std::size_t nValueReferences, fmi3Boolean values[], std::size_t nValues) {
  return Answer3(instance, "fmi3GetBoolean", [&](FmuInstance& fmu) {
    RequireArrays3(valueReferences, nValueReferences, values, nValues);
    for (std::size_t i = 0; i < nValues; ++i)
      values[i] = fmu.Get(valueReferences[i], {FmuType::kBoolean}) != 0;
  });
}

fmi3Status fmi3SetBoolean(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                          std::size_t nValueReferences, const fmi3Boolean values[], std::size_t nValues) {
  return Answer3(instance, "fmi3SetBoolean", [&](FmuInstance& fmu) {
    RequireArrays3(valueReferences, nValueReferences, values, nValues);
    for (std::size_t i = 0; i < nValues; ++i)
      fmu.Set(valueReferences[i], values[i] ? 1 : 0, {FmuType::kBoolean});
  });
}

fmi3Status fmi3GetString(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                         std::size_t nValueReferences, fmi3String values[], std::size_t nValues) {
  return Answer3(instance, "fmi3GetString", [&](FmuInstance& fmu) {
    RequireArrays3(valueReferences, nValueReferences, values, nValues);
    std::deque<std::string>& texts = Find3(instance)->texts;
    texts.clear();
    for (std::size_t i = 0; i < nValues; ++i) {
      texts.push_back(fmu.GetText(valueReferences[i]));
      values[i] = texts.back().c_str();
    }
  });
}

fmi3Status fmi3SetString(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                         std::size_t nValueReferences, const fmi3String values[], std::size_t nValues) {
  return Answer3(instance, "fmi3SetString", [&](FmuInstance& fmu) {
    RequireArrays3(valueReferences, nValueReferences, values, nValues);
    for (std::size_t i = 0; i < nValues; ++i) {
      if (values[i] == nullptr) throw std::invalid_argument("a text is missing; give one");
      fmu.SetText(valueReferences[i], values[i]);
    }
  });
}

// Types that no variable has: a call for no variables at all is right.

#define DAVIT_FMI3_NO_VARIABLES(TYPE)                                                                       \
  fmi3Status fmi3Get##TYPE(fmi3Instance instance, const fmi3ValueReference* /*valueReferences*/,            \
                           std::size_t nValueReferences, fmi3##TYPE* /*values*/, std::size_t /*nValues*/) { \
    return nValueReferences == 0 && instance != nullptr                                                     \
               ? fmi3OK                                                                                     \
               : Unsupported3(instance, "fmi3Get" #TYPE, "this FMU has no variables of the type " #TYPE);   \
  }                                                                                                         \
  fmi3Status fmi3Set##TYPE(fmi3Instance instance, const fmi3ValueReference* /*valueReferences*/,            \
                           std::size_t nValueReferences, const fmi3##TYPE* /*values*/,                      \
                           std::size_t /*nValues*/) {                                                       \
    return nValueReferences == 0 && instance != nullptr                                                     \
               ? fmi3OK                                                                                     \
               : Unsupported3(instance, "fmi3Set" #TYPE, "this FMU has no variables of the type " #TYPE);   \
  }

DAVIT_FMI3_NO_VARIABLES(Float32)
DAVIT_FMI3_NO_VARIABLES(Int8)
DAVIT_FMI3_NO_VARIABLES(UInt8)
DAVIT_FMI3_NO_VARIABLES(Int16)
DAVIT_FMI3_NO_VARIABLES(UInt16)
DAVIT_FMI3_NO_VARIABLES(UInt32)
DAVIT_FMI3_NO_VARIABLES(UInt64)

#undef DAVIT_FMI3_NO_VARIABLES

fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState* state) {
  return Answer3(instance, "fmi3GetFMUState", [&](FmuInstance& fmu) {
    RequireArray3(state, 1);
    FmuState saved = fmu.SaveState();
    if (*state == nullptr) {
      *state = new FmuState(std::move(saved));
    } else {
      StateOf3(*state) = std::move(saved);
    }
  });
}

fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState state) {
  return Answer3(instance, "fmi3SetFMUState", [&](FmuInstance& fmu) { fmu.LoadState(StateOf3(state)); });
}

fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState* state) {
  return Answer3(instance, "fmi3FreeFMUState", [&](FmuInstance&) {
    if (state == nullptr) return;
    delete static_cast<FmuState*>(*state);
    *state = nullptr;
  });
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState state, std::size_t* size) {
  return Answer3(instance, "fmi3SerializedFMUStateSize", [&](FmuInstance& fmu) {
    RequireArray3(size, 1);
    *size = StateOf3(state).Serialize(fmu.manifest().token).size();
  });
}

fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState state, fmi3Byte bytes[],
                                 std::size_t size) {
  return Answer3(instance, "fmi3SerializeFMUState", [&](FmuInstance& fmu) {
    RequireArray3(bytes, size);
    const std::string text = StateOf3(state).Serialize(fmu.manifest().token);
    if (size < text.size())
      throw std::invalid_argument("there is too little room; ask fmi3SerializedFMUStateSize for the size");
    std::memcpy(bytes, text.data(), text.size());
  });
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte bytes[], std::size_t size,
                                   fmi3FMUState* state) {
  return Answer3(instance, "fmi3DeserializeFMUState", [&](FmuInstance& fmu) {
    RequireArray3(bytes, size);
    RequireArray3(state, 1);
    const std::string_view text(reinterpret_cast<const char*>(bytes), size);
    auto read = std::make_unique<FmuState>(FmuState::Deserialize(text, fmu.manifest().token));
    delete static_cast<FmuState*>(*state);
    *state = read.release();
  });
}

fmi3Status fmi3EnterStepMode(fmi3Instance instance) {
  return Unsupported3(instance, "fmi3EnterStepMode", kNoEventMode3);
}

fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 currentCommunicationPoint,
                      fmi3Float64 communicationStepSize, fmi3Boolean /*noSetFMUStatePriorToCurrentPoint*/,
                      fmi3Boolean* eventHandlingNeeded, fmi3Boolean* terminateSimulation,
                      fmi3Boolean* earlyReturn, fmi3Float64* lastSuccessfulTime) {
  return Answer3(instance, "fmi3DoStep", [&](FmuInstance& fmu) {
    std::string reason;
    const FmuStep end = fmu.DoStep(currentCommunicationPoint, communicationStepSize, reason);
    Tell3(eventHandlingNeeded, false);
    Tell3(terminateSimulation, end == FmuStep::kTerminated);
    Tell3(earlyReturn, false);
    Tell3(lastSuccessfulTime, fmu.time());
    if (end == FmuStep::kDone) return fmi3OK;
    Find3(instance)->Log(end == FmuStep::kRefused ? fmi3Discard : fmi3OK, kDiscards3,
                         "fmi3DoStep: " + reason);
    return end == FmuStep::kRefused ? fmi3Discard : fmi3OK;
  });
}

// What this FMU does not have.

fmi3Status fmi3EnterEventMode(fmi3Instance instance) {
  return Unsupported3(instance, "fmi3EnterEventMode", kNoEventMode3);
}

fmi3Status fmi3GetBinary(fmi3Instance instance, const fmi3ValueReference* /*valueReferences*/,
                         std::size_t /*nValueReferences*/, std::size_t* /*valueSizes*/,
                         fmi3Binary* /*values*/, std::size_t /*nValues*/) {
  return Unsupported3(instance, "fmi3GetBinary", "this FMU has no variables of the type Binary");
}

fmi3Status fmi3SetBinary(fmi3Instance instance, const fmi3ValueReference* /*valueReferences*/,
                         std::size_t /*nValueReferences*/, const std::size_t* /*valueSizes*/,
                         const fmi3Binary* /*values*/, std::size_t /*nValues*/) {
  return Unsupported3(instance, "fmi3SetBinary", "this FMU has no variables of the type Binary");
}

fmi3Status fmi3GetClock(fmi3Instance instance, const fmi3ValueReference* /*valueReferences*/,
                        std::size_t /*nValueReferences*/, fmi3Clock* /*values*/) {
  return Unsupported3(instance, "fmi3GetClock", kNoClocks3);
}

fmi3Status fmi3SetClock(fmi3Instance instance, const fmi3ValueReference* /*valueReferences*/,
                        std::size_t /*nValueReferences*/, const fmi3Clock* /*values*/) {
  return Unsupported3(instance, "fmi3SetClock", kNoClocks3);
}

fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance instance, fmi3ValueReference /*valueReference*/,
                                               std::size_t* /*nDependencies*/) {
  return Unsupported3(instance, "fmi3GetNumberOfVariableDependencies",
                      "the dependencies are those of modelDescription.xml; they do not change");
}

fmi3Status fmi3GetVariableDependencies(fmi3Instance instance, fmi3ValueReference /*dependent*/,
                                       std::size_t* /*elementIndicesOfDependent*/,
                                       fmi3ValueReference* /*independents*/,
                                       std::size_t* /*elementIndicesOfIndependents*/,
                                       fmi3DependencyKind* /*dependencyKinds*/,
                                       std::size_t /*nDependencies*/) {
  return Unsupported3(instance, "fmi3GetVariableDependencies",
                      "the dependencies are those of modelDescription.xml; they do not change");
}

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance instance, const fmi3ValueReference* /*unknowns*/,
                                        std::size_t /*nUnknowns*/, const fmi3ValueReference* /*knowns*/,
                                        std::size_t /*nKnowns*/, const fmi3Float64* /*seed*/,
                                        std::size_t /*nSeed*/, fmi3Float64* /*sensitivity*/,
                                        std::size_t /*nSensitivity*/) {
  return Unsupported3(
      instance, "fmi3GetDirectionalDerivative",
      "this FMU provides no directional derivatives (providesDirectionalDerivatives is false)");
}

fmi3Status fmi3GetAdjointDerivative(fmi3Instance instance, const fmi3ValueReference* /*unknowns*/,
                                    std::size_t /*nUnknowns*/, const fmi3ValueReference* /*knowns*/,
                                    std::size_t /*nKnowns*/, const fmi3Float64* /*seed*/,
                                    std::size_t /*nSeed*/, fmi3Float64* /*sensitivity*/,
                                    std::size_t /*nSensitivity*/) {
  return Unsupported3(instance, "fmi3GetAdjointDerivative", "this FMU provides no adjoint derivatives");
}

fmi3Status fmi3EnterConfigurationMode(fmi3Instance instance) {
  return Unsupported3(instance, "fmi3EnterConfigurationMode", "this FMU has no structural parameters");
}

fmi3Status fmi3ExitConfigurationMode(fmi3Instance instance) {
  return Unsupported3(instance, "fmi3ExitConfigurationMode", "this FMU has no structural parameters");
}

fmi3Status fmi3GetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference* /*valueReferences*/,
                                  std::size_t /*nValueReferences*/, fmi3Float64* /*intervals*/,
                                  fmi3IntervalQualifier* /*qualifiers*/) {
  return Unsupported3(instance, "fmi3GetIntervalDecimal", kNoClocks3);
}

fmi3Status fmi3GetIntervalFraction(fmi3Instance instance, const fmi3ValueReference* /*valueReferences*/,
                                   std::size_t /*nValueReferences*/, fmi3UInt64* /*counters*/,
                                   fmi3UInt64* /*resolutions*/, fmi3IntervalQualifier* /*qualifiers*/) {
  return Unsupported3(instance, "fmi3GetIntervalFraction", kNoClocks3);
}

fmi3Status fmi3GetShiftDecimal(fmi3Instance instance, const fmi3ValueReference* /*valueReferences*/,
                               std::size_t /*nValueReferences*/, fmi3Float64* /*shifts*/) {
  return Unsupported3(instance, "fmi3GetShiftDecimal", kNoClocks3);
}

fmi3Status fmi3GetShiftFraction(fmi3Instance instance, const fmi3ValueReference* /*valueReferences*/,
                                std::size_t /*nValueReferences*/, fmi3UInt64* /*counters*/,
                                fmi3UInt64* /*resolutions*/) {
  return Unsupported3(instance, "fmi3GetShiftFraction", kNoClocks3);
}

fmi3Status fmi3SetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference* /*valueReferences*/,
                                  std::size_t /*nValueReferences*/, const fmi3Float64* /*intervals*/) {
  return Unsupported3(instance, "fmi3SetIntervalDecimal", kNoClocks3);
}

fmi3Status fmi3SetIntervalFraction(fmi3Instance instance, const fmi3ValueReference* /*valueReferences*/,
                                   std::size_t /*nValueReferences*/, const fmi3UInt64* /*counters*/,
                                   const fmi3UInt64* /*resolutions*/) {
  return Unsupported3(instance, "fmi3SetIntervalFraction", kNoClocks3);
}

fmi3Status fmi3SetShiftDecimal(fmi3Instance instance, const fmi3ValueReference* /*valueReferences*/,
                               std::size_t /*nValueReferences*/, const fmi3Float64* /*shifts*/) {
  return Unsupported3(instance, "fmi3SetShiftDecimal", kNoClocks3);
}

fmi3Status fmi3SetShiftFraction(fmi3Instance instance, const fmi3ValueReference* /*valueReferences*/,
                                std::size_t /*nValueReferences*/, const fmi3UInt64* /*counters*/,
                                const fmi3UInt64* /*resolutions*/) {
  return Unsupported3(instance, "fmi3SetShiftFraction", kNoClocks3);
}

fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance instance) {
  return Unsupported3(instance, "fmi3EvaluateDiscreteStates", kNoEventMode3);
}

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean* /*discreteStatesNeedUpdate*/,
                                    fmi3Boolean* /*terminateSimulation*/,
                                    fmi3Boolean* /*nominalsOfContinuousStatesChanged*/,
                                    fmi3Boolean* /*valuesOfContinuousStatesChanged*/,
                                    fmi3Boolean* /*nextEventTimeDefined*/, fmi3Float64* /*nextEventTime*/) {
  return Unsupported3(instance, "fmi3UpdateDiscreteStates", kNoEventMode3);
}

fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance instance) {
  return Unsupported3(instance, "fmi3EnterContinuousTimeMode", kNoModelExchange3);
}

fmi3Status fmi3CompletedIntegratorStep(fmi3Instance instance,
                                       fmi3Boolean /*noSetFMUStatePriorToCurrentPoint*/,
                                       fmi3Boolean* /*enterEventMode*/,
                                       fmi3Boolean* /*terminateSimulation*/) {
  return Unsupported3(instance, "fmi3CompletedIntegratorStep", kNoModelExchange3);
}

fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 /*time*/) {
  return Unsupported3(instance, "fmi3SetTime", kNoModelExchange3);
}

fmi3Status fmi3SetContinuousStates(fmi3Instance instance, const fmi3Float64* /*states*/,
                                   std::size_t /*nStates*/) {
  return Unsupported3(instance, "fmi3SetContinuousStates", kNoModelExchange3);
}

fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance instance, fmi3Float64* /*derivatives*/,
                                             std::size_t /*n*/) {
  return Unsupported3(instance, "fmi3GetContinuousStateDerivatives", kNoModelExchange3);
}

fmi3Status fmi3GetEventIndicators(fmi3Instance instance, fmi3Float64* /*indicators*/, std::size_t /*n*/) {
  return Unsupported3(instance, "fmi3GetEventIndicators", kNoModelExchange3);
}

fmi3Status fmi3GetContinuousStates(fmi3Instance instance, fmi3Float64* /*states*/, std::size_t /*n*/) {
  return Unsupported3(instance, "fmi3GetContinuousStates", kNoModelExchange3);
}

fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance instance, fmi3Float64* /*nominals*/,
                                             std::size_t /*n*/) {
  return Unsupported3(instance, "fmi3GetNominalsOfContinuousStates", kNoModelExchange3);
}

fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance instance, std::size_t* /*n*/) {
  return Unsupported3(instance, "fmi3GetNumberOfEventIndicators", kNoModelExchange3);
}

fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance instance, std::size_t* /*n*/) {
  return Unsupported3(instance, "fmi3GetNumberOfContinuousStates", kNoModelExchange3);
}

fmi3Status fmi3GetOutputDerivatives(fmi3Instance instance, const fmi3ValueReference* /*valueReferences*/,
                                    std::size_t /*nValueReferences*/, const fmi3Int32* /*orders*/,
                                    fmi3Float64* /*values*/, std::size_t /*nValues*/) {
  return Unsupported3(
      instance, "fmi3GetOutputDerivatives",
      "this FMU has no derivatives of outputs (maxOutputDerivativeOrder is 0); read der(...)");
}

fmi3Status fmi3ActivateModelPartition(fmi3Instance instance, fmi3ValueReference /*clockReference*/,
                                      fmi3Float64 /*activationTime*/) {
  return Unsupported3(instance, "fmi3ActivateModelPartition", kNoClocks3);
}
