// Laminar and turbulent flow through the opening and past the piston of a counterbalance valve.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string_view>
#include <tuple>

#include "components/hydraulic/counterbalance_valve.h"
#include "framework/mode.h"
#include "tests/support/component_harness.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

class CounterbalanceFlowTest : public testing::Test {
 protected:
  /// The return half open: xf is in the middle of 25 to 250 bar.
  void Start() {
    harness.Set(valve, "leakage", "None");
    harness.SetStart(valve, "xf", 137.5e5);
    ASSERT_FALSE(harness.Start().has_errors());
  }
  double FlowAt(double p_a, double p_c) {
    a.c = p_a;
    c.c = p_c;
    harness.Evaluate();
    return harness.Read(valve, "q");
  }
  ModeBase& ModeOf(std::string_view name) {
    for (ModeBase* mode : valve.declarations().modes) {
      if (mode->label().name == name) return *mode;
    }
    throw std::out_of_range(std::string(name));
  }
  std::string_view Shown(std::string_view name) { return ModeOf(name).options()[ModeOf(name).Classify()]; }

  ComponentHarness harness;
  CounterbalanceValve& valve = harness.Add<CounterbalanceValve>("valve");
  HydraulicBond& a = harness.AttachHydraulic(valve, "a");
  HydraulicBond& c = harness.AttachHydraulic(valve, "c");
  HydraulicBond& pilot = harness.AttachHydraulic(valve, "pilot");
};

/// dp = (K1/Re + K) rho u^2/2 with K1 = 32, computed apart from table 3-2 of the thesis. Disc of 25 mm: A_x =
/// A_p/2, K = 1.3 + 0.2*4, L_w = 4 pi r. Needle of 1.05 rad: A_x = 0.75 A_p, K = 0.5 + 0.15/0.5625, L_w = 2
/// pi (2 r - t), t = r/2. Else a round opening of half the nominal K, 32/Re + 1/0.611^2.
TEST_F(CounterbalanceFlowTest, HasBothLossesInSeries) {
  for (const auto& [law, seat, dp, q] : {std::tuple{"Seat", "disc", 10.0, 1.7946107058383806e-05},
                                         {"Seat", "disc", 1e3, 2.486164543068484e-4},
                                         {"Seat", "disc", 1e5, 2.57057588287447e-3},
                                         {"Seat", "disc", 1e7, 2.5791752360879387e-2},
                                         {"Seat", "needle", 10.0, 4.7335847193135706e-5},
                                         {"Seat", "needle", 1e3, 6.21163041758194e-4},
                                         {"Seat", "needle", 1e5, 6.385663297241994e-3},
                                         {"PilotLinear", "disc", 10.0, 4.1011778482920094e-6},
                                         {"PilotLinear", "disc", 1e3, 5.092209022856965e-5},
                                         {"PilotLinear", "disc", 1e5, 5.204824952946164e-4}}) {
    harness.Set(valve, "opening_law", law);
    harness.Set(valve, "seat_type", seat);
    harness.Set(valve, "flow_law", "LaminarTurbulent");
    Start();
    EXPECT_NEAR(FlowAt(20e5, 20e5 + dp), -q, 1e-9 * q) << law << ' ' << seat << ' ' << dp;
    EXPECT_EQ(a.q, -c.q);
  }
}

/// Half open, the disc's K is 2.1: laminar below Re = 32/2.1 = 15.24, which 10 Pa do not reach and 1000 Pa
/// do.
TEST_F(CounterbalanceFlowTest, ShowsTheRegimeByTheReynoldsNumber) {
  harness.Set(valve, "opening_law", "Seat");
  Start();
  FlowAt(20e5, 20e5 + 10);
  EXPECT_EQ(Shown("seat_flow"), "Turbulent");  // by flow_law Turbulent, the default
  harness.Set(valve, "flow_law", "LaminarTurbulent");
  Start();
  FlowAt(20e5, 20e5 + 10);  // Re 14.28
  ModeOf("seat_flow").Set(0);
  EXPECT_EQ(Shown("seat_flow"), "Laminar");
  ModeOf("seat_flow").Set(1);  // and remains turbulent down to 0.9*15.24
  EXPECT_EQ(Shown("seat_flow"), "Turbulent");
  FlowAt(20e5, 20e5 + 1e3);
  ModeOf("seat_flow").Set(0);
  EXPECT_EQ(Shown("seat_flow"), "Turbulent");
}

/// Between waves the law and p = c + Zc*q hold together.
TEST_F(CounterbalanceFlowTest, HoldsBetweenWaves) {
  for (const char* law : {"Ramp", "PilotLinear", "Seat", "ForceBalance", "SeatByLoad"}) {
    harness.Set(valve, "opening_law", law);
    harness.Set(valve, "flow_law", "LaminarTurbulent");
    Start();
    for (const auto& [c_a, c_c] : {std::pair{60e5, 20e5}, {20e5, 60e5}, {20e5, 20.3e5}}) {
      a.Zc = c.Zc = 0;
      pilot.c = 28e5;
      a.Zc = 2e9;
      c.Zc = 1e9;
      const double q = FlowAt(c_a, c_c);
      const double p_a = a.p(), p_c = c.p();
      a.Zc = c.Zc = 0;
      EXPECT_NEAR(FlowAt(p_a, p_c), q, 1e-7 * std::abs(q) + 1e-12) << law << ' ' << c_a;
    }
  }
}

/// A worn piston of 20 mm with a gap of 0.2 mm: laminar up to 44.4 bar, then the turbulent losses in series,
/// here by bisection of dp = rho/2 (q/A)^2 (xi L/(2c) + 1.5).
TEST_F(CounterbalanceFlowTest, TheGapIsTurbulentAboveItsCriticalDrop) {
  harness.Set(valve, "leakage", "Gap");
  harness.Set(valve, "piston_clearance", 0.2e-3);
  ASSERT_FALSE(harness.Start().has_errors());
  for (const auto& [dp, q, flow] : {std::tuple{1e6, 1.5189103492640373e-4, "Laminar"},
                                    {40e5, 6.0756413970561e-4, "Laminar"},
                                    {1e7, 1.0376668249105119e-3, "Turbulent"}}) {
    EXPECT_NEAR(FlowAt(0, dp), -q, 1e-9 * q) << dp;  // without pilot pressure the valve is shut
    ModeOf("leakage_flow").Set(0);
    EXPECT_EQ(Shown("leakage_flow"), flow) << dp;
  }
  // With the gap of the default it is laminar at any pressure of a machine.
  harness.Set(valve, "piston_clearance", 5e-6);
  harness.Start();
  FlowAt(0, 1000e5);
  EXPECT_EQ(Shown("leakage_flow"), "Laminar");
}

/// The flow law may change while the load sinks, without a jump of what is a state.
TEST(CounterbalanceFlowSwitchTest, TheFlowLawMayChangeInARun) {
  TestSystem test(
      SystemText("TimeStep='1 ms' StopTime='0.3 s'", "method='rosenbrock4' rtol='1e-8' atol='1e-8'",
                 "<hydraulic.Volume name='load' volume='10 l'><Start p='200 bar'/></hydraulic.Volume>"
                 "<hydraulic.PressureSource name='pilot' pressure='100 bar'/><hydraulic.Tank name='tank'/>"
                 "<hydraulic.CounterbalanceValve name='valve' level='Advanced' flow_law='Turbulent' "
                 "disc_diameter='1.5 mm' "
                 "pilot_frequency='20 Hz'/>"
                 "<Connect from='valve.c' to='load.port'/><Connect from='valve.a' to='tank.port'/>"
                 "<Connect from='valve.pilot' to='pilot.port'/>"
                 "<At time='0.1 s' set='valve.flow_law' value='LaminarTurbulent'/><Record signals='load.p "
                 "valve.flow_law'/>"));
  const std::vector<TestRow> rows = test.RunAndRecord();
  int switches = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    EXPECT_LE(rows[i].values[0], rows[i - 1].values[0]);
    if (rows[i].values[1] == rows[i - 1].values[1]) continue;
    ++switches;
    EXPECT_EQ(rows[i].values[0], rows[i - 1].values[0]);
  }
  EXPECT_EQ(switches, 1);
  EXPECT_EQ(test.Read("valve.chart.state.flow_law.LaminarTurbulent"), 1);
}

}  // namespace
}  // namespace davit
