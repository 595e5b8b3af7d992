// A closed circuit of pump, pipe, valve, counterbalance valve, cylinder and a tank of finite volume: no oil
// is made or lost, at any level.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <numbers>
#include <random>
#include <regex>
#include <string>

#include "tests/components/hydraulic/lifting_data.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

/// The lifting system with a tank that can run empty, and what leaks past the rod seal summed beside it.
std::string ClosedCircuit(const std::string& level) {
  std::ifstream stream(DAVIT_SOURCE_DIR "/systems/lifting_cylinder.xml", std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  const auto replace = [&](const std::string& what, const std::string& by) {
    EXPECT_TRUE(std::regex_search(text, std::regex(what))) << what;
    text = std::regex_replace(text, std::regex(what), by);
  };
  replace("level=\"Ideal\"", "level=\"" + level + "\"");
  replace("<hydraulic.Tank[^>]*/>",
          "<hydraulic.Volume name=\"tank\" formulation=\"quantity\" volume=\"200 l\" bulk_modulus=\"1.6e9 "
          "Pa\"><Start p=\"1 bar\"/></hydraulic.Volume>");
  // G_e of hydraulics.md 6: past the rod the oil leaves the circuit.
  const double G_e = level == "Advanced" ? std::numbers::pi * 0.141 * 1e-15 / (12 * 861.8 * 32e-6 * 0.1) : 0;
  replace("<Record", "<signal.Integrator name=\"lost\" gain=\"" + ToXml(G_e) +
                         " m3/s/Pa\"/><Route from=\"cylinder.p_b\" to=\"lost.u\" hold=\"none\"/><Record");
  return text;
}

class OilBalance : public testing::TestWithParam<const char*> {
 protected:
  /// All oil in the circuit beyond the filling at p = 0, and what has left it [m3].
  static double Oil(const TestSystem& system, const std::string& level) {
    double sum = 0;
    for (const char* volume : {"tank", "pump_volume", "line_a", "line_b", "line_c"}) {
      sum += system.Read(std::string(volume) + ".quantity");
    }
    const double x = system.Read("load.x");
    sum += kPistonArea * x + kRingArea * (2 - x) + system.Read("lost.y");
    if (level == "Ideal") return sum;
    sum += system.Read("cylinder.quantity_a") + system.Read("cylinder.quantity_b") +
           system.Read("dcv.inner_quantity");
    if (level == "Standard") return sum + system.Read("pipe.quantity");
    for (int k = 0; k < 4; ++k) sum += system.Read("pipe.quantities[" + std::to_string(k) + "]");
    return sum;
  }
};

TEST_P(OilBalance, OfAClosedCircuitCloses) {
  const std::string level = GetParam();
  TestSystem system(ClosedCircuit(level));
  SimulatorManager& manager = system.manager();
  manager.Initialize();
  const double first = Oil(system, level);
  const double x = system.Read("load.x");
  double farthest = 0;
  for (const double t : {1.0, 5.5, 8.0, 12.0, 15.0}) {
    manager.RunUntil(t);
    farthest = std::max(farthest, std::abs(system.Read("load.x") - x));
    // The sum is a linear invariant, which the solver keeps but for rounding: some 1e-16 of 0.25 m3 in each
    // of less than 1e5 steps.
    EXPECT_NEAR(Oil(system, level), first, 1e-11) << t;
  }
  EXPECT_GT(farthest, 0.1);
  EXPECT_EQ(system.Read("lost.y") > 0, level == "Advanced");
}

/// Oil that the equations of the present levels hold.
double OilInUse(const TestSystem& system) {
  double sum = 0;
  for (const char* volume : {"tank", "pump_volume", "line_a", "line_b", "line_c"}) {
    sum += system.Read(std::string(volume) + ".quantity");
  }
  const double x = system.Read("load.x");
  sum += kPistonArea * x + kRingArea * (2 - x);
  if (system.Read("cylinder.level") > 0)
    sum += system.Read("cylinder.quantity_a") + system.Read("cylinder.quantity_b");
  if (system.Read("dcv.level") > 0) sum += system.Read("dcv.inner_quantity");
  if (system.Read("pipe.level") == 1) sum += system.Read("pipe.quantity");
  for (int k = 0; k < 4 && system.Read("pipe.level") == 2; ++k)
    sum += system.Read("pipe.quantities[" + std::to_string(k) + "]");
  return sum;
}

// Also where chambers cavitate when they begin or end: what a switch takes out of the equations or puts into
// them is what the statistics say.
TEST(OilBalanceTest, ClosesOverRandomSwitchesOfTheLevels) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    std::mt19937 random(seed);
    std::string text = ClosedCircuit("Ideal");
    // No rod seal, past which oil would leave.
    text = std::regex_replace(text, std::regex("rod_land=\"[^\"]*\""), "rod_land=\"1e12 m\"");
    std::string switches;
    for (int i = 1; i < 60; ++i) {
      const char* const component = std::array{"cylinder", "dcv", "cbv", "pump", "pipe"}[random() % 5];
      const char* const level = std::array{"Ideal", "Standard", "Advanced"}[random() % 3];
      switches += "<At time=\"" + ToXml(5 + 0.13 * i) + "\" set=\"" + component + ".level\" value=\"" +
                  level + "\"/>";
    }
    text.insert(text.find("<Record"), switches);
    TestSystem system(text);
    SimulatorManager& manager = system.manager();
    manager.Initialize();
    const double first = OilInUse(system);
    for (double t = 1; t < 13.2; t += 0.5) {
      manager.RunUntil(t);
      EXPECT_NEAR(OilInUse(system) + manager.statistics().released_oil, first, 1e-9) << seed << ' ' << t;
    }
    EXPECT_GT(manager.statistics().level_switches, 20U);
  }
}

// The formulation pressure: a closed chamber A is drawn out by 0.1 m and pressed back. What the piston makes
// room for and the oil, expanded to the vapour pressure, does not fill is the cavity: by V p' = -beta V' the
// oil itself is V_0 exp((p_0 - pv)/beta) then.
TEST(OilBalanceTest, AClosedChamberHasItsOilBackAfterItCavitated) {
  TestSystem system(SystemText("TimeStep=\"10 ms\" StopTime=\"2 s\"",
                               "method=\"rosenbrock4\" rtol=\"1e-8\" atol=\"1e-10\"",
                               R"(<hydraulic.Tank name="tank"/>
         <hydraulic.Volume name="line" volume="1 l"/>
         <hydraulic.Cylinder name="cylinder" level="Standard" friction="None" port_a_diameter="1e-12 m"
             rod_mass="0 kg"><Start x="0.5 m" p_a="1 bar" p_b="0 bar"/></hydraulic.Cylinder>
         <mechanical.Mass name="load" mass="10 t"/>
         <signal.Sine name="pull" amplitude="-30 kN" frequency="6.283185307179586 rad/s" phase="90 deg"/>
         <mechanical.Force name="force"/>
         <Route from="pull.y" to="force.force" hold="none"/>
         <Connect from="cylinder.a" to="line.port"/>
         <Connect from="cylinder.b" to="tank.port"/>
         <Connect from="cylinder.rod" to="load.a"/>
         <Connect from="force.port" to="load.b"/>)"));
  SimulatorManager& manager = system.manager();
  manager.Initialize();
  const auto volume = [&] { return 1e-3 + kPistonArea * system.Read("cylinder.x"); };
  constexpr double kVapour = 100 - 1e5;
  const double V_0 = volume();
  double largest = 0;
  for (double t = 0.01; t < 2; t += 0.01) {
    manager.RunUntil(t);
    const double oil = V_0 * std::exp((1e5 - kVapour) / kBeta);
    const double void_a = system.Read("cylinder.void_a");
    largest = std::max(largest, void_a);
    // 10 rtol of the room the piston has made.
    if (void_a > 0) {
      EXPECT_NEAR(void_a, volume() - oil, 1e-7 * largest) << t;
    }
    EXPECT_GE(system.Read("cylinder.p_a"), kVapour);
  }
  EXPECT_GT(largest, 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Levels, OilBalance, testing::Values("Ideal", "Standard", "Advanced"),
                         [](const auto& level) { return std::string(level.param); });

}  // namespace
}  // namespace davit
