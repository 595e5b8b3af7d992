#include "components/hydraulic/hose.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "tests/components/hydraulic/wave_harness.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

class HoseHarness : public WaveHarness<Hose> {
 public:
  HoseHarness() {
    AttachHydraulic(component, "a");
    AttachHydraulic(component, "b");
  }
};

TEST(HoseTest, WidensAsAThickTube) {
  HoseHarness hose;
  hose.Set(hose.component, "inner_diameter", 0.283);
  hose.Set(hose.component, "outer_diameter", 0.343);
  hose.Set(hose.component, "wall_modulus", 180e9);
  hose.Begin(1e-3);
  EXPECT_NEAR(hose.component.delay(), 15 / std::sqrt(1.455967e9 / 861.8), 1e-8);
}

TEST(HoseTest, WidensAsMeasured) {
  HoseHarness hose;
  const double area = std::numbers::pi / 4 * 0.049 * 0.049;
  hose.Set(hose.component, "expansion", "measured");
  hose.Set(hose.component, "volumetric_expansion", area / 1.6e9);  // as much as the oil
  hose.Begin(1e-3);
  EXPECT_NEAR(hose.component.delay(), 15 / std::sqrt(0.8e9 / 861.8), 1e-12);
  EXPECT_NEAR(hose.component.characteristic_impedance(), std::sqrt(0.8e9 * 861.8) / area, 1e-3);
}

TEST(HoseTest, WithoutExpansionIsALine) {
  HoseHarness hose;
  hose.Set(hose.component, "expansion", "measured");
  hose.Set(hose.component, "volumetric_expansion", 0);
  hose.Begin(1e-3);
  EXPECT_NEAR(hose.component.delay(), 11.008661e-3, 1e-9);
}

TEST(HoseTest, FeedsVolumeAndAccumulatorInASystem) {
  TestSystem system(SystemText(
      "TimeStep=\"1 ms\" StopTime=\"5 s\"", "",
      "<hydraulic.PressureSource name=\"supply\" pressure=\"150 bar\"/><hydraulic.Orifice name=\"inlet\"/>"
      "<hydraulic.Hose name=\"hose\" length=\"3 m\" expansion=\"measured\" "
      "volumetric_expansion=\"0.1 cm3/m/bar\"/>"
      "<hydraulic.Orifice name=\"middle\"/><hydraulic.VolumeC name=\"volume\"/><hydraulic.Orifice "
      "name=\"last\"/>"
      "<hydraulic.AccumulatorC name=\"accumulator\"/>"
      "<Connect from=\"supply.port\" to=\"inlet.a\"/><Connect from=\"inlet.b\" to=\"hose.a\"/>"
      "<Connect from=\"hose.b\" to=\"middle.a\"/><Connect from=\"middle.b\" to=\"volume.port\"/>"
      "<Connect from=\"volume.port\" to=\"last.a\"/><Connect from=\"last.b\" to=\"accumulator.port\"/>"
      "<Record signals=\"volume.p accumulator.p hose.b.c\"/>"));
  const std::vector<TestRow> rows = system.RunAndRecord();
  for (const double p : rows.back().values) EXPECT_NEAR(p, 150e5, 1e3);
  EXPECT_EQ(system.RunAndRecord(), rows);
}

TEST(HoseTest, RefusesAWallWithoutThickness) {
  HoseHarness hose;
  hose.Set(hose.component, "outer_diameter", 0.049);
  hose.component.set_simulator_time_step(1e-3);
  hose.component.ParametersChanged();
  Diagnostics diagnostics;
  hose.component.CheckConnections(diagnostics);
  ASSERT_EQ(diagnostics.error_count(), 1U);
  EXPECT_NE(diagnostics.all()[0].message().find("outer_diameter"), std::string::npos);
}

}  // namespace
}  // namespace davit
