#include "fmi/runtime/fmi3_instance.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>

using namespace davit;  // NOLINT(google-build-using-namespace): the functions below belong to no namespace

const char* fmi3GetVersion() { return "3.0"; }

fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean loggingOn, std::size_t nCategories,
                               const fmi3String categories[]) {
  return Answer3(instance, "fmi3SetDebugLogging",
                 [&](FmuInstance&) { Find3(instance)->SetLogging(loggingOn, nCategories, categories); });
}

namespace {

/// What is common to both kinds.
fmi3Instance Instantiate3(const char* function, FmuKind kind, fmi3String instanceName,
                          fmi3String instantiationToken, fmi3String resourcePath, fmi3Boolean loggingOn,
                          fmi3InstanceEnvironment instanceEnvironment, fmi3LogMessageCallback logMessage) {
  try {
    auto made = std::make_unique<Instance3>(instanceEnvironment, logMessage, loggingOn);
    try {
      if (instanceName == nullptr || *instanceName == 0)
        throw std::invalid_argument("the instance has no name; give it one");
      if (resourcePath == nullptr)
        throw std::invalid_argument(
            "no path of the resources was given; give the folder of the unpacked FMU");
      made->Load(ReadResourcePath(resourcePath), kind);
      const std::string& token = made->instance().manifest().token;
      if (instantiationToken == nullptr || token != instantiationToken) {
        throw std::invalid_argument("the instantiationToken is not that of this FMU, " + token +
                                    "; modelDescription.xml and the binary must be of one export");
      }
      return made.release();
    } catch (const std::exception& fault) {
      made->Log(fmi3Error, kErrors3, std::string(function) + ": " + fault.what());
    }
  } catch (...) {
    return nullptr;
  }
  return nullptr;
}

}  // namespace

fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath, fmi3Boolean /*visible*/,
    fmi3Boolean loggingOn, fmi3Boolean eventModeUsed, fmi3Boolean earlyReturnAllowed,
    const fmi3ValueReference* /*requiredIntermediateVariables*/,
    std::size_t /*nRequiredIntermediateVariables*/, fmi3InstanceEnvironment instanceEnvironment,
    fmi3LogMessageCallback logMessage, fmi3IntermediateUpdateCallback intermediateUpdate) {
  fmi3Instance made =
      Instantiate3("fmi3InstantiateCoSimulation", FmuKind::kCoSimulation, instanceName, instantiationToken,
                   resourcePath, loggingOn, instanceEnvironment, logMessage);
  if (made == nullptr) return nullptr;
  if (eventModeUsed) Find3(made)->instance().UseEventMode();
  Find3(made)->uses_event_mode = eventModeUsed;
  Find3(made)->may_return_early = earlyReturnAllowed;
  Find3(made)->intermediate_update = intermediateUpdate;
  return made;
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String instanceName, fmi3String instantiationToken,
                                          fmi3String resourcePath, fmi3Boolean /*visible*/,
                                          fmi3Boolean loggingOn, fmi3InstanceEnvironment instanceEnvironment,
                                          fmi3LogMessageCallback logMessage) {
  return Instantiate3("fmi3InstantiateModelExchange", FmuKind::kModelExchange, instanceName,
                      instantiationToken, resourcePath, loggingOn, instanceEnvironment, logMessage);
}

fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String /*instanceName*/, fmi3String /*instantiationToken*/, fmi3String /*resourcePath*/,
    fmi3Boolean /*visible*/, fmi3Boolean /*loggingOn*/, fmi3InstanceEnvironment instanceEnvironment,
    fmi3LogMessageCallback logMessage, fmi3ClockUpdateCallback /*clockUpdate*/,
    fmi3LockPreemptionCallback /*lockPreemption*/, fmi3UnlockPreemptionCallback /*unlockPreemption*/) {
  if (logMessage != nullptr) logMessage(instanceEnvironment, fmi3Error, kErrors3, kNoScheduledExecution3);
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
    const auto time = static_cast<fmi3ValueReference>(fmu.manifest().variables.size());
    for (std::size_t i = 0; i < nValues;) {  // what lies between two times in one call
      const auto* const end = std::find(valueReferences + i, valueReferences + nValues, time);
      const auto count = static_cast<std::size_t>(end - (valueReferences + i));
      fmu.GetReals({valueReferences + i, count}, values + i);
      i += count;
      if (i < nValues) values[i++] = fmu.time();
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
    KeepState(fmu.SaveState(), *state);
  });
}

fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState state) {
  return Answer3(instance, "fmi3SetFMUState", [&](FmuInstance& fmu) { fmu.LoadState(StateOf(state)); });
}

fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState* state) {
  return Answer3(instance, "fmi3FreeFMUState", [&](FmuInstance&) {
    if (state != nullptr) FreeState(*state);
  });
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState state, std::size_t* size) {
  return Answer3(instance, "fmi3SerializedFMUStateSize", [&](FmuInstance& fmu) {
    RequireArray3(size, 1);
    *size = StateOf(state).Serialize(fmu.manifest().token).size();
  });
}

fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState state, fmi3Byte bytes[],
                                 std::size_t size) {
  return Answer3(instance, "fmi3SerializeFMUState", [&](FmuInstance& fmu) {
    RequireArray3(bytes, size);
    const std::string text = StateOf(state).Serialize(fmu.manifest().token);
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
    KeepState(FmuState::Deserialize(text, fmu.manifest().token), *state);
  });
}

fmi3Status fmi3EnterStepMode(fmi3Instance instance) {
  return Answer3(instance, "fmi3EnterStepMode", [](FmuInstance& fmu) { fmu.EnterStepMode(); });
}

fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 currentCommunicationPoint,
                      fmi3Float64 communicationStepSize, fmi3Boolean /*noSetFMUStatePriorToCurrentPoint*/,
                      fmi3Boolean* eventHandlingNeeded, fmi3Boolean* terminateSimulation,
                      fmi3Boolean* earlyReturn, fmi3Float64* lastSuccessfulTime) {
  return Answer3(instance, "fmi3DoStep", [&](FmuInstance& fmu) {
    const Instance3& master = *Find3(instance);
    FmuStepOptions options;
    options.ends_at_events = master.uses_event_mode && master.may_return_early;
    if (master.intermediate_update != nullptr) {
      options.on_step_point = [&master](double t) -> std::optional<double> {
        fmi3Boolean is_early = false;
        fmi3Float64 early = t;
        master.intermediate_update(master.environment(), t, false, true, false, master.may_return_early,
                                   &is_early, &early);
        if (!is_early || !master.may_return_early) return std::nullopt;
        return early;
      };
    }
    std::string reason;
    bool has_event = false;
    const FmuStep end =
        fmu.DoStep(currentCommunicationPoint, communicationStepSize, options, has_event, reason);
    Tell3(eventHandlingNeeded, has_event && master.uses_event_mode);
    Tell3(terminateSimulation, end == FmuStep::kTerminated);
    Tell3(earlyReturn, end == FmuStep::kEarly);
    Tell3(lastSuccessfulTime, fmu.time());
    if (end == FmuStep::kDone || end == FmuStep::kEarly) return fmi3OK;
    Find3(instance)->Log(end == FmuStep::kRefused ? fmi3Discard : fmi3OK, kDiscards3,
                         "fmi3DoStep: " + reason);
    return end == FmuStep::kRefused ? fmi3Discard : fmi3OK;
  });
}

fmi3Status fmi3EnterEventMode(fmi3Instance instance) {
  return Answer3(instance, "fmi3EnterEventMode", [](FmuInstance& fmu) {
    fmu.phase() == FmuPhase::kContinuous ? fmu.EnterEvent() : fmu.EnterEventMode();
  });
}

// What this FMU does not have.

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

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                        std::size_t nUnknowns, const fmi3ValueReference knowns[],
                                        std::size_t nKnowns, const fmi3Float64 seed[], std::size_t nSeed,
                                        fmi3Float64 sensitivity[], std::size_t nSensitivity) {
  return Answer3(instance, "fmi3GetDirectionalDerivative", [&](FmuInstance& fmu) {
    RequireArrays3(unknowns, nUnknowns, sensitivity, nSensitivity);
    RequireArrays3(knowns, nKnowns, seed, nSeed);
    std::ranges::copy(fmu.DirectionalDerivative({unknowns, nUnknowns}, {knowns, nKnowns}, {seed, nSeed}),
                      sensitivity);
  });
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
  return Unsupported3(instance, "fmi3EvaluateDiscreteStates",
                      "this FMU does not evaluate discrete states (providesEvaluateDiscreteStates is false)");
}

fmi3Status fmi3GetOutputDerivatives(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                    std::size_t nValueReferences, const fmi3Int32 orders[],
                                    fmi3Float64 values[], std::size_t nValues) {
  return Answer3(instance, "fmi3GetOutputDerivatives", [&](FmuInstance& fmu) {
    RequireArrays3(valueReferences, nValueReferences, values, nValues);
    RequireArray3(orders, nValueReferences);
    std::ranges::copy(fmu.OutputDerivatives({valueReferences, nValueReferences}, {orders, nValueReferences}),
                      values);
  });
}

fmi3Status fmi3ActivateModelPartition(fmi3Instance instance, fmi3ValueReference /*clockReference*/,
                                      fmi3Float64 /*activationTime*/) {
  return Unsupported3(instance, "fmi3ActivateModelPartition", kNoClocks3);
}

// Event mode, and model exchange.

namespace {

void Fill3(const std::vector<double>& values, fmi3Float64* to, std::size_t count) {
  RequireArray3(to, count);
  if (count != values.size()) {
    throw std::invalid_argument("there are " + std::to_string(values.size()) + " values, and the array has " +
                                std::to_string(count) + " places");
  }
  if (count > 0) std::memcpy(to, values.data(), count * sizeof(double));
}

/// What cannot be evaluated where a solver tries is answered with fmi3Discard: it may try nearer.
template <class Call>
fmi3Status Try3(fmi3Instance instance, const char* function, Call call) {
  return Answer3(instance, function, [&](FmuInstance& fmu) {
    try {
      call(fmu);
      return fmi3OK;
    } catch (const EvaluationFailure& failure) {
      Find3(instance)->Log(fmi3Discard, kDiscards3, std::string(function) + ": " + failure.what());
      return fmi3Discard;
    }
  });
}

}  // namespace

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean* discreteStatesNeedUpdate,
                                    fmi3Boolean* terminateSimulation,
                                    fmi3Boolean* nominalsOfContinuousStatesChanged,
                                    fmi3Boolean* valuesOfContinuousStatesChanged,
                                    fmi3Boolean* nextEventTimeDefined, fmi3Float64* nextEventTime) {
  return Answer3(instance, "fmi3UpdateDiscreteStates", [&](FmuInstance& fmu) {
    const FmuEventInfo info = fmu.UpdateDiscreteStates();
    const bool has_next = std::isfinite(info.next_event);
    Tell3(discreteStatesNeedUpdate, false);
    Tell3(terminateSimulation, info.is_terminated);
    Tell3(nominalsOfContinuousStatesChanged, false);
    Tell3(valuesOfContinuousStatesChanged, info.has_changed_states);
    Tell3(nextEventTimeDefined, has_next);
    Tell3(nextEventTime, has_next ? info.next_event : 0.0);
  });
}

fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance instance) {
  return Answer3(instance, "fmi3EnterContinuousTimeMode",
                 [](FmuInstance& fmu) { fmu.EnterContinuousTime(); });
}

fmi3Status fmi3CompletedIntegratorStep(fmi3Instance instance,
                                       fmi3Boolean /*noSetFMUStatePriorToCurrentPoint*/,
                                       fmi3Boolean* enterEventMode, fmi3Boolean* terminateSimulation) {
  return Answer3(instance, "fmi3CompletedIntegratorStep", [&](FmuInstance& fmu) {
    Tell3(terminateSimulation, false);
    Tell3(enterEventMode, fmu.CompleteStep());
  });
}

fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 time) {
  return Answer3(instance, "fmi3SetTime", [&](FmuInstance& fmu) { fmu.SetTime(time); });
}

fmi3Status fmi3SetContinuousStates(fmi3Instance instance, const fmi3Float64 continuousStates[],
                                   std::size_t nContinuousStates) {
  return Answer3(instance, "fmi3SetContinuousStates", [&](FmuInstance& fmu) {
    RequireArray3(continuousStates, nContinuousStates);
    fmu.SetStates({continuousStates, nContinuousStates});
  });
}

fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance instance, fmi3Float64 derivatives[],
                                             std::size_t nContinuousStates) {
  return Try3(instance, "fmi3GetContinuousStateDerivatives",
              [&](FmuInstance& fmu) { Fill3(fmu.Derivatives(), derivatives, nContinuousStates); });
}

fmi3Status fmi3GetEventIndicators(fmi3Instance instance, fmi3Float64 eventIndicators[],
                                  std::size_t nEventIndicators) {
  return Try3(instance, "fmi3GetEventIndicators",
              [&](FmuInstance& fmu) { Fill3(fmu.Indicators(), eventIndicators, nEventIndicators); });
}

fmi3Status fmi3GetContinuousStates(fmi3Instance instance, fmi3Float64 continuousStates[],
                                   std::size_t nContinuousStates) {
  return Answer3(instance, "fmi3GetContinuousStates",
                 [&](FmuInstance& fmu) { Fill3(fmu.States(), continuousStates, nContinuousStates); });
}

fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance instance, fmi3Float64 nominals[],
                                             std::size_t nContinuousStates) {
  return Answer3(instance, "fmi3GetNominalsOfContinuousStates",
                 [&](FmuInstance& fmu) { Fill3(fmu.Nominals(), nominals, nContinuousStates); });
}

fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance instance, std::size_t* nEventIndicators) {
  return Answer3(instance, "fmi3GetNumberOfEventIndicators",
                 [&](FmuInstance& fmu) { Tell3(nEventIndicators, fmu.manifest().guards.size()); });
}

fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance instance, std::size_t* nContinuousStates) {
  return Answer3(instance, "fmi3GetNumberOfContinuousStates",
                 [&](FmuInstance& fmu) { Tell3(nContinuousStates, fmu.manifest().states.size()); });
}
