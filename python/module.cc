#include "framework/version.h"
#include "python/binding.h"

PYBIND11_MODULE(_core, module) {
  module.doc() = "The compiled part of the package davit; use the package.";
  module.attr("version") = davit::kVersion;
  davit::BindFailures(module);
  davit::BindResult(module);
  davit::BindSystem(module);
  davit::BindTree(module);
  davit::BindStudies(module);
  davit::BindLinear(module);
  davit::BindSignals(module);
  davit::BindFleet(module);
}
