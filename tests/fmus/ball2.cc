// The bouncing ball as an FMU of FMI 2.0, for model exchange and co-simulation.

#include <cstring>

#include "fmi/abi/abi2.h"
#include "tests/fmus/ball.h"

namespace {

davit::Ball& Of(fmi2Component c) { return *static_cast<davit::Ball*>(c); }

}  // namespace

extern "C" {

fmi2Component fmi2Instantiate(fmi2String, fmi2Type, fmi2String token, fmi2String,
                              const fmi2CallbackFunctions* functions, fmi2Boolean, fmi2Boolean is_logging) {
  if (std::strcmp(token, "{ball}") != 0) return nullptr;
  if (is_logging != fmi2False)
    functions->logger(functions->componentEnvironment, "ball", fmi2OK, "logAll", "the ball has %d states", 2);
  return new davit::Ball;
}
void fmi2FreeInstance(fmi2Component c) { delete &Of(c); }
fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean, fmi2Real, fmi2Real start, fmi2Boolean,
                               fmi2Real) {
  Of(c)[davit::Ball::kTime] = start;
  return fmi2OK;
}
fmi2Status fmi2EnterInitializationMode(fmi2Component) { return fmi2OK; }
fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
  Of(c).Evaluate();
  return fmi2OK;
}
fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference references[], std::size_t n,
                       fmi2Real value[]) {
  Of(c).Evaluate();
  for (std::size_t i = 0; i < n; ++i) value[i] = Of(c).values[references[i]];
  return fmi2OK;
}
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference references[], std::size_t n,
                       const fmi2Real value[]) {
  for (std::size_t i = 0; i < n; ++i) Of(c).values[references[i]] = value[i];
  return fmi2OK;
}
fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference references[], std::size_t n,
                          fmi2Integer value[]) {
  for (std::size_t i = 0; i < n; ++i) value[i] = static_cast<fmi2Integer>(Of(c).values[references[i]]);
  return fmi2OK;
}

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* state) {
  *state = new davit::Ball(Of(c));
  return fmi2OK;
}
fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
  Of(c) = *static_cast<davit::Ball*>(state);
  return fmi2OK;
}
fmi2Status fmi2FreeFMUstate(fmi2Component, fmi2FMUstate* state) {
  delete static_cast<davit::Ball*>(*state);
  *state = nullptr;
  return fmi2OK;
}
fmi2Status fmi2SerializedFMUstateSize(fmi2Component, fmi2FMUstate, std::size_t* size) {
  *size = sizeof(davit::Ball);
  return fmi2OK;
}
fmi2Status fmi2SerializeFMUstate(fmi2Component, fmi2FMUstate state, fmi2Byte bytes[], std::size_t size) {
  std::memcpy(bytes, state, size);
  return fmi2OK;
}
fmi2Status fmi2DeSerializeFMUstate(fmi2Component, const fmi2Byte bytes[], std::size_t size,
                                   fmi2FMUstate* state) {
  auto* const ball = new davit::Ball;
  std::memcpy(static_cast<void*>(ball), bytes, size);
  *state = ball;
  return fmi2OK;
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean) {
  Of(c).Advance(t + h);
  return fmi2OK;
}

fmi2Status fmi2EnterEventMode(fmi2Component) { return fmi2OK; }
fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo* info) {
  *info = {};
  info->valuesOfContinuousStatesChanged = Of(c).UpdateDiscreteStates() ? fmi2True : fmi2False;
  info->nextEventTimeDefined = std::isfinite(Of(c).NextTime()) ? fmi2True : fmi2False;
  info->nextEventTime = Of(c).NextTime();
  return fmi2OK;
}
fmi2Status fmi2EnterContinuousTimeMode(fmi2Component) { return fmi2OK; }
fmi2Status fmi2CompletedIntegratorStep(fmi2Component, fmi2Boolean, fmi2Boolean* wants_events,
                                       fmi2Boolean* is_end) {
  *wants_events = *is_end = fmi2False;
  return fmi2OK;
}
fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time) {
  Of(c)[davit::Ball::kTime] = time;
  return fmi2OK;
}
fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], std::size_t) {
  Of(c)[davit::Ball::kHeight] = x[0];
  Of(c)[davit::Ball::kSpeed] = x[1];
  return fmi2OK;
}
fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], std::size_t) {
  x[0] = Of(c)[davit::Ball::kHeight];
  x[1] = Of(c)[davit::Ball::kSpeed];
  return fmi2OK;
}
fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component, fmi2Real x[], std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) x[i] = 1;
  return fmi2OK;
}
fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real derivatives[], std::size_t) {
  Of(c).Evaluate();
  derivatives[0] = Of(c)[davit::Ball::kSlope];
  derivatives[1] = Of(c)[davit::Ball::kAcceleration];
  return fmi2OK;
}
fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real indicators[], std::size_t) {
  indicators[0] = Of(c).Indicator();
  return fmi2OK;
}

}  // extern "C"
