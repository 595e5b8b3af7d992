#include "components/hydraulic/laws/displacement_machines.h"
#include "tests/components/hydraulic/closed_forms.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

namespace davit {
namespace {

constexpr double kOmega = 1500 * 2 * std::numbers::pi / 60;
constexpr double kDp = 250e5;

TEST(DisplacementMachinesTest, PumpsAgainstTheUsualLeakage) {
  struct Row {
    double cc, G_table, G_formula, ratio, volumetric, hydromechanical;
  };
  constexpr std::array<Row, 9> kRows{{{30, 1.492, 1.200, .804, .95027, .82816},
                                      {43, 3.466, 2.240, .646, .91940, .89889},
                                      {50, 2.833, 2.800, .988, .94334, .94813},
                                      {75, 3.112, 4.800, 1.542, .95851, .95419},
                                      {100, 5.201, 6.800, 1.307, .94799, .91352},
                                      {100, 8.017, 6.800, .848, .91983, .96038},
                                      {105, 5.03, 7.200, 1.431, .95210, .94241},
                                      {130, 7.786, 9.200, 1.182, .94011, .96697},
                                      {160, 14.26, 11.600, .813, .91087, .95295}}};
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    SCOPED_TRACE(i);
    const PumpData& pump = kAxialPistonPumps[i];
    const Row& row = kRows[i];
    EXPECT_NEAR(pump.V_rev * 1e6, row.cc, 1e-9);
    EXPECT_NEAR(pump.G * 1e12, row.G_table, 1e-12);
    EXPECT_NEAR(UsualLeakage(pump.V_rev) * 1e12, row.G_formula, 1e-9);
    EXPECT_NEAR(UsualLeakage(pump.V_rev) / pump.G, row.ratio, 0.5e-3);
    const MachinePoint point = PumpAt(pump, kOmega, kDp);
    EXPECT_NEAR(point.volumetric, row.volumetric, 0.5e-5 + 1e-12);  // the last is halfway
    EXPECT_NEAR(point.hydromechanical, row.hydromechanical, 0.5e-5);
    EXPECT_NEAR(point.q * kDp / (point.T * kOmega), point.Total(), 1e-14);
  }
}

TEST(DisplacementMachinesTest, UsualLeakageIsARoughRegression) {
  double n = 0, sum_V = 0, sum_G = 0, sum_VV = 0, sum_VG = 0, sum_GG = 0;
  for (const PumpData& pump : kAxialPistonPumps) {
    n += 1;
    sum_V += pump.V_rev;
    sum_G += pump.G;
    sum_VV += pump.V_rev * pump.V_rev;
    sum_VG += pump.V_rev * pump.G;
    sum_GG += pump.G * pump.G;
  }
  const double spread_V = n * sum_VV - sum_V * sum_V, spread_G = n * sum_GG - sum_G * sum_G;
  const double common = n * sum_VG - sum_V * sum_G;
  const double slope = common / spread_V;
  EXPECT_NEAR(slope, 8.2712e-8, 0.5e-12);
  EXPECT_NEAR((sum_G - slope * sum_V) / n, -1.5993e-12, 0.5e-16);
  EXPECT_NEAR(common * common / (spread_V * spread_G), .82, 0.005);
}

TEST(DisplacementMachinesTest, Motors) {
  struct Row {
    double Q_loss, T_loss, volumetric, hydromechanical;
  };
  constexpr std::array<Row, 3> kRows{{{1.871197, 12.5454, .96558, .90991},
                                      {2.476686, 26.6732, .96803, .86593},
                                      {2.664131, 24.1146, .97687, .91919}}};
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    SCOPED_TRACE(i);
    const MotorData& motor = kAxialPistonMotors[i];
    EXPECT_NEAR(motor.flow_loss().At(kDp, kOmega) * 6e4, kRows[i].Q_loss, 0.5e-6);
    EXPECT_NEAR(motor.torque_loss().At(kDp, kOmega), kRows[i].T_loss, 0.5e-4);
    const MachinePoint point = MotorAt(motor, kOmega, kDp);
    EXPECT_NEAR(point.volumetric, kRows[i].volumetric, 0.5e-5);
    EXPECT_NEAR(point.hydromechanical, kRows[i].hydromechanical, 0.5e-5);
    EXPECT_NEAR(point.T * kOmega / (point.q * kDp), point.Total(), 1e-14);
  }
}

/// Errata 47 and 50: rows are per revolution, and some have negative coefficients.
TEST(DisplacementMachinesTest, ReachTheirFlowPerRevolution) {
  EXPECT_NEAR(kAxialPistonMotors[0].V() * 2 * std::numbers::pi, 35e-6, 1e-20);
  EXPECT_EQ(kAxialPistonMotors[0].torque_loss().At(0, 1), 0);
  EXPECT_EQ(kAxialPistonPumps[7].torque_loss().At(0, 1), 0);
}

}  // namespace
}  // namespace davit
