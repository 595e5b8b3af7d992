// An FMU of FMI 2.0 for co-simulation that carries another SUNDIALS: functions of its names, which end the
// program. Who calls them has met the wrong one. Its output y is the time.

#include <cstdlib>

#include "fmi/abi/abi2.h"

#define DAVIT_TRAP(NAME) \
  extern "C" [[gnu::visibility("default")]] void* NAME() { std::abort(); }

DAVIT_TRAP(IDACreate)
DAVIT_TRAP(IDAInit)
DAVIT_TRAP(IDASolve)
DAVIT_TRAP(IDAReInit)
DAVIT_TRAP(IDACalcIC)
DAVIT_TRAP(IDAFree)
DAVIT_TRAP(IDASetUserData)
DAVIT_TRAP(IDASetLinearSolver)
DAVIT_TRAP(N_VNew_Serial)
DAVIT_TRAP(N_VMake_Serial)
DAVIT_TRAP(N_VGetArrayPointer)
DAVIT_TRAP(N_VDestroy)
DAVIT_TRAP(SUNContext_Create)
DAVIT_TRAP(SUNContext_Free)
DAVIT_TRAP(SUNDenseMatrix)
DAVIT_TRAP(SUNSparseMatrix)
DAVIT_TRAP(SUNLinSol_Dense)
DAVIT_TRAP(SUNLinSol_KLU)
DAVIT_TRAP(klu_analyze)
DAVIT_TRAP(klu_factor)

namespace {

double& Of(fmi2Component c) { return *static_cast<double*>(c); }

}  // namespace

extern "C" {

fmi2Component fmi2Instantiate(fmi2String, fmi2Type, fmi2String, fmi2String, const fmi2CallbackFunctions*,
                              fmi2Boolean, fmi2Boolean) {
  return new double(0);
}
void fmi2FreeInstance(fmi2Component c) { delete &Of(c); }
fmi2Status fmi2SetupExperiment(fmi2Component, fmi2Boolean, fmi2Real, fmi2Real, fmi2Boolean, fmi2Real) {
  return fmi2OK;
}
fmi2Status fmi2EnterInitializationMode(fmi2Component) { return fmi2OK; }
fmi2Status fmi2ExitInitializationMode(fmi2Component) { return fmi2OK; }
fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference[], std::size_t n, fmi2Real value[]) {
  for (std::size_t i = 0; i < n; ++i) value[i] = Of(c);
  return fmi2OK;
}
fmi2Status fmi2SetReal(fmi2Component, const fmi2ValueReference[], std::size_t, const fmi2Real[]) {
  return fmi2OK;
}
fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean) {
  Of(c) = t + h;
  return fmi2OK;
}
fmi2Status fmi2Terminate(fmi2Component) { return fmi2OK; }
}
