// systems/parts/steering_unit.xml in systems/steering.xml: a turn to the right from 0.5 to 1.5 s, one to the
// left from 3 to 5 s, and after the pump has failed at 7 s one to the right from 7.5 to 8.5 s.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <string_view>
#include <utility>
#include "tests/components/hydraulic/shipped_system.h"

namespace davit {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;
constexpr double kDisplacement = 160e-6;  // [m3/rev]
constexpr double kBeta = 1.6e9;
constexpr double kPiston = std::numbers::pi / 4 * 0.063 * 0.063;
constexpr double kRing = kPiston - std::numbers::pi / 4 * 0.036 * 0.036;
constexpr double kStroke = 0.3;
constexpr double kOutside = 120e-6;  // line and dead volume of each side [m3]

class SteeringUnit : public ShippedSystemTest {
 protected:
  struct State {
    double angle, rotor, x, right, left;
  };
  void Load(const LoadOptions& options) { ShippedSystemTest::Load("steering", options); }
  State At(double t) {
    RunUntil(t);
    return {Read("unit.wheel.angle"), Read("unit.rotor.angle"), Read("wheels.x"), Read("right.p"),
            Read("left.p")};
  }
  /// Oil that went to the right between two states: what the piston took, and what was compressed.
  static double OilToTheRight(const State& a, const State& b) {
    return kPiston * (b.x - a.x) + (kOutside + kPiston * b.x) * (b.right - a.right) / kBeta;
  }
  static double OilToTheLeft(const State& a, const State& b) {
    return kRing * (a.x - b.x) + (kOutside + kRing * (kStroke - b.x)) * (b.left - a.left) / kBeta;
  }
};

/// The load pushes or pulls, and the volume is the same. The gerotor stops within the dead band of the valve,
/// 1 deg or 0.3 % of a turn. The channels of the unit take up to 0.2 %. Loads that do not suit the start
/// pressures leave a cavity in the cylinder, up to 0.4 %.
class SteeringUnitUnderLoad : public SteeringUnit, public testing::WithParamInterface<const char*> {};

TEST_P(SteeringUnitUnderLoad, TheCylinderGetsTheDisplacementTimesTheTurns) {
  Load({.set = {std::string("load.force=") + GetParam()}});
  const State start = At(0.4), right = At(2.9), left = At(6.9);
  EXPECT_NEAR(right.angle - start.angle, kTurn, 1e-3 * kTurn);
  EXPECT_NEAR(OilToTheRight(start, right), kDisplacement * (right.angle - start.angle) / kTurn,
              0.01 * kDisplacement);
  EXPECT_NEAR(OilToTheLeft(right, left), kDisplacement * (right.angle - left.angle) / kTurn,
              0.01 * kDisplacement);
  // The gerotor follows within the dead band, whatever the load.
  EXPECT_NEAR(right.rotor, right.angle, kTurn / 360);
  EXPECT_NEAR(left.rotor, left.angle, kTurn / 360);
}

TEST_P(SteeringUnitUnderLoad, TheFlowIsTheDisplacementTimesTheSpeed) {
  Load({.set = {std::string("load.force=") + GetParam()}});
  At(1.4);  // a turn in a second, to the piston side
  EXPECT_NEAR(Read("unit.wheel.w"), kTurn, 1e-3 * kTurn);
  EXPECT_NEAR(Read("unit.gerotor.q"), kDisplacement / kTurn * Read("unit.wheel.w"), 1e-4 * kDisplacement);
  EXPECT_NEAR(Read("wheels.v") * kPiston, Read("unit.gerotor.q"), 1e-5 * kDisplacement);
  At(4.9);  // a turn back in two seconds, to the ring side
  EXPECT_NEAR(Read("unit.wheel.w"), -kTurn / 2, 1e-3 * kTurn);
  EXPECT_NEAR(Read("unit.gerotor.q"), kDisplacement / kTurn * Read("unit.wheel.w"), 1e-4 * kDisplacement);
  EXPECT_NEAR(Read("wheels.v") * kRing, Read("unit.gerotor.q"), 1e-5 * kDisplacement);
  // It takes no more than the springs at the end of their travel, 1.4 N.m, whatever the load.
  EXPECT_LT(std::abs(Read("hands.torque")), 1.4);
}

INSTANTIATE_TEST_SUITE_P(Loads, SteeringUnitUnderLoad, testing::Values("-5 kN", "0 kN", "5 kN", "10 kN"),
                         [](const auto& load) {
                           std::string name = load.param;
                           name.erase(name.find(' '));
                           return name[0] == '-' ? "Pulling" + name.substr(1) : "Pushing" + name;
                         });

/// In neutral all edges are shut. A load that doubles moves the piston by the compressibility of the oil, and
/// the wheel not at all.
TEST_F(SteeringUnit, NeutralHoldsTheLoad) {
  Load({.at = {"2 s:load.force=10 kN"}});
  const State before = At(1.95), after = At(2.9);
  for (const char* edge : {"q_pa", "q_pb", "q_at", "q_bt"})
    EXPECT_EQ(Read(std::string("unit.outlet.") + edge), 0) << edge;
  const double stiffness = kBeta * (kPiston * kPiston / (kOutside + kPiston * before.x) +
                                    kRing * kRing / (kOutside + kRing * (kStroke - before.x)));
  EXPECT_NEAR(before.x - after.x, 5e3 / stiffness, 0.01 * 5e3 / stiffness);
  EXPECT_NEAR(after.angle, before.angle, 1e-5);
}

/// Without the pump the driver turns the gerotor by the pin. The first 10 deg take up the play, then the
/// cylinder moves, less what leaks past the gerotor. The hands give the power of the oil and of the friction.
TEST_F(SteeringUnit, WithoutPumpTheDriverPumpsByHand) {
  Load({});
  const State start = At(7.4);
  At(8.4);
  EXPECT_EQ(Read("supply.pressure"), 0);
  EXPECT_EQ(Read("unit.load_check.q"), 0);
  const double w = Read("unit.wheel.w"), dp = Read("unit.gerotor.dp"), D = kDisplacement / kTurn;
  EXPECT_NEAR(w, kTurn, 1e-3 * kTurn);
  EXPECT_LT(dp, -10e5);
  EXPECT_NEAR(Read("unit.gerotor.q"), D * w + 2e-13 * dp, 1e-4 * kDisplacement);
  EXPECT_NEAR(Read("unit.suction.q"), Read("unit.gerotor.q"), 1e-4 * kDisplacement);
  EXPECT_NEAR(Read("wheels.v") * kPiston, Read("unit.gerotor.q"), 1e-4 * kDisplacement);
  EXPECT_NEAR(Read("hands.torque"), -D * dp + (0.1 + 0.05) * w, 1e-2);
  const State end = At(9.5);
  const double turns = (end.angle - start.angle) / kTurn - 10.0 / 360;
  EXPECT_NEAR(OilToTheRight(start, end), kDisplacement * turns, 0.01 * kDisplacement);
}

}  // namespace
}  // namespace davit
