// The valve blocks of systems/parts in their example systems: open centre, flow sharing, dual counterbalance.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/components/hydraulic/shipped_system.h"
#include "tests/support/read_all.h"
#include "tests/support/system_harness.h"

namespace davit {
namespace {

constexpr double kLitrePerMinute = 1e-3 / 60, kBar = 1e5;

double Disc(double diameter) { return std::numbers::pi / 4 * diameter * diameter; }

class ValveSectionsTest : public ShippedSystemTest {
 protected:
};

/// open_centre.xml: 60 l/min, which are also the nominal flow of bypass and edges at 5 bar.
class OpenCentreTest : public ValveSectionsTest {
 protected:
  static constexpr double kPump = 60 * kLitrePerMinute;
  const double A = Disc(0.08), a = A - Disc(0.05);  // of the boom

  /// What the pump delivers passes the bypasses or moves a load.
  void ExpectAllOilIsUsed() {
    const double boom = Read("boom.load_check.q"), bucket = Read("bucket.load_check.q");
    EXPECT_NEAR(Read("boom.bypass.q") + boom + bucket + Read("relief.q"), kPump, 1e-6 * kPump);
    EXPECT_NEAR(Read("bucket.bypass.q"), Read("boom.bypass.q"), 1e-6 * kPump);
  }
};

TEST_F(OpenCentreTest, InNeutralThePumpCirculatesAndTheLoadsRest) {
  Load("open_centre");
  RunUntil(0.9);
  EXPECT_NEAR(Read("boom.bypass.q"), kPump, 1e-6 * kPump);
  EXPECT_NEAR(Read("bucket.bypass.q"), kPump, 1e-6 * kPump);
  EXPECT_NEAR(Read("boom.gallery.p"), 2 * 5 * kBar, 1e-3 * 10 * kBar);
  EXPECT_EQ(Read("boom.load_check.q"), 0);
  EXPECT_EQ(Read("bucket.load_check.q"), 0);
  EXPECT_EQ(Read("relief.q"), 0);
  EXPECT_NEAR(Read("boom_load.v"), 0, 1e-3);
}

TEST_F(OpenCentreTest, TheBypassSetsThePressureThatLifts) {
  Load("open_centre");
  RunUntil(2.9);
  ExpectAllOilIsUsed();
  const double q = Read("boom.bypass.q");
  EXPECT_GT(q, 0.2 * kPump);
  EXPECT_LT(q, 0.8 * kPump);
  EXPECT_NEAR(Read("boom_load.v") * A, Read("boom.load_check.q"), 1e-5 * kPump);
  EXPECT_EQ(Read("bucket.load_check.q"), 0);
  // The bypasses of both sections in series, the second one open: q = r K sqrt(dp).
  const double r = std::pow(1 - 0.45 / 0.7, 2);
  const double p = 5 * kBar * std::pow(q / kPump, 2) * (1 / (r * r) + 1);
  EXPECT_NEAR(Read("boom.gallery.p"), p, 1e-3 * p);
}

TEST_F(OpenCentreTest, AtFullTravelAllOilMovesTheLoad) {
  Load("open_centre");
  RunUntil(4.9);
  EXPECT_EQ(Read("boom.bypass.q"), 0);
  EXPECT_NEAR(Read("boom_load.v") * A, kPump, 1e-4 * kPump);
}

/// With the same lever, unlike behind a compensator; at full travel the pump alone sets the speed.
TEST_F(OpenCentreTest, AHeavierLoadIsSlowerWhileTheBypassIsOpen) {
  Load("open_centre");
  RunUntil(2.9);
  const double v = Read("boom_load.v"), p = Read("boom.gallery.p");
  Load("open_centre", {.at = {"0.5 s:boom_load.weight=30 kN"}});
  RunUntil(2.9);
  EXPECT_LT(Read("boom_load.v"), 0.95 * v);
  EXPECT_GT(Read("boom.gallery.p"), p + 5 * kBar);
  RunUntil(4.9);
  EXPECT_NEAR(Read("boom_load.v") * A, kPump, 1e-4 * kPump);
}

/// The edge to the load is open, and the pump has half the pressure of the load.
TEST_F(OpenCentreTest, TheLoadCheckValveHoldsTheLoadWhileThePressureIsTooLow) {
  Load("open_centre");
  RunUntil(6.2);
  const double held = Read("boom_load.x");
  RunUntil(7.2);
  EXPECT_EQ(Read("boom.lever.spool"), 0.15);
  EXPECT_LT(Read("boom.gallery.p"), 0.5 * Read("boom.line_a.p"));
  EXPECT_EQ(Read("boom.load_check.q"), 0);
  EXPECT_NEAR(Read("boom_load.x"), held, 1e-5);
}

TEST_F(OpenCentreTest, TwoSectionsShareThePumpInBothDirections) {
  Load("open_centre");
  RunUntil(10);
  ExpectAllOilIsUsed();
  EXPECT_GT(Read("boom_load.v"), 0.05);
  EXPECT_GT(Read("bucket_load.v"), 0.05);
  RunUntil(15);
  ExpectAllOilIsUsed();
  EXPECT_LT(Read("boom_load.v"), -0.05);
  EXPECT_LT(Read("bucket_load.v"), -0.05);
  EXPECT_NEAR(-Read("boom_load.v") * a, Read("boom.load_check.q"), 1e-5 * kPump);
  EXPECT_GT(Read("boom_cylinder.p_b"), 0);  // lowered by the pump, not faster
}

TEST_F(OpenCentreTest, ALoadThatIsTooHeavySendsAllOilThroughTheReliefValve) {
  // 95 kN need 189 bar; the valve has its 60 l/min well below 190 bar.
  Load("open_centre", {.at = {"0.5 s:boom_load.weight=95 kN"}});
  RunUntil(3.5);
  const double held = Read("boom_load.x");
  RunUntil(4.9);
  EXPECT_NEAR(Read("relief.q"), kPump, 1e-6 * kPump);
  EXPECT_GT(Read("boom.gallery.p"), 180 * kBar);
  EXPECT_LT(Read("boom.gallery.p"), 190 * kBar);
  EXPECT_EQ(Read("boom.load_check.q"), 0);
  EXPECT_NEAR(Read("boom_load.x"), held, 1e-5);
}

/// The bucket is fed behind the bypass of the boom, which takes all oil while that is shut.
TEST_F(OpenCentreTest, InATandemCircuitTheFirstSectionHasPriority) {
  std::string text = ReadAll(DAVIT_SOURCE_DIR "/systems/open_centre.xml");
  const auto replace = [&](const std::string& from, const std::string& to) {
    ASSERT_NE(text.find(from), std::string::npos) << from;
    for (std::size_t i = 0; (i = text.find(from, i)) != std::string::npos; i += to.size())
      text.replace(i, from.size(), to);
  };
  replace("src=\"parts/", "src=\"" DAVIT_SOURCE_DIR "/systems/parts/");
  replace("0.15 0.15 0 0 0.5 0.5", "0.15 0.15 0 0 1 1");  // the boom from 8 s on
  SystemHarness parallel(text);
  replace("from=\"bucket.p\" to=\"boom.p_in\"", "from=\"bucket.p\" to=\"bucket.p_in\"");
  SystemHarness tandem(text);
  parallel.RunTo(8.8);
  tandem.RunTo(8.8);
  EXPECT_GT(parallel.Read("bucket.load_check.q"), 0.2 * kPump);
  EXPECT_EQ(tandem.Read("bucket.load_check.q"), 0);
  EXPECT_NEAR(tandem.Read("bucket_load.v"), 0, 1e-6);
  EXPECT_NEAR(tandem.Read("boom.load_check.q"), kPump, 1e-3 * kPump);
}

/// flow_sharing.xml: meters of 80 and 40 l/min at 16 bar.
class FlowSharingTest : public ValveSectionsTest {
 protected:
  static constexpr double kBoom = 80 * kLitrePerMinute, kStick = 40 * kLitrePerMinute;
  const double A = Disc(0.1), a = A - Disc(0.056);  // of the boom
  const double A_stick = Disc(0.063), a_stick = A_stick - Disc(0.036);

  static double Opening(double lever) { return (std::abs(lever) - 0.05) / 0.95; }

  /// The flow is that of a meter, and the two are in the ratio of their meters within a tolerance.
  void ExpectSharing(double lever, double tolerance) {
    const double q_boom = Read("boom.meter.q"), q_stick = Read("stick.meter.q");
    EXPECT_NEAR(q_boom / q_stick, kBoom / kStick, tolerance * kBoom / kStick);
    const auto metered = [&](double nominal, const std::string& name) {
      const double dp = Read("line.p") - Read(name + ".metered.p");
      return Opening(lever) * nominal * std::sqrt(dp / (16 * kBar));
    };
    // The square root law is laminar below 0.1 bar, which is 1e-4 of the flow at 8 bar.
    EXPECT_NEAR(q_boom, metered(kBoom, "boom"), 2e-4 * q_boom);
    EXPECT_NEAR(q_stick, metered(kStick, "stick"), 2e-4 * q_stick);
  }
  /// Pump, meters, load-sensing line, cylinders.
  void ExpectAllOilIsUsed(double area_boom, double area_stick) {
    const double q_boom = Read("boom.meter.q"), q_stick = Read("stick.meter.q");
    const double pump = Read("pump.q_out") - Read("pump.q_leak") - Read("relief.q");
    EXPECT_NEAR(q_boom + q_stick, pump, 1e-6 * pump);
    EXPECT_NEAR(Read("shuttle.q"), Read("bleed.q") + Read("ls_relief.q"), 1e-6 * pump);
    const double moved =
        std::abs(Read("boom_load.v")) * area_boom + std::abs(Read("stick_load.v")) * area_stick;
    EXPECT_NEAR(q_boom + q_stick - Read("shuttle.q"), moved, 1e-5 * pump);
  }
};

TEST_F(FlowSharingTest, WithEnoughFlowEachSectionGetsThatOfItsMeter) {
  Load("flow_sharing");
  RunUntil(3.9);
  ExpectSharing(0.5, 0.005);
  ExpectAllOilIsUsed(A, A_stick);
  EXPECT_NEAR(Read("boom.meter.q"), Opening(0.5) * kBoom, 0.03 * Opening(0.5) * kBoom);
  // The margin of the pump less what its regulator needs, at most 2 bar.
  const double margin = Read("line.p") - Read("ls.p");
  EXPECT_LT(margin, 20 * kBar);
  EXPECT_GT(margin, 18 * kBar);
  EXPECT_EQ(Read("relief.q"), 0);
}

TEST_F(FlowSharingTest, TheFlowsDoNotDependOnTheLoads) {
  Load("flow_sharing");
  RunUntil(3.9);
  const double q_boom = Read("boom.meter.q"), q_stick = Read("stick.meter.q");
  EXPECT_GT(Read("boom.feed.p"), Read("stick.feed.p") + 40 * kBar);
  Load("flow_sharing", {.at = {"2 s:stick_load.viscous_friction=240 kN.s/m"}});
  RunUntil(3.9);
  EXPECT_GT(Read("stick.feed.p"), Read("boom.feed.p") + 10 * kBar);  // the other load is the higher one
  EXPECT_NEAR(Read("boom.meter.q"), q_boom, 0.003 * q_boom);
  EXPECT_NEAR(Read("stick.meter.q"), q_stick, 0.003 * q_stick);
}

TEST_F(FlowSharingTest, APumpThatIsTooSmallSlowsAllSectionsDownInTheSameRatio) {
  constexpr double kTolerance = 0.01;
  for (const std::string displacement : {"50 cm3/rev", "25 cm3/rev"}) {
    Load("flow_sharing", {.set = {"pump.displacement=" + displacement}});
    for (const double t : {5.9, 7.9}) {  // the boom has the higher load, then the stick
      RunUntil(t);
      const double asked = kBoom + kStick, q = Read("boom.meter.q") + Read("stick.meter.q");
      EXPECT_NEAR(Read("pump.angle"), std::numbers::pi / 4, 1e-9) << displacement;
      EXPECT_LT(q, 0.65 * asked) << displacement;
      EXPECT_NEAR(Read("boom.meter.q") / kBoom, q / asked, kTolerance * q / asked)
          << displacement << ' ' << t;
      EXPECT_NEAR(Read("stick.meter.q") / kStick, q / asked, kTolerance * q / asked)
          << displacement << ' ' << t;
      ExpectAllOilIsUsed(A, A_stick);
    }
    EXPECT_GT(Read("stick.feed.p"), Read("boom.feed.p")) << displacement;
  }
}

/// The pressures behind the meters differ by less than the opening_range of 0.2 bar, which is more of a small
/// pressure difference: with an eighth of the flow that is asked for, the ratio is still within 2 %.
TEST_F(FlowSharingTest, TheRatioHoldsAtAnEighthOfTheFlow) {
  Load("flow_sharing", {.set = {"pump.displacement=10 cm3/rev"}});
  for (const double t : {5.9, 7.9}) {
    RunUntil(t);
    EXPECT_NEAR(Read("boom.metered.p"), Read("stick.metered.p"), 0.2 * kBar);
    EXPECT_LT(Read("boom.meter.q"), 0.13 * kBoom);
    EXPECT_NEAR(Read("boom.meter.q") / Read("stick.meter.q"), 2, 0.02 * 2) << t;
  }
}

TEST_F(FlowSharingTest, BothDirectionsShare) {
  Load("flow_sharing");
  RunUntil(13.9);
  EXPECT_LT(Read("boom_load.v"), -0.05);
  EXPECT_LT(Read("stick_load.v"), -0.05);
  ExpectSharing(-0.3, 0.005);
  ExpectAllOilIsUsed(a, a_stick);
}

TEST_F(FlowSharingTest, InNeutralNothingMovesAndThePumpStandsBy) {
  Load("flow_sharing");
  RunUntil(15);
  const double boom = Read("boom_load.x"), stick = Read("stick_load.x");
  RunUntil(16);
  EXPECT_EQ(Read("boom.meter.q"), 0);
  EXPECT_EQ(Read("stick.meter.q"), 0);
  EXPECT_NEAR(Read("ls.p"), 0, 0.1 * kBar);
  EXPECT_NEAR(Read("line.p"), 20 * kBar, 0.1 * kBar);
  EXPECT_NEAR(Read("boom_load.x"), boom, 1e-6);
  EXPECT_NEAR(Read("stick_load.x"), stick, 1e-6);
}

TEST_F(FlowSharingTest, OneSectionMovesOnWhileTheOtherIsAtItsStop) {
  Load("flow_sharing", {.set = {"stick_cylinder.stroke=0.5 m"}});
  RunUntil(7.9);
  EXPECT_NEAR(Read("stick_load.v"), 0, 1e-6);
  EXPECT_GT(Read("boom.meter.q"), 0.8 * kBoom);
  EXPECT_NEAR(Read("boom_load.v") * A, Read("boom.meter.q"), 1e-5 * kBoom);
  // The relief valve of the load-sensing line limits both pressures.
  EXPECT_LT(Read("ls.p"), 225 * kBar);
  EXPECT_LT(Read("line.p"), 250 * kBar);
  EXPECT_EQ(Read("relief.q"), 0);
}

/// open_circuit_winch.xml: 2 t at a drum of 0.25 m, a gear of 25, a motor of 100 cm3/rev.
class MotorCounterbalanceTest : public ValveSectionsTest {
 protected:
  static constexpr double kLoad = 2000 * 9.81 * 0.25, kGear = 25, kFriction = 200;
  const double V = 100e-6 / (2 * std::numbers::pi);

  /// Steady: torques balance, and all oil passes motor and both valves.
  void ExpectSteady(double load) {
    const double w = Read("drum.w"), q = V * kGear * w;
    EXPECT_NEAR(Read("motor.torque") * kGear, load + kFriction * w, 1e-5 * kLoad);
    EXPECT_NEAR(Read("motor.q"), q, 1e-6 * std::abs(q));
    EXPECT_NEAR(Read("counterbalance.cbv_a.q"), q, 1e-6 * std::abs(q));
    EXPECT_NEAR(Read("counterbalance.cbv_b.q"), -q, 1e-6 * std::abs(q));
    EXPECT_NEAR(w > 0 ? Read("dcv.q_pa") : -Read("dcv.q_pb"), q, 1e-6 * std::abs(q));
    EXPECT_EQ(Read("counterbalance.relief_a.q"), 0);
    EXPECT_EQ(Read("counterbalance.relief_b.q"), 0);
  }
};

TEST_F(MotorCounterbalanceTest, LiftsAndLowersWithTheOilOfThePump) {
  Load("open_circuit_winch");
  RunUntil(5.4);
  EXPECT_GT(Read("drum.w"), 1);
  ExpectSteady(kLoad);
  RunUntil(14.4);
  EXPECT_LT(Read("drum.w"), -1);
  ExpectSteady(kLoad);
  // The load drives the motor, whose line a is throttled, and line b does not run empty.
  EXPECT_GT(Read("motor.dp"), 0);
  EXPECT_LT(Read("counterbalance.cbv_a.opening"), 0.5);
  EXPECT_GT(Read("counterbalance.hose_b.p"), 25 * kBar);
  EXPECT_GT(Read("counterbalance.motor_b.p"), 10 * kBar);
}

TEST_F(MotorCounterbalanceTest, TheLoadDoesNotChangeTheSpeedOfLowering) {
  Load("open_circuit_winch");
  RunUntil(14.4);
  const double w = Read("drum.w");
  for (const std::string load : {"2450", "5500"}) {
    Load("open_circuit_winch", {.set = {"load.torque=-" + load + " N.m"}});
    RunUntil(14.4);
    ExpectSteady(std::stod(load));
    // The compensator of the directional valve is what is left.
    EXPECT_NEAR(Read("drum.w"), w, 0.003 * std::abs(w)) << load;
  }
}

TEST_F(MotorCounterbalanceTest, HoldsTheLoadInNeutral) {
  Load("open_circuit_winch");
  RunUntil(0.9);
  EXPECT_NEAR(Read("drum.angle"), 0, 1e-4);
  RunUntil(7);
  const double held = Read("drum.angle");
  const double sum = Read("counterbalance.motor_a.p") + Read("counterbalance.motor_b.p");
  RunUntil(9);
  EXPECT_EQ(Read("counterbalance.cbv_a.opening"), 0);
  EXPECT_EQ(Read("counterbalance.relief_a.q"), 0);
  EXPECT_GT(Read("motor.dp"), 100 * kBar);
  EXPECT_NEAR(Read("drum.angle"), held, 5e-5);
  EXPECT_NEAR(Read("drum.w"), 0, 1e-4);
  // The oil of both lines stays, but for the leakage of the shut returns: V/beta*(p_a + p_b)' = -G*(p_a +
  // p_b).
  const double lost = 1.6e9 / 0.1e-3 * 1e-16 * sum * 2;
  EXPECT_NEAR(Read("counterbalance.motor_a.p") + Read("counterbalance.motor_b.p"), sum - lost, 0.1 * lost);
}

TEST_F(MotorCounterbalanceTest, BothSidesAreAlike) {
  Load("open_circuit_winch");
  std::vector<double> w, angle;
  const std::vector<double> times{5.4, 9.0, 14.4, 18.0};
  for (const double t : times) {
    RunUntil(t);
    w.push_back(Read("drum.w"));
    angle.push_back(Read("drum.angle"));
  }
  Load("open_circuit_winch",
       {.set = {"lever.values=0 -0.9 -0.9 0 0 0.8 0.8 0", "load.torque=4905 N.m", "gear.twist=-0.000981 rad",
                "counterbalance.motor_a.p=5 bar", "counterbalance.motor_b.p=128.3 bar"}});
  for (std::size_t i = 0; i < times.size(); ++i) {
    RunUntil(times[i]);
    EXPECT_NEAR(Read("drum.w"), -w[i], 1e-6) << times[i];
    EXPECT_NEAR(Read("drum.angle"), -angle[i], 1e-6) << times[i];
  }
}

/// Both returns are shut. The load turns the motor, whose oil goes round through the relief valve.
TEST_F(MotorCounterbalanceTest, AnOverloadSlipsThroughTheReliefValve) {
  Load("open_circuit_winch", {.at = {"7 s:load.torque=-9000 N.m"}});
  RunUntil(8.9);
  EXPECT_LT(Read("drum.w"), 0);
  EXPECT_NEAR(Read("motor.q"), -Read("counterbalance.relief_a.q"), 1e-4 * std::abs(Read("motor.q")));
  EXPECT_GT(Read("counterbalance.motor_a.p"), 220 * kBar);
  EXPECT_LT(Read("counterbalance.motor_a.p"), 240 * kBar);
}

/// The oil that leaks through the motor is what the turning motor displaces: V*w + q_loss = 0.
TEST_F(MotorCounterbalanceTest, AMotorThatLeaksCreeps) {
  Load("open_circuit_winch", {.level = {"motor=Standard"}});
  RunUntil(8.9);
  // q_loss = gp*dp + gn*|w| of the default motor.
  const double creep = -1.2798e-12 * Read("motor.dp") / (V - 5.9098e-8);
  EXPECT_NEAR(Read("motor.speed"), creep, 1e-3 * std::abs(creep));
  EXPECT_EQ(Read("counterbalance.cbv_a.opening"), 0);
}

/// What the valve is for: with an open return the load falls as fast as the directional valve lets it.
TEST_F(MotorCounterbalanceTest, WithoutTheReturnTheLoadRunsAway) {
  Load("open_circuit_winch");
  RunUntil(14.4);
  const double w = Read("drum.w");
  Load("open_circuit_winch", {.set = {"counterbalance.cbv_a.stuck_at=1"}});
  RunUntil(8.9);
  EXPECT_LT(Read("drum.w"), -0.1);  // in neutral
  RunUntil(14.4);
  EXPECT_LT(Read("drum.w"), 2 * w);
  EXPECT_GT(Read("counterbalance.motor_b.void_volume"), 0);
}

}  // namespace
}  // namespace davit
