// An FMU of FMI 2.0 for model exchange that follows the steps of its solver: x' = v, v' = -x + push,
// z' = 1.
//
// It counts the completed steps. At the first one at or after each multiple of `period` it asks for event
// mode, where it adds z to `sum` and sets z = 0; there it also asks for a time event `delay` later. What a
// master does wrong counts as a fault: steps that do not follow each other in time, a time before the last
// completed step, states of another time, a wish for event mode or a time event that is passed over.

#include <cmath>

#include "fmi/abi/abi2.h"

namespace {

struct Steps {
  enum Reference : unsigned {
    kNone,
    kX,
    kV,
    kZ,
    kSlopeX,
    kSlopeV,
    kSlopeZ,
    kPeriod,
    kDelay,
    kSum,
    kLast,
    kCompleted,
    kEvents,
    kTimers,
    kFaults,
    kPush,
    kReferences
  };

  double values[kReferences] = {0, 1, 0, 0, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0};
  double time = 0;
  double due = -1;  ///< of the time event; < 0: none
  double next = 0;  ///< multiple of the period
  bool wants_events = false;

  double& operator[](Reference reference) { return values[reference]; }
  /// Each kind of fault is a digit of `faults`.
  void Expect(bool is_right, double kind) { values[kFaults] += is_right ? 0 : kind; }
  void Evaluate() {
    values[kSlopeX] = values[kV];
    values[kSlopeV] = -values[kX] + values[kPush];
    values[kSlopeZ] = 1;
  }
};

constexpr double kSame = 1e-9;

Steps& Of(fmi2Component c) { return *static_cast<Steps*>(c); }

}  // namespace

extern "C" {

fmi2Component fmi2Instantiate(fmi2String, fmi2Type, fmi2String, fmi2String, const fmi2CallbackFunctions*,
                              fmi2Boolean, fmi2Boolean) {
  return new Steps;
}
void fmi2FreeInstance(fmi2Component c) { delete &Of(c); }
fmi2Status fmi2SetupExperiment(fmi2Component, fmi2Boolean, fmi2Real, fmi2Real, fmi2Boolean, fmi2Real) {
  return fmi2OK;
}
fmi2Status fmi2EnterInitializationMode(fmi2Component) { return fmi2OK; }
fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
  Of(c).next = Of(c)[Steps::kPeriod];
  return fmi2OK;
}
fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference references[], std::size_t n,
                       fmi2Real value[]) {
  for (std::size_t i = 0; i < n; ++i) value[i] = Of(c).values[references[i]];
  return fmi2OK;
}
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference references[], std::size_t n,
                       const fmi2Real value[]) {
  for (std::size_t i = 0; i < n; ++i) Of(c).values[references[i]] = value[i];
  return fmi2OK;
}

fmi2Status fmi2EnterEventMode(fmi2Component) { return fmi2OK; }
fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo* info) {
  Steps& steps = Of(c);
  *info = {};
  if (steps.due >= 0 && steps.time >= steps.due) {
    steps.Expect(std::abs(steps.time - steps.due) < kSame, 1);
    steps[Steps::kTimers] += 1;
    steps.due = -1;
  }
  if (steps.wants_events) {
    steps.wants_events = false;
    steps[Steps::kEvents] += 1;
    steps[Steps::kSum] += steps[Steps::kZ];
    steps[Steps::kZ] = 0;
    while (steps.next <= steps.time) steps.next += steps[Steps::kPeriod];
    if (steps[Steps::kDelay] > 0) steps.due = steps.time + steps[Steps::kDelay];
    info->valuesOfContinuousStatesChanged = fmi2True;
  }
  info->nextEventTimeDefined = steps.due >= 0 ? fmi2True : fmi2False;
  info->nextEventTime = steps.due;
  return fmi2OK;
}
fmi2Status fmi2EnterContinuousTimeMode(fmi2Component) { return fmi2OK; }
fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean, fmi2Boolean* wants_events,
                                       fmi2Boolean* is_end) {
  Steps& steps = Of(c);
  steps.Expect(steps.time > steps[Steps::kLast], 10);
  steps.Expect(std::abs(steps[Steps::kSum] + steps[Steps::kZ] - steps.time) < kSame, 1e2);
  steps[Steps::kLast] = steps.time;
  steps[Steps::kCompleted] += 1;
  steps.wants_events = steps[Steps::kPeriod] > 0 && steps.time >= steps.next;
  *wants_events = steps.wants_events ? fmi2True : fmi2False;
  *is_end = fmi2False;
  return fmi2OK;
}
fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time) {
  Steps& steps = Of(c);
  steps.Expect(time >= steps[Steps::kLast] - kSame, 1e3);
  steps.Expect(!steps.wants_events || std::abs(time - steps.time) < kSame, 1e4);
  steps.Expect(steps.due < 0 || time <= steps.due + kSame, 1e5);
  steps.time = time;
  return fmi2OK;
}
fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) Of(c).values[Steps::kX + i] = x[i];
  return fmi2OK;
}
fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) x[i] = Of(c).values[Steps::kX + i];
  return fmi2OK;
}
fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real derivatives[], std::size_t n) {
  Of(c).Evaluate();
  for (std::size_t i = 0; i < n; ++i) derivatives[i] = Of(c).values[Steps::kSlopeX + i];
  return fmi2OK;
}

}  // extern "C"
