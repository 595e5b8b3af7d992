// Balance of energy of fixed-step (TLM) networks without cavitation; VapourCavityTest has that of oil
// that does.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/components/energy_audit.h"
#include "tests/components/hydraulic/random_network.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

const double kSpeed = std::sqrt(1.6e9 / 861.8);  // of waves in the default oil [m/s]

std::string Line(std::string_view name, double delay) {
  return fmt::format(
      "<hydraulic.Line name=\"{}\" friction=\"none\" length=\"{}\" vapour_pressure=\"-1e12 Pa\"><Start "
      "p=\"100 bar\"/></hydraulic.Line>\n",
      name, delay * kSpeed);
}

std::string Volume(std::string_view name, double litres, double filter, double bar) {
  return fmt::format(
      "<hydraulic.VolumeC name=\"{}\" volume=\"{} l\" filter=\"{}\" vapour_pressure=\"-1e12 Pa\"><Start "
      "p=\"{} "
      "bar\"/></hydraulic.VolumeC>\n",
      name, litres, filter, bar);
}

/// An orifice between two C ports.
std::string Orifice(std::string_view name, double square_mm, std::string_view from, std::string_view to) {
  return fmt::format(
      "<hydraulic.Orifice name=\"{0}\" area=\"{1} mm2\"/><Connect from=\"{2}\" to=\"{0}.a\"/><Connect "
      "from=\"{0}.b\" to=\"{3}\"/>\n",
      name, square_mm, from, to);
}

/// Lines of whole and of other delays, volumes and orifices, shaken by a source of flow; beside them masses
/// and springs, shaken by a source of velocity.
std::string ShakenNetwork(double h) {
  std::string text =
      "<hydraulic.PressureSource name=\"supply\" pressure=\"120 bar\"/><hydraulic.Tank name=\"tank\"/>\n";
  text += Volume("v1", 2, 0.1, 100) + Volume("v2", 5, 0, 80) + Volume("v3", 0.5, 0.4, 60);
  text += Line("whole", 7 * h) + Line("other", 11.3 * h) + Line("short", 1.7 * h) + Line("shortest", h);
  text += Orifice("o1", 30, "supply.port", "v1.port") + Orifice("o2", 20, "v1.port", "whole.a") +
          Orifice("o3", 40, "whole.b", "v2.port") + Orifice("o4", 25, "v2.port", "other.a") +
          Orifice("o5", 15, "other.b", "tank.port") + Orifice("o6", 50, "v2.port", "short.a") +
          Orifice("o7", 10, "short.b", "v3.port") + Orifice("o8", 12, "v3.port", "tank.port") +
          Orifice("o9", 8, "v1.port", "shortest.a") + Orifice("o10", 9, "shortest.b", "v3.port");
  text +=
      "<signal.Sine name=\"pulsation\" amplitude=\"1e-4\" frequency=\"313 rad/s\"/>"
      "<hydraulic.FlowSource name=\"pump\"/><Route from=\"pulsation.y\" to=\"pump.flow\"/>"
      "<Connect from=\"pump.port\" to=\"v2.port\"/>\n"
      "<signal.Sine name=\"shaking\" amplitude=\"0.2\" frequency=\"97 rad/s\"/>"
      "<mechanical.VelocitySource name=\"shaker\"/><Route from=\"shaking.y\" to=\"shaker.velocity\"/>"
      "<mechanical.SpringC name=\"s1\" stiffness=\"50 kN/m\" filter=\"0\"/>"
      "<mechanical.Mass name=\"m1\" mass=\"10 kg\"/>"
      "<mechanical.SpringC name=\"s2\" stiffness=\"80 kN/m\" filter=\"0.1\"/>"
      "<mechanical.Mass name=\"m2\" mass=\"4 kg\" viscous_friction=\"30 N.s/m\"><Start "
      "v=\"1\"/></mechanical.Mass>"
      "<mechanical.SpringC name=\"s3\" stiffness=\"20 kN/m\" filter=\"0.5\"/><mechanical.Fixed "
      "name=\"wall\"/>"
      "<Connect from=\"shaker.port\" to=\"s1.a\"/><Connect from=\"s1.b\" to=\"m1.a\"/>"
      "<Connect from=\"m1.b\" to=\"s2.a\"/><Connect from=\"s2.b\" to=\"m2.a\"/>"
      "<Connect from=\"m2.b\" to=\"s3.a\"/><Connect from=\"s3.b\" to=\"wall.port\"/>\n";
  return SystemText(fmt::format("TimeStep=\"{}\" StopTime=\"{}\"", h, 500'001 * h), "",
                    text + "<Record signals=\"v1.p\" times=\"0\"/>");
}

TEST(EnergyTest, BooksCloseOverHalfAMillionSteps) {
  const double h = 1e-4;
  TestSystem system(ShakenNetwork(h));
  SimulatorManager& manager = system.manager();
  manager.Initialize();
  ASSERT_TRUE(manager.islands().empty());
  EnergyAudit audit(system.system(), h);
  double worst = 0;
  for (int n = 0; n <= 500'000; ++n) {
    manager.Step();
    audit.Observe();
    if (n > 100) worst = std::max(worst, std::abs(audit.closure()) / audit.turnover());
  }
  EXPECT_LT(std::abs(audit.closure()), 1e-12 * audit.turnover());
  EXPECT_LT(worst, 1e-12);
  // Every kind of loss takes part.
  EXPECT_GT(audit.dissipated(), 0.1 * audit.turnover());
  EXPECT_GT(audit.lost_between_steps(), 1e-9 * audit.turnover());
  EXPECT_GT(audit.lost_in_filters(), 1e-9 * audit.turnover());
  RecordProperty("closure", fmt::format("{:.3g}", audit.closure() / audit.turnover()));
}

/// A random tree of volumes with random lines between them, and a chain of masses and springs between walls.
/// Nothing supplies energy: the tank is at pressure 0.
std::string RandomNetwork(double h) {
  const int volumes = *rc::gen::inRange(1, 5);
  const int lines = *rc::gen::inRange(0, 5);
  const int masses = *rc::gen::inRange(1, 5);
  const auto area = [] { return RandomDecades(-1, 3); };
  const auto filter = [] { return *rc::gen::inRange(0, 10) * 0.1; };
  const auto node = [&](int below) {
    const int i = *rc::gen::inRange(-1, below);
    return i < 0 ? std::string("tank.port") : fmt::format("v{}.port", i);
  };
  std::string text = "<hydraulic.Tank name=\"tank\"/><mechanical.Fixed name=\"wall\"/>\n";
  for (int i = 0; i < volumes; ++i) {
    text += Volume(fmt::format("v{}", i), RandomDecades(-1, 2), filter(), *rc::gen::inRange(0, 400));
    text += Orifice(fmt::format("o{}", i), area(), node(i), fmt::format("v{}.port", i));
  }
  for (int i = 0; i < lines; ++i) {
    const double steps = *rc::gen::inRange(10, 100) * 0.1;
    text += Line(fmt::format("line{}", i), steps * h * (1 + 1e-12));
    text += Orifice(fmt::format("a{}", i), area(), node(volumes), fmt::format("line{}.a", i));
    text += Orifice(fmt::format("b{}", i), area(), fmt::format("line{}.b", i), node(volumes));
  }
  for (int i = 0; i <= masses; ++i) {
    text += fmt::format("<mechanical.SpringC name=\"s{}\" stiffness=\"{}\" filter=\"{}\"/>", i,
                        RandomDecades(2, 8), filter());
    if (i < masses) {
      text += fmt::format(
          "<mechanical.Mass name=\"m{0}\" mass=\"{1}\" viscous_friction=\"{2}\"><Start x=\"{3}\" "
          "v=\"{4}\"/></mechanical.Mass><Connect from=\"s{0}.b\" to=\"m{0}.a\"/>",
          i, RandomDecades(-2, 3), *rc::gen::inRange(0, 2) * RandomDecades(0, 5),
          *rc::gen::inRange(-100, 101) * 1e-3, *rc::gen::inRange(-100, 101) * 1e-2);
    }
    text += fmt::format("<Connect from=\"s{}.a\" to=\"{}\"/>\n", i,
                        i == 0 ? "wall.port" : fmt::format("m{}.b", i - 1));
  }
  text += fmt::format("<Connect from=\"s{}.b\" to=\"wall.port\"/>\n", masses);
  return SystemText(fmt::format("TimeStep=\"{}\" StopTime=\"{}\"", h, 1000 * h), "",
                    text + "<Record signals=\"v0.p\" times=\"0\"/>");
}

RC_GTEST_PROP(EnergyTest, RandomPassiveNetworksNeverGainAny, ()) {
  const double h = RandomDecades(-5, -2);
  const std::string text = RandomNetwork(h);
  RC_LOG() << text;
  TestSystem system(text);
  SimulatorManager& manager = system.manager();
  manager.Initialize();
  RC_ASSERT(manager.islands().empty());
  EnergyAudit audit(system.system(), h);
  double before = 0;
  for (int n = 0; n < 300; ++n) {
    manager.Step();
    audit.Observe();
    if (n == 0) before = audit.stored();
    RC_ASSERT(audit.stored() <= before + audit.rounding_of_step());
    RC_ASSERT(std::abs(audit.closure()) <= (n + 1) * audit.rounding_of_step());
    before = audit.stored();
  }
  RC_ASSERT(audit.supplied() == 0);
}

}  // namespace
}  // namespace davit
