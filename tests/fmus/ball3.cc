// The bouncing ball as an FMU of FMI 3.0, for model exchange; without its state as bytes.

#include "fmi/abi/abi3.h"
#include "tests/fmus/ball.h"

namespace {

davit::Ball& Of(fmi3Instance c) { return *static_cast<davit::Ball*>(c); }

}  // namespace

extern "C" {

fmi3Instance fmi3InstantiateModelExchange(fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean,
                                          fmi3InstanceEnvironment, fmi3LogMessageCallback) {
  return new davit::Ball;
}
void fmi3FreeInstance(fmi3Instance c) { delete &Of(c); }
fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean, fmi3Float64, fmi3Float64 start,
                                       fmi3Boolean, fmi3Float64) {
  Of(c)[davit::Ball::kTime] = start;
  return fmi3OK;
}
fmi3Status fmi3ExitInitializationMode(fmi3Instance) { return fmi3OK; }
fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference references[], std::size_t n,
                          fmi3Float64 values[], std::size_t) {
  Of(c).Evaluate();
  for (std::size_t i = 0; i < n; ++i) values[i] = Of(c).values[references[i]];
  return fmi3OK;
}
fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3ValueReference references[], std::size_t n,
                          const fmi3Float64 values[], std::size_t) {
  for (std::size_t i = 0; i < n; ++i) Of(c).values[references[i]] = values[i];
  return fmi3OK;
}
fmi3Status fmi3GetInt32(fmi3Instance c, const fmi3ValueReference references[], std::size_t n,
                        fmi3Int32 values[], std::size_t) {
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<fmi3Int32>(Of(c).values[references[i]]);
  return fmi3OK;
}
fmi3Status fmi3EnterEventMode(fmi3Instance) { return fmi3OK; }
fmi3Status fmi3UpdateDiscreteStates(fmi3Instance c, fmi3Boolean* is_needed, fmi3Boolean* is_end,
                                    fmi3Boolean* has_nominals, fmi3Boolean* has_states, fmi3Boolean* has_next,
                                    fmi3Float64* next) {
  *is_needed = *is_end = *has_nominals = false;
  *has_states = Of(c).UpdateDiscreteStates();
  *has_next = std::isfinite(Of(c).NextTime());
  *next = Of(c).NextTime();
  return fmi3OK;
}
fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance) { return fmi3OK; }
fmi3Status fmi3SetTime(fmi3Instance c, fmi3Float64 time) {
  Of(c)[davit::Ball::kTime] = time;
  return fmi3OK;
}
fmi3Status fmi3SetContinuousStates(fmi3Instance c, const fmi3Float64 x[], std::size_t) {
  Of(c)[davit::Ball::kHeight] = x[0];
  Of(c)[davit::Ball::kSpeed] = x[1];
  return fmi3OK;
}
fmi3Status fmi3GetContinuousStates(fmi3Instance c, fmi3Float64 x[], std::size_t) {
  x[0] = Of(c)[davit::Ball::kHeight];
  x[1] = Of(c)[davit::Ball::kSpeed];
  return fmi3OK;
}
fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance c, fmi3Float64 derivatives[], std::size_t) {
  Of(c).Evaluate();
  derivatives[0] = Of(c)[davit::Ball::kSlope];
  derivatives[1] = Of(c)[davit::Ball::kAcceleration];
  return fmi3OK;
}
fmi3Status fmi3GetEventIndicators(fmi3Instance c, fmi3Float64 indicators[], std::size_t) {
  indicators[0] = Of(c).Indicator();
  return fmi3OK;
}

}  // extern "C"
