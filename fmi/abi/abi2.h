#pragma once

#include <cstddef>

/// The binary interface of FMI 2.0: types and functions as the standard names them (FMI 2.0.4,
/// sections 2.1, 3.2 and 4.2). Whoever includes this and defines the functions makes an FMU; whoever loads
/// one takes their types.

#ifndef DAVIT_FMI_EXPORT
#define DAVIT_FMI_EXPORT [[gnu::visibility("default")]]
#endif

extern "C" {

using fmi2Component = void*;
using fmi2ComponentEnvironment = void*;
using fmi2FMUstate = void*;
using fmi2ValueReference = unsigned int;
using fmi2Real = double;
using fmi2Integer = int;
using fmi2Boolean = int;
using fmi2Char = char;
using fmi2String = const fmi2Char*;
using fmi2Byte = char;

inline constexpr fmi2Boolean fmi2True = 1;
inline constexpr fmi2Boolean fmi2False = 0;

enum fmi2Status { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending };
enum fmi2Type { fmi2ModelExchange, fmi2CoSimulation };
enum fmi2StatusKind { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated };

using fmi2CallbackLogger = void (*)(fmi2ComponentEnvironment environment, fmi2String instance,
                                    fmi2Status status, fmi2String category, fmi2String message, ...);
using fmi2CallbackAllocateMemory = void* (*)(std::size_t count, std::size_t size);
using fmi2CallbackFreeMemory = void (*)(void* memory);
using fmi2StepFinished = void (*)(fmi2ComponentEnvironment environment, fmi2Status status);

struct fmi2CallbackFunctions {
  fmi2CallbackLogger logger;
  fmi2CallbackAllocateMemory allocateMemory;
  fmi2CallbackFreeMemory freeMemory;
  fmi2StepFinished stepFinished;
  fmi2ComponentEnvironment componentEnvironment;
};

struct fmi2EventInfo {
  fmi2Boolean newDiscreteStatesNeeded;
  fmi2Boolean terminateSimulation;
  fmi2Boolean nominalsOfContinuousStatesChanged;
  fmi2Boolean valuesOfContinuousStatesChanged;
  fmi2Boolean nextEventTimeDefined;
  fmi2Real nextEventTime;
};

// Both kinds.
DAVIT_FMI_EXPORT const char* fmi2GetTypesPlatform();
DAVIT_FMI_EXPORT const char* fmi2GetVersion();
DAVIT_FMI_EXPORT fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean loggingOn,
                                                std::size_t nCategories, const fmi2String categories[]);
DAVIT_FMI_EXPORT fmi2Component fmi2Instantiate(fmi2String instanceName, fmi2Type fmuType, fmi2String fmuGUID,
                                               fmi2String fmuResourceLocation,
                                               const fmi2CallbackFunctions* functions, fmi2Boolean visible,
                                               fmi2Boolean loggingOn);
DAVIT_FMI_EXPORT void fmi2FreeInstance(fmi2Component c);
DAVIT_FMI_EXPORT fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean toleranceDefined,
                                                fmi2Real tolerance, fmi2Real startTime,
                                                fmi2Boolean stopTimeDefined, fmi2Real stopTime);
DAVIT_FMI_EXPORT fmi2Status fmi2EnterInitializationMode(fmi2Component c);
DAVIT_FMI_EXPORT fmi2Status fmi2ExitInitializationMode(fmi2Component c);
DAVIT_FMI_EXPORT fmi2Status fmi2Terminate(fmi2Component c);
DAVIT_FMI_EXPORT fmi2Status fmi2Reset(fmi2Component c);
DAVIT_FMI_EXPORT fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr,
                                        fmi2Real value[]);
DAVIT_FMI_EXPORT fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr,
                                           fmi2Integer value[]);
DAVIT_FMI_EXPORT fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr,
                                           fmi2Boolean value[]);
DAVIT_FMI_EXPORT fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr,
                                          fmi2String value[]);
DAVIT_FMI_EXPORT fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr,
                                        const fmi2Real value[]);
DAVIT_FMI_EXPORT fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr,
                                           const fmi2Integer value[]);
DAVIT_FMI_EXPORT fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr,
                                           const fmi2Boolean value[]);
DAVIT_FMI_EXPORT fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr,
                                          const fmi2String value[]);
DAVIT_FMI_EXPORT fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* state);
DAVIT_FMI_EXPORT fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state);
DAVIT_FMI_EXPORT fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* state);
DAVIT_FMI_EXPORT fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state,
                                                       std::size_t* size);
DAVIT_FMI_EXPORT fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[],
                                                  std::size_t size);
DAVIT_FMI_EXPORT fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], std::size_t size,
                                                    fmi2FMUstate* state);
DAVIT_FMI_EXPORT fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknowns[],
                                                         std::size_t nUnknowns,
                                                         const fmi2ValueReference knowns[],
                                                         std::size_t nKnowns, const fmi2Real dvKnown[],
                                                         fmi2Real dvUnknown[]);

// Model exchange.
DAVIT_FMI_EXPORT fmi2Status fmi2EnterEventMode(fmi2Component c);
DAVIT_FMI_EXPORT fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo* eventInfo);
DAVIT_FMI_EXPORT fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c);
DAVIT_FMI_EXPORT fmi2Status fmi2CompletedIntegratorStep(fmi2Component c,
                                                        fmi2Boolean noSetFMUStatePriorToCurrentPoint,
                                                        fmi2Boolean* enterEventMode,
                                                        fmi2Boolean* terminateSimulation);
DAVIT_FMI_EXPORT fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time);
DAVIT_FMI_EXPORT fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], std::size_t nx);
DAVIT_FMI_EXPORT fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real derivatives[], std::size_t nx);
DAVIT_FMI_EXPORT fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real eventIndicators[],
                                                   std::size_t ni);
DAVIT_FMI_EXPORT fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], std::size_t nx);
DAVIT_FMI_EXPORT fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real x_nominal[],
                                                              std::size_t nx);

// Co-simulation.
DAVIT_FMI_EXPORT fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference vr[],
                                                        std::size_t nvr, const fmi2Integer order[],
                                                        const fmi2Real value[]);
DAVIT_FMI_EXPORT fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference vr[],
                                                         std::size_t nvr, const fmi2Integer order[],
                                                         fmi2Real value[]);
DAVIT_FMI_EXPORT fmi2Status fmi2DoStep(fmi2Component c, fmi2Real currentCommunicationPoint,
                                       fmi2Real communicationStepSize,
                                       fmi2Boolean noSetFMUStatePriorToCurrentPoint);
DAVIT_FMI_EXPORT fmi2Status fmi2CancelStep(fmi2Component c);
DAVIT_FMI_EXPORT fmi2Status fmi2GetStatus(fmi2Component c, fmi2StatusKind kind, fmi2Status* value);
DAVIT_FMI_EXPORT fmi2Status fmi2GetRealStatus(fmi2Component c, fmi2StatusKind kind, fmi2Real* value);
DAVIT_FMI_EXPORT fmi2Status fmi2GetIntegerStatus(fmi2Component c, fmi2StatusKind kind, fmi2Integer* value);
DAVIT_FMI_EXPORT fmi2Status fmi2GetBooleanStatus(fmi2Component c, fmi2StatusKind kind, fmi2Boolean* value);
DAVIT_FMI_EXPORT fmi2Status fmi2GetStringStatus(fmi2Component c, fmi2StatusKind kind, fmi2String* value);

}  // extern "C"
