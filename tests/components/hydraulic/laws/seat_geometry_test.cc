#include "components/hydraulic/laws/seat_geometry.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "components/hydraulic/laws/orifice_law.h"
#include "tests/support/random_values.h"
#include "tests/support/special_values.h"

namespace davit {
namespace {

constexpr std::array<SeatType, 4> kSeatTypes{SeatType::kDisc, SeatType::kBall, SeatType::kNeedle,
                                             SeatType::kPoppet};

/// Erratum 39: areas in K, not a length beside an area.
TEST(SeatGeometryTest, OpenDisc) {
  const Seat disc{.type = SeatType::kDisc, .diameter = 0.025};
  EXPECT_NEAR(disc.EntryArea(), 4.908739e-4, 0.5e-10);
  const double ratio = disc.EntryArea() / disc.OpeningArea(disc.FullLift());
  EXPECT_NEAR(1.3 + 0.2 * ratio * ratio, 1.5, 1e-14);
  EXPECT_NEAR(disc.FlowArea(disc.FullLift()), 4.007968e-4, 0.5e-10);
  // As the thesis codes it: 2 pi D [m] for the area at x = 1, K = 1.3 + 0.2/x^2 with x the lift [m].
  const double x = disc.FullLift();
  const double K = 1.3 + 0.2 / (x * x);
  EXPECT_NEAR(K, 5121, 0.5);
  const double as_coded = 2 * kPi * disc.diameter * x / std::sqrt(K);
  EXPECT_NEAR(as_coded, 1.371860e-5, 0.5e-11);
  EXPECT_NEAR(disc.FlowArea(x) / as_coded, 29, 0.5);
}

/// Erratum 17: the curtain of a disc is 2 pi r x; it equals the entry at x = r/2.
TEST(SeatGeometryTest, CurtainOfADisc) {
  const Seat disc{.type = SeatType::kDisc, .diameter = 0.02};
  EXPECT_DOUBLE_EQ(disc.OpeningArea(1e-3), 2 * kPi * 0.01 * 1e-3);
  EXPECT_DOUBLE_EQ(disc.OpeningArea(0.005), disc.EntryArea());
  EXPECT_DOUBLE_EQ(disc.WettedLength(1e-3), 4 * kPi * 0.01);
}

TEST(SeatGeometryTest, DiscInTheLiftingSystem) {
  const Seat disc{.type = SeatType::kDisc, .diameter = 0.025};
  for (const double r : {0.1, 0.5, 1.0}) {
    EXPECT_NEAR(disc.FlowArea(r * disc.FullLift()), disc.EntryArea() * r * r / std::sqrt(1.3 * r * r + 0.2),
                1e-18);
  }
}

TEST(SeatGeometryTest, BallAndNeedle) {
  const Seat ball{.type = SeatType::kBall, .diameter = 0.02};
  EXPECT_DOUBLE_EQ(ball.OpeningArea(1e-3), 1.5 * kPi * 0.01 * 1e-3);
  const double r = 0.01, angle = 1.0, x = 2e-3, t = x * std::tan(angle / 2);
  const Seat needle{.type = SeatType::kNeedle, .diameter = 2 * r, .cone_angle = angle};
  EXPECT_NEAR(needle.OpeningArea(x), kPi * (2 * r * t - t * t), 1e-18);
  EXPECT_NEAR(needle.WettedLength(x), 2 * kPi * (2 * r - t), 1e-15);
  const double ratio = needle.EntryArea() / needle.OpeningArea(x);
  EXPECT_NEAR(needle.FlowArea(x), needle.OpeningArea(x) / std::sqrt(0.5 + 0.15 * ratio * ratio), 1e-18);
}

TEST(SeatGeometryTest, PoppetLosesLessTheHigherItLifts) {
  const Seat poppet{.type = SeatType::kPoppet, .diameter = 0.02};
  const auto loss = [&](double h) {
    const double ratio = poppet.EntryArea() / poppet.FlowArea(h * 0.02);
    return ratio * ratio;
  };
  EXPECT_NEAR(loss(0.1), 8.65, 1e-12);
  EXPECT_NEAR(loss(0.25), 1.69, 1e-12);
}

TEST(SeatGeometryTest, ShutAtZeroAndLimitedAtFullLift) {
  for (const SeatType type : kSeatTypes) {
    const Seat seat{.type = type, .diameter = 0.02};
    EXPECT_EQ(seat.FlowArea(0), 0);
    EXPECT_EQ(seat.FlowArea(-1), 0);
    EXPECT_EQ(seat.FlowArea(1), seat.FlowArea(seat.FullLift()));
    EXPECT_NEAR(seat.OpeningArea(1), seat.EntryArea(), 1e-15);
  }
}

RC_GTEST_PROP(SeatGeometryTest, FlowAreaGrowsWithTheLift, ()) {
  const Seat seat{.type = kSeatTypes[*rc::gen::inRange<std::size_t>(0, 4)],
                  .diameter = RandomDecades(-3, -1)};
  const double x = seat.FullLift() * *rc::gen::inRange(1, 999) * 1e-3;
  RC_ASSERT(seat.FlowArea(x * 1.001) > seat.FlowArea(x));
}

RC_GTEST_PROP(SeatGeometryTest, GivesANumberForAnyLift, ()) {
  const Seat seat{.type = kSeatTypes[*rc::gen::inRange<std::size_t>(0, 4)]};
  const double x = AnyFinite();
  RC_ASSERT(std::isfinite(seat.FlowArea(x)));
  RC_ASSERT(std::isfinite(seat.OpeningArea(x)));
  RC_ASSERT(std::isfinite(seat.WettedLength(x)));
}

}  // namespace
}  // namespace davit
