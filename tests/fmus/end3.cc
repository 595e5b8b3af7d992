// An FMU of FMI 3.0 for co-simulation that ends the run in its fifth step. Its output 1 is the number of
// steps.

#include "fmi/abi/abi3.h"

namespace {

double& StepsOf(fmi3Instance instance) { return *static_cast<double*>(instance); }

}  // namespace

extern "C" {

fmi3Instance fmi3InstantiateCoSimulation(fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean,
                                         fmi3Boolean, fmi3Boolean, const fmi3ValueReference[], std::size_t,
                                         fmi3InstanceEnvironment, fmi3LogMessageCallback,
                                         fmi3IntermediateUpdateCallback) {
  return new double(0);
}
void fmi3FreeInstance(fmi3Instance instance) { delete &StepsOf(instance); }
fmi3Status fmi3EnterInitializationMode(fmi3Instance, fmi3Boolean, fmi3Float64, fmi3Float64, fmi3Boolean,
                                       fmi3Float64) {
  return fmi3OK;
}
fmi3Status fmi3ExitInitializationMode(fmi3Instance) { return fmi3OK; }
fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference[], std::size_t n,
                          fmi3Float64 values[], std::size_t) {
  for (std::size_t i = 0; i < n; ++i) values[i] = StepsOf(instance);
  return fmi3OK;
}
fmi3Status fmi3SetFloat64(fmi3Instance, const fmi3ValueReference[], std::size_t, const fmi3Float64[],
                          std::size_t) {
  return fmi3OK;
}
fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 t, fmi3Float64 h, fmi3Boolean,
                      fmi3Boolean* has_event, fmi3Boolean* is_end, fmi3Boolean* is_early,
                      fmi3Float64* reached) {
  StepsOf(instance) += 1;
  *has_event = *is_early = false;
  *is_end = StepsOf(instance) >= 5;
  *reached = t + h;
  return fmi3OK;
}

}  // extern "C"
