// An FMU of FMI 2.0 with the manners of FMUs of many tools: it shows functions that others have too, computes
// its outputs when the initialisation ends, starts from its inputs, is exact about times and ends, and logs
// anyhow.
//
// 1 `x`: the state, u at the initialisation, der(x) = 0; 2 `der(x)`; 3 `u`; 4 `y`: 7 once it is initialised;
// 5 `own`: 1 if it finds its own functions; 6 `tolerance`: the one given, -1 without; 7 `noise`: how many
// lines it logs in each step.

#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "fmi/abi/abi2.h"

// A name of SUNDIALS, which davit is linked with.
extern "C" [[gnu::visibility("default")]] int N_VNewEmpty_Serial() { return 42; }

namespace {

struct Manners {
  const fmi2CallbackFunctions* functions = nullptr;
  double x = 1, u = 0, time = 0, tolerance = -1, noise = 0;
  bool is_initialised = false, has_ended = false;
};

Manners& Of(fmi2Component c) { return *static_cast<Manners*>(c); }

void Log(const Manners& manners, const char* text) {
  // Not the environment that was given, and then that one.
  const double number = 1;
  for (const void* environment : {reinterpret_cast<const void*>(10), reinterpret_cast<const void*>(4096),
                                  static_cast<const void*>(&number), static_cast<const void*>(nullptr),
                                  static_cast<const void*>(manners.functions->componentEnvironment)}) {
    manners.functions->logger(const_cast<void*>(environment), "manners", fmi2Error, "logStatusError", text);
  }
}

}  // namespace

extern "C" {

fmi2Component fmi2Instantiate(fmi2String, fmi2Type, fmi2String, fmi2String,
                              const fmi2CallbackFunctions* functions, fmi2Boolean, fmi2Boolean) {
  auto* const manners = new Manners;
  manners->functions = functions;
  return manners;
}
void fmi2FreeInstance(fmi2Component c) {
  if (Of(c).is_initialised && !Of(c).has_ended) std::abort();  // without a word
  delete &Of(c);
}
fmi2Status fmi2Terminate(fmi2Component c) {
  Of(c).has_ended = true;
  return fmi2OK;
}
fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance, fmi2Real start,
                               fmi2Boolean, fmi2Real) {
  if (has_tolerance != fmi2False) Of(c).tolerance = tolerance;
  Of(c).time = start;
  return fmi2OK;
}
fmi2Status fmi2EnterInitializationMode(fmi2Component) { return fmi2OK; }
fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
  Of(c).x = Of(c).u;
  Of(c).is_initialised = true;
  return fmi2OK;
}
fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference reference[], std::size_t n,
                       fmi2Real value[]) {
  Manners& m = Of(c);
  if (m.u == 0) {  // as a model that divides by u
    m.has_ended = true;
    return fmi2Error;
  }
  const double values[] = {
      0,           m.x,    0, m.u, m.is_initialised ? 7.0 : 0.0, N_VNewEmpty_Serial() == 42 ? 1.0 : 0.0,
      m.tolerance, m.noise};
  for (std::size_t i = 0; i < n; ++i) value[i] = values[reference[i]];
  return fmi2OK;
}
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference reference[], std::size_t n,
                       const fmi2Real value[]) {
  for (std::size_t i = 0; i < n; ++i) {
    if (reference[i] == 3) Of(c).u = value[i];
    if (reference[i] == 7) Of(c).noise = value[i];
  }
  return fmi2OK;
}
fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean) {
  Manners& m = Of(c);
  if (m.noise > 0) Log(m, "filled to 100 %");
  if (m.noise > 1) Log(m, "%n is no place to write to");
  if (m.noise > 2) Log(m, " \n");
  if (!m.is_initialised || std::abs(t - m.time) > 1e-9 || h > 0.1) return fmi2Error;
  m.time = t + h;
  return fmi2OK;
}

// The state: the mode is not in it.
fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* state) {
  *state = new std::array<double, 3>{Of(c).x, Of(c).u, Of(c).time};
  return fmi2OK;
}
fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
  const auto& values = *static_cast<std::array<double, 3>*>(state);
  Of(c).x = values[0];
  Of(c).u = values[1];
  Of(c).time = values[2];
  return fmi2OK;
}
fmi2Status fmi2FreeFMUstate(fmi2Component, fmi2FMUstate* state) {
  delete static_cast<std::array<double, 3>*>(*state);
  *state = nullptr;
  return fmi2OK;
}
fmi2Status fmi2SerializedFMUstateSize(fmi2Component, fmi2FMUstate, std::size_t* size) {
  *size = sizeof(std::array<double, 3>);
  return fmi2OK;
}
fmi2Status fmi2SerializeFMUstate(fmi2Component, fmi2FMUstate state, fmi2Byte bytes[], std::size_t size) {
  std::memcpy(bytes, state, size);
  return fmi2OK;
}
fmi2Status fmi2DeSerializeFMUstate(fmi2Component, const fmi2Byte bytes[], std::size_t size,
                                   fmi2FMUstate* state) {
  auto* const values = new std::array<double, 3>;
  std::memcpy(values->data(), bytes, size);
  *state = values;
  return fmi2OK;
}

// Model exchange.
fmi2Status fmi2EnterEventMode(fmi2Component) { return fmi2OK; }
fmi2Status fmi2NewDiscreteStates(fmi2Component, fmi2EventInfo* info) {
  *info = {};
  return fmi2OK;
}
fmi2Status fmi2EnterContinuousTimeMode(fmi2Component) { return fmi2OK; }
fmi2Status fmi2CompletedIntegratorStep(fmi2Component, fmi2Boolean, fmi2Boolean* event, fmi2Boolean* end) {
  *event = *end = fmi2False;
  return fmi2OK;
}
fmi2Status fmi2SetTime(fmi2Component c, fmi2Real t) {
  Of(c).time = t;
  return fmi2OK;
}
fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], std::size_t) {
  Of(c).x = x[0];
  return fmi2OK;
}
fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], std::size_t) {
  x[0] = Of(c).x;
  return fmi2OK;
}
fmi2Status fmi2GetDerivatives(fmi2Component, fmi2Real derivatives[], std::size_t) {
  derivatives[0] = 0;
  return fmi2OK;
}

}  // extern "C"
