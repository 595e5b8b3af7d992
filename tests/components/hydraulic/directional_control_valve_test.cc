#include "components/hydraulic/directional_control_valve.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "app/heap/allocation_counter.h"
#include "components/hydraulic/laws/annular_gap.h"
#include "tests/components/hydraulic/random_network.h"
#include "tests/support/component_harness.h"
#include "tests/support/lifting_equations.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

constexpr std::array<std::string_view, 6> kEdgeFlows{"q_pa", "q_pb", "q_at", "q_bt", "q_pt", "q_ab"};

class DirectionalControlValveTest : public testing::Test {
 protected:
  void Move(double u) {
    harness.Set(valve, "spool", u);
    harness.Evaluate();
  }
  double Read(std::string_view name) { return harness.Read(valve, name); }
  /// Pressures that differ at all edges, so that each open one shows.
  void SetPressures() {
    p.c = 200e5;
    a.c = 120e5;
    b.c = 50e5;
    t.c = 1e5;
  }

  ComponentHarness harness;
  DirectionalControlValve& valve = harness.Add<DirectionalControlValve>("valve");
  HydraulicBond& p = harness.AttachHydraulic(valve, "p");
  HydraulicBond& a = harness.AttachHydraulic(valve, "a");
  HydraulicBond& b = harness.AttachHydraulic(valve, "b");
  HydraulicBond& t = harness.AttachHydraulic(valve, "t");
};

TEST_F(DirectionalControlValveTest, PassesItsNominalFlowBothWays) {
  harness.Start();
  p.c = 105e5;
  a.c = b.c = 100e5;
  t.c = 95e5;
  Move(0.3);
  EXPECT_NEAR(Read("q_pa") * 6e4, 500, 0.06);
  EXPECT_NEAR(Read("q_bt") * 6e4, 500, 0.06);
  EXPECT_EQ(Read("q_pb"), 0);
  EXPECT_EQ(Read("q_at"), 0);
  Move(-0.3);
  EXPECT_NEAR(Read("q_pb") * 6e4, 500, 0.06);
  EXPECT_NEAR(Read("q_at") * 6e4, 500, 0.06);
  EXPECT_EQ(Read("q_pa"), 0);
  EXPECT_EQ(Read("q_bt"), 0);
}

TEST_F(DirectionalControlValveTest, OpensFullyAtAnyDeflection) {
  harness.Start();
  SetPressures();
  Move(1e-9);
  const double q = Read("q_pa");
  Move(1);
  EXPECT_EQ(Read("q_pa"), q);
}

TEST_F(DirectionalControlValveTest, TheOrderOfThePortsOfANeutralSpool) {
  const std::pair<std::string, std::string> kOpenEdges[] = {
      {"O", "000000"}, {"B", "111111"}, {"Y", "001100"}, {"K", "101010"},
      {"M", "000010"}, {"X", "111111"}, {"P", "110001"},
  };
  for (const auto& [type, edges] : kOpenEdges) {
    harness.Set(valve, "spool_type", type);
    harness.Set(valve, "neutral_opening", 0.5);
    harness.Start();
    SetPressures();
    Move(1);
    const double q_full = Read("q_pa");
    Move(0);
    for (std::size_t i = 0; i < kEdgeFlows.size(); ++i) {
      EXPECT_EQ(Read(kEdgeFlows[i]) > 0, edges[i] == '1') << type << ' ' << kEdgeFlows[i];
    }
    EXPECT_DOUBLE_EQ(Read("q_pa"), edges[0] == '1' ? 0.5 * q_full : 0) << type;
  }
}

TEST_F(DirectionalControlValveTest, NeutralOpeningOfTheDefaultSpool) {
  harness.Start();
  SetPressures();
  Move(-1);
  const double q_full = Read("q_at");
  Move(0);
  EXPECT_NEAR(Read("q_at"), 0.01 * q_full, 1e-15);
}

TEST_F(DirectionalControlValveTest, LosesNoOil) {
  harness.Set(valve, "spool_type", "B");
  harness.Start();
  SetPressures();
  for (const double u : {-1.0, 0.0, 1.0}) {
    Move(u);
    EXPECT_NEAR(p.q + a.q + b.q + t.q, 0, 1e-16);
    EXPECT_EQ(p.q, -Read("q_pa") - Read("q_pb") - Read("q_pt"));
    EXPECT_EQ(a.q, Read("q_pa") - Read("q_at") - Read("q_ab"));
    EXPECT_EQ(t.q, Read("q_at") + Read("q_bt") + Read("q_pt"));
  }
}

TEST_F(DirectionalControlValveTest, StandsStillAtEqualPressures) {
  harness.Set(valve, "spool_type", "B");
  harness.Start();
  p.c = a.c = b.c = t.c = 30e5;
  for (const double u : {-1.0, 0.0, 1.0}) {
    Move(u);
    for (const std::string_view q : kEdgeFlows) EXPECT_EQ(Read(q), 0);
  }
}

TEST_F(DirectionalControlValveTest, MirroringSpoolAndConsumersMirrorsTheFlows) {
  harness.Start();
  SetPressures();
  Move(0.5);
  const double q_a = a.q;
  const double q_b = b.q;
  std::swap(a.c, b.c);
  Move(-0.5);
  EXPECT_EQ(a.q, q_b);
  EXPECT_EQ(b.q, q_a);
}

TEST_F(DirectionalControlValveTest, LosesNoOilWithAnyImpedancesAndSpool) {
  harness.Set(valve, "neutral_opening", 0.5);
  for (const std::string_view type : kSpoolTypeNames) {
    harness.Set(valve, "spool_type", type);
    harness.Start();
    SetPressures();
    for (int impedances = 0; impedances < 16; ++impedances) {
      p.Zc = (impedances & 1) != 0 ? 2e9 : 0;
      a.Zc = (impedances & 2) != 0 ? 3e9 : 0;
      b.Zc = (impedances & 4) != 0 ? 5e8 : 0;
      t.Zc = (impedances & 8) != 0 ? 1e9 : 0;
      for (const double u : {-1.0, 0.0, 1.0}) {
        Move(u);
        EXPECT_NEAR(p.q + a.q + b.q + t.q, 0, 1e-16) << type << ' ' << impedances;
        const auto law = valve.Flow(valve.Opening(u), p.p(), a.p(), b.p(), t.p());
        const double q[] = {law.pa, law.pb, law.at, law.bt, law.pt, law.ab};
        for (std::size_t i = 0; i < kEdgeFlows.size(); ++i)
          EXPECT_NEAR(Read(kEdgeFlows[i]), q[i], 1e-12 * std::abs(q[i])) << type << ' ' << impedances;
      }
    }
  }
}

RC_GTEST_FIXTURE_PROP(DirectionalControlValveTest, AlwaysFindsThePortPressures, ()) {
  harness.Set(valve, "spool_type", kSpoolTypeNames[*rc::gen::inRange<std::size_t>(0, 7)]);
  harness.Set(valve, "neutral_opening", RandomDecades(-6, 0));
  harness.Set(valve, "nominal_flow", RandomDecades(-6, -1));
  harness.Start();
  for (HydraulicBond* bond : {&p, &a, &b, &t}) *bond = RandomNeighbour();
  const double u = *rc::gen::element(-1.0, 0.0, 1.0);
  Move(u);
  const auto law = valve.Flow(valve.Opening(u), p.p(), a.p(), b.p(), t.p());
  const double q[] = {law.pa, law.pb, law.at, law.bt, law.pt, law.ab};
  double K = 0;
  double rounding = 0;  // [Pa]
  for (const HydraulicBond* one : {&p, &a, &b, &t}) {
    for (const double flow : q) rounding += 1e-15 * (std::abs(one->c) + one->Zc * std::abs(flow));
  }
  const ValveEdges opening = valve.Opening(u);
  for (const double edge : {opening.pa, opening.pb, opening.at, opening.bt, opening.pt, opening.ab})
    K = std::max(K, edge);
  for (std::size_t i = 0; i < kEdgeFlows.size(); ++i) {
    const double slope = OrificeFlowAndSlope(K, 0).slope;
    RC_ASSERT(std::abs(Read(kEdgeFlows[i]) - q[i]) <= 1e-12 * std::abs(q[i]) + slope * rounding);
  }
}

TEST_F(DirectionalControlValveTest, ASmallImpedanceChangesNothing) {
  harness.Set(valve, "spool_type", "X");
  harness.Set(valve, "neutral_opening", 0.5);
  harness.Start();
  SetPressures();
  for (const double u : {-1.0, 0.0, 1.0}) {
    std::array<double, 6> q{};
    p.Zc = a.Zc = b.Zc = t.Zc = 0;
    Move(u);
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = Read(kEdgeFlows[i]);
    p.Zc = a.Zc = b.Zc = t.Zc = 1e-6;
    Move(u);
    for (std::size_t i = 0; i < q.size(); ++i) EXPECT_NEAR(Read(kEdgeFlows[i]), q[i], 1e-13 * q[i]);
  }
}

TEST_F(DirectionalControlValveTest, TakesNothingFromTheHeapBetweenWaves) {
  if (!AllocationCounter::is_counting()) GTEST_SKIP() << "the heap belongs to a sanitizer";
  harness.Set(valve, "spool_type", "B");
  harness.Start();
  SetPressures();
  p.Zc = a.Zc = b.Zc = t.Zc = 1e9;
  const AllocationCounter allocations;
  harness.Evaluate();
  EXPECT_EQ(allocations.count(), 0U);
}

/// The edges as the equations of the lifting system have them; u is taken from its command.
class ValveWithCompensatorTest : public DirectionalControlValveTest {
 protected:
  void StartAt(Level level, double p_1) {
    valve.SetLevel(level);
    harness.Set(valve, "spool_clearance", 0);
    harness.SetStart(valve, "p_inner", p_1);
    harness.Start();
    SetPressures();
  }
};

/// Errata 29 and 32: u > 0 feeds A, and the pressure after the compensator is the one that is kept.
TEST_F(ValveWithCompensatorTest, AtStandardAndAdvancedItIsThatOfTheLiftingSystem) {
  for (const Level level : {Level::kStandard, Level::kAdvanced}) {
    for (const double time : {6.0, 8.0, 9.3, 9.45, 10.0, 12.0, 14.0, 15.7, 20.0}) {
      for (const double p_1 : {60e5, 122e5, 125e5, 190e5}) {
        StartAt(level, p_1);
        const double u = lifting::Command(time);
        Move(u);
        const double db = lifting::kDeadband;
        const lifting::Side side = u > db    ? lifting::Side::kHoist
                                   : u < -db ? lifting::Side::kLower
                                             : lifting::Side::kNeutral;
        const lifting::Edges K = lifting::ValveEdges(side, lifting::SpoolOpening(time));
        const auto flow = [&](double coefficient, double dp) {
          return level == Level::kStandard ? lifting::Orifice(coefficient, dp)
                                           : lifting::LaminarOrifice(coefficient, dp);
        };
        const double q_pa = flow(K.pa, p_1 - a.c), q_pb = flow(K.pb, p_1 - b.c);
        EXPECT_NEAR(Read("q_pa"), q_pa, 1e-13 * std::abs(q_pa));
        EXPECT_NEAR(Read("q_pb"), q_pb, 1e-13 * std::abs(q_pb));
        EXPECT_NEAR(Read("q_at"), flow(K.at, a.c - t.c), 1e-14);
        EXPECT_NEAR(Read("q_bt"), flow(K.bt, b.c - t.c), 1e-14);
        const double q_p = lifting::CompensatorFlow(p.c, p_1, std::max(a.c, b.c));
        EXPECT_NEAR(Read("q_p"), q_p, 1e-13 * q_p);
        EXPECT_NEAR(p.q, -q_p, 1e-13 * q_p);
        EXPECT_NEAR(Read("inner_pressure.ddt"), 1.6e9 / 0.01 * (q_p - q_pa - q_pb), 1e-4);
        EXPECT_EQ(Read("p_inner"), p_1);
      }
    }
  }
}

TEST_F(ValveWithCompensatorTest, BothFormulationsAreOneEquation) {
  StartAt(Level::kStandard, 124e5);
  Move(0.4);
  const double rate = Read("inner_pressure.ddt");
  harness.Set(valve, "formulation", "quantity");
  StartAt(Level::kStandard, 124e5);
  Move(0.4);
  EXPECT_NEAR(Read("inner_quantity.ddt"), rate * 0.01 / 1.6e9, 1e-16);
  EXPECT_NEAR(Read("inner_quantity"), 124e5 * 0.01 / 1.6e9, 1e-18);
  EXPECT_NEAR(Read("p_inner"), 124e5, 1e-8);
}

TEST_F(ValveWithCompensatorTest, KeepsItsPressureWhenTheOilGetsStifferOrMore) {
  for (const std::string_view formulation : kFormulationNames) {
    harness.Set(valve, "formulation", formulation);
    harness.Set(valve, "bulk_modulus", 1.6e9);
    StartAt(Level::kStandard, 124e5);
    harness.Set(valve, "bulk_modulus", 1.2e9);
    harness.Apply(valve);
    harness.Evaluate();
    EXPECT_NEAR(Read("p_inner"), 124e5, 1e-8);
  }
}

TEST_F(ValveWithCompensatorTest, NoOilFlowsBackThroughTheCompensator) {
  StartAt(Level::kStandard, 300e5);
  Move(0.5);
  EXPECT_EQ(p.q, 0);
}

/// The compensator keeps the inner pressure above the load; the flow then follows the spool alone.
TEST_F(ValveWithCompensatorTest, TheFlowDoesNotDependOnTheSupply) {
  std::array<double, 2> flows{};
  std::size_t i = 0;
  for (const double supply : {180e5, 300e5}) {
    StartAt(Level::kStandard, 120e5);
    p.c = supply;
    Move(0.2);
    harness.Integrate(0, 2e-5, 20'000);
    EXPECT_GT(Read("p_inner"), 120e5);
    EXPECT_LT(Read("p_inner"), 125e5);
    flows[i++] = Read("q_pa");
  }
  EXPECT_NEAR(flows[0], flows[1], 0.02 * flows[0]);
}

TEST_F(ValveWithCompensatorTest, AllLevelsShowThePressureBeforeTheEdges) {
  harness.Start();
  SetPressures();
  Move(1);
  EXPECT_EQ(Read("p_inner"), 200e5);
  EXPECT_EQ(Read("inner_pressure"), 200e5);
  EXPECT_EQ(Read("q_p"), Read("q_pa"));
}

TEST_F(ValveWithCompensatorTest, ShutEdgesLeakAtStandardAndThroughTheGapAtAdvanced) {
  const AnnularGap gap{.diameter = 0.025, .clearance = 5e-6, .length = 5e-3};
  const double G_gap = gap.LaminarConductance(861.8 * 32e-6);
  harness.Set(valve, "leakage_conductance", 3e-14);
  harness.Set(valve, "spool_type", "O");
  for (const auto& [level, G] : {std::pair{Level::kStandard, 3e-14}, {Level::kAdvanced, G_gap}}) {
    valve.SetLevel(level);
    harness.SetStart(valve, "p_inner", 124e5);
    harness.Start();
    SetPressures();
    Move(0);
    EXPECT_NEAR(Read("q_pa"), G * 4e5, 1e-12 * G * 4e5);
    EXPECT_NEAR(Read("q_bt"), G * 49e5, 1e-12 * G * 49e5);
    EXPECT_NEAR(Read("q_ab"), G * 70e5, 1e-12 * G * 70e5);
    EXPECT_NEAR(Read("q_pt"), G * 123e5, 1e-12 * G * 123e5);
  }
  harness.Set(valve, "spool_eccentricity", 0.5);  // 1 + 1.5/4 times as much (Merritt, 1967)
  harness.Start();
  SetPressures();
  Move(0);
  EXPECT_NEAR(Read("q_pa"), 1.375 * G_gap * 4e5, 1e-12 * G_gap * 4e5);
  // At 350 bar the flow in the gap is laminar by far.
  const double q = G_gap * 350e5;
  EXPECT_LT(2 * q / (std::numbers::pi * 0.025 * 32e-6), 1);
}

/// The three cases of the compensator: P_S - P_LS above dp0 = 5 bar, between, and below 0.
TEST_F(ValveWithCompensatorTest, ShowsWhetherTheSupplySuffices) {
  StartAt(Level::kStandard, 122e5);
  const auto& modes = valve.declarations().modes;
  const auto found =
      std::ranges::find_if(modes, [](const ModeBase* mode) { return mode->label().name == "regulation"; });
  ASSERT_NE(found, modes.end());
  ModeBase& regulation = **found;
  const auto at = [&](double u, double p_S) {
    p.c = p_S;
    Move(u);
    return regulation.options()[regulation.Classify()];
  };
  EXPECT_EQ(at(0, 200e5), "Off");
  EXPECT_EQ(at(0.5, 200e5), "Regulating");
  EXPECT_EQ(at(-0.5, 200e5), "Regulating");
  EXPECT_EQ(at(0.5, 125.1e5), "Regulating");
  EXPECT_EQ(at(0.5, 124.96e5), "Saturated");
  EXPECT_EQ(at(0.5, 120.1e5), "Saturated");
  EXPECT_EQ(at(0.5, 119e5), "NoReverse");
  regulation.Set(1);  // does not chatter at the limit
  EXPECT_EQ(at(0.5, 124.96e5), "Regulating");
  EXPECT_EQ(at(0.5, 124.94e5), "Saturated");
  harness.Set(valve, "load_sensing", "fed_port");
  harness.Start();
  SetPressures();
  EXPECT_EQ(at(-0.5, 56e5), "Regulating");  // b at 50 bar
  EXPECT_EQ(at(0.5, 56e5), "NoReverse");
}

TEST_F(ValveWithCompensatorTest, TheNonlinearLawIsFinerNearTheDeadband) {
  harness.Set(valve, "opening_law", "Nonlinear");
  harness.Start();
  const double K = 500 / 6e4 / std::sqrt(5e5);
  EXPECT_NEAR(valve.Opening(0.525).pa, K * 0.5 * (0.3 + 0.7 * 0.5), 1e-18);
  EXPECT_EQ(valve.Opening(1).pa, K);
}

TEST_F(ValveWithCompensatorTest, TheSpoolIsOfSecondOrder) {
  harness.Set(valve, "spool_dynamics", "SecondOrder");
  harness.Set(valve, "spool_damping", 0.7);
  harness.Set(valve, "spool_frequency", 20);
  harness.Set(valve, "spool_speed", 1000);
  harness.Start();
  harness.Set(valve, "spool", 0.5);
  harness.Evaluate();
  harness.Integrate(0, 1e-5, 1000);
  // Step response of x'' + 2 z w x' + w^2 x = w^2 u.
  const double w = 2 * std::numbers::pi * 20, z = 0.7, time = 0.01;
  const double wd = w * std::sqrt(1 - z * z);
  const double exact =
      0.5 * (1 - std::exp(-z * w * time) * (std::cos(wd * time) + z * w / wd * std::sin(wd * time)));
  EXPECT_NEAR(Read("spool_x"), exact, 1e-9);
}

TEST_F(ValveWithCompensatorTest, TheSpoolIsNotFasterThanItsSpeed) {
  harness.Set(valve, "spool_dynamics", "SecondOrder");
  harness.Set(valve, "spool_speed", 5);
  harness.Start();
  harness.Set(valve, "spool", 1);
  harness.Evaluate();
  for (int i = 0; i < 100; ++i) {
    harness.Integrate(i * 1e-3, 1e-4, 10);
    EXPECT_LE(Read("spool_v"), 5);
  }
  EXPECT_LT(Read("spool_x"), 0.5);
  harness.Integrate(0.1, 1e-4, 10'000);
  EXPECT_NEAR(Read("spool_x"), 1, 1e-9);
}

RC_GTEST_FIXTURE_PROP(ValveWithCompensatorTest, EveryLawAndWavesHoldTogether, ()) {
  harness.Set(valve, "spool_type", kSpoolTypeNames[*rc::gen::inRange<std::size_t>(0, 7)]);
  harness.Set(valve, "neutral_opening", RandomDecades(-6, 0));
  harness.Set(valve, "nominal_flow", RandomDecades(-6, -1));
  harness.Set(valve, "opening_law", *rc::gen::element<std::string>("Switching", "Linear", "Nonlinear"));
  harness.Set(valve, "neutral_law", *rc::gen::element<std::string>("Jump", "Smooth"));
  harness.Set(valve, "flow_law", *rc::gen::element<std::string>("Turbulent", "LaminarTurbulent"));
  harness.Set(valve, "leakage", *rc::gen::element<std::string>("None", "Constant", "Gap"));
  harness.Set(valve, "leakage_conductance", RandomDecades(-16, -11));
  harness.Set(valve, "compensator", *rc::gen::element<std::string>("Off", "On"));
  harness.SetStart(valve, "p_inner", RandomPressure());
  harness.Start();
  for (HydraulicBond* bond : {&p, &a, &b, &t}) *bond = RandomNeighbour();
  const double u = *rc::gen::inRange(-1000, 1001) * 1e-3;
  Move(u);
  const double p_1 = Read("p_inner");
  const ValveEdges law = valve.Flow(valve.Opening(u), p_1, a.p(), b.p(), t.p());
  const double q[] = {law.pa, law.pb, law.at, law.bt, law.pt, law.ab};
  double rounding = 0;  // [Pa]
  for (const HydraulicBond* one : {&p, &a, &b, &t}) {
    for (const double flow : q) rounding += 1e-15 * (std::abs(one->c) + one->Zc * std::abs(flow));
  }
  // The steepest slope of any edge; the laminar one is below K/sqrt(d) of the other law or 1/a.
  const ValveEdges K = valve.Opening(u);
  const LaminarTurbulentOrifice laminar(32, 0.611, 861.8, 32e-6);
  double slope = 1e-11;
  for (const double edge : {K.pa, K.pb, K.at, K.bt, K.pt, K.ab}) {
    slope = std::max({slope, OrificeFlowAndSlope(edge, 0).slope, laminar.FlowWithSlope(edge, 0).slope});
  }
  for (std::size_t i = 0; i < kEdgeFlows.size(); ++i) {
    RC_ASSERT(std::abs(Read(kEdgeFlows[i]) - q[i]) <= 1e-12 * std::abs(q[i]) + slope * rounding);
  }
  RC_ASSERT(std::abs(p.q + Read("q_p")) == 0);
}

/// A pump pressure, two loaded lines.
std::string ValveSystem(const std::string& attributes, const std::string& commands) {
  return SystemText("TimeStep=\"10 ms\" StopTime=\"3\"", "method=\"rosenbrock4\" rtol=\"1e-9\" atol=\"1e-9\"",
                    R"(<signal.Sine name="operator" frequency="2"/>
                       <hydraulic.DirectionalControlValve name="valve" )" +
                        attributes + R"(/>
                       <hydraulic.Volume name="supply"><Start p="200 bar"/></hydraulic.Volume>
                       <hydraulic.Volume name="line_a"><Start p="100 bar"/></hydraulic.Volume>
                       <hydraulic.Volume name="line_b"><Start p="20 bar"/></hydraulic.Volume>
                       <hydraulic.Volume name="sump"><Start p="1 bar"/></hydraulic.Volume>
                       <Connect from="valve.p" to="supply.port"/>
                       <Connect from="valve.a" to="line_a.port"/>
                       <Connect from="valve.b" to="line_b.port"/>
                       <Connect from="valve.t" to="sump.port"/>
                       <Route from="operator.y" to="valve.spool"/>
                       <Record signals="supply.p line_a.p line_b.p sump.p valve.p_inner valve.compensator" interval="10 ms"/>)" +
                        commands);
}

/// Oil in all volumes, and what switches have let go, beyond the filling at p = 0.
double OilOf(const TestRow& row) {
  double sum = 0;
  for (std::size_t i = 0; i < 4; ++i) sum += row.values[i];
  if (row.values[5] == 1) sum += row.values[4];
  return sum * 0.01 / 1.6e9;
}

TEST(DirectionalControlValveLevelsTest, EveryPairOfLevelsSwitchesWithoutLosingOil) {
  const std::vector<std::string> levels{"Ideal", "Standard", "Advanced"};
  for (const std::string& from : levels) {
    for (const std::string& to : levels) {
      if (from == to) continue;
      for (const char* time : {"0.03", "2.5"}) {  // in motion, and where most has come to rest
        SCOPED_TRACE(from + " " + to + " " + time);
        TestSystem test(ValveSystem(
            "level=\"" + from + "\"",
            R"(<At time=")" + std::string(time) + R"(" set="valve.level" value=")" + to + R"("/>)"));
        const auto rows = test.RunAndRecord();
        for (std::size_t i = 0; i < rows.size(); ++i) {
          for (const double value : rows[i].values) ASSERT_TRUE(std::isfinite(value)) << rows[i].t;
          if (i == 0 || rows[i].t != rows[i - 1].t) continue;
          for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(rows[i].values[k], rows[i - 1].values[k]);
          if (from == "Ideal") {
            EXPECT_EQ(rows[i].values[4], rows[i].values[0]);
          }  // filled at the port pressure
          if (from != "Ideal" && to != "Ideal") {
            EXPECT_EQ(rows[i].values[4], rows[i - 1].values[4]);
          }
        }
        const double oil = OilOf(rows.front());
        EXPECT_NEAR(OilOf(rows.back()) + test.manager().statistics().released_oil, oil, 1e-9 * oil);
      }
    }
  }
}

TEST(DirectionalControlValveLevelsTest, BothFormulationsRunAlikeAndSwitchAlike) {
  const std::string commands = R"(<At time="1" set="valve.level" value="Ideal"/>
                                  <At time="2" set="valve.level" value="Standard"/>)";
  TestSystem pressure(ValveSystem(R"(level="Standard")", commands));
  TestSystem quantity(ValveSystem(R"(level="Standard" formulation="quantity")", commands));
  const auto one = pressure.RunAndRecord(), other = quantity.RunAndRecord();
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    for (const std::size_t k : {0, 1, 2, 3, 4})
      EXPECT_NEAR(one[i].values[k], other[i].values[k], 200) << one[i].t;
  }
  EXPECT_NEAR(pressure.manager().statistics().released_energy,
              quantity.manager().statistics().released_energy, 1);
}

TEST(DirectionalControlValveLevelsTest, SpoolDynamicsBeginAtTheInput) {
  TestSystem test(ValveSystem(
      "",
      R"(<At time="1" set="valve.spool_dynamics" value="SecondOrder"/><Record signals="valve.spool_x operator.y" interval="10 ms"/>)"));
  for (const TestRow& row : test.RunAndRecord()) {
    if (row.t <= 1) {
      EXPECT_NEAR(row.values[6], std::sin(2 * row.t), 1e-12) << row.t;
    }
    EXPECT_NEAR(row.values[6], std::sin(2 * row.t), 0.05) << row.t;
  }
}

}  // namespace
}  // namespace davit
