#include "fmi/runtime/fmi2_component.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>

using namespace davit;  // NOLINT(google-build-using-namespace): the functions below belong to no namespace

const char* fmi2GetTypesPlatform() { return "default"; }
const char* fmi2GetVersion() { return "2.0"; }

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean loggingOn, std::size_t nCategories,
                               const fmi2String categories[]) {
  return Answer2(c, "fmi2SetDebugLogging", [&](FmuInstance&) {
    Find2(c)->SetLogging(loggingOn != fmi2False, nCategories, categories);
  });
}

fmi2Component fmi2Instantiate(fmi2String instanceName, fmi2Type fmuType, fmi2String fmuGUID,
                              fmi2String fmuResourceLocation, const fmi2CallbackFunctions* functions,
                              fmi2Boolean /*visible*/, fmi2Boolean loggingOn) {
  try {
    const std::string name = instanceName == nullptr ? "" : instanceName;
    auto component = std::make_unique<Component2>(
        name, functions == nullptr ? fmi2CallbackFunctions{} : *functions, loggingOn != fmi2False);
    const fmi2Status status = [&] {
      try {
        if (name.empty()) throw std::invalid_argument("the instance has no name; give it one");
        const bool is_known = fmuType == fmi2CoSimulation || fmuType == fmi2ModelExchange;
        if (!is_known)
          throw std::invalid_argument("fmuType is neither fmi2ModelExchange nor fmi2CoSimulation");
        if (fmuResourceLocation == nullptr) {
          throw std::invalid_argument(
              "no location of the resources was given; give the folder of the unpacked FMU, file:///...");
        }
        component->Load(ReadResourcePath(fmuResourceLocation),
                        fmuType == fmi2ModelExchange ? FmuKind::kModelExchange : FmuKind::kCoSimulation);
        const std::string& token = component->instance().manifest().token;
        if (fmuGUID == nullptr || token != fmuGUID) {
          throw std::invalid_argument("the guid is not that of this FMU, " + token +
                                      "; modelDescription.xml and the binary must be of one export");
        }
        return fmi2OK;
      } catch (const std::exception& fault) {
        component->Log(fmi2Error, kErrors2, std::string("fmi2Instantiate: ") + fault.what());
        return fmi2Error;
      }
    }();
    return status == fmi2OK ? component.release() : nullptr;
  } catch (...) {
    return nullptr;
  }
}

void fmi2FreeInstance(fmi2Component c) { delete Find2(c); }

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean toleranceDefined, fmi2Real tolerance,
                               fmi2Real startTime, fmi2Boolean stopTimeDefined, fmi2Real stopTime) {
  return Answer2(c, "fmi2SetupExperiment", [&](FmuInstance& instance) {
    FmuExperiment experiment{startTime, std::nullopt, 0};
    if (stopTimeDefined != fmi2False) experiment.stop = stopTime;
    if (toleranceDefined != fmi2False) experiment.tolerance = tolerance;
    instance.Setup(experiment);
  });
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
  return Answer2(c, "fmi2EnterInitializationMode",
                 [](FmuInstance& instance) { instance.EnterInitialization(); });
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
  return Answer2(c, "fmi2ExitInitializationMode",
                 [](FmuInstance& instance) { instance.ExitInitialization(); });
}

fmi2Status fmi2Terminate(fmi2Component c) {
  return Answer2(c, "fmi2Terminate", [](FmuInstance& instance) { instance.Terminate(); });
}

fmi2Status fmi2Reset(fmi2Component c) {
  return Answer2(c, "fmi2Reset", [&](FmuInstance& instance) {
    instance.Reset();
    Find2(c)->is_terminated = false;
  });
}

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr, fmi2Real value[]) {
  return Answer2(c, "fmi2GetReal", [&](FmuInstance& instance) {
    RequireArray2(vr, nvr);
    RequireArray2(value, nvr);
    instance.GetReals({vr, nvr}, value);
  });
}

fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr,
                          fmi2Integer value[]) {
  return Answer2(c, "fmi2GetInteger", [&](FmuInstance& instance) {
    RequireArray2(vr, nvr);
    RequireArray2(value, nvr);
    for (std::size_t i = 0; i < nvr; ++i) value[i] = static_cast<fmi2Integer>(instance.Get(vr[i], kWhole2));
  });
}

fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr,
                          fmi2Boolean value[]) {
  return Answer2(c, "fmi2GetBoolean", [&](FmuInstance& instance) {
    RequireArray2(vr, nvr);
    RequireArray2(value, nvr);
    for (std::size_t i = 0; i < nvr; ++i)
      value[i] = instance.Get(vr[i], {FmuType::kBoolean}) != 0 ? fmi2True : fmi2False;
  });
}

fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr,
                         fmi2String value[]) {
  return Answer2(c, "fmi2GetString", [&](FmuInstance& instance) {
    RequireArray2(vr, nvr);
    RequireArray2(value, nvr);
    std::deque<std::string>& texts = Find2(c)->texts;
    texts.clear();
    for (std::size_t i = 0; i < nvr; ++i) {
      texts.push_back(instance.GetText(vr[i]));
      value[i] = texts.back().c_str();
    }
  });
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr,
                       const fmi2Real value[]) {
  return Answer2(c, "fmi2SetReal", [&](FmuInstance& instance) {
    RequireArray2(vr, nvr);
    RequireArray2(value, nvr);
    for (std::size_t i = 0; i < nvr; ++i) instance.Set(vr[i], value[i], {FmuType::kReal});
  });
}

fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr,
                          const fmi2Integer value[]) {
  return Answer2(c, "fmi2SetInteger", [&](FmuInstance& instance) {
    RequireArray2(vr, nvr);
    RequireArray2(value, nvr);
    for (std::size_t i = 0; i < nvr; ++i) instance.Set(vr[i], value[i], kWhole2);
  });
}

fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr,
                          const fmi2Boolean value[]) {
  return Answer2(c, "fmi2SetBoolean", [&](FmuInstance& instance) {
    RequireArray2(vr, nvr);
    RequireArray2(value, nvr);
    for (std::size_t i = 0; i < nvr; ++i)
      instance.Set(vr[i], value[i] != fmi2False ? 1 : 0, {FmuType::kBoolean});
  });
}

fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr,
                         const fmi2String value[]) {
  return Answer2(c, "fmi2SetString", [&](FmuInstance& instance) {
    RequireArray2(vr, nvr);
    RequireArray2(value, nvr);
    for (std::size_t i = 0; i < nvr; ++i) {
      if (value[i] == nullptr) throw std::invalid_argument("a text is missing; give one");
      instance.SetText(vr[i], value[i]);
    }
  });
}

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* state) {
  return Answer2(c, "fmi2GetFMUstate", [&](FmuInstance& instance) {
    RequireArray2(state, 1);
    KeepState(instance.SaveState(), *state);
  });
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
  return Answer2(c, "fmi2SetFMUstate", [&](FmuInstance& instance) { instance.LoadState(StateOf(state)); });
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* state) {
  return Answer2(c, "fmi2FreeFMUstate", [&](FmuInstance&) {
    if (state != nullptr) FreeState(*state);
  });
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, std::size_t* size) {
  return Answer2(c, "fmi2SerializedFMUstateSize", [&](FmuInstance& instance) {
    RequireArray2(size, 1);
    *size = StateOf(state).Serialize(instance.manifest().token).size();
  });
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], std::size_t size) {
  return Answer2(c, "fmi2SerializeFMUstate", [&](FmuInstance& instance) {
    RequireArray2(bytes, size);
    const std::string text = StateOf(state).Serialize(instance.manifest().token);
    if (size < text.size())
      throw std::invalid_argument("there is too little room; ask fmi2SerializedFMUstateSize for the size");
    std::memcpy(bytes, text.data(), text.size());
  });
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], std::size_t size,
                                   fmi2FMUstate* state) {
  return Answer2(c, "fmi2DeSerializeFMUstate", [&](FmuInstance& instance) {
    RequireArray2(bytes, size);
    RequireArray2(state, 1);
    KeepState(FmuState::Deserialize(std::string_view(bytes, size), instance.manifest().token), *state);
  });
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknowns[],
                                        std::size_t nUnknowns, const fmi2ValueReference knowns[],
                                        std::size_t nKnowns, const fmi2Real dvKnown[], fmi2Real dvUnknown[]) {
  return Answer2(c, "fmi2GetDirectionalDerivative", [&](FmuInstance& instance) {
    RequireArray2(unknowns, nUnknowns);
    RequireArray2(dvUnknown, nUnknowns);
    RequireArray2(knowns, nKnowns);
    RequireArray2(dvKnown, nKnowns);
    const std::vector<double> change =
        instance.DirectionalDerivative({unknowns, nUnknowns}, {knowns, nKnowns}, {dvKnown, nKnowns});
    std::ranges::copy(change, dvUnknown);
  });
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr,
                                       const fmi2Integer order[], const fmi2Real value[]) {
  return Answer2(c, "fmi2SetRealInputDerivatives", [&](FmuInstance& instance) {
    RequireArray2(vr, nvr);
    RequireArray2(order, nvr);
    RequireArray2(value, nvr);
    for (std::size_t i = 0; i < nvr; ++i) instance.SetInputDerivative(vr[i], order[i], value[i]);
  });
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr,
                                        const fmi2Integer order[], fmi2Real value[]) {
  return Answer2(c, "fmi2GetRealOutputDerivatives", [&](FmuInstance& instance) {
    RequireArray2(vr, nvr);
    RequireArray2(order, nvr);
    RequireArray2(value, nvr);
    std::ranges::copy(instance.OutputDerivatives({vr, nvr}, {order, nvr}), value);
  });
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real currentCommunicationPoint, fmi2Real communicationStepSize,
                      fmi2Boolean /*noSetFMUStatePriorToCurrentPoint*/) {
  return Answer2(c, "fmi2DoStep", [&](FmuInstance& instance) {
    std::string reason;
    bool has_event = false;
    const FmuStep end =
        instance.DoStep(currentCommunicationPoint, communicationStepSize, {}, has_event, reason);
    Find2(c)->is_terminated = end == FmuStep::kTerminated;
    if (end == FmuStep::kDone) return fmi2OK;
    Find2(c)->Log(fmi2Discard, kDiscards2, "fmi2DoStep: " + reason);
    return fmi2Discard;
  });
}

fmi2Status fmi2CancelStep(fmi2Component c) {
  return Unsupported2(c, "fmi2CancelStep", "no step is under way: steps of this FMU are never asynchronous");
}

fmi2Status fmi2GetStatus(fmi2Component c, fmi2StatusKind /*kind*/, fmi2Status* /*value*/) {
  return Unsupported2(c, "fmi2GetStatus",
                      "steps of this FMU are never asynchronous; there is no status to ask for");
}

fmi2Status fmi2GetRealStatus(fmi2Component c, fmi2StatusKind kind, fmi2Real* value) {
  return Answer2(c, "fmi2GetRealStatus", [&](FmuInstance& instance) {
    RequireArray2(value, 1);
    if (kind != fmi2LastSuccessfulTime)
      throw std::invalid_argument("only fmi2LastSuccessfulTime is a number");
    *value = instance.time();
  });
}

fmi2Status fmi2GetIntegerStatus(fmi2Component c, fmi2StatusKind /*kind*/, fmi2Integer* /*value*/) {
  return Unsupported2(c, "fmi2GetIntegerStatus", "FMI 2.0 defines no status that is an integer");
}

fmi2Status fmi2GetBooleanStatus(fmi2Component c, fmi2StatusKind kind, fmi2Boolean* value) {
  return Answer2(c, "fmi2GetBooleanStatus", [&](FmuInstance&) {
    RequireArray2(value, 1);
    if (kind != fmi2Terminated) throw std::invalid_argument("only fmi2Terminated is a condition");
    *value = Find2(c)->is_terminated ? fmi2True : fmi2False;
  });
}

fmi2Status fmi2GetStringStatus(fmi2Component c, fmi2StatusKind /*kind*/, fmi2String* /*value*/) {
  return Unsupported2(c, "fmi2GetStringStatus",
                      "steps of this FMU are never asynchronous; nothing is pending");
}

namespace {

/// Writes numbers to an array of a master, which must have as many places.
void Fill2(const std::vector<double>& values, fmi2Real* to, std::size_t count) {
  RequireArray2(to, count);
  if (count != values.size()) {
    throw std::invalid_argument("there are " + std::to_string(values.size()) + " values, and the array has " +
                                std::to_string(count) + " places");
  }
  if (count > 0) std::memcpy(to, values.data(), count * sizeof(double));
}

/// What cannot be evaluated where a solver tries is answered with fmi2Discard: it may try nearer.
template <class Call>
fmi2Status Try2(fmi2Component c, const char* function, Call call) {
  return Answer2(c, function, [&](FmuInstance& instance) {
    try {
      call(instance);
      return fmi2OK;
    } catch (const EvaluationFailure& failure) {
      Find2(c)->Log(fmi2Discard, kDiscards2, std::string(function) + ": " + failure.what());
      return fmi2Discard;
    }
  });
}

}  // namespace

fmi2Status fmi2EnterEventMode(fmi2Component c) {
  return Answer2(c, "fmi2EnterEventMode", [](FmuInstance& instance) { instance.EnterEvent(); });
}

fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo* eventInfo) {
  return Answer2(c, "fmi2NewDiscreteStates", [&](FmuInstance& instance) {
    RequireArray2(eventInfo, 1);
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
  return Answer2(c, "fmi2EnterContinuousTimeMode",
                 [](FmuInstance& instance) { instance.EnterContinuousTime(); });
}

fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean /*noSetFMUStatePriorToCurrentPoint*/,
                                       fmi2Boolean* enterEventMode, fmi2Boolean* terminateSimulation) {
  return Answer2(c, "fmi2CompletedIntegratorStep", [&](FmuInstance& instance) {
    RequireArray2(enterEventMode, 1);
    RequireArray2(terminateSimulation, 1);
    *terminateSimulation = fmi2False;
    *enterEventMode = instance.CompleteStep() ? fmi2True : fmi2False;
  });
}

fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time) {
  return Answer2(c, "fmi2SetTime", [&](FmuInstance& instance) { instance.SetTime(time); });
}

fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], std::size_t nx) {
  return Answer2(c, "fmi2SetContinuousStates", [&](FmuInstance& instance) {
    RequireArray2(x, nx);
    instance.SetStates({x, nx});
  });
}

fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real derivatives[], std::size_t nx) {
  return Try2(c, "fmi2GetDerivatives",
              [&](FmuInstance& instance) { Fill2(instance.Derivatives(), derivatives, nx); });
}

fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real eventIndicators[], std::size_t ni) {
  return Try2(c, "fmi2GetEventIndicators",
              [&](FmuInstance& instance) { Fill2(instance.Indicators(), eventIndicators, ni); });
}

fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], std::size_t nx) {
  return Answer2(c, "fmi2GetContinuousStates",
                 [&](FmuInstance& instance) { Fill2(instance.States(), x, nx); });
}

fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real x_nominal[], std::size_t nx) {
  return Answer2(c, "fmi2GetNominalsOfContinuousStates",
                 [&](FmuInstance& instance) { Fill2(instance.Nominals(), x_nominal, nx); });
}
