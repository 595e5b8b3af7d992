#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "simulator/solvers/integrator.h"

namespace davit {

/// How GoogleTest shows a method: by its name.
inline void PrintTo(const OdeMethod& method, std::ostream* out) { *out << method.name; }

/// The methods for which `is_wanted(method)` holds, as parameters of tests.
template <class Condition>
std::vector<OdeMethod> OdeMethodsThat(Condition is_wanted) {
  std::vector<OdeMethod> wanted;
  for (const OdeMethod& method : OdeMethods()) {
    if (is_wanted(method)) wanted.push_back(method);
  }
  return wanted;
}

/// All methods, as parameters of tests.
inline std::vector<OdeMethod> AllOdeMethods() {
  return OdeMethodsThat([](const OdeMethod& /*method*/) { return true; });
}

/// Ends the name of a parametrised test.
inline std::string NameOf(const testing::TestParamInfo<OdeMethod>& test) {
  return std::string(test.param.name);
}

}  // namespace davit
