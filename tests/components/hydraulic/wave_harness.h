#pragma once

#include <gtest/gtest.h>

#include "simulator/tlm_component.h"
#include "tests/support/component_harness.h"

namespace davit {

/// One wave component whose partners are the test's: it writes the flows into the bonds between the steps.
template <class Model>
class WaveHarness : public ComponentHarness {
 public:
  Model& component = Add<Model>("component");

  /// Attach and Set before; afterwards the bonds hold the waves at the start time.
  void Begin(double h) {
    component.set_simulator_time_step(h);
    const Diagnostics diagnostics = Start();
    ASSERT_FALSE(diagnostics.has_errors()) << ToText(diagnostics.all()[0]);
    component.InitializeWaves();
  }
  void Step() { component.SimulateOneTimestep(0); }
  using ComponentHarness::Read;
  double Read(std::string_view name) const { return ComponentHarness::Read(component, name); }
};

}  // namespace davit
