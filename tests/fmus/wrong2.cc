// An FMU of FMI 2.0 for co-simulation that goes wrong at t = 0.5 s in the way that its parameter `fault`
// says.

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "fmi/abi/abi2.h"

namespace {

enum Fault { kNone, kCrash, kNan, kRefuse, kEnd, kExit, kError, kHang, kExitAsIfDone };

struct Wrong {
  int fault = kNone;
  double time = 0;
  bool has_ended = false;
  const fmi2CallbackFunctions* functions = nullptr;
};

Wrong& Of(fmi2Component c) { return *static_cast<Wrong*>(c); }

}  // namespace

extern "C" {

fmi2Component fmi2Instantiate(fmi2String, fmi2Type, fmi2String, fmi2String,
                              const fmi2CallbackFunctions* functions, fmi2Boolean, fmi2Boolean) {
  auto* const wrong = new Wrong;
  wrong->functions = functions;
  return wrong;
}
void fmi2FreeInstance(fmi2Component c) { delete &Of(c); }
fmi2Status fmi2SetupExperiment(fmi2Component, fmi2Boolean, fmi2Real, fmi2Real, fmi2Boolean, fmi2Real) {
  return fmi2OK;
}
fmi2Status fmi2EnterInitializationMode(fmi2Component) { return fmi2OK; }
fmi2Status fmi2ExitInitializationMode(fmi2Component) { return fmi2OK; }
fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference[], std::size_t n, fmi2Real value[]) {
  const bool is_wrong = Of(c).fault == kNan && Of(c).time > 0.5;
  for (std::size_t i = 0; i < n; ++i)
    value[i] = is_wrong ? std::numeric_limits<double>::quiet_NaN() : Of(c).time;
  return fmi2OK;
}
fmi2Status fmi2SetReal(fmi2Component, const fmi2ValueReference[], std::size_t, const fmi2Real[]) {
  return fmi2OK;
}
fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference[], std::size_t,
                          const fmi2Integer value[]) {
  Of(c).fault = value[0];
  return fmi2OK;
}
fmi2Status fmi2GetBooleanStatus(fmi2Component c, fmi2StatusKind, fmi2Boolean* value) {
  *value = Of(c).has_ended ? fmi2True : fmi2False;
  return fmi2OK;
}
fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean) {
  Wrong& wrong = Of(c);
  wrong.time = t + h;
  if (wrong.time <= 0.5) return fmi2OK;
  switch (wrong.fault) {
    case kCrash: std::raise(SIGSEGV); break;
    case kExit: std::_Exit(3);
    case kExitAsIfDone: std::exit(0);
    case kHang:
      std::puts("the valve sticks");
      std::fflush(stdout);
      for (;;) pause();
    case kEnd: wrong.has_ended = true; return fmi2Discard;
    case kRefuse: return fmi2Discard;
    case kError:
      wrong.functions->logger(wrong.functions->componentEnvironment, "wrong", fmi2Error, "logStatusError",
                              "the %s is broken", "valve");
      return fmi2Error;
    default: break;
  }
  return fmi2OK;
}

}  // extern "C"
