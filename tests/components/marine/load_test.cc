#include "components/marine/load.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "components/register.h"
#include "session/simulation.h"
#include "tests/support/latched_alarm_cycle.h"
#include "tests/support/system_harness.h"

namespace davit {
namespace {

using std::numbers::pi;

std::string LoadSystem(const std::string& parts) {
  return "<System name=\"s\" xmlns=\"urn:davit:system:1\"><SimulatorManager TimeStep=\"10 ms\" "
         "StopTime=\"200 s\">"
         "<Integration method=\"runge_kutta_dopri5\" rtol=\"1e-10\" atol=\"1e-12\"/></SimulatorManager>" +
         parts + "</System>";
}
constexpr const char* kCalm = "<marine.Sea name=\"sea\" significant_height=\"0 m\" depth=\"100 m\"/>";

TEST(SubmergenceTest, ItIsTheIntegralOfItsSlope) {
  for (const SubmergedShape shape :
       {SubmergedShape::kBox, SubmergedShape::kSphere, SubmergedShape::kCylinder}) {
    EXPECT_EQ(SubmergenceOf(shape, -0.1).fraction, 0);
    EXPECT_EQ(SubmergenceOf(shape, 1.1).fraction, 1);
    EXPECT_DOUBLE_EQ(SubmergenceOf(shape, 0.5).fraction, 0.5);
    const double h = 1e-6;
    for (const double r : {0.1, 0.4, 0.9}) {
      const double slope =
          (SubmergenceOf(shape, r + h).fraction - SubmergenceOf(shape, r - h).fraction) / (2 * h);
      EXPECT_NEAR(SubmergenceOf(shape, r).slope, slope, 1e-8);
    }
  }
}

TEST(LoadTest, InAirItFallsFreely) {
  SystemHarness system(
      LoadSystem(std::string(kCalm) +
                 "<marine.Load name=\"load\"><Start x=\"-50 m\"/></marine.Load>"
                 "<mechanical.Force name=\"none\"/><Connect from=\"none.port\" to=\"load.port\"/>"));
  system.RunTo(2);
  EXPECT_NEAR(system.Read("load.x"), -50 + 9.81 * 2, 1e-8);
  EXPECT_EQ(system.Read("load.submerged"), 0);
}

TEST(LoadTest, SubmergedItWeighsLessByTheWaterItDisplaces) {
  // The wire pulls with mass*g - density*volume*g.
  SystemHarness system(LoadSystem(std::string(kCalm) +
                                  "<marine.Load name=\"load\" mass=\"10 t\" volume=\"3 m3\" height=\"2 "
                                  "m\"><Start x=\"20 m\"/></marine.Load>"
                                  "<mechanical.Force name=\"pull\" force=\"-67934.25 N\"/><Connect "
                                  "from=\"pull.port\" to=\"load.port\"/>"));
  ASSERT_DOUBLE_EQ(9.81 * (10000 - 1025 * 3), 67934.25);
  system.RunTo(10);
  EXPECT_NEAR(system.Read("load.x"), 20, 1e-9);
  EXPECT_DOUBLE_EQ(system.Read("load.buoyancy"), 1025 * 9.81 * 3);
}

TEST(LoadTest, AFreeLoadSinksWithItsTerminalVelocity) {
  SystemHarness system(LoadSystem(
      "<marine.Sea name=\"sea\" significant_height=\"0 m\" depth=\"3 km\"/>"
      "<marine.Load name=\"load\" mass=\"10 t\" volume=\"3 m3\" area=\"5 m2\" drag_coefficient=\"1.2\" "
      "added_mass=\"4 t\"><Start x=\"20 m\"/></marine.Load>"
      "<mechanical.Force name=\"none\"/><Connect from=\"none.port\" to=\"load.port\"/>"));
  const double W = 9.81 * (10000 - 1025 * 3), K = 0.5 * 1025 * 1.2 * 5;
  const double terminal = std::sqrt(W / K), rate = std::sqrt(W * K) / 14000;
  system.RunTo(1);  // v = terminal*tanh(rate*t) with the added mass
  EXPECT_NEAR(system.Read("load.v"), terminal * std::tanh(rate * 1), 1e-8);
  system.RunTo(60);
  EXPECT_NEAR(system.Read("load.v"), terminal, 1e-8);
}

TEST(LoadTest, InLongWavesALightLoadFollowsTheWater) {
  // As heavy as the water it displaces, and with added mass only: (m + A)*v' = (density*V + A)*u'.
  SystemHarness system(LoadSystem(
      "<marine.Sea name=\"sea\" spectrum=\"Waves\" depth=\"300 m\"><Wave height=\"3 m\" period=\"12 "
      "s\"/></marine.Sea>"
      "<marine.Load name=\"load\" mass=\"2050 kg\" volume=\"2 m3\" height=\"1 m\" added_mass=\"1 t\" "
      "drag_coefficient=\"0\"><Start x=\"30 m\"/></marine.Load>"
      "<mechanical.Force name=\"none\"/><Connect from=\"none.port\" to=\"load.port\"/>"));
  const double w = 2 * pi / 12, k = WaveNumber(w, 300);
  system.RunTo(0);
  const double depth = 29.5;  // of its middle
  const double a = 1.5 * w * w * std::sinh(k * (300 - depth)) / std::sinh(k * 300);
  EXPECT_NEAR(system.Read("load.acceleration"), a, 1e-9);  // under a crest water is accelerated downwards
}

TEST(LoadTest, EnteringItKeepsTheMomentumTogetherWithTheAddedMass) {
  // Entry without weight, buoyancy and drag: (m + A)*v is constant.
  SystemHarness system(
      LoadSystem(std::string(kCalm) +
                 "<marine.Load name=\"load\" mass=\"10 t\" volume=\"0 m3\" height=\"1.5 m\" shape=\"Sphere\" "
                 "added_mass=\"5 t\" "
                 "drag_coefficient=\"0\" gravity=\"0\"><Start x=\"-0.5 m\" v=\"2 m/s\"/></marine.Load>"
                 "<mechanical.Force name=\"none\"/><Connect from=\"none.port\" to=\"load.port\"/>"));
  system.RunTo(3);
  ASSERT_EQ(system.Read("load.submerged"), 1);
  EXPECT_NEAR(system.Read("load.v"), 2 * 10.0 / 15, 1e-7);
}

TEST(LoadTest, LeavingTheWaterDoesNotSlam) {
  SystemHarness system(LoadSystem(
      std::string(kCalm) +
      "<marine.Load name=\"load\" mass=\"10 t\" volume=\"0 m3\" height=\"1.5 m\" added_mass=\"5 t\" "
      "drag_coefficient=\"0\" gravity=\"0\"><Start x=\"2 m\" v=\"-2 m/s\"/></marine.Load>"
      "<mechanical.Force name=\"none\"/><Connect from=\"none.port\" to=\"load.port\"/>"));
  system.RunTo(3);
  EXPECT_EQ(system.Read("load.submerged"), 0);
  EXPECT_NEAR(system.Read("load.v"), -2, 1e-12);
}

TEST(LoadTest, LiftedOffADeckThatFallsItPullsTheWireByItsImpact) {
  // An undamped wire: mass*g + V*sqrt(stiffness*mass). The deck is 1e5 times as stiff, and a peak that is
  // sampled every millisecond is missed by (0.5 ms*10 rad/s)^2/2.
  SystemHarness system(
      "<System name=\"s\" xmlns=\"urn:davit:system:1\"><SimulatorManager TimeStep=\"1 ms\" StopTime=\"2 s\">"
      "<Integration method=\"runge_kutta_dopri5\" rtol=\"1e-9\" atol=\"1e-10\"/></SimulatorManager>" +
      std::string(kCalm) +
      "<signal.Ramp name=\"deck\" from=\"10 m\" to=\"0 m\" duration=\"20 s\"/>"
      "<marine.Load name=\"load\" mass=\"20 t\" volume=\"0 m3\" ground_stiffness=\"2e11 N/m\" "
      "ground_damping=\"0\">"
      "<Start x=\"-9.999999019 m\" v=\"0.5 m/s\"/></marine.Load>"
      "<mechanical.Spring name=\"wire\" stiffness=\"2e6 N/m\" preload=\"-2e7 N\"/><mechanical.Fixed "
      "name=\"tip\"/>"
      "<Route from=\"deck.y\" to=\"load.deck\"/><Connect from=\"tip.port\" to=\"wire.a\"/>"
      "<Connect from=\"load.port\" to=\"wire.b\"/></System>");
  double peak = 0;
  for (double t = 0.1; t < 1; t += 1e-3) {
    system.RunTo(t);
    peak = std::max(peak, system.Read("load.wire_force"));
  }
  const double expected = 20000 * 9.81 + 0.5 * std::sqrt(2e6 * 20000);
  EXPECT_NEAR(peak, expected, 1e-4 * expected);
}

TEST(LoadTest, TheSeaBedCarriesIt) {
  SystemHarness system(
      LoadSystem(std::string(kCalm) +
                 "<marine.Load name=\"load\" mass=\"10 t\" volume=\"3 m3\"><Start x=\"99 m\"/></marine.Load>"
                 "<mechanical.Force name=\"none\"/><Connect from=\"none.port\" to=\"load.port\"/>"));
  system.RunTo(100);
  const double W = 9.81 * (10000 - 1025 * 3);
  EXPECT_NEAR(system.Read("load.ground_force"), W, 1e-3 * W);
  EXPECT_NEAR(system.Read("load.x"), 100 + W / 1e7, 1e-4);
}

TEST(LoadTest, AStartBelowTheBedSetsAnAlarm) {
  const Registry models = AllModels();
  for (const bool is_below : {false, true}) {
    std::string log;
    const SimulationOptions options{
        .log_level = RunLog::Severity::kWarning,
        .log = [&](RunLog::Severity /*severity*/, std::string_view line) { log += line; }};
    const auto run =
        Simulation::LoadText(
            LoadSystem(std::string(kCalm) + "<marine.Load name=\"load\"><Start x=\"" +
                       (is_below ? "101 m" : "100.05 m") +
                       "\"/></marine.Load><mechanical.Force name=\"none\"/><Connect from=\"none.port\" "
                       "to=\"load.port\"/>"),
            "load.xml", models, options)
            .Take();
    run->Initialize();
    run->RunUntil(0.01);
    EXPECT_EQ(log.find("below the sea bed") != std::string::npos, is_below) << log;
  }
}

TEST(LoadTest, TheAlarmOfItsStartEndsWhenTheBedHasThrownItUpAndSomebodyHasSeenIt) {
  for (const bool is_seen : {false, true}) {
    SystemHarness system(
        LoadSystem(std::string(kCalm) +
                   "<marine.Load name=\"load\"><Start x=\"101 m\"/></marine.Load>"
                   "<mechanical.Force name=\"none\"/><Connect from=\"none.port\" to=\"load.port\"/>"));
    system.RunTo(0);
    Alarm& alarm = AlarmOf(system, "load", "buried");
    EXPECT_TRUE(alarm.is_set());
    if (is_seen) alarm.Acknowledge();
    system.RunTo(0.01);
    EXPECT_TRUE(alarm.is_set());
    system.RunTo(20);
    EXPECT_EQ(alarm.is_set(), !is_seen);
    EXPECT_EQ(alarm.count(), 1U);
  }
}

}  // namespace
}  // namespace davit
