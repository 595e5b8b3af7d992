#include "components/mechanism/dynamics/spanned_joint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "components/mechanism/dynamics/path.h"
#include "tests/components/crane/textbook_crane.h"
#include "tests/components/mechanism/dynamics/random_tree.h"

namespace davit::multibody {
namespace {

// Figures of the textbook crane have 8 digits after the point.
constexpr double kDigits = 0.6e-8;

TEST(SpannedJoint, HasLengthsAndLeverArmsOfTheTextbookCrane) {
  const SpannedJoint boom = TextbookBoomMount(), knuckle = TextbookKnuckleMount();
  EXPECT_NEAR(boom.At(0).length, 3.39005900, kDigits);
  EXPECT_NEAR(boom.At(70 * kDegree).length, 5.85651620, kDigits);
  EXPECT_NEAR(boom.At(0).lever_arm, 2.61499874, kDigits);
  EXPECT_NEAR(boom.At(70 * kDegree).lever_arm, 1.26702853, kDigits);
  EXPECT_NEAR(knuckle.At(0).length, 4.95, kDigits);
  EXPECT_NEAR(knuckle.At(-100 * kDegree).length, 2.87279856, kDigits);
  EXPECT_NEAR(knuckle.At(0).lever_arm, 0.75, kDigits);
  EXPECT_NEAR(knuckle.At(-100 * kDegree).lever_arm, 1.08082297, kDigits);
  EXPECT_NEAR(boom.At(-5 * kDegree).length, 3.159552, 0.6e-6);
  EXPECT_NEAR(boom.At(78 * kDegree).length, 6.019399, 0.6e-6);
  EXPECT_NEAR(knuckle.At(-110 * kDegree).length, 2.702924, 0.6e-6);
}

TEST(SpannedJoint, IsTheDistanceOfTheAttachments) {
  const double q = 0.3;
  const double x = std::cos(q) * 3.6 + std::sin(q) * 0.55, y = std::sin(q) * 3.6 - std::cos(q) * 0.55;
  EXPECT_NEAR(TextbookBoomMount().At(q).length, std::hypot(x - 0.9, y + 2.6), 1e-14);
}

/// Over a full turn no length is outside of them, and both are reached.
TEST(SpannedJoint, HasItsLeastAndGreatestLength) {
  constexpr int kPlaces = 10'000;
  // The length is a cosine near its ends: half a place beside them it is short of them by this.
  const double missed = std::pow(std::numbers::pi / kPlaces, 2);
  Draw draw(7);
  for (int i = 0; i < 20; ++i) {
    const SpannedJoint mount(draw.Direction(), draw.Vector(2), draw.Vector(2));
    const SpannedJoint::Range range = mount.Lengths();
    double least = range.greatest, greatest = 0;
    for (int k = 0; k < kPlaces; ++k) {
      const double length = mount.At(2 * std::numbers::pi * k / kPlaces).length;
      least = std::min(least, length);
      greatest = std::max(greatest, length);
    }
    EXPECT_GE(least, range.least - 1e-12);
    EXPECT_LE(greatest, range.greatest + 1e-12);
    const double C2 = (range.greatest * range.greatest - range.least * range.least) / 2;
    EXPECT_NEAR(least * least, range.least * range.least, C2 * missed + 1e-12);
    EXPECT_NEAR(greatest * greatest, range.greatest * range.greatest, C2 * missed + 1e-12);
  }
}

TEST(SpannedJoint, HasTheMotionOfAPathOverAnyRevoluteJoint) {
  Draw draw(5);
  for (int i = 0; i < 100; ++i) {
    const Vector3 axis = draw.Direction(), foot = draw.Vector(2), head = draw.Vector(2);
    const Pose at{draw.Rotation(), draw.Vector(3)};
    BodyTree tree;
    tree.Add(BodyTree::kBase, at, Joint(JointKind::kRevolute, axis), draw.Body());
    TreeDynamics dynamics(tree);
    const std::vector<double> q{draw.Number(-3, 3)}, u{draw.Number(-2, 2)}, still{0};
    dynamics.MoveTo({}, q, u);
    dynamics.SetAccelerations(still);
    const PathValue path(dynamics, Path{{BodyTree::kBase, {.p = at * foot}}, {0, {.p = head}}});
    const SpannedJoint::Point point = SpannedJoint(axis, foot, head).At(q[0]);
    EXPECT_NEAR(point.length, path.length, 1e-13);
    EXPECT_NEAR(point.lever_arm * u[0], path.rate, 1e-13);
    // Gravity is counted as an acceleration of the base and taken out again.
    EXPECT_NEAR(point.curvature * u[0] * u[0], path.second_rate, 1e-11 / point.length);
  }
}

TEST(SpannedJoint, LeverArmAndCurvatureAreDerivativesOfTheLength) {
  constexpr double h = 1e-5;
  for (const SpannedJoint& mount : {TextbookBoomMount(), TextbookKnuckleMount()}) {
    for (double q = -1.9; q < 1.4; q += 0.31) {
      const auto before = mount.At(q - h), at = mount.At(q), after = mount.At(q + h);
      // Central differences: h^2/6 l''' and eps*l/h, both below 1e-9 here.
      EXPECT_NEAR(at.lever_arm, (after.length - before.length) / (2 * h), 1e-8);
      EXPECT_NEAR(at.curvature, (after.lever_arm - before.lever_arm) / (2 * h), 1e-8);
    }
  }
}

TEST(SpannedJoint, IsFiniteWhereItsEndsMeet) {
  const SpannedJoint folded(Vector3::UnitZ(), {1, 0, 0}, {1, 0, 0});
  const auto at = folded.At(0);
  EXPECT_TRUE(std::isfinite(at.length) && std::isfinite(at.lever_arm) && std::isfinite(at.curvature));
}

}  // namespace
}  // namespace davit::multibody
