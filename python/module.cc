#include "framework/version.h"
#include "python/binding.h"

PYBIND11_MODULE(_core, module) {
  module.doc() = "What the package davit stands on; use that.";
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
