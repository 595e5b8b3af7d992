#pragma once

#include <cstddef>
#include <cstdint>

/// The binary interface of FMI 3.0: types and functions as the standard names them (FMI 3.0.2, section 2.2
/// and chapters 3 to 5). Whoever includes this and defines the functions makes an FMU; whoever loads one
/// takes their types.

#ifndef DAVIT_FMI_EXPORT
#define DAVIT_FMI_EXPORT [[gnu::visibility("default")]]
#endif

extern "C" {

using fmi3Instance = void*;
using fmi3InstanceEnvironment = void*;
using fmi3FMUState = void*;
using fmi3ValueReference = std::uint32_t;
using fmi3Float32 = float;
using fmi3Float64 = double;
using fmi3Int8 = std::int8_t;
using fmi3UInt8 = std::uint8_t;
using fmi3Int16 = std::int16_t;
using fmi3UInt16 = std::uint16_t;
using fmi3Int32 = std::int32_t;
using fmi3UInt32 = std::uint32_t;
using fmi3Int64 = std::int64_t;
using fmi3UInt64 = std::uint64_t;
using fmi3Boolean = bool;
using fmi3Char = char;
using fmi3String = const fmi3Char*;
using fmi3Byte = std::uint8_t;
using fmi3Binary = const fmi3Byte*;
using fmi3Clock = bool;

enum fmi3Status { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal };
enum fmi3DependencyKind {
  fmi3Independent,
  fmi3Constant,
  fmi3Fixed,
  fmi3Tunable,
  fmi3Discrete,
  fmi3Dependent
};
enum fmi3IntervalQualifier { fmi3IntervalNotYetKnown, fmi3IntervalUnchanged, fmi3IntervalChanged };

using fmi3LogMessageCallback = void (*)(fmi3InstanceEnvironment environment, fmi3Status status,
                                        fmi3String category, fmi3String message);
using fmi3ClockUpdateCallback = void (*)(fmi3InstanceEnvironment environment);
using fmi3IntermediateUpdateCallback = void (*)(fmi3InstanceEnvironment environment,
                                                fmi3Float64 intermediateTime,
                                                fmi3Boolean variableSetRequested,
                                                fmi3Boolean variableGetAllowed, fmi3Boolean stepFinished,
                                                fmi3Boolean canReturnEarly, fmi3Boolean* earlyReturnRequested,
                                                fmi3Float64* earlyReturnTime);
using fmi3LockPreemptionCallback = void (*)();
using fmi3UnlockPreemptionCallback = void (*)();

// All kinds.
DAVIT_FMI_EXPORT const char* fmi3GetVersion();
DAVIT_FMI_EXPORT fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean loggingOn,
                                                std::size_t nCategories, const fmi3String categories[]);
DAVIT_FMI_EXPORT fmi3Instance fmi3InstantiateModelExchange(
    fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath, fmi3Boolean visible,
    fmi3Boolean loggingOn, fmi3InstanceEnvironment instanceEnvironment, fmi3LogMessageCallback logMessage);
DAVIT_FMI_EXPORT fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath, fmi3Boolean visible,
    fmi3Boolean loggingOn, fmi3Boolean eventModeUsed, fmi3Boolean earlyReturnAllowed,
    const fmi3ValueReference requiredIntermediateVariables[], std::size_t nRequiredIntermediateVariables,
    fmi3InstanceEnvironment instanceEnvironment, fmi3LogMessageCallback logMessage,
    fmi3IntermediateUpdateCallback intermediateUpdate);
DAVIT_FMI_EXPORT fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath, fmi3Boolean visible,
    fmi3Boolean loggingOn, fmi3InstanceEnvironment instanceEnvironment, fmi3LogMessageCallback logMessage,
    fmi3ClockUpdateCallback clockUpdate, fmi3LockPreemptionCallback lockPreemption,
    fmi3UnlockPreemptionCallback unlockPreemption);
DAVIT_FMI_EXPORT void fmi3FreeInstance(fmi3Instance instance);
DAVIT_FMI_EXPORT fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean toleranceDefined,
                                                        fmi3Float64 tolerance, fmi3Float64 startTime,
                                                        fmi3Boolean stopTimeDefined, fmi3Float64 stopTime);
DAVIT_FMI_EXPORT fmi3Status fmi3ExitInitializationMode(fmi3Instance instance);
DAVIT_FMI_EXPORT fmi3Status fmi3EnterEventMode(fmi3Instance instance);
DAVIT_FMI_EXPORT fmi3Status fmi3Terminate(fmi3Instance instance);
DAVIT_FMI_EXPORT fmi3Status fmi3Reset(fmi3Instance instance);
DAVIT_FMI_EXPORT fmi3Status fmi3GetFloat32(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                           std::size_t nValueReferences, fmi3Float32 values[],
                                           std::size_t nValues);
DAVIT_FMI_EXPORT fmi3Status fmi3SetFloat32(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                           std::size_t nValueReferences, const fmi3Float32 values[],
                                           std::size_t nValues);
DAVIT_FMI_EXPORT fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                           std::size_t nValueReferences, fmi3Float64 values[],
                                           std::size_t nValues);
DAVIT_FMI_EXPORT fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                           std::size_t nValueReferences, const fmi3Float64 values[],
                                           std::size_t nValues);
DAVIT_FMI_EXPORT fmi3Status fmi3GetInt8(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                        std::size_t nValueReferences, fmi3Int8 values[], std::size_t nValues);
DAVIT_FMI_EXPORT fmi3Status fmi3SetInt8(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                        std::size_t nValueReferences, const fmi3Int8 values[],
                                        std::size_t nValues);
DAVIT_FMI_EXPORT fmi3Status fmi3GetUInt8(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                         std::size_t nValueReferences, fmi3UInt8 values[],
                                         std::size_t nValues);
DAVIT_FMI_EXPORT fmi3Status fmi3SetUInt8(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                         std::size_t nValueReferences, const fmi3UInt8 values[],
                                         std::size_t nValues);
DAVIT_FMI_EXPORT fmi3Status fmi3GetInt16(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                         std::size_t nValueReferences, fmi3Int16 values[],
                                         std::size_t nValues);
DAVIT_FMI_EXPORT fmi3Status fmi3SetInt16(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                         std::size_t nValueReferences, const fmi3Int16 values[],
                                         std::size_t nValues);
DAVIT_FMI_EXPORT fmi3Status fmi3GetUInt16(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                          std::size_t nValueReferences, fmi3UInt16 values[],
                                          std::size_t nValues);
DAVIT_FMI_EXPORT fmi3Status fmi3SetUInt16(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                          std::size_t nValueReferences, const fmi3UInt16 values[],
                                          std::size_t nValues);
DAVIT_FMI_EXPORT fmi3Status fmi3GetInt32(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                         std::size_t nValueReferences, fmi3Int32 values[],
                                         std::size_t nValues);
DAVIT_FMI_EXPORT fmi3Status fmi3SetInt32(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                         std::size_t nValueReferences, const fmi3Int32 values[],
                                         std::size_t nValues);
DAVIT_FMI_EXPORT fmi3Status fmi3GetUInt32(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                          std::size_t nValueReferences, fmi3UInt32 values[],
                                          std::size_t nValues);
DAVIT_FMI_EXPORT fmi3Status fmi3SetUInt32(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                          std::size_t nValueReferences, const fmi3UInt32 values[],
                                          std::size_t nValues);
DAVIT_FMI_EXPORT fmi3Status fmi3GetInt64(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                         std::size_t nValueReferences, fmi3Int64 values[],
                                         std::size_t nValues);
DAVIT_FMI_EXPORT fmi3Status fmi3SetInt64(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                         std::size_t nValueReferences, const fmi3Int64 values[],
                                         std::size_t nValues);
DAVIT_FMI_EXPORT fmi3Status fmi3GetUInt64(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                          std::size_t nValueReferences, fmi3UInt64 values[],
                                          std::size_t nValues);
DAVIT_FMI_EXPORT fmi3Status fmi3SetUInt64(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                          std::size_t nValueReferences, const fmi3UInt64 values[],
                                          std::size_t nValues);
DAVIT_FMI_EXPORT fmi3Status fmi3GetBoolean(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                           std::size_t nValueReferences, fmi3Boolean values[],
                                           std::size_t nValues);
DAVIT_FMI_EXPORT fmi3Status fmi3SetBoolean(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                           std::size_t nValueReferences, const fmi3Boolean values[],
                                           std::size_t nValues);
DAVIT_FMI_EXPORT fmi3Status fmi3GetString(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                          std::size_t nValueReferences, fmi3String values[],
                                          std::size_t nValues);
DAVIT_FMI_EXPORT fmi3Status fmi3SetString(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                          std::size_t nValueReferences, const fmi3String values[],
                                          std::size_t nValues);
DAVIT_FMI_EXPORT fmi3Status fmi3GetBinary(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                          std::size_t nValueReferences, std::size_t valueSizes[],
                                          fmi3Binary values[], std::size_t nValues);
DAVIT_FMI_EXPORT fmi3Status fmi3SetBinary(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                          std::size_t nValueReferences, const std::size_t valueSizes[],
                                          const fmi3Binary values[], std::size_t nValues);
DAVIT_FMI_EXPORT fmi3Status fmi3GetClock(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                         std::size_t nValueReferences, fmi3Clock values[]);
DAVIT_FMI_EXPORT fmi3Status fmi3SetClock(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                         std::size_t nValueReferences, const fmi3Clock values[]);
DAVIT_FMI_EXPORT fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance instance,
                                                                fmi3ValueReference valueReference,
                                                                std::size_t* nDependencies);
DAVIT_FMI_EXPORT fmi3Status fmi3GetVariableDependencies(fmi3Instance instance, fmi3ValueReference dependent,
                                                        std::size_t elementIndicesOfDependent[],
                                                        fmi3ValueReference independents[],
                                                        std::size_t elementIndicesOfIndependents[],
                                                        fmi3DependencyKind dependencyKinds[],
                                                        std::size_t nDependencies);
DAVIT_FMI_EXPORT fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState* state);
DAVIT_FMI_EXPORT fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState state);
DAVIT_FMI_EXPORT fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState* state);
DAVIT_FMI_EXPORT fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState state,
                                                       std::size_t* size);
DAVIT_FMI_EXPORT fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState state, fmi3Byte bytes[],
                                                  std::size_t size);
DAVIT_FMI_EXPORT fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte bytes[],
                                                    std::size_t size, fmi3FMUState* state);
DAVIT_FMI_EXPORT fmi3Status fmi3GetDirectionalDerivative(
    fmi3Instance instance, const fmi3ValueReference unknowns[], std::size_t nUnknowns,
    const fmi3ValueReference knowns[], std::size_t nKnowns, const fmi3Float64 seed[], std::size_t nSeed,
    fmi3Float64 sensitivity[], std::size_t nSensitivity);
DAVIT_FMI_EXPORT fmi3Status fmi3GetAdjointDerivative(fmi3Instance instance,
                                                     const fmi3ValueReference unknowns[],
                                                     std::size_t nUnknowns, const fmi3ValueReference knowns[],
                                                     std::size_t nKnowns, const fmi3Float64 seed[],
                                                     std::size_t nSeed, fmi3Float64 sensitivity[],
                                                     std::size_t nSensitivity);
DAVIT_FMI_EXPORT fmi3Status fmi3EnterConfigurationMode(fmi3Instance instance);
DAVIT_FMI_EXPORT fmi3Status fmi3ExitConfigurationMode(fmi3Instance instance);
DAVIT_FMI_EXPORT fmi3Status fmi3GetIntervalDecimal(fmi3Instance instance,
                                                   const fmi3ValueReference valueReferences[],
                                                   std::size_t nValueReferences, fmi3Float64 intervals[],
                                                   fmi3IntervalQualifier qualifiers[]);
DAVIT_FMI_EXPORT fmi3Status fmi3GetIntervalFraction(fmi3Instance instance,
                                                    const fmi3ValueReference valueReferences[],
                                                    std::size_t nValueReferences, fmi3UInt64 counters[],
                                                    fmi3UInt64 resolutions[],
                                                    fmi3IntervalQualifier qualifiers[]);
DAVIT_FMI_EXPORT fmi3Status fmi3GetShiftDecimal(fmi3Instance instance,
                                                const fmi3ValueReference valueReferences[],
                                                std::size_t nValueReferences, fmi3Float64 shifts[]);
DAVIT_FMI_EXPORT fmi3Status fmi3GetShiftFraction(fmi3Instance instance,
                                                 const fmi3ValueReference valueReferences[],
                                                 std::size_t nValueReferences, fmi3UInt64 counters[],
                                                 fmi3UInt64 resolutions[]);
DAVIT_FMI_EXPORT fmi3Status fmi3SetIntervalDecimal(fmi3Instance instance,
                                                   const fmi3ValueReference valueReferences[],
                                                   std::size_t nValueReferences,
                                                   const fmi3Float64 intervals[]);
DAVIT_FMI_EXPORT fmi3Status fmi3SetIntervalFraction(fmi3Instance instance,
                                                    const fmi3ValueReference valueReferences[],
                                                    std::size_t nValueReferences, const fmi3UInt64 counters[],
                                                    const fmi3UInt64 resolutions[]);
DAVIT_FMI_EXPORT fmi3Status fmi3SetShiftDecimal(fmi3Instance instance,
                                                const fmi3ValueReference valueReferences[],
                                                std::size_t nValueReferences, const fmi3Float64 shifts[]);
DAVIT_FMI_EXPORT fmi3Status fmi3SetShiftFraction(fmi3Instance instance,
                                                 const fmi3ValueReference valueReferences[],
                                                 std::size_t nValueReferences, const fmi3UInt64 counters[],
                                                 const fmi3UInt64 resolutions[]);
DAVIT_FMI_EXPORT fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance instance);
DAVIT_FMI_EXPORT fmi3Status fmi3UpdateDiscreteStates(
    fmi3Instance instance, fmi3Boolean* discreteStatesNeedUpdate, fmi3Boolean* terminateSimulation,
    fmi3Boolean* nominalsOfContinuousStatesChanged, fmi3Boolean* valuesOfContinuousStatesChanged,
    fmi3Boolean* nextEventTimeDefined, fmi3Float64* nextEventTime);

// Model exchange.
DAVIT_FMI_EXPORT fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance instance);
DAVIT_FMI_EXPORT fmi3Status fmi3CompletedIntegratorStep(fmi3Instance instance,
                                                        fmi3Boolean noSetFMUStatePriorToCurrentPoint,
                                                        fmi3Boolean* enterEventMode,
                                                        fmi3Boolean* terminateSimulation);
DAVIT_FMI_EXPORT fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 time);
DAVIT_FMI_EXPORT fmi3Status fmi3SetContinuousStates(fmi3Instance instance, const fmi3Float64 states[],
                                                    std::size_t nStates);
DAVIT_FMI_EXPORT fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance instance,
                                                              fmi3Float64 derivatives[], std::size_t n);
DAVIT_FMI_EXPORT fmi3Status fmi3GetEventIndicators(fmi3Instance instance, fmi3Float64 indicators[],
                                                   std::size_t n);
DAVIT_FMI_EXPORT fmi3Status fmi3GetContinuousStates(fmi3Instance instance, fmi3Float64 states[],
                                                    std::size_t n);
DAVIT_FMI_EXPORT fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance instance, fmi3Float64 nominals[],
                                                              std::size_t n);
DAVIT_FMI_EXPORT fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance instance, std::size_t* n);
DAVIT_FMI_EXPORT fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance instance, std::size_t* n);

// Co-simulation and scheduled execution.
DAVIT_FMI_EXPORT fmi3Status fmi3EnterStepMode(fmi3Instance instance);
DAVIT_FMI_EXPORT fmi3Status fmi3GetOutputDerivatives(fmi3Instance instance,
                                                     const fmi3ValueReference valueReferences[],
                                                     std::size_t nValueReferences, const fmi3Int32 orders[],
                                                     fmi3Float64 values[], std::size_t nValues);
DAVIT_FMI_EXPORT fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 currentCommunicationPoint,
                                       fmi3Float64 communicationStepSize,
                                       fmi3Boolean noSetFMUStatePriorToCurrentPoint,
                                       fmi3Boolean* eventHandlingNeeded, fmi3Boolean* terminateSimulation,
                                       fmi3Boolean* earlyReturn, fmi3Float64* lastSuccessfulTime);
DAVIT_FMI_EXPORT fmi3Status fmi3ActivateModelPartition(fmi3Instance instance,
                                                       fmi3ValueReference clockReference,
                                                       fmi3Float64 activationTime);

}  // extern "C"
