#include "components/mechanical/diesel_engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "components/mechanical/inertia.h"
#include "components/mechanical/torque.h"
#include "tests/support/component_harness.h"

namespace davit {
namespace {

using testing::HasSubstr;

/// An engine of 600 N m at 150 rad/s and 500 N m at 200 rad/s, with a load.
class DieselEngineTest : public testing::Test {
 protected:
  DieselEngineTest() {
    harness.Set(engine, "speeds", "150 200 rad/s");
    harness.Set(engine, "torques", "600 500 N.m");
    harness.Set(engine, "set_speed", 200);
    harness.Set(engine, "droop", 0.1);
    harness.Set(engine, "drag_torque", 50);
    harness.Set(engine, "inertia", 2);
    harness.Set(flywheel, "inertia", 3);
    harness.SetStart(flywheel, "w", 190);
    harness.Connect(engine, "shaft", flywheel, "a");
    harness.Connect(load, "port", flywheel, "a");
  }
  void Run(double seconds) {
    harness.Integrate(0, 1e-3, static_cast<std::size_t>(std::lround(seconds * 1e3)));
  }
  double Read(std::string_view name) const { return harness.Read(engine, name); }

  ComponentHarness harness;
  Inertia& flywheel = harness.Add<Inertia>("flywheel");
  DieselEngine& engine = harness.Add<DieselEngine>("engine");
  Torque& load = harness.Add<Torque>("load");
};

TEST_F(DieselEngineTest, TheSpeedDroopsInProportionToTheLoad) {
  harness.Set(load, "torque", -200);
  harness.Set(engine, "consumption", 5e-8);
  harness.Start();
  Run(20);
  // 250 N m are indicated: (200 - w)/20 of what the full load curve has at w, 500 + 2*(200 - w).
  const double below = (-500 + std::sqrt(500.0 * 500 + 4 * 2 * 20 * 250)) / (2 * 2);
  EXPECT_NEAR(Read("speed"), 200 - below, 1e-6);
  EXPECT_NEAR(Read("torque"), 200, 1e-6);
  EXPECT_NEAR(Read("power"), 200 * (200 - below), 1e-3);
  EXPECT_NEAR(Read("fuel"), 5e-8 * 250 * (200 - below), 1e-9);
  EXPECT_NEAR(Read("load"), below / 20, 1e-6);
}

TEST_F(DieselEngineTest, TheTorqueRisesWithItsTimeConstantTowardsTheFullLoadCurve) {
  harness.Set(engine, "response_time", 0.5);
  harness.Set(engine, "torques", "600 600 N.m");
  harness.Set(flywheel, "inertia", 1e9);  // holds the speed
  harness.SetStart(flywheel, "w", 170);
  harness.Start();
  Run(0.7);
  EXPECT_NEAR(Read("indicated_torque"), 600 * (1 - std::exp(-0.7 / 0.5)), 1e-6);
}

TEST_F(DieselEngineTest, ItsInertiaTurnsWithTheShaft) {
  harness.Set(engine, "full", 0);
  harness.Start();
  // 50 N m of drag on 2 + 3 kg m2
  EXPECT_DOUBLE_EQ(harness.Read(flywheel, "acceleration"), -50.0 / 5);
}

TEST_F(DieselEngineTest, OverloadStallsItAndItStaysAtRest) {
  harness.Set(load, "torque", -650);
  harness.Set(engine, "stall_speed", 70);
  harness.Start();
  Run(3);
  EXPECT_NEAR(Read("load"), 1, 1e-2);
  for (int i = 0; i < 40 && Read("speed") > 50; ++i) Run(0.1);
  EXPECT_LT(Read("speed"), 50);
  harness.Set(load, "torque", 0);
  Run(30);
  EXPECT_NEAR(Read("speed"), 0, 1e-6);
  EXPECT_NEAR(Read("indicated_torque"), 0, 1e-6);
}

TEST_F(DieselEngineTest, AGovernorSetToRestInjectsNothing) {
  harness.Set(engine, "set_speed", 0);
  harness.Start();
  Run(60);
  EXPECT_NEAR(Read("speed"), 0, 1e-6);
}

TEST_F(DieselEngineTest, ACurveThatIsNoneIsAnError) {
  harness.Set(engine, "speeds", "200 150 rad/s");
  harness.Set(engine, "torques", "600 -500 400 N.m");
  const Diagnostics diagnostics = harness.Start();
  EXPECT_THAT(ToText(diagnostics), HasSubstr("the number of speeds is 2, that of torques 3"));
  EXPECT_THAT(ToText(diagnostics), HasSubstr("speeds: they do not increase"));
  EXPECT_THAT(ToText(diagnostics), HasSubstr("torques: one is negative"));
}

TEST_F(DieselEngineTest, AListOfAnotherUnitIsAnError) {
  harness.Set(engine, "torques", "600 500 bar");
  EXPECT_THAT(
      ToText(harness.Start()),
      HasSubstr("torques: '600 500 bar' is kg/(m s2), but N.m is needed; write for example 0 2.5 10 N.m"));
}

}  // namespace
}  // namespace davit
