#include "components/hydraulic/axial_piston_pump.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/component_harness.h"

namespace davit {
namespace {

class AxialPistonPumpTest : public testing::Test {
 protected:
  ComponentHarness harness;
  AxialPistonPump& pump = harness.Add<AxialPistonPump>("pump");
  HydraulicBond& in = harness.AttachHydraulic(pump, "in");
  HydraulicBond& out = harness.AttachHydraulic(pump, "out");
};

TEST_F(AxialPistonPumpTest, DeliversItsDisplacementAtAnyPressure) {
  EXPECT_FALSE(harness.Start().has_errors());
  for (const double p : {0.0, 1e5, 300e5}) {
    out.c = p;
    harness.Evaluate();
    EXPECT_NEAR(harness.Read(pump, "q_out"), 479.52 / 6e4, 1e-12);
    EXPECT_EQ(harness.Read(pump, "p_out"), p);
  }
}

TEST_F(AxialPistonPumpTest, TakesFromTheInletWhatItDelivers) {
  harness.Start();
  EXPECT_EQ(out.q, harness.Read(pump, "q_out"));
  EXPECT_EQ(in.q, -out.q);
}

TEST_F(AxialPistonPumpTest, FlowFollowsTheTangentOfTheAngle) {
  harness.Set(pump, "swash_angle", std::numbers::pi / 8);
  harness.Start();
  EXPECT_NEAR(harness.Read(pump, "q_out") * 6e4, 479.52 * std::tan(std::numbers::pi / 8), 1e-9);
  harness.Set(pump, "swash_angle", 0);
  harness.Apply(pump);
  harness.Evaluate();
  EXPECT_EQ(harness.Read(pump, "q_out"), 0);
}

TEST_F(AxialPistonPumpTest, FlowReversesWithSpeed) {
  harness.Start();
  const double q = harness.Read(pump, "q_out");
  harness.Set(pump, "speed", -1776 * 2 * std::numbers::pi / 60);
  harness.Apply(pump);
  harness.Evaluate();
  EXPECT_EQ(harness.Read(pump, "q_out"), -q);
}

TEST_F(AxialPistonPumpTest, AnEmptySuctionSideCostsNoMoreTorqueThanItsVapourPressure) {
  RotationalBond& shaft = harness.Attach<RotationalBond>(pump, "shaft");
  harness.Start();
  in = {.c = -1e9, .Zc = 1e9, .p_min = -1e5};
  out = {.c = 50e5, .Zc = 1e9, .p_min = -1e5};
  shaft.w = 100;
  harness.Evaluate();
  EXPECT_EQ(in.p(), -1e5);
  EXPECT_NEAR(shaft.T() * shaft.w, (out.p() - in.p()) * out.q, 1e-8);
}

TEST_F(AxialPistonPumpTest, TorqueOfThreeHundredBar) {
  harness.Start();
  in.c = 5e5;
  out.c = 305e5;
  harness.Evaluate();
  EXPECT_NEAR(harness.Read(pump, "torque"), 1289.155, 1e-3);
}

TEST_F(AxialPistonPumpTest, AShaftReplacesTheSpeedAndFeelsTheTorque) {
  auto& shaft = harness.Attach<RotationalBond>(pump, "shaft");
  harness.Start();
  EXPECT_EQ(harness.Read(pump, "q_out"), 0);
  shaft.w = 100;
  in.c = 1e5;
  out.c = 201e5;
  harness.Evaluate();
  EXPECT_EQ(shaft.c, harness.Read(pump, "torque"));
  EXPECT_EQ(shaft.Zc, 0);
  // Power in by the shaft is power out by the oil.
  const double hydraulic_power = in.p() * in.q + out.p() * out.q;
  EXPECT_NEAR(shaft.T() * shaft.w, hydraulic_power, 1e-12 * hydraulic_power);
}

TEST_F(AxialPistonPumpTest, DeliversTheSameFlowAgainstWaves) {
  harness.Start();
  in = {.c = 2e5, .Zc = 1e8};
  out = {.c = 150e5, .Zc = 3e9};
  harness.Evaluate();
  const double q = 479.52 / 6e4;
  EXPECT_NEAR(out.q, q, 1e-12);
  EXPECT_EQ(harness.Read(pump, "p_out"), out.p());
  const double torque = 2.7e-4 / (2 * std::numbers::pi) * (out.p() - in.p());
  EXPECT_NEAR(harness.Read(pump, "torque"), torque, 1e-12 * torque);
}

TEST_F(AxialPistonPumpTest, TheShaftFeelsTheImpedancesOfThePorts) {
  auto& shaft = harness.Attach<RotationalBond>(pump, "shaft");
  harness.Start();
  in = {.c = 2e5, .Zc = 1e8};
  out = {.c = 150e5, .Zc = 3e9};
  for (const double w : {-50.0, 0.0, 190.0}) {
    shaft.w = w;
    harness.Evaluate();
    EXPECT_EQ(harness.Read(pump, "torque"), shaft.T());
    const double hydraulic_power = in.p() * in.q + out.p() * out.q;
    EXPECT_NEAR(shaft.T() * w, hydraulic_power, 1e-12 * std::abs(hydraulic_power));
  }
}

}  // namespace
}  // namespace davit
