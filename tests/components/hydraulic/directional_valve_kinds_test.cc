// DirectionalControlValve with fewer ports and positions, as a rotary and as a poppet valve.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "components/hydraulic/directional_control_valve.h"
#include "tests/support/component_harness.h"
#include "tests/support/system_harness.h"

namespace davit {
namespace {

/// A valve between pressures that differ at all edges.
struct ValveOfAKind {
  explicit ValveOfAKind(bool has_b = true) : has_b(has_b) {
    p.c = 200e5;
    a.c = 120e5;
    t.c = 1e5;
    if (has_b) {
      b = &harness.AttachHydraulic(valve, "b");
      b->c = 50e5;
    }
    harness.Set(valve, "spool_type", "O");
  }
  void Start() { ASSERT_FALSE(harness.Start().has_errors()); }
  std::array<double, 6> FlowsAt(std::string_view input, double value) {
    harness.Set(valve, input, value);
    harness.Evaluate();
    return {Read("q_pa"), Read("q_pb"), Read("q_at"), Read("q_bt"), Read("q_pt"), Read("q_ab")};
  }
  double Read(std::string_view name) { return harness.Read(valve, name); }

  ComponentHarness harness;
  DirectionalControlValve& valve = harness.Add<DirectionalControlValve>("valve");
  HydraulicBond& p = harness.AttachHydraulic(valve, "p");
  HydraulicBond& a = harness.AttachHydraulic(valve, "a");
  HydraulicBond& t = harness.AttachHydraulic(valve, "t");
  HydraulicBond* b = nullptr;
  bool has_b;
};

/// x = 0 is what a valve of three positions has at -1, x = 1 what it has at 1, and the crossing is its
/// neutral.
TEST(DirectionalValveKindsTest, TwoPositionsAreTheEndsOfThree) {
  for (const char* law : {"Switching", "Linear", "Nonlinear", "Round", "Seat"}) {
    for (const char* type : {"O", "B"}) {
      ValveOfAKind three, two;
      two.harness.Set(two.valve, "positions", "2");
      for (ValveOfAKind* one : {&three, &two}) {
        one->harness.Set(one->valve, "opening_law", law);
        one->harness.Set(one->valve, "spool_type", type);
        one->Start();
      }
      for (const double x : {0.0, 0.25, 0.5, 0.75, 1.0})
        EXPECT_EQ(two.FlowsAt("spool", x), three.FlowsAt("spool", 2 * x - 1)) << law << type << x;
    }
  }
}

TEST(DirectionalValveKindsTest, ThreeWaysConnectTheConsumerToTheTankOrThePump) {
  for (const char* level : {"Ideal", "Standard", "Advanced"}) {
    for (const double Zc : {0.0, 1e9}) {
      ValveOfAKind valve(false);
      valve.valve.SetLevel(level[0] == 'I'   ? Level::kIdeal
                           : level[0] == 'S' ? Level::kStandard
                                             : Level::kAdvanced);
      valve.harness.Set(valve.valve, "ports", "3");
      valve.harness.Set(valve.valve, "positions", "2");
      valve.harness.Set(valve.valve, "spool_clearance", 20e-6);
      valve.harness.SetStart(valve.valve, "p_inner", 150e5);
      valve.Start();
      valve.a.Zc = Zc;
      valve.t.Zc = Zc;
      const double before = valve.Read("p_inner");
      for (const double x : {0.0, 1.0}) {
        const auto [pa, pb, at, bt, pt, ab] = valve.FlowsAt("spool", x);
        EXPECT_EQ(pb, 0);
        EXPECT_EQ(bt, 0);
        EXPECT_EQ(ab, 0);
        EXPECT_EQ(at > 1e-4, x == 0) << level;
        EXPECT_EQ(pa > 1e-4, x == 1) << level;
        EXPECT_EQ(pt > 0, level[0] == 'A');  // past the land
        EXPECT_NEAR(valve.a.q, pa - at, 1e-18);
        EXPECT_NEAR(valve.t.q, at + pt, 1e-18);
        EXPECT_GT(before, 0);
      }
    }
  }
}

TEST(DirectionalValveKindsTest, PortBIsThereOrNot) {
  ValveOfAKind lacking(false);
  EXPECT_THAT(ToText(lacking.harness.Start().all().at(0)), testing::HasSubstr("write ports=\"3\""));
  ValveOfAKind more;
  more.harness.Set(more.valve, "ports", "3");
  EXPECT_THAT(ToText(more.harness.Start().all().at(0)), testing::HasSubstr("has no port 'b'"));
}

TEST(DirectionalValveKindsTest, ARotaryValveTurnsByItsAngle) {
  ValveOfAKind sliding, rotary;
  rotary.harness.Set(rotary.valve, "motion", "rotary");
  rotary.harness.Set(rotary.valve, "full_angle", 0.5);
  for (ValveOfAKind* one : {&sliding, &rotary}) {
    one->harness.Set(one->valve, "opening_law", "Round");
    one->Start();
  }
  for (const double x : {-1.0, -0.5, 0.0, 0.75, 1.0})
    EXPECT_EQ(rotary.FlowsAt("angle", 0.5 * x), sliding.FlowsAt("spool", x));
}

/// Two discs of one size, half a diameter apart, share 2 pi/3 - sqrt(3)/2 of pi (in r^2).
TEST(DirectionalValveKindsTest, RoundHolesOpenAsTheirOverlap) {
  ValveOfAKind valve;
  valve.harness.Set(valve.valve, "opening_law", "Round");
  valve.harness.Set(valve.valve, "deadband", 0.2);
  valve.Start();
  const double K = 500 / 6e4 / std::sqrt(5e5);
  const double pi = std::numbers::pi;
  EXPECT_NEAR(valve.valve.Opening(0.6).pa / K, (2 * pi / 3 - std::sqrt(3) / 2) / pi, 1e-14);
  EXPECT_EQ(valve.valve.Opening(0.2).pa, 0);
  EXPECT_NEAR(valve.valve.Opening(1).pa, K, 1e-15 * K);
}

TEST(DirectionalValveKindsTest, APoppetOpensByTheAreaOfItsSeatAndDoesNotLeak) {
  for (const SeatType type : {SeatType::kDisc, SeatType::kBall, SeatType::kNeedle, SeatType::kPoppet}) {
    ValveOfAKind valve;
    valve.valve.SetLevel(Level::kAdvanced);
    valve.harness.Set(valve.valve, "compensator", "Off");
    valve.harness.Set(valve.valve, "opening_law", "Seat");
    valve.harness.Set(valve.valve, "seat_type", kSeatTypeNames[static_cast<std::size_t>(type)]);
    valve.harness.Set(valve.valve, "deadband", 0);
    valve.Start();
    const Seat seat{.type = type, .cone_angle = std::numbers::pi / 3};
    const double K = 500 / 6e4 / std::sqrt(5e5);
    double last = 0;
    for (double s = 0; s <= 1; s += 0.125) {
      const double share = valve.valve.Opening(s).pa / K;
      EXPECT_NEAR(share, seat.FlowArea(s * seat.FullLift()) / seat.FlowArea(seat.FullLift()), 1e-14);
      EXPECT_GE(share, last);
      last = share;
    }
    for (const double q : valve.FlowsAt("spool", 0)) EXPECT_EQ(q, 0);
  }
}

/// A 3/2 way valve lifts a single-acting consumer and lets it down again.
TEST(DirectionalValveKindsTest, WorkInASystem) {
  SystemHarness system(R"(<System><SimulatorManager TimeStep="10 ms" StopTime="2 s">
    <Integration method="rosenbrock4" rtol="1e-6"/></SimulatorManager>
    <hydraulic.PressureSource name="supply" pressure="100 bar"/>
    <hydraulic.DirectionalControlValve name="valve" ports="3" positions="2" opening_law="Seat" deadband="0"
        seat_type="ball" spool_type="O" nominal_flow="5 l/min"/>
    <hydraulic.Volume name="consumer"><Start p="1 bar"/></hydraulic.Volume>
    <hydraulic.Tank name="tank"/>
    <signal.Step name="lever" before="1" after="0" start_time="1 s"/>
    <Connect from="valve.p" to="supply.port"/><Connect from="valve.a" to="consumer.port"/>
    <Connect from="valve.t" to="tank.port"/><Route from="lever.y" to="valve.spool"/></System>)");
  system.RunTo(0.9);
  EXPECT_NEAR(system.Read("consumer.p"), 100e5, 1e3);
  system.RunTo(2);
  EXPECT_NEAR(system.Read("consumer.p"), 0, 1e3);
}

}  // namespace
}  // namespace davit
