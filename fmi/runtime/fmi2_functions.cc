#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>

#include "fmi/abi/abi2.h"
#include "fmi/runtime/fmu_master.h"
#include "framework/escape.h"

using namespace davit;  // NOLINT(google-build-using-namespace): the functions below belong to no namespace

namespace {

static_assert(static_cast<int>(FmuStatus::kDiscard) == fmi2Discard);
static_assert(static_cast<int>(FmuStatus::kError) == fmi2Error);

constexpr auto kWhole = {FmuType::kInteger, FmuType::kEnumeration};

FmuMaster* Find(fmi2Component c) { return static_cast<FmuMaster*>(c); }

/// What every function does first. Without an instance there is nobody to tell.
template <class Call>
fmi2Status Answer(fmi2Component c, const char* function, Call call) {
  return c == nullptr ? fmi2Error : static_cast<fmi2Status>(Find(c)->Answer(function, call));
}

fmi2Status Refuse(fmi2Component c, const char* function, const char* why) {
  return Answer(c, function, [&](FmuInstance&) { throw std::logic_error(why); });
}

FmuMaster::Logger LoggerOf(const std::string& name, const fmi2CallbackFunctions* functions) {
  if (functions == nullptr || functions->logger == nullptr) return nullptr;
  return [name, callbacks = *functions](FmuStatus status, const char* category, const std::string& text) {
    // The logger takes a format: with doubled '%' it needs no arguments, which not all masters pass on.
    callbacks.logger(callbacks.componentEnvironment, name.c_str(), static_cast<fmi2Status>(status), category,
                     Escape(text, {{'%', "%%"}}).c_str());
  };
}

}  // namespace

const char* fmi2GetTypesPlatform() { return "default"; }
const char* fmi2GetVersion() { return "2.0"; }

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean loggingOn, std::size_t nCategories,
                               const fmi2String categories[]) {
  return Answer(c, "fmi2SetDebugLogging",
                [&](FmuInstance&) { Find(c)->SetLogging(loggingOn != fmi2False, nCategories, categories); });
}

fmi2Component fmi2Instantiate(fmi2String instanceName, fmi2Type fmuType, fmi2String fmuGUID,
                              fmi2String fmuResourceLocation, const fmi2CallbackFunctions* functions,
                              fmi2Boolean /*visible*/, fmi2Boolean loggingOn) {
  try {
    auto master = std::make_unique<FmuMaster>(
        LoggerOf(instanceName == nullptr ? "" : instanceName, functions), loggingOn != fmi2False);
    if (fmuType != fmi2CoSimulation && fmuType != fmi2ModelExchange) {
      master->Log(FmuStatus::kError, kLogErrors,
                  "fmi2Instantiate: fmuType is neither fmi2ModelExchange nor fmi2CoSimulation");
      return nullptr;
    }
    const bool is_loaded =
        master->Load("fmi2Instantiate", {instanceName, fmuResourceLocation, fmuGUID},
                     fmuType == fmi2ModelExchange ? FmuKind::kModelExchange : FmuKind::kCoSimulation);
    return is_loaded ? master.release() : nullptr;
  } catch (...) {
    return nullptr;
  }
}

void fmi2FreeInstance(fmi2Component c) { delete Find(c); }

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean toleranceDefined, fmi2Real tolerance,
                               fmi2Real startTime, fmi2Boolean stopTimeDefined, fmi2Real stopTime) {
  return Answer(c, "fmi2SetupExperiment", [&](FmuInstance& instance) {
    FmuExperiment experiment{startTime, std::nullopt, 0};
    if (stopTimeDefined != fmi2False) experiment.stop = stopTime;
    if (toleranceDefined != fmi2False) experiment.tolerance = tolerance;
    instance.Setup(experiment);
  });
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
  return Answer(c, "fmi2EnterInitializationMode",
                [](FmuInstance& instance) { instance.EnterInitialization(); });
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
  return Answer(c, "fmi2ExitInitializationMode",
                [](FmuInstance& instance) { instance.ExitInitialization(); });
}

fmi2Status fmi2Terminate(fmi2Component c) {
  return Answer(c, "fmi2Terminate", [](FmuInstance& instance) { instance.Terminate(); });
}

fmi2Status fmi2Reset(fmi2Component c) {
  return Answer(c, "fmi2Reset", [](FmuInstance& instance) { instance.Reset(); });
}

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr, fmi2Real value[]) {
  return Answer(c, "fmi2GetReal", [&](FmuInstance& instance) {
    RequireArray(vr, nvr);
    RequireArray(value, nvr);
    instance.GetReals({vr, nvr}, value);
  });
}

fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr,
                          fmi2Integer value[]) {
  return Answer(c, "fmi2GetInteger", [&](FmuInstance&) { Find(c)->Get(vr, nvr, value, kWhole); });
}

fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr,
                          fmi2Boolean value[]) {
  return Answer(c, "fmi2GetBoolean",
                [&](FmuInstance&) { Find(c)->Get(vr, nvr, value, {FmuType::kBoolean}); });
}

fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr,
                         fmi2String value[]) {
  return Answer(c, "fmi2GetString", [&](FmuInstance&) { Find(c)->GetTexts(vr, nvr, value); });
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr,
                       const fmi2Real value[]) {
  return Answer(c, "fmi2SetReal", [&](FmuInstance&) { Find(c)->Set(vr, nvr, value, {FmuType::kReal}); });
}

fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr,
                          const fmi2Integer value[]) {
  return Answer(c, "fmi2SetInteger", [&](FmuInstance&) { Find(c)->Set(vr, nvr, value, kWhole); });
}

fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr,
                          const fmi2Boolean value[]) {
  return Answer(c, "fmi2SetBoolean",
                [&](FmuInstance&) { Find(c)->Set(vr, nvr, value, {FmuType::kBoolean}); });
}

fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr,
                         const fmi2String value[]) {
  return Answer(c, "fmi2SetString", [&](FmuInstance&) { Find(c)->SetTexts(vr, nvr, value); });
}

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* state) {
  return Answer(c, "fmi2GetFMUstate", [&](FmuInstance&) { Find(c)->SaveState(state); });
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
  return Answer(c, "fmi2SetFMUstate", [&](FmuInstance&) { Find(c)->LoadState(state); });
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* state) {
  return Answer(c, "fmi2FreeFMUstate", [&](FmuInstance&) { FmuMaster::FreeState(state); });
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, std::size_t* size) {
  return Answer(c, "fmi2SerializedFMUstateSize", [&](FmuInstance&) {
    RequireArray(size, 1);
    *size = FmuMaster::SizeOfState(state);
  });
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], std::size_t size) {
  return Answer(c, "fmi2SerializeFMUstate",
                [&](FmuInstance&) { FmuMaster::SerializeState(state, bytes, size); });
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], std::size_t size,
                                   fmi2FMUstate* state) {
  return Answer(c, "fmi2DeSerializeFMUstate",
                [&](FmuInstance&) { Find(c)->DeserializeState(bytes, size, state); });
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknowns[],
                                        std::size_t nUnknowns, const fmi2ValueReference knowns[],
                                        std::size_t nKnowns, const fmi2Real dvKnown[], fmi2Real dvUnknown[]) {
  return Answer(c, "fmi2GetDirectionalDerivative", [&](FmuInstance&) {
    Find(c)->GetDirectionalDerivative({unknowns, nUnknowns}, {knowns, nKnowns}, dvKnown, dvUnknown);
  });
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr,
                                       const fmi2Integer order[], const fmi2Real value[]) {
  return Answer(c, "fmi2SetRealInputDerivatives", [&](FmuInstance& instance) {
    RequireArray(vr, nvr);
    RequireArray(order, nvr);
    RequireArray(value, nvr);
    for (std::size_t i = 0; i < nvr; ++i) instance.SetInputDerivative(vr[i], order[i], value[i]);
  });
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr,
                                        const fmi2Integer order[], fmi2Real value[]) {
  return Answer(c, "fmi2GetRealOutputDerivatives",
                [&](FmuInstance&) { Find(c)->GetOutputDerivatives(vr, nvr, order, value); });
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real currentCommunicationPoint, fmi2Real communicationStepSize,
                      fmi2Boolean /*noSetFMUStatePriorToCurrentPoint*/) {
  return Answer(c, "fmi2DoStep", [&](FmuInstance& instance) {
    std::string reason;
    bool has_event = false;
    const FmuStep end =
        instance.DoStep(currentCommunicationPoint, communicationStepSize, {}, has_event, reason);
    if (end == FmuStep::kDone) return FmuStatus::kOk;
    Find(c)->Log(FmuStatus::kDiscard, kLogDiscards, "fmi2DoStep: " + reason);
    return FmuStatus::kDiscard;
  });
}

fmi2Status fmi2CancelStep(fmi2Component c) {
  return Refuse(c, "fmi2CancelStep", "no step is under way: steps of this FMU are never asynchronous");
}

fmi2Status fmi2GetStatus(fmi2Component c, fmi2StatusKind /*kind*/, fmi2Status* /*value*/) {
  return Refuse(c, "fmi2GetStatus",
                "steps of this FMU are never asynchronous; there is no status to ask for");
}

fmi2Status fmi2GetRealStatus(fmi2Component c, fmi2StatusKind kind, fmi2Real* value) {
  return Answer(c, "fmi2GetRealStatus", [&](FmuInstance& instance) {
    RequireArray(value, 1);
    if (kind != fmi2LastSuccessfulTime)
      throw std::invalid_argument("only fmi2LastSuccessfulTime is a number");
    *value = instance.time();
  });
}

fmi2Status fmi2GetIntegerStatus(fmi2Component c, fmi2StatusKind /*kind*/, fmi2Integer* /*value*/) {
  return Refuse(c, "fmi2GetIntegerStatus", "FMI 2.0 defines no status that is an integer");
}

fmi2Status fmi2GetBooleanStatus(fmi2Component c, fmi2StatusKind kind, fmi2Boolean* value) {
  return Answer(c, "fmi2GetBooleanStatus", [&](FmuInstance& instance) {
    RequireArray(value, 1);
    if (kind != fmi2Terminated) throw std::invalid_argument("only fmi2Terminated is a condition");
    *value = instance.has_ended() ? fmi2True : fmi2False;
  });
}

fmi2Status fmi2GetStringStatus(fmi2Component c, fmi2StatusKind /*kind*/, fmi2String* /*value*/) {
  return Refuse(c, "fmi2GetStringStatus", "steps of this FMU are never asynchronous; nothing is pending");
}

// Model exchange.

fmi2Status fmi2EnterEventMode(fmi2Component c) {
  return Answer(c, "fmi2EnterEventMode", [](FmuInstance& instance) { instance.EnterEvent(); });
}

fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo* eventInfo) {
  return Answer(c, "fmi2NewDiscreteStates", [&](FmuInstance& instance) {
    RequireArray(eventInfo, 1);
    const FmuEventInfo info = instance.UpdateDiscreteStates();
    const bool has_next = std::isfinite(info.next_event);
    *eventInfo = {.newDiscreteStatesNeeded = fmi2False,
                  .terminateSimulation = info.is_terminated ? fmi2True : fmi2False,
                  .nominalsOfContinuousStatesChanged = fmi2False,
                  .valuesOfContinuousStatesChanged = info.has_changed_states ? fmi2True : fmi2False,
                  .nextEventTimeDefined = has_next ? fmi2True : fmi2False,
                  .nextEventTime = has_next ? info.next_event : 0};
  });
}

fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c) {
  return Answer(c, "fmi2EnterContinuousTimeMode",
                [](FmuInstance& instance) { instance.EnterContinuousTime(); });
}

fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean /*noSetFMUStatePriorToCurrentPoint*/,
                                       fmi2Boolean* enterEventMode, fmi2Boolean* terminateSimulation) {
  return Answer(c, "fmi2CompletedIntegratorStep", [&](FmuInstance& instance) {
    RequireArray(enterEventMode, 1);
    RequireArray(terminateSimulation, 1);
    *terminateSimulation = fmi2False;
    *enterEventMode = instance.CompleteStep() ? fmi2True : fmi2False;
  });
}

fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time) {
  return Answer(c, "fmi2SetTime", [&](FmuInstance& instance) { instance.SetTime(time); });
}

fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], std::size_t nx) {
  return Answer(c, "fmi2SetContinuousStates", [&](FmuInstance& instance) {
    RequireArray(x, nx);
    instance.SetStates({x, nx});
  });
}

fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real derivatives[], std::size_t nx) {
  return Answer(c, "fmi2GetDerivatives",
                [&](FmuInstance& instance) { Fill(instance.Derivatives(), derivatives, nx); });
}

fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real eventIndicators[], std::size_t ni) {
  return Answer(c, "fmi2GetEventIndicators",
                [&](FmuInstance& instance) { Fill(instance.Indicators(), eventIndicators, ni); });
}

fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], std::size_t nx) {
  return Answer(c, "fmi2GetContinuousStates", [&](FmuInstance& instance) { Fill(instance.States(), x, nx); });
}

fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real x_nominal[], std::size_t nx) {
  return Answer(c, "fmi2GetNominalsOfContinuousStates",
                [&](FmuInstance& instance) { Fill(instance.Nominals(), x_nominal, nx); });
}
