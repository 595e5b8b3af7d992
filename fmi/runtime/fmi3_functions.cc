#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "fmi/abi/abi3.h"
#include "fmi/runtime/fmu_master.h"

using namespace davit;  // NOLINT(google-build-using-namespace): the functions below belong to no namespace

namespace {

static_assert(static_cast<int>(FmuStatus::kDiscard) == fmi3Discard);
static_assert(static_cast<int>(FmuStatus::kError) == fmi3Error);

/// An instance, and what the master of a co-simulation has asked for.
class Instance3 : public FmuMaster {
 public:
  Instance3(fmi3InstanceEnvironment of_master, fmi3LogMessageCallback logger, bool is_logging)
      : FmuMaster(LoggerOf(of_master, logger), is_logging), environment(of_master) {}

  fmi3InstanceEnvironment environment;
  bool uses_event_mode = false;
  bool may_return_early = false;
  fmi3IntermediateUpdateCallback intermediate_update = nullptr;

 private:
  static Logger LoggerOf(fmi3InstanceEnvironment environment, fmi3LogMessageCallback logger) {
    if (logger == nullptr) return nullptr;
    return [environment, logger](FmuStatus status, const char* category, const std::string& text) {
      logger(environment, static_cast<fmi3Status>(status), category, text.c_str());
    };
  }
};

Instance3* Find(fmi3Instance instance) { return static_cast<Instance3*>(instance); }

/// What every function does first. Without an instance there is nobody to tell.
template <class Call>
fmi3Status Answer(fmi3Instance instance, const char* function, Call call) {
  return instance == nullptr ? fmi3Error : static_cast<fmi3Status>(Find(instance)->Answer(function, call));
}

fmi3Status Refuse(fmi3Instance instance, const char* function, const char* why) {
  return Answer(instance, function, [&](FmuInstance&) { throw std::logic_error(why); });
}

/// For what no variable of the FMU has: a call for no variables at all is right.
fmi3Status RefuseVariables(fmi3Instance instance, const char* function, std::size_t count, const char* why) {
  return Answer(instance, function, [&](FmuInstance&) {
    if (count > 0) throw std::logic_error(why);
  });
}

/// All variables are scalars.
void RequireScalars(std::size_t references, std::size_t values) {
  if (references == values) return;
  throw std::invalid_argument(
      "all variables of this FMU are scalars; give as many values as value references");
}

template <class T>
void Tell(T* place, T value) {
  if (place != nullptr) *place = value;
}

constexpr const char* kNoClocks = "this FMU has no clocks";
constexpr const char* kNoScheduledExecution = "this FMU has no scheduled execution";

}  // namespace

const char* fmi3GetVersion() { return "3.0"; }

fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean loggingOn, std::size_t nCategories,
                               const fmi3String categories[]) {
  return Answer(instance, "fmi3SetDebugLogging",
                [&](FmuInstance&) { Find(instance)->SetLogging(loggingOn, nCategories, categories); });
}

namespace {

/// What is common to both kinds.
Instance3* Instantiate(const char* function, FmuKind kind, const FmuMaster::Wish& wish, bool is_logging,
                       fmi3InstanceEnvironment environment, fmi3LogMessageCallback logger) {
  try {
    auto made = std::make_unique<Instance3>(environment, logger, is_logging);
    return made->Load(function, wish, kind) ? made.release() : nullptr;
  } catch (...) {
    return nullptr;
  }
}

}  // namespace

fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath, fmi3Boolean /*visible*/,
    fmi3Boolean loggingOn, fmi3Boolean eventModeUsed, fmi3Boolean earlyReturnAllowed,
    const fmi3ValueReference* /*requiredIntermediateVariables*/,
    std::size_t /*nRequiredIntermediateVariables*/, fmi3InstanceEnvironment instanceEnvironment,
    fmi3LogMessageCallback logMessage, fmi3IntermediateUpdateCallback intermediateUpdate) {
  Instance3* const made = Instantiate("fmi3InstantiateCoSimulation", FmuKind::kCoSimulation,
                                      {instanceName, resourcePath, instantiationToken}, loggingOn,
                                      instanceEnvironment, logMessage);
  if (made == nullptr) return nullptr;
  if (eventModeUsed) made->instance().UseEventMode();
  made->uses_event_mode = eventModeUsed;
  made->may_return_early = earlyReturnAllowed;
  made->intermediate_update = intermediateUpdate;
  return made;
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String instanceName, fmi3String instantiationToken,
                                          fmi3String resourcePath, fmi3Boolean /*visible*/,
                                          fmi3Boolean loggingOn, fmi3InstanceEnvironment instanceEnvironment,
                                          fmi3LogMessageCallback logMessage) {
  return Instantiate("fmi3InstantiateModelExchange", FmuKind::kModelExchange,
                     {instanceName, resourcePath, instantiationToken}, loggingOn, instanceEnvironment,
                     logMessage);
}

fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String /*instanceName*/, fmi3String /*instantiationToken*/, fmi3String /*resourcePath*/,
    fmi3Boolean /*visible*/, fmi3Boolean /*loggingOn*/, fmi3InstanceEnvironment instanceEnvironment,
    fmi3LogMessageCallback logMessage, fmi3ClockUpdateCallback /*clockUpdate*/,
    fmi3LockPreemptionCallback /*lockPreemption*/, fmi3UnlockPreemptionCallback /*unlockPreemption*/) {
  if (logMessage != nullptr) logMessage(instanceEnvironment, fmi3Error, kLogErrors, kNoScheduledExecution);
  return nullptr;
}

void fmi3FreeInstance(fmi3Instance instance) { delete Find(instance); }

fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean toleranceDefined,
                                       fmi3Float64 tolerance, fmi3Float64 startTime,
                                       fmi3Boolean stopTimeDefined, fmi3Float64 stopTime) {
  return Answer(instance, "fmi3EnterInitializationMode", [&](FmuInstance& fmu) {
    FmuExperiment experiment{startTime, std::nullopt, 0};
    if (stopTimeDefined) experiment.stop = stopTime;
    if (toleranceDefined) experiment.tolerance = tolerance;
    fmu.Setup(experiment);
    fmu.EnterInitialization();
  });
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance instance) {
  return Answer(instance, "fmi3ExitInitializationMode", [](FmuInstance& fmu) { fmu.ExitInitialization(); });
}

fmi3Status fmi3Terminate(fmi3Instance instance) {
  return Answer(instance, "fmi3Terminate", [](FmuInstance& fmu) { fmu.Terminate(); });
}

fmi3Status fmi3Reset(fmi3Instance instance) {
  return Answer(instance, "fmi3Reset", [](FmuInstance& fmu) { fmu.Reset(); });
}

fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                          std::size_t nValueReferences, fmi3Float64 values[], std::size_t nValues) {
  return Answer(instance, "fmi3GetFloat64", [&](FmuInstance& fmu) {
    RequireScalars(nValueReferences, nValues);
    RequireArray(valueReferences, nValueReferences);
    RequireArray(values, nValues);
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
  return Answer(instance, "fmi3SetFloat64", [&](FmuInstance&) {
    RequireScalars(nValueReferences, nValues);
    Find(instance)->Set(valueReferences, nValues, values, {FmuType::kReal});
  });
}

fmi3Status fmi3GetInt32(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                        std::size_t nValueReferences, fmi3Int32 values[], std::size_t nValues) {
  return Answer(instance, "fmi3GetInt32", [&](FmuInstance&) {
    RequireScalars(nValueReferences, nValues);
    Find(instance)->Get(valueReferences, nValues, values, {FmuType::kInteger});
  });
}

fmi3Status fmi3SetInt32(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                        std::size_t nValueReferences, const fmi3Int32 values[], std::size_t nValues) {
  return Answer(instance, "fmi3SetInt32", [&](FmuInstance&) {
    RequireScalars(nValueReferences, nValues);
    Find(instance)->Set(valueReferences, nValues, values, {FmuType::kInteger});
  });
}

fmi3Status fmi3GetInt64(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                        std::size_t nValueReferences, fmi3Int64 values[], std::size_t nValues) {
  return Answer(instance, "fmi3GetInt64", [&](FmuInstance&) {
    RequireScalars(nValueReferences, nValues);
    Find(instance)->Get(valueReferences, nValues, values, {FmuType::kEnumeration});
  });
}

fmi3Status fmi3SetInt64(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                        std::size_t nValueReferences, const fmi3Int64 values[], std::size_t nValues) {
  return Answer(instance, "fmi3SetInt64", [&](FmuInstance&) {
    RequireScalars(nValueReferences, nValues);
    Find(instance)->Set(valueReferences, nValues, values, {FmuType::kEnumeration});
  });
}

fmi3Status fmi3GetBoolean(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                          std::size_t nValueReferences, fmi3Boolean values[], std::size_t nValues) {
  return Answer(instance, "fmi3GetBoolean", [&](FmuInstance&) {
    RequireScalars(nValueReferences, nValues);
    Find(instance)->Get(valueReferences, nValues, values, {FmuType::kBoolean});
  });
}

fmi3Status fmi3SetBoolean(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                          std::size_t nValueReferences, const fmi3Boolean values[], std::size_t nValues) {
  return Answer(instance, "fmi3SetBoolean", [&](FmuInstance&) {
    RequireScalars(nValueReferences, nValues);
    Find(instance)->Set(valueReferences, nValues, values, {FmuType::kBoolean});
  });
}

fmi3Status fmi3GetString(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                         std::size_t nValueReferences, fmi3String values[], std::size_t nValues) {
  return Answer(instance, "fmi3GetString", [&](FmuInstance&) {
    RequireScalars(nValueReferences, nValues);
    Find(instance)->GetTexts(valueReferences, nValues, values);
  });
}

fmi3Status fmi3SetString(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                         std::size_t nValueReferences, const fmi3String values[], std::size_t nValues) {
  return Answer(instance, "fmi3SetString", [&](FmuInstance&) {
    RequireScalars(nValueReferences, nValues);
    Find(instance)->SetTexts(valueReferences, nValues, values);
  });
}

// Types that no variable has.

#define DAVIT_FMI3_NO_VARIABLES(TYPE)                                                                       \
  fmi3Status fmi3Get##TYPE(fmi3Instance instance, const fmi3ValueReference* /*valueReferences*/,            \
                           std::size_t nValueReferences, fmi3##TYPE* /*values*/, std::size_t /*nValues*/) { \
    return RefuseVariables(instance, "fmi3Get" #TYPE, nValueReferences,                                     \
                           "this FMU has no variables of the type " #TYPE);                                 \
  }                                                                                                         \
  fmi3Status fmi3Set##TYPE(fmi3Instance instance, const fmi3ValueReference* /*valueReferences*/,            \
                           std::size_t nValueReferences, const fmi3##TYPE* /*values*/,                      \
                           std::size_t /*nValues*/) {                                                       \
    return RefuseVariables(instance, "fmi3Set" #TYPE, nValueReferences,                                     \
                           "this FMU has no variables of the type " #TYPE);                                 \
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
  return Answer(instance, "fmi3GetFMUState", [&](FmuInstance&) { Find(instance)->SaveState(state); });
}

fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState state) {
  return Answer(instance, "fmi3SetFMUState", [&](FmuInstance&) { Find(instance)->LoadState(state); });
}

fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState* state) {
  return Answer(instance, "fmi3FreeFMUState", [&](FmuInstance&) { FmuMaster::FreeState(state); });
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState state, std::size_t* size) {
  return Answer(instance, "fmi3SerializedFMUStateSize", [&](FmuInstance&) {
    RequireArray(size, 1);
    *size = FmuMaster::SizeOfState(state);
  });
}

fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState state, fmi3Byte bytes[],
                                 std::size_t size) {
  return Answer(instance, "fmi3SerializeFMUState",
                [&](FmuInstance&) { FmuMaster::SerializeState(state, bytes, size); });
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte bytes[], std::size_t size,
                                   fmi3FMUState* state) {
  return Answer(instance, "fmi3DeserializeFMUState",
                [&](FmuInstance&) { Find(instance)->DeserializeState(bytes, size, state); });
}

fmi3Status fmi3EnterStepMode(fmi3Instance instance) {
  return Answer(instance, "fmi3EnterStepMode", [](FmuInstance& fmu) { fmu.EnterStepMode(); });
}

fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 currentCommunicationPoint,
                      fmi3Float64 communicationStepSize, fmi3Boolean /*noSetFMUStatePriorToCurrentPoint*/,
                      fmi3Boolean* eventHandlingNeeded, fmi3Boolean* terminateSimulation,
                      fmi3Boolean* earlyReturn, fmi3Float64* lastSuccessfulTime) {
  return Answer(instance, "fmi3DoStep", [&](FmuInstance& fmu) {
    const Instance3& master = *Find(instance);
    FmuStepOptions options;
    options.ends_at_events = master.uses_event_mode && master.may_return_early;
    if (master.intermediate_update != nullptr) {
      options.on_step_point = [&master](double t) -> std::optional<double> {
        fmi3Boolean is_early = false;
        fmi3Float64 early = t;
        master.intermediate_update(master.environment, t, false, true, false, master.may_return_early,
                                   &is_early, &early);
        if (!is_early || !master.may_return_early) return std::nullopt;
        return early;
      };
    }
    std::string reason;
    bool has_event = false;
    const FmuStep end =
        fmu.DoStep(currentCommunicationPoint, communicationStepSize, options, has_event, reason);
    Tell(eventHandlingNeeded, has_event && master.uses_event_mode);
    Tell(terminateSimulation, end == FmuStep::kTerminated);
    Tell(earlyReturn, end == FmuStep::kEarly);
    Tell(lastSuccessfulTime, fmu.time());
    if (end == FmuStep::kDone || end == FmuStep::kEarly) return FmuStatus::kOk;
    const FmuStatus status = end == FmuStep::kRefused ? FmuStatus::kDiscard : FmuStatus::kOk;
    Find(instance)->Log(status, kLogDiscards, "fmi3DoStep: " + reason);
    return status;
  });
}

fmi3Status fmi3EnterEventMode(fmi3Instance instance) {
  return Answer(instance, "fmi3EnterEventMode", [](FmuInstance& fmu) {
    fmu.phase() == FmuPhase::kContinuous ? fmu.EnterEvent() : fmu.EnterEventMode();
  });
}

// What this FMU does not have.

fmi3Status fmi3GetBinary(fmi3Instance instance, const fmi3ValueReference* /*valueReferences*/,
                         std::size_t nValueReferences, std::size_t* /*valueSizes*/, fmi3Binary* /*values*/,
                         std::size_t /*nValues*/) {
  return RefuseVariables(instance, "fmi3GetBinary", nValueReferences,
                         "this FMU has no variables of the type Binary");
}

fmi3Status fmi3SetBinary(fmi3Instance instance, const fmi3ValueReference* /*valueReferences*/,
                         std::size_t nValueReferences, const std::size_t* /*valueSizes*/,
                         const fmi3Binary* /*values*/, std::size_t /*nValues*/) {
  return RefuseVariables(instance, "fmi3SetBinary", nValueReferences,
                         "this FMU has no variables of the type Binary");
}

fmi3Status fmi3GetClock(fmi3Instance instance, const fmi3ValueReference* /*valueReferences*/,
                        std::size_t nValueReferences, fmi3Clock* /*values*/) {
  return RefuseVariables(instance, "fmi3GetClock", nValueReferences, kNoClocks);
}

fmi3Status fmi3SetClock(fmi3Instance instance, const fmi3ValueReference* /*valueReferences*/,
                        std::size_t nValueReferences, const fmi3Clock* /*values*/) {
  return RefuseVariables(instance, "fmi3SetClock", nValueReferences, kNoClocks);
}

fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance instance, fmi3ValueReference /*valueReference*/,
                                               std::size_t* /*nDependencies*/) {
  return Refuse(instance, "fmi3GetNumberOfVariableDependencies",
                "the dependencies are those of modelDescription.xml; they do not change");
}

fmi3Status fmi3GetVariableDependencies(fmi3Instance instance, fmi3ValueReference /*dependent*/,
                                       std::size_t* /*elementIndicesOfDependent*/,
                                       fmi3ValueReference* /*independents*/,
                                       std::size_t* /*elementIndicesOfIndependents*/,
                                       fmi3DependencyKind* /*dependencyKinds*/,
                                       std::size_t /*nDependencies*/) {
  return Refuse(instance, "fmi3GetVariableDependencies",
                "the dependencies are those of modelDescription.xml; they do not change");
}

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                        std::size_t nUnknowns, const fmi3ValueReference knowns[],
                                        std::size_t nKnowns, const fmi3Float64 seed[], std::size_t nSeed,
                                        fmi3Float64 sensitivity[], std::size_t nSensitivity) {
  return Answer(instance, "fmi3GetDirectionalDerivative", [&](FmuInstance&) {
    RequireScalars(nUnknowns, nSensitivity);
    RequireScalars(nKnowns, nSeed);
    Find(instance)->GetDirectionalDerivative({unknowns, nUnknowns}, {knowns, nKnowns}, seed, sensitivity);
  });
}

fmi3Status fmi3GetAdjointDerivative(fmi3Instance instance, const fmi3ValueReference* /*unknowns*/,
                                    std::size_t /*nUnknowns*/, const fmi3ValueReference* /*knowns*/,
                                    std::size_t /*nKnowns*/, const fmi3Float64* /*seed*/,
                                    std::size_t /*nSeed*/, fmi3Float64* /*sensitivity*/,
                                    std::size_t /*nSensitivity*/) {
  return Refuse(instance, "fmi3GetAdjointDerivative", "this FMU provides no adjoint derivatives");
}

fmi3Status fmi3EnterConfigurationMode(fmi3Instance instance) {
  return Refuse(instance, "fmi3EnterConfigurationMode", "this FMU has no structural parameters");
}

fmi3Status fmi3ExitConfigurationMode(fmi3Instance instance) {
  return Refuse(instance, "fmi3ExitConfigurationMode", "this FMU has no structural parameters");
}

fmi3Status fmi3GetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference* /*valueReferences*/,
                                  std::size_t nValueReferences, fmi3Float64* /*intervals*/,
                                  fmi3IntervalQualifier* /*qualifiers*/) {
  return RefuseVariables(instance, "fmi3GetIntervalDecimal", nValueReferences, kNoClocks);
}

fmi3Status fmi3GetIntervalFraction(fmi3Instance instance, const fmi3ValueReference* /*valueReferences*/,
                                   std::size_t nValueReferences, fmi3UInt64* /*counters*/,
                                   fmi3UInt64* /*resolutions*/, fmi3IntervalQualifier* /*qualifiers*/) {
  return RefuseVariables(instance, "fmi3GetIntervalFraction", nValueReferences, kNoClocks);
}

fmi3Status fmi3GetShiftDecimal(fmi3Instance instance, const fmi3ValueReference* /*valueReferences*/,
                               std::size_t nValueReferences, fmi3Float64* /*shifts*/) {
  return RefuseVariables(instance, "fmi3GetShiftDecimal", nValueReferences, kNoClocks);
}

fmi3Status fmi3GetShiftFraction(fmi3Instance instance, const fmi3ValueReference* /*valueReferences*/,
                                std::size_t nValueReferences, fmi3UInt64* /*counters*/,
                                fmi3UInt64* /*resolutions*/) {
  return RefuseVariables(instance, "fmi3GetShiftFraction", nValueReferences, kNoClocks);
}

fmi3Status fmi3SetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference* /*valueReferences*/,
                                  std::size_t nValueReferences, const fmi3Float64* /*intervals*/) {
  return RefuseVariables(instance, "fmi3SetIntervalDecimal", nValueReferences, kNoClocks);
}

fmi3Status fmi3SetIntervalFraction(fmi3Instance instance, const fmi3ValueReference* /*valueReferences*/,
                                   std::size_t nValueReferences, const fmi3UInt64* /*counters*/,
                                   const fmi3UInt64* /*resolutions*/) {
  return RefuseVariables(instance, "fmi3SetIntervalFraction", nValueReferences, kNoClocks);
}

fmi3Status fmi3SetShiftDecimal(fmi3Instance instance, const fmi3ValueReference* /*valueReferences*/,
                               std::size_t nValueReferences, const fmi3Float64* /*shifts*/) {
  return RefuseVariables(instance, "fmi3SetShiftDecimal", nValueReferences, kNoClocks);
}

fmi3Status fmi3SetShiftFraction(fmi3Instance instance, const fmi3ValueReference* /*valueReferences*/,
                                std::size_t nValueReferences, const fmi3UInt64* /*counters*/,
                                const fmi3UInt64* /*resolutions*/) {
  return RefuseVariables(instance, "fmi3SetShiftFraction", nValueReferences, kNoClocks);
}

fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance instance) {
  return Refuse(instance, "fmi3EvaluateDiscreteStates",
                "this FMU does not evaluate discrete states (providesEvaluateDiscreteStates is false)");
}

fmi3Status fmi3GetOutputDerivatives(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                    std::size_t nValueReferences, const fmi3Int32 orders[],
                                    fmi3Float64 values[], std::size_t nValues) {
  return Answer(instance, "fmi3GetOutputDerivatives", [&](FmuInstance&) {
    RequireScalars(nValueReferences, nValues);
    Find(instance)->GetOutputDerivatives(valueReferences, nValues, orders, values);
  });
}

fmi3Status fmi3ActivateModelPartition(fmi3Instance instance, fmi3ValueReference /*clockReference*/,
                                      fmi3Float64 /*activationTime*/) {
  return Refuse(instance, "fmi3ActivateModelPartition", kNoClocks);
}

// Event mode, and model exchange.

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean* discreteStatesNeedUpdate,
                                    fmi3Boolean* terminateSimulation,
                                    fmi3Boolean* nominalsOfContinuousStatesChanged,
                                    fmi3Boolean* valuesOfContinuousStatesChanged,
                                    fmi3Boolean* nextEventTimeDefined, fmi3Float64* nextEventTime) {
  return Answer(instance, "fmi3UpdateDiscreteStates", [&](FmuInstance& fmu) {
    const FmuEventInfo info = fmu.UpdateDiscreteStates();
    const bool has_next = std::isfinite(info.next_event);
    Tell(discreteStatesNeedUpdate, false);
    Tell(terminateSimulation, info.is_terminated);
    Tell(nominalsOfContinuousStatesChanged, false);
    Tell(valuesOfContinuousStatesChanged, info.has_changed_states);
    Tell(nextEventTimeDefined, has_next);
    Tell(nextEventTime, has_next ? info.next_event : 0.0);
  });
}

fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance instance) {
  return Answer(instance, "fmi3EnterContinuousTimeMode", [](FmuInstance& fmu) { fmu.EnterContinuousTime(); });
}

fmi3Status fmi3CompletedIntegratorStep(fmi3Instance instance,
                                       fmi3Boolean /*noSetFMUStatePriorToCurrentPoint*/,
                                       fmi3Boolean* enterEventMode, fmi3Boolean* terminateSimulation) {
  return Answer(instance, "fmi3CompletedIntegratorStep", [&](FmuInstance& fmu) {
    Tell(terminateSimulation, false);
    Tell(enterEventMode, fmu.CompleteStep());
  });
}

fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 time) {
  return Answer(instance, "fmi3SetTime", [&](FmuInstance& fmu) { fmu.SetTime(time); });
}

fmi3Status fmi3SetContinuousStates(fmi3Instance instance, const fmi3Float64 continuousStates[],
                                   std::size_t nContinuousStates) {
  return Answer(instance, "fmi3SetContinuousStates", [&](FmuInstance& fmu) {
    RequireArray(continuousStates, nContinuousStates);
    fmu.SetStates({continuousStates, nContinuousStates});
  });
}

fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance instance, fmi3Float64 derivatives[],
                                             std::size_t nContinuousStates) {
  return Answer(instance, "fmi3GetContinuousStateDerivatives",
                [&](FmuInstance& fmu) { Fill(fmu.Derivatives(), derivatives, nContinuousStates); });
}

fmi3Status fmi3GetEventIndicators(fmi3Instance instance, fmi3Float64 eventIndicators[],
                                  std::size_t nEventIndicators) {
  return Answer(instance, "fmi3GetEventIndicators",
                [&](FmuInstance& fmu) { Fill(fmu.Indicators(), eventIndicators, nEventIndicators); });
}

fmi3Status fmi3GetContinuousStates(fmi3Instance instance, fmi3Float64 continuousStates[],
                                   std::size_t nContinuousStates) {
  return Answer(instance, "fmi3GetContinuousStates",
                [&](FmuInstance& fmu) { Fill(fmu.States(), continuousStates, nContinuousStates); });
}

fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance instance, fmi3Float64 nominals[],
                                             std::size_t nContinuousStates) {
  return Answer(instance, "fmi3GetNominalsOfContinuousStates",
                [&](FmuInstance& fmu) { Fill(fmu.Nominals(), nominals, nContinuousStates); });
}

fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance instance, std::size_t* nEventIndicators) {
  return Answer(instance, "fmi3GetNumberOfEventIndicators",
                [&](FmuInstance& fmu) { Tell(nEventIndicators, fmu.manifest().guards.size()); });
}

fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance instance, std::size_t* nContinuousStates) {
  return Answer(instance, "fmi3GetNumberOfContinuousStates",
                [&](FmuInstance& fmu) { Tell(nContinuousStates, fmu.manifest().states.size()); });
}
