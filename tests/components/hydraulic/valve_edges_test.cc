// The edges of DirectionalControlValve: jets that cavitate, laminar and turbulent flow, slots, the gap.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "components/hydraulic/directional_control_valve.h"
#include "components/hydraulic/restriction.h"
#include "tests/components/hydraulic/closed_forms.h"
#include "tests/components/hydraulic/random_network.h"
#include "tests/support/component_harness.h"

namespace davit {
namespace {

class ValveEdgesTest : public testing::Test {
 protected:
  ValveEdgesTest() { harness.Set(valve, "spool_type", "O"); }
  double Read(std::string_view name) { return harness.Read(valve, name); }
  double FlowAt(double p_1, double p_2) {
    p.c = p_1;
    a.c = p_2;
    harness.Set(valve, "spool", 1);
    harness.Evaluate();
    return Read("q_pa");
  }
  ModeBase& ModeOf(std::string_view name) {
    const auto& modes = valve.declarations().modes;
    return **std::ranges::find_if(modes, [&](const ModeBase* one) { return one->label().name == name; });
  }
  std::string_view ModeNow(std::string_view name) {
    ModeBase& mode = ModeOf(name);
    return mode.options()[mode.Classify()];
  }

  ComponentHarness harness;
  DirectionalControlValve& valve = harness.Add<DirectionalControlValve>("valve");
  HydraulicBond& p = harness.AttachHydraulic(valve, "p");
  HydraulicBond& a = harness.AttachHydraulic(valve, "a");
  HydraulicBond& b = harness.AttachHydraulic(valve, "b");
  HydraulicBond& t = harness.AttachHydraulic(valve, "t");
};

/// Cd = min(Cd, 0.61 sqrt((P1 - Pv)/(P1 - P2))), as in Restriction: the same area, the same flow.
TEST_F(ValveEdgesTest, AJetCavitatesAsThatOfARestriction) {
  ComponentHarness other;
  auto& hole = other.Add<Restriction>("hole");
  HydraulicBond& in = other.AttachHydraulic(hole, "a");
  HydraulicBond& out = other.AttachHydraulic(hole, "b");
  const double Cd = 0.84, K = 500 / 6e4 / std::sqrt(5e5);
  const double A = K / (Cd * std::sqrt(2 / 861.8));
  for (const auto& [edge_law, hole_law] :
       {std::pair{"Turbulent", "Turbulent"}, {"LaminarTurbulent", "LaminarTurbulent"}}) {
    other.Set(hole, "law", hole_law);
    other.Set(hole, "cavitation", "Nurick");
    other.Set(hole, "discharge_coefficient", Cd);
    other.Set(hole, "diameter", std::sqrt(4 * A / std::numbers::pi));
    other.Start();
    harness.Set(valve, "flow_law", edge_law);
    harness.Set(valve, "edge_cavitation", "Nurick");
    harness.Set(valve, "discharge_coefficient", Cd);
    harness.Start();
    for (const double p_2 : {0.0, 5e5, 20e5, 40e5, 80e5}) {
      in.c = 50e5;
      out.c = p_2;
      other.Evaluate();
      const double q = other.Read(hole, "q");
      EXPECT_NEAR(FlowAt(50e5, p_2), q, 1e-12 * std::abs(q)) << p_2;
      const double Cd_now = CavitatingDischargeCoefficient(51e5, p_2 + 1e5, 100);
      EXPECT_EQ(ModeNow("inlet_regime") == "Cavitating", p_2 < 40e5 && Cd_now < Cd) << p_2;
    }
    EXPECT_EQ(FlowAt(-1e5, -2e5), 0);
  }
}

RC_GTEST_FIXTURE_PROP(ValveEdgesTest, CavitatingEdgesAndWavesHoldTogether, ()) {
  harness.Set(valve, "spool_type", *rc::gen::element<std::string>("O", "B", "K", "P"));
  harness.Set(valve, "neutral_opening", 0.5);
  harness.Set(valve, "edge_cavitation", "Nurick");
  harness.Set(valve, "discharge_coefficient", 0.84);
  harness.Set(valve, "flow_law", *rc::gen::element<std::string>("Turbulent", "LaminarTurbulent"));
  harness.Set(valve, "leakage", *rc::gen::element<std::string>("None", "Gap"));
  harness.Set(valve, "nominal_flow", RandomDecades(-5, -2));
  harness.Start();
  double stiffest = 0;
  for (HydraulicBond* bond : {&p, &a, &b, &t}) {
    bond->c = *rc::gen::inRange(0, 300) * 1e5;
    bond->Zc = *rc::gen::element(0.0, 1e8, 1e9);
    bond->p_min = -99900;
    stiffest = std::max(stiffest, bond->Zc);
  }
  harness.Set(valve, "spool", *rc::gen::element(-1.0, 0.0, 1.0));
  harness.Evaluate();
  const ValveEdges law =
      valve.Flow(valve.Opening(*rc::gen::just(Read("spool_x"))), p.p(), a.p(), b.p(), t.p());
  const std::array<std::string_view, 6> names{"q_pa", "q_pb", "q_at", "q_bt", "q_pt", "q_ab"};
  const double flows[] = {law.pa, law.pb, law.at, law.bt, law.pt, law.ab};
  // The pressures are known to 1e-12 of 300 bar; between them and those of the waves is the loop gain
  // Zc*slope, and the steepest slope of an edge is that of the linear part.
  const ValveEdges K = valve.Opening(Read("spool_x"));
  const double K_most = std::max({K.pa, K.pb, K.at, K.bt, K.pt, K.ab});
  const double slope = LaminarTurbulentOrifice(32, 0.84, 861.8, 32e-6).FlowWithSlope(K_most, 0).slope +
                       OrificeFlowAndSlope(K_most, 0).slope + 1e-11;
  const double tolerance = slope * 3e-5 * (1 + 4 * slope * stiffest);
  for (std::size_t i = 0; i < names.size(); ++i)
    RC_ASSERT(std::abs(Read(names[i]) - flows[i]) <= 1e-9 * std::abs(flows[i]) + tolerance);
}

/// Laminar below Re = K1 Cd^2, with Re = |q| Dh/(A nu); a slot has Dh = 4 A/(2 (w + A/w)).
TEST_F(ValveEdgesTest, TheRegimeIsThatOfTheReynoldsNumber) {
  harness.Set(valve, "flow_law", "LaminarTurbulent");
  harness.Set(valve, "nominal_flow", 5e-5);
  const double Cd = 0.611;
  const double A = 5e-5 / std::sqrt(5e5) / (Cd * std::sqrt(2 / 861.8));
  for (const double w : {0.0, 0.02}) {
    harness.Set(valve, "edge_width", w);
    harness.Start();
    const double Dh = w > 0 ? 2 * A / (w + A / w) : std::sqrt(4 * A / std::numbers::pi);
    int laminar = 0, turbulent = 0;
    for (double drop = 1; drop < 1e7; drop *= 1.5) {
      ModeOf("inlet_regime").Set(1);
      const double q = FlowAt(10e5 + drop, 10e5);
      const double Re = q * Dh / (A * 32e-6);
      // The law itself: dp = (K1/Re + 1/Cd^2) rho q^2/(2 A^2).
      EXPECT_NEAR((32 / Re + 1 / (Cd * Cd)) * 861.8 * q * q / (2 * A * A), drop, 1e-9 * drop);
      const bool is_turbulent = ModeNow("inlet_regime") == "Turbulent";
      EXPECT_EQ(is_turbulent, Re >= 32 * Cd * Cd) << Re;
      ++(is_turbulent ? turbulent : laminar);
    }
    EXPECT_GT(laminar, 0);
    EXPECT_GT(turbulent, 0);
    FlowAt(20e5, 10e5);
    EXPECT_EQ(ModeNow("outlet_regime"), "Laminar") << "nothing flows from b to t";
    harness.Set(valve, "spool", 0);
    harness.Evaluate();
    EXPECT_EQ(ModeNow("inlet_regime"), "Shut");
  }
}

/// A wide gap: laminar up to where the turbulent loss is as large, and never more than either of both.
TEST_F(ValveEdgesTest, TheGapIsTurbulentBeyondItsCriticalDrop) {
  const AnnularGap gap{.diameter = 0.025, .clearance = 0.1e-3, .length = 5e-3};
  const double critical = gap.CriticalDrop(861.8, 32e-6);
  harness.Set(valve, "leakage", "Gap");
  harness.Set(valve, "spool_clearance", 0.1e-3);
  harness.Start();
  harness.Set(valve, "spool", 0);
  p.c = a.c = b.c = 0;
  for (const double drop : {0.5 * critical, 0.999 * critical, 1.001 * critical, 4 * critical}) {
    p.c = drop;
    harness.Evaluate();
    EXPECT_NEAR(Read("q_pa"), gap.Flow(drop, 861.8, 32e-6), 1e-9 * Read("q_pa"));
    EXPECT_EQ(ModeNow("leakage_regime"), drop < critical ? "Laminar" : "Turbulent");
  }
  harness.Set(valve, "leakage", "None");
  harness.Start();
  EXPECT_EQ(ModeNow("leakage_regime"), "Off");
}

}  // namespace
}  // namespace davit
