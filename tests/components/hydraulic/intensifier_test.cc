// systems/parts/intensifier.xml, alone and in systems/boosted_clamp.xml.

#include <gtest/gtest.h>

#include <numbers>
#include <string>
#include <utility>

#include "tests/components/hydraulic/shipped_system.h"
#include "tests/support/system_harness.h"

namespace davit {
namespace {

// In squares of the diameters [mm2]: 50 mm, 30 mm, rod 20 mm.
constexpr double kLarge = 2500, kSmallRing = 900 - 400, kBack = 2500 - 400 - 900;
constexpr double kRatio = kLarge / kSmallRing;

/// A valve lets it stroke from 0 to 1 s and from 2 to 3 s, and back in between, against a relief valve.
const char* const kBench = R"(
<System name="bench">
  <SimulatorManager TimeStep="1 ms" StopTime="4 s">
    <Integration solver="ODE" method="rodas5p" rtol="1e-8" atol="1e-9"/>
  </SimulatorManager>
  <signal.Table name="lever" interpolation="step" times="0 1 2 3 s" values="1 -1 1 -1"/>
  <hydraulic.PressureSource name="supply" pressure="60 bar"/>
  <hydraulic.Tank name="tank"/>
  <hydraulic.Tank name="source" back_pressure="2 bar"/>
  <hydraulic.DirectionalControlValve name="valve" nominal_flow="4 l/min" spool_type="O"/>
  <Subsystem name="booster" src=")" DAVIT_SOURCE_DIR R"(/systems/parts/intensifier.xml"/>
  <hydraulic.ReliefValve name="load" set_pressure="200 bar" opening_range="1 bar" seat_diameter="6 mm"/>
  <Route from="lever.y" to="valve.spool"/>
  <Connect from="valve.p" to="supply.port"/>
  <Connect from="valve.t" to="tank.port"/>
  <Connect from="valve.a" to="booster.a"/>
  <Connect from="valve.b" to="booster.b"/>
  <Connect from="booster.s" to="source.port"/>
  <Connect from="load.in" to="booster.h"/>
  <Connect from="load.out" to="tank.port"/>
  <signal.Integrator name="drawn"/>
  <signal.Integrator name="delivered"/>
  <signal.Integrator name="discharged"/>
  <Route from="booster.suction.q" to="drawn.u"/>
  <Route from="booster.delivery.q" to="delivered.u"/>
  <Route from="load.q" to="discharged.u"/>
</System>)";

TEST(Intensifier, TheFlowsHaveTheInverseRatioOfThePressures) {
  SystemHarness system(kBench);
  for (const double t : {0.9, 2.9}) {
    system.RunTo(t);
    EXPECT_NEAR(system.Read("booster.large.q_a"), kRatio * system.Read("booster.delivery.q"), 1e-10) << t;
    EXPECT_GT(system.Read("load.q"), 1 / 6e4) << t;
    // Friction takes 1 kN.s/m. The pressure of the outflow acts on the large ring and on the small piston.
    const double square = std::numbers::pi / 4 * 1e-6;
    EXPECT_NEAR(square * (system.Read("booster.drive.p") * kLarge - system.Read("booster.back.p") * kBack -
                          system.Read("booster.chamber.p") * kSmallRing),
                1e3 * system.Read("booster.pistons.v"), 1)
        << t;
  }
}

/// What was drawn and not delivered is in the chamber. What was delivered and not discharged is in the volume
/// behind it.
TEST(Intensifier, KeepsItsOil) {
  SystemHarness system(kBench);
  const double ring = std::numbers::pi / 4 * kSmallRing * 1e-6, V = 20e-6, beta = 1.6e9, p_start = 1e5;
  for (const double t : {0.9, 1.5, 1.9, 2.9, 3.9}) {
    system.RunTo(t);
    const double chamber = V * (system.Read("booster.chamber.p") - p_start) / beta;
    EXPECT_NEAR(system.Read("drawn.y") - system.Read("delivered.y"),
                chamber - ring * system.Read("booster.pistons.x"), 1e-12)
        << t;
    EXPECT_NEAR(system.Read("delivered.y") - system.Read("discharged.y"),
                V * (system.Read("booster.high.p") - p_start) / beta, 1e-12)
        << t;
  }
}

/// The return stroke draws what the working stroke has delivered, without cavitation. So the next one is as
/// long.
TEST(Intensifier, TheReturnStrokeRefills) {
  SystemHarness system(kBench);
  system.RunTo(0.999);
  const double x = system.Read("booster.pistons.x");
  EXPECT_GT(x, 0.05);
  system.RunTo(1.2);
  const double delivered = system.Read("delivered.y");
  EXPECT_GT(system.Read("booster.chamber.p"), 1e5);
  EXPECT_EQ(system.Read("booster.delivery.q"), 0);
  system.RunTo(1.999);
  EXPECT_NEAR(system.Read("booster.pistons.x"), 0, 1e-4);
  EXPECT_NEAR(system.Read("drawn.y"), delivered, 1e-3 * delivered);
  system.RunTo(2.999);
  EXPECT_NEAR(system.Read("booster.pistons.x"), x, 0.01 * x);
}

class BoostedClamp : public ShippedSystemTest {
 protected:
  void Load(const LoadOptions& options) { ShippedSystemTest::Load("boosted_clamp", options); }
};

/// Filled at low pressure while the intensifier rests, boosted to the ratio of the areas, held, and released.
TEST_F(BoostedClamp, IsFilledThenBoostedThenReleased) {
  Load({});
  RunUntil(1.2);
  EXPECT_GT(Read("jaw.x"), 0.04);
  EXPECT_NEAR(Read("booster.pistons.x"), 0, 1e-5);
  EXPECT_LT(Read("clamp.p_a"), 10e5);
  EXPECT_GT(Read("holding.q"), Read("booster.delivery.q"));
  RunUntil(2.9);
  // At rest: p_a A_a = p_h A_h + p_b A_b. The check valve takes 0.5 bar.
  EXPECT_NEAR(Read("booster.pistons.v"), 0, 1e-9);
  const double boosted = kRatio * Read("booster.drive.p") - kBack / kSmallRing * Read("booster.back.p");
  EXPECT_NEAR(Read("booster.chamber.p"), boosted, 1e-6 * boosted);
  EXPECT_NEAR(Read("clamp.p_a"), boosted - 0.5e5, 0.05e5);
  EXPECT_GT(Read("clamp.p_a"), 290e5);
  EXPECT_LT(Read("booster.pistons.x"), 0.02);
  RunUntil(4.9);
  EXPECT_NEAR(Read("jaw.x"), 0, 1e-3);
  EXPECT_NEAR(Read("booster.pistons.x"), 0, 1e-4);
  EXPECT_NEAR(Read("clamp.p_a"), 2e5, 0.1e5);
}

TEST_F(BoostedClamp, HoldsWithoutThePump) {
  Load({.at = {"2 s:pump.speed=0 rpm"}});
  RunUntil(1.99);
  const double held = Read("clamp.p_a");
  RunUntil(2.9);
  EXPECT_EQ(Read("pump.q_out"), 0);
  EXPECT_EQ(Read("holding.q"), 0);
  EXPECT_NEAR(Read("clamp.p_a"), held, 1e-5 * held);
  // The pilot would open it, but there is no pressure for it.
  RunUntil(4.9);
  EXPECT_GT(Read("clamp.p_a"), held);
}

}  // namespace
}  // namespace davit
