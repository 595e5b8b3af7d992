#include "components/mechanical/wire_rope.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/support/system_harness.h"

namespace davit {
namespace {

constexpr DrumSpiral kLayeredDrum{0.4, 0.02 / (2 * std::numbers::pi * 8)};
constexpr Tackle kFourFalls{.falls = 4, .sheaves = 2, .efficiency = 0.96, .stick_velocity = 0.02};

/// 5 kN on four falls, at first at rest 20 m below the tip, with a layered drum that turns at `w`.
std::string HoistSystem(double w, std::string_view inertia) {
  return fmt::format(R"(<System name="s" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="10 ms" StopTime="60 s"><Integration method="rodas5p" rtol="1e-10" atol="1e-10"/></SimulatorManager>
  <mechanical.Mass name="load" mass="500 kg" weight="5 kN"><Start x="{:.17g}"/></mechanical.Mass>
  <mechanical.WireRope name="rope" length="80 m" radius="0.4 m" axial_stiffness="5e6 N" axial_damping="5e5 N.s"
      layer_height="20 mm" turns_per_layer="8" falls="4" sheaves="2" sheave_efficiency="0.96" stick_velocity="2 cm/s"/>
  <mechanical.Inertia name="drum" inertia="{}"><Start w="{}"/></mechanical.Inertia>
  <Connect from="load.b" to="rope.a"/><Connect from="drum.a" to="rope.drum"/></System>)",
                     -20 * (1 + 1250 / 5e6), inertia, w);
}

TEST(WireRope, ALayeredDrumWithFallsHoistsAndLowersAtItsRadius) {
  for (const double w : {0.5, -0.5}) {
    SystemHarness system(HoistSystem(w, "1e15 kg.m2"));
    system.RunTo(60);
    const double wound = w * 60, radius = kLayeredDrum.RadiusAt(-wound), rate = -radius * w;
    EXPECT_NEAR(system.Read("rope.free_length"), 80 + kLayeredDrum.PaidOut(-wound), 1e-8);
    // The radius changes by less than 1e-4 m/s: the load moves all but steadily, and all falls hold it.
    EXPECT_NEAR(system.Read("rope.tension"), 1250, 0.5);
    EXPECT_NEAR(system.Read("load.v"), -rate / 4, 1e-4);
    EXPECT_NEAR(system.Read("load.force"), 4 * system.Read("rope.tension") - 5000, 1e-9);
    // Power at the drum: that of the rope, times or by the efficiency of the tackle.
    EXPECT_NEAR(system.Read("drum.torque") * w,
                system.Read("rope.tension") * rate * kFourFalls.DrumShare(rate), 1e-9);
    const double efficiency = 1250 * std::abs(rate) / std::abs(system.Read("drum.torque") * w);
    EXPECT_NEAR(efficiency, w > 0 ? 0.868 : 1.153, 2e-3);
  }
}

TEST(WireRope, ADrumThatReversesGoesThroughTheFrictionOfItsSheavesSmoothly) {
  // The load holds a turning drum back, and pulls it down again.
  SystemHarness system(HoistSystem(2, "100 kg.m2"));
  double before = 0;
  int reversals = 0;
  for (int i = 0; i <= 500; ++i) {
    system.RunTo(0.01 * i);
    const double w = system.Read("drum.w"), radius = kLayeredDrum.RadiusAt(-system.Read("drum.angle"));
    EXPECT_NEAR(system.Read("drum.torque"),
                -radius * system.Read("rope.tension") * kFourFalls.DrumShare(-radius * w), 1e-8)
        << i;
    if (before > 0 && w <= 0) ++reversals;
    before = w;
  }
  EXPECT_EQ(reversals, 1);
}

TEST(WireRope, SheavesMayHaveNoMoreThanAllOfTheTension) {
  for (const std::string_view wrong : {"sheave_efficiency=\"1.1\"", "sheave_efficiency=\"0\"", "falls=\"0\"",
                                       "sheaves=\"-1\"", "layer_height=\"-1 mm\"", "turns_per_layer=\"0\""}) {
    const auto faults = SystemHarness::FaultsOf(
        fmt::format(R"(<System name="s"><SimulatorManager TimeStep="10 ms" StopTime="1 s"/>
        <mechanical.Fixed name="top"/><mechanical.WireRope name="rope" {}/><Connect from="top.port" to="rope.a"/></System>)",
                    wrong));
    ASSERT_EQ(faults.size(), 1U) << wrong;
    EXPECT_NE(faults[0].find("/rope"), std::string::npos) << faults[0];
  }
}

}  // namespace
}  // namespace davit
