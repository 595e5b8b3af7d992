// Standard sizes against values computed by hand.

#include "components/hydraulic/sizing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace davit {
namespace {

constexpr double kLitrePerMinute = 1e-3 / 60;
constexpr double kRpm = std::numbers::pi / 30;

TEST(SizingTest, AHoseCarriesTheFlowAtThePressure) {
  // 60 l/min at 5 m/s: sqrt(4*1e-3/(5 pi)) = 15.958 mm. DN20 (19.1 mm) bears 210 bar.
  const auto one = ChooseHose(60 * kLitrePerMinute, 5, 200e5);
  ASSERT_TRUE(one);
  EXPECT_EQ(one->size, "DN20");
  EXPECT_EQ(one->count, 1);
  EXPECT_NEAR(one->bore, 15.9577e-3, 1e-7);
  EXPECT_NEAR(one->velocity, 3.4902, 1e-4);  // 1e-3/(pi/4*0.0191^2)
}

TEST(SizingTest, WhereTheWideHoseDoesNotBearThePressureThereAreTwo) {
  // At 250 bar DN12 (12.7 mm, 280 bar) is left: 200 mm2 over 126.68 mm2 makes two of them.
  const auto two = ChooseHose(60 * kLitrePerMinute, 5, 250e5);
  ASSERT_TRUE(two);
  EXPECT_EQ(two->size, "DN12");
  EXPECT_EQ(two->count, 2);
  EXPECT_NEAR(two->velocity, 3.9471, 1e-4);
  // At 350 bar only DN10 (9.52 mm, 71.18 mm2).
  const auto three = ChooseHose(60 * kLitrePerMinute, 5, 350e5);
  ASSERT_TRUE(three);
  EXPECT_EQ(three->size, "DN10");
  EXPECT_EQ(three->count, 3);
  EXPECT_FALSE(ChooseHose(60 * kLitrePerMinute, 5, 351e5));
  EXPECT_EQ(LargestHosePressure(), 350e5);
}

TEST(SizingTest, AHoseThatJustFitsIsTaken) {
  const double v = 3;
  const auto exact = ChooseHose(std::numbers::pi / 4 * 0.0254 * 0.0254 * v, v, 210e5);
  ASSERT_TRUE(exact);
  EXPECT_EQ(exact->size, "DN25");
  EXPECT_EQ(exact->count, 1);
  EXPECT_NEAR(exact->velocity, v, 1e-12);
}

TEST(SizingTest, APumpGivesTheFlowAfterItsLeakage) {
  // 100 l/min at 1500 rpm: 66.667 cm3/rev. 75 cm3/rev move 112.5 l/min and lose 3.112e-12 m3/s/Pa * 250 bar =
  // 4.668 l/min; T = 75e-6/(2 pi)*250e5 + 5.4443 + 1.4415e-7*250e5 + 3.3614e-2*157.0796 = 312.744 Nm.
  const auto pump = ChoosePump(100 * kLitrePerMinute, 1500 * kRpm, 250e5, false);
  ASSERT_TRUE(pump);
  EXPECT_EQ(pump->model, "75cc");
  EXPECT_NEAR(pump->displacement * 2 * std::numbers::pi, 66.6667e-6, 1e-10);
  EXPECT_NEAR(pump->at.q, (112.5 - 4.668) * kLitrePerMinute, 1e-9);
  EXPECT_NEAR(pump->at.T, 312.744, 1e-3);
  EXPECT_NEAR(pump->at.volumetric, 0.95851, 1e-5);
}

TEST(SizingTest, LeakageMayAskForTheNextPump) {
  // The 75 cm3/rev move 112.5 l/min, but 110 do not come out of them at 250 bar.
  const auto pump = ChoosePump(110 * kLitrePerMinute, 1500 * kRpm, 250e5, false);
  ASSERT_TRUE(pump);
  EXPECT_EQ(pump->model, "100cc");
  const auto closed = ChoosePump(110 * kLitrePerMinute, 1500 * kRpm, 250e5, true);
  ASSERT_TRUE(closed);
  EXPECT_EQ(closed->model, "100cc closed");
  EXPECT_FALSE(ChoosePump(300 * kLitrePerMinute, 1500 * kRpm, 250e5, false));
}

TEST(SizingTest, ACylinderPushesAtThePressure) {
  // 500 kN at 160 bar with 5 % of friction: sqrt(4*500e3/(pi*160e5*0.95)) = 204.65 mm, so 220 mm (38013.3
  // mm2). Ratio at most 1.7: (220^2)/(220^2 - d^2) <= 1.7 for d <= 141.2 mm, so 140 mm.
  const auto cylinder = ChooseCylinder(500e3, 160e5, 0.05, 1.7, 0.1);
  ASSERT_TRUE(cylinder);
  EXPECT_NEAR(cylinder->needed_bore, 204.65e-3, 1e-5);
  EXPECT_EQ(cylinder->bore, 0.220);
  EXPECT_EQ(cylinder->rod, 0.140);
  EXPECT_NEAR(cylinder->area_ratio, 1.680556, 1e-6);  // 48400/28800
  EXPECT_NEAR(cylinder->pressure, 138.456e5, 1e2);    // 500e3/0.0380133/0.95
  EXPECT_NEAR(cylinder->flow_out / kLitrePerMinute, 228.080, 1e-3);
  EXPECT_NEAR(cylinder->flow_in / kLitrePerMinute, 135.717, 1e-3);
  EXPECT_FALSE(ChooseCylinder(10e6, 100e5, 0.05, 1.7, 0.1));
  EXPECT_FALSE(ChooseCylinder(500e3, 160e5, 0.05, 1.0001, 0.1));
}

}  // namespace
}  // namespace davit
