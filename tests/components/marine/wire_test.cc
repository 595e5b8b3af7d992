#include "components/marine/wire.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "components/register.h"
#include "session/simulation.h"
#include "tests/support/latched_alarm_cycle.h"
#include "tests/support/system_harness.h"

namespace davit {
namespace {

using std::numbers::pi;

/// 1000 m of wire with 8 kg/m and 4e7 N over a mass of 5 t, slightly overstretched at the start.
std::string HangingSystem(int elements, double mass) {
  const double weight = 9.81 * mass, own = 9.81 * 8000;
  const double stretch = (weight + own / 2) / 4e7 * 1000;
  return "<System name=\"s\" xmlns=\"urn:davit:system:1\"><SimulatorManager TimeStep=\"1 ms\" StopTime=\"200 "
         "s\">"
         "<Integration method=\"runge_kutta_dopri5\" rtol=\"1e-8\" atol=\"1e-9\"/></SimulatorManager>"
         "<mechanical.Fixed name=\"tip\"/><marine.Wire name=\"wire\" length=\"1 km\" distance=\"1 km\" "
         "axial_stiffness=\"4e7 N\" axial_damping=\"0\" mass_per_length=\"8 kg/m\" elements=\"" +
         std::to_string(elements) + "\"><Start start_load=\"" + std::to_string(1.01 * weight) +
         " N\"/></marine.Wire><mechanical.Mass name=\"mass\" mass=\"" + std::to_string(mass) +
         "\" weight=\"" + std::to_string(-weight) + "\"><Start x=\"" +
         std::to_string(stretch + 0.01 * weight / 4e7 * 1000) +
         "\"/></mechanical.Mass><Connect from=\"tip.port\" to=\"wire.top\"/>"
         "<Connect from=\"mass.a\" to=\"wire.load\"/></System>";
}

/// Mean period of the mass about its place at rest [s].
double PeriodOf(int elements, double mass) {
  SystemHarness system(HangingSystem(elements, mass));
  const double rest = (9.81 * mass + 9.81 * 8000 / 2) / 4e7 * 1000;
  double first = -1, last = -1, before = 1;
  int count = -1;
  for (int i = 0; i < 30000; ++i) {
    const double t = 1e-3 * i;
    system.RunTo(t);
    const double now = system.Read("mass.x") - rest;
    if (before < 0 && now >= 0) {
      last = t - 1e-3 * now / (now - before);
      if (first < 0) first = last;
      ++count;
    }
    before = now;
  }
  return (last - first) / count;
}

TEST(WireTest, AHeavyWireWithAnEndMassHasThePeriodOfTheContinuum) {
  const double mass = 10000, ratio = 8000 / mass;
  double beta = 0.8;  // beta*tan(beta) = mass of the wire over that at its end
  for (int i = 0; i < 50; ++i)
    beta -= (beta * std::tan(beta) - ratio) / (std::tan(beta) + beta / std::pow(std::cos(beta), 2));
  const double period = 2 * pi / (beta / 1000 * std::sqrt(4e7 / 8));
  // Lumps on springs of the length l: sin(beta*l/2)/(beta*l/2) is 1 - (beta*l)^2/24. Twice that, as the start
  // is not a mode.
  for (const int n : {4, 8, 16}) {
    const double part = beta / n;
    EXPECT_NEAR(PeriodOf(n, mass), period, part * part / 12 * period) << n;
  }
}

TEST(WireTest, AtTheStartItHangsAtRest) {
  SystemHarness system(
      "<System name=\"s\" xmlns=\"urn:davit:system:1\"><SimulatorManager TimeStep=\"10 ms\" StopTime=\"10 "
      "s\"/>"
      "<mechanical.Fixed name=\"tip\"/><marine.Wire name=\"wire\" length=\"500 m\" distance=\"500 m\" "
      "area=\"1e-3 m2\" "
      "density=\"1025 kg/m3\"><Start start_load=\"50 kN\"/></marine.Wire>"
      "<mechanical.Mass name=\"mass\" mass=\"5 t\" weight=\"-50 kN\"><Start x=\"0.59747 "
      "m\"/></mechanical.Mass>"
      "<Connect from=\"tip.port\" to=\"wire.top\"/><Connect from=\"mass.a\" to=\"wire.load\"/></System>");
  // (50 kN + 9.81*(5 - 1.025)*500/2 N)/5e7 N*500 m
  ASSERT_NEAR((50e3 + 9.81 * 3.975 * 250) / 5e7 * 500, 0.59747, 1e-4);
  system.RunTo(0);
  EXPECT_NEAR(system.Read("wire.tension_top"), 50e3 + 9.81 * 3.975 * 500, 300);
  system.RunTo(10);
  EXPECT_NEAR(system.Read("mass.x"), 0.5975, 1e-3);
  EXPECT_NEAR(system.Read("wire.v[4]"), 0, 1e-3);
}

TEST(WireTest, ASlackWireDoesNotPush) {
  SystemHarness system(
      "<System name=\"s\" xmlns=\"urn:davit:system:1\"><SimulatorManager TimeStep=\"10 ms\" StopTime=\"10 "
      "s\"/>"
      "<mechanical.Fixed name=\"tip\"/><marine.Wire name=\"wire\" length=\"50 m\" distance=\"49 m\"/>"
      "<mechanical.Fixed name=\"bed\"/>"
      "<Connect from=\"tip.port\" to=\"wire.top\"/><Connect from=\"bed.port\" to=\"wire.load\"/></System>");
  system.RunTo(0);
  EXPECT_EQ(system.Read("wire.tension_load"), 0);
  system.RunTo(10);
  EXPECT_GE(system.Read("wire.tension_top"), 0);
}

TEST(WireTest, ADrumWindsItIn) {
  SystemHarness system(
      "<System name=\"s\" xmlns=\"urn:davit:system:1\"><SimulatorManager TimeStep=\"10 ms\" StopTime=\"10 "
      "s\"/>"
      "<mechanical.Fixed name=\"tip\"/><marine.Wire name=\"wire\" length=\"50 m\" distance=\"50 m\" "
      "radius=\"0.5 m\"/>"
      "<mechanical.Mass name=\"mass\" mass=\"5 t\" weight=\"-50 kN\"/>"
      "<mechanical.Inertia name=\"drum\" inertia=\"1e6 kg.m2\"><Start w=\"0.1 rad/s\"/></mechanical.Inertia>"
      "<Connect from=\"tip.port\" to=\"wire.top\"/><Connect from=\"mass.a\" to=\"wire.load\"/>"
      "<Connect from=\"drum.a\" to=\"wire.drum\"/></System>");
  system.RunTo(1);
  EXPECT_NEAR(system.Read("wire.free_length"), 50 - 0.5 * system.Read("drum.angle"), 1e-12);
  EXPECT_GT(system.Read("drum.angle"), 0);
  EXPECT_LT(system.Read("drum.w"), 0.1);  // the load holds it back
}

TEST(WireTest, ASheaveTakesUpTwiceItsWayAndCarriesTwiceTheTension) {
  SystemHarness system(
      "<System name=\"s\" xmlns=\"urn:davit:system:1\"><SimulatorManager TimeStep=\"10 ms\" StopTime=\"60 "
      "s\">"
      "<Integration method=\"rodas5p\" rtol=\"1e-7\" atol=\"1e-9\"/></SimulatorManager>"
      "<mechanical.Fixed name=\"tip\"/><signal.Ramp name=\"ramp\" from=\"0.05 m/s\" to=\"0 m/s\" "
      "start_time=\"10 s\" "
      "duration=\"0.1 s\"/><mechanical.VelocitySource name=\"rod\"/><Route from=\"ramp.y\" "
      "to=\"rod.velocity\"/>"
      "<marine.Wire name=\"wire\" length=\"50 m\" distance=\"50 m\" elements=\"3\" axial_stiffness=\"2e7 N\" "
      "axial_damping=\"2e6 N.s\"/><mechanical.Mass name=\"mass\" mass=\"5 t\" weight=\"-49050 N\"/>"
      "<Connect from=\"tip.port\" to=\"wire.top\"/><Connect from=\"rod.port\" to=\"wire.sheave\"/>"
      "<Connect from=\"mass.a\" to=\"wire.load\"/></System>");
  system.RunTo(60);
  const double way = system.Read("rod.x");
  EXPECT_NEAR(way, 0.5, 0.01);
  EXPECT_NEAR(system.Read("wire.free_length"), 50 - 2 * way, 1e-9);
  EXPECT_NEAR(system.Read("rod.force"), 2 * system.Read("wire.tension_top"), 1e-6);
  // The load has risen by what was taken up, and hangs at rest in the shorter wire.
  EXPECT_NEAR(system.Read("wire.tension_load"), 49050, 50);
  EXPECT_NEAR(system.Read("mass.x"), -2 * way + 49050 / 2e7 * 49 + 9.81 * 5 * 49 / 2 / 2e7 * 49, 1e-3);
}

TEST(WireTest, FallsShareTheLoadAndTheSheavesTakeTheirPart) {
  // A rod that hauls in steadily: the sheaves are those of a wire that is wound in. At 1 m/s of wire, tanh
  // is 1.
  SystemHarness system(
      "<System name=\"s\" xmlns=\"urn:davit:system:1\"><SimulatorManager TimeStep=\"10 ms\" StopTime=\"20 "
      "s\"><Integration method=\"rodas5p\" rtol=\"1e-9\" atol=\"1e-9\"/></SimulatorManager>"
      "<mechanical.VelocitySource name=\"tip\"/><mechanical.VelocitySource name=\"rod\" velocity=\"0.5 "
      "m/s\"/>"
      "<marine.Wire name=\"wire\" length=\"50 m\" distance=\"50 m\" elements=\"3\" axial_stiffness=\"2e7 N\" "
      "axial_damping=\"2e6 N.s\" falls=\"4\" sheaves=\"2\" sheave_efficiency=\"0.95\"/>"
      "<mechanical.Mass name=\"mass\" mass=\"5 t\" weight=\"-49050 N\"/>"
      "<Connect from=\"tip.port\" to=\"wire.top\"/><Connect from=\"rod.port\" to=\"wire.sheave\"/>"
      "<Connect from=\"mass.a\" to=\"wire.load\"/></System>");
  system.RunTo(20);
  EXPECT_NEAR(system.Read("rod.x"), 10, 1e-9);
  const double free = 50 - 2 * system.Read("rod.x") / 4;
  EXPECT_NEAR(system.Read("wire.free_length"), free, 1e-12);
  EXPECT_NEAR(system.Read("wire.tension_load"), 49050.0 / 4, 1);
  EXPECT_NEAR(system.Read("wire.tension_top"), 49050.0 / 4 + 9.81 * 5 * free, 1);
  // With a part of the wire its stretch is hauled in, too: that of load and wire below the top.
  EXPECT_NEAR(system.Read("mass.v"), -0.25 * (1 + (49050.0 / 4 + 9.81 * 5 * free) / 2e7), 1e-6);
  EXPECT_NEAR(system.Read("tip.force"), -4 * system.Read("wire.tension_top"), 1e-8);
  const double e = 0.95, share = 4 * (1 - e) / (1 - std::pow(e, 4)) / (e * e);
  EXPECT_NEAR(system.Read("rod.force"), 2 * share * system.Read("wire.tension_top"), 1e-8);
}

TEST(WireTest, AWireShorterThanItsPathSetsAnAlarm) {
  const Registry models = AllModels();
  for (const bool is_short : {false, true}) {
    const std::string text =
        "<System name=\"s\" xmlns=\"urn:davit:system:1\"><SimulatorManager TimeStep=\"1 ms\" StopTime=\"1 "
        "s\"/>"
        "<mechanical.Fixed name=\"tip\"/><mechanical.Fixed name=\"bed\"/><marine.Wire name=\"wire\" "
        "length=\"" +
        std::string(is_short ? "45 m" : "50 m") +
        "\" distance=\"50.1 m\" elements=\"2\" axial_stiffness=\"1e6 N\" axial_damping=\"1e4 N.s\"/>"
        "<Connect from=\"tip.port\" to=\"wire.top\"/><Connect from=\"bed.port\" to=\"wire.load\"/></System>";
    std::string log;
    const SimulationOptions options{
        .log_level = RunLog::Severity::kWarning,
        .log = [&](RunLog::Severity /*severity*/, std::string_view line) { log += line; }};
    const auto run = Simulation::LoadText(text, "wire.xml", models, options).Take();
    run->Initialize();
    run->RunUntil(0.01);
    EXPECT_EQ(log.find("shorter than its path") != std::string::npos, is_short) << log;
  }
}

TEST(WireTest, ItsAlarmEndsWhenTheWireIsLongEnoughAgainAndSomebodyHasSeenIt) {
  // The sheave takes up twice its way, 1 m*(1 - cos(pi*t)).
  SystemHarness system(
      "<System name=\"s\" xmlns=\"urn:davit:system:1\"><SimulatorManager TimeStep=\"1 ms\" StopTime=\"4 "
      "s\"/>"
      "<mechanical.Fixed name=\"tip\"/><mechanical.Fixed name=\"bed\"/><signal.Sine name=\"sine\" "
      "amplitude=\"3.14159265358979 m/s\" frequency=\"3.14159265358979 rad/s\"/>"
      "<mechanical.VelocitySource name=\"rod\"/><Route from=\"sine.y\" to=\"rod.velocity\"/>"
      "<marine.Wire name=\"wire\" length=\"50 m\" distance=\"50.1 m\" elements=\"2\" "
      "axial_stiffness=\"1e6 N\" axial_damping=\"1e4 N.s\"/>"
      "<Connect from=\"tip.port\" to=\"wire.top\"/><Connect from=\"bed.port\" to=\"wire.load\"/>"
      "<Connect from=\"rod.port\" to=\"wire.sheave\"/></System>");
  ExpectLatched(system, "wire", "overstretched");
}

}  // namespace
}  // namespace davit
