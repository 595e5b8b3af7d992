#include "components/hydraulic/laws/pipe_friction.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numbers>

#include "components/hydraulic/laws/circle_area.h"
#include "tests/components/hydraulic/lifting_data.h"
#include "tests/support/random_values.h"

namespace davit {
namespace {

constexpr PipeFrictionData kPipe{
    .diameter = 0.049, .length = 15, .density = kRho, .kinematic_viscosity = kNu, .roughness = 2e-4};
constexpr double kPumpFlow = 479.52 / 6e4;

TEST(PipeFrictionTest, OfThePumpLine) {
  const PipeFriction friction(kPipe);
  const double v = kPumpFlow / CircleArea(kPipe.diameter);
  EXPECT_NEAR(v, 4.23812, 0.5e-5);
  EXPECT_NEAR(friction.Reynolds(kPumpFlow), 6489.62, 0.5e-2);
  EXPECT_NEAR(friction.Drop(kPumpFlow), 83521.9, 0.05);
  EXPECT_NEAR(DarcyFactor(friction.Reynolds(kPumpFlow)), .035252, 0.5e-6);
}

TEST(PipeFrictionTest, OfThePumpLineWithARoughWall) {
  PipeFrictionData data = kPipe;
  const double v = kPumpFlow / CircleArea(data.diameter);
  const double per_factor = data.length / data.diameter * kRho * v * v / 2;
  data.wall = PipeWall::kColebrook;
  EXPECT_NEAR(PipeFriction(data).Drop(kPumpFlow) / per_factor, .039499, 0.5e-6);
  data.wall = PipeWall::kSwameeJain;
  EXPECT_NEAR(PipeFriction(data).Drop(kPumpFlow) / per_factor, .040300, 0.5e-6);
}

/// Errata 1 and 55: Re = v D/nu with the kinematic viscosity; a slope at zero flow.
TEST(PipeFrictionTest, IsHagenPoiseuilleInLaminarFlow) {
  const PipeFriction friction(kPipe);
  const double q = 100 / 6e4;
  EXPECT_NEAR(friction.Reynolds(q), 1353.4, 0.05);
  EXPECT_NEAR(friction.Drop(q), 4872.729, 0.5e-3);
  const double R = 128 * kRho * kNu * kPipe.length / (std::numbers::pi * std::pow(kPipe.diameter, 4));
  for (const double small : {0.0, 1e-300, 1e-9, 1e-3}) {
    EXPECT_NEAR(friction.Drop(small), R * small, 1e-14 * R * small);
    EXPECT_NEAR(friction.Resistance(small), R, 1e-14 * R);
  }
}

RC_GTEST_PROP(PipeFrictionTest, IsOddMonotoneAndContinuous, ()) {
  PipeFrictionData data = kPipe;
  data.wall =
      *rc::gen::element(PipeWall::kSmooth, PipeWall::kSwameeJain, PipeWall::kHaaland, PipeWall::kColebrook);
  const PipeFriction friction(data);
  const double Re = RandomDecades(0, 5);  // the change of laws at 1e5 is a jump of 0.7 %
  const double q = Re / friction.Reynolds(1);
  const double drop = friction.Drop(q);
  RC_ASSERT(friction.Drop(-q) == -drop);
  const double more = friction.Drop(q * (1 + 1e-9));
  RC_ASSERT(more >= drop);
  RC_ASSERT(more <= drop * (1 + 5e-9));
}

RC_GTEST_PROP(PipeFrictionTest, IsNoNanForAnyFiniteInput, ()) {
  PipeFrictionData data = kPipe;
  data.wall =
      *rc::gen::element(PipeWall::kSmooth, PipeWall::kSwameeJain, PipeWall::kHaaland, PipeWall::kColebrook);
  data.roughness = *rc::gen::element(0.0, 1e-6, 4.9e-3);
  RC_ASSERT(!std::isnan(PipeFriction(data).Drop(AnyFinite())));
}

/// Erratum 54: signed, so that it takes energy in both directions, and once for a whole pipe.
TEST(PipeFrictionTest, MinorLossesTakeEnergyInBothDirections) {
  const double A = CircleArea(0.049), v = kPumpFlow / A;
  EXPECT_DOUBLE_EQ(MinorLoss(1.5, kRho, A, kPumpFlow), 1.5 * kRho * v * v / 2);
  EXPECT_EQ(MinorLoss(1.5, kRho, A, -kPumpFlow), -MinorLoss(1.5, kRho, A, kPumpFlow));
  EXPECT_EQ(MinorLoss(1.5, kRho, A, 0), 0);
}

}  // namespace
}  // namespace davit
