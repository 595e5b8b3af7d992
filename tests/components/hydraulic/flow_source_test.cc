#include "components/hydraulic/flow_source.h"

#include <gtest/gtest.h>

#include "tests/support/component_harness.h"

namespace davit {
namespace {

TEST(FlowSourceTest, DeliversItsFlowAtAnyPressure) {
  ComponentHarness harness;
  auto& source = harness.Add<FlowSource>("source");
  HydraulicBond& port = harness.AttachHydraulic(source, "port");
  harness.Start();
  EXPECT_EQ(port.q, 0);
  for (const double flow : {-1e-3, 0.0, 2e-3}) {
    harness.Set(source, "flow", flow);
    for (const double Zc : {0.0, 1e9}) {
      port.c = 50e5;
      port.Zc = Zc;
      harness.Evaluate();
      EXPECT_EQ(port.q, flow);
      EXPECT_EQ(harness.Read(source, "q"), flow);
      EXPECT_EQ(harness.Read(source, "p"), port.p());
    }
  }
}

}  // namespace
}  // namespace davit
