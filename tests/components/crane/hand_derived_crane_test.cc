#include "tests/components/crane/hand_derived_crane.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <vector>

#include "tests/components/crane/textbook_crane.h"

namespace davit {
namespace {

using Eigen::Vector3d;

CranePose At(double boom, double knuckle) { return {.boom = boom * kDegree, .knuckle = knuckle * kDegree}; }

TEST(HandDerivedCraneTest, HasTheCheckValuesOfTheTextbookCrane) {
  const CraneTerms p1 = ComputeCraneTerms(TextbookCrane(), At(0, 0), {});
  EXPECT_NEAR(p1.tip.x(), 17.6, 1e-12);
  EXPECT_NEAR(p1.tip.z(), 4, 1e-12);
  EXPECT_NEAR(p1.gravity.boom, 2207250, 1e-8);
  EXPECT_NEAR(p1.gravity.knuckle, 760275, 1e-8);
  EXPECT_NEAR(p1.mass.m11, 3465625, 1e-8);
  EXPECT_NEAR(p1.mass.m12, 1297708.3333, 1e-4);
  EXPECT_NEAR(p1.mass.m22, 522708.3333, 1e-4);
  EXPECT_NEAR(p1.mass.m00, 3761925.0, 1e-8);

  const CraneTerms p3 = ComputeCraneTerms(TextbookCrane(), At(70, -100), {});
  EXPECT_NEAR(p3.tip.x(), 10.082379, 0.6e-6);
  EXPECT_NEAR(p3.tip.z(), 9.896926, 0.6e-6);
  EXPECT_NEAR(p3.gravity.boom, 1153312.0608, 1e-4);
  EXPECT_NEAR(p3.gravity.knuckle, 658417.4639, 1e-4);
  EXPECT_NEAR(p3.mass.m11, 1646470.3246, 1e-4);
  EXPECT_NEAR(p3.mass.m12, 388130.9956, 1e-4);
  EXPECT_NEAR(p3.mass.m22, 522708.3333, 1e-4);
  EXPECT_NEAR(p3.mass.m00, 1181456.5809, 1e-4);
}

TEST(HandDerivedCraneTest, HoldingForcesFollowFromLeverArms) {
  const CraneTerms p1 = ComputeCraneTerms(TextbookCrane(), At(0, 0), {});
  EXPECT_NEAR(p1.gravity.boom / TextbookBoomMount().At(0).lever_arm, 844073.065, 1e-3);
  EXPECT_NEAR(p1.gravity.knuckle / TextbookKnuckleMount().At(0).lever_arm, 1013700, 1e-3);
  const CraneTerms p3 = ComputeCraneTerms(TextbookCrane(), At(70, -100), {});
  EXPECT_NEAR(p3.gravity.boom / TextbookBoomMount().At(70 * kDegree).lever_arm, 910249.481, 1e-3);
  EXPECT_NEAR(p3.gravity.knuckle / TextbookKnuckleMount().At(-100 * kDegree).lever_arm, 609181.6, 1e-3);
}

TEST(HandDerivedCraneTest, CoriolisForcesAreThoseOfADoublePendulum) {
  CranePose pose = At(30, -50);
  pose.boom_rate = 0.7;
  pose.knuckle_rate = -1.1;
  const CraneTerms terms = ComputeCraneTerms(TextbookCrane(), pose, {});
  const double b = (2500 * 10 * 3 + 10000 * 10 * 7.0) * std::sin(pose.knuckle);
  EXPECT_NEAR(terms.bias.boom - terms.gravity.boom,
              -b * (2 * pose.boom_rate * pose.knuckle_rate + pose.knuckle_rate * pose.knuckle_rate), 1e-6);
  EXPECT_NEAR(terms.bias.knuckle - terms.gravity.knuckle, b * pose.boom_rate * pose.boom_rate, 1e-6);
}

/// Angles and base as smooth functions of time, with derivatives by the caller's differences.
struct Path {
  CranePose Pose(double t) const {
    return {.slew = 0.4 + 0.9 * std::sin(1.3 * t),
            .boom = 0.5 + 0.3 * std::sin(1.7 * t + 1),
            .knuckle = -0.9 + 0.5 * std::sin(2.3 * t + 2),
            .slew_rate = 0.9 * 1.3 * std::cos(1.3 * t),
            .boom_rate = 0.3 * 1.7 * std::cos(1.7 * t + 1),
            .knuckle_rate = 0.5 * 2.3 * std::cos(2.3 * t + 2)};
  }
  JointTorques Acceleration(double t) const {
    return {-0.9 * 1.3 * 1.3 * std::sin(1.3 * t), -0.3 * 1.7 * 1.7 * std::sin(1.7 * t + 1),
            -0.5 * 2.3 * 2.3 * std::sin(2.3 * t + 2)};
  }
  BaseMotion Base(double t) const {
    const auto wave = [t](double a, double w, double phase) {
      return BaseMotion::Degree{a * std::sin(w * t + phase), a * w * std::cos(w * t + phase),
                                -a * w * w * std::sin(w * t + phase)};
    };
    return {.heave = wave(1.5, 0.9, 0.3),
            .roll = wave(0.3, 1.1, 1),
            .pitch = wave(0.2, 0.8, 2),
            .surge = wave(1, 0.7, 0.5),
            .sway = wave(0.8, 1.2, 1.5),
            .yaw = wave(0.4, 0.6, 2.5)};
  }
};

/// A point of mass m, fixed in the king (body 0), the boom (1) or the knuckle boom (2).
struct PointMass {
  int body;
  double mass;
  Vector3d place;  // king: from the foot; booms: along the axis from the joint in x
};

Vector3d PlaceInEarth(const CraneBody& crane, const PointMass& point, const CranePose& pose,
                      const BaseMotion& base) {
  const Vector3d boom(std::cos(pose.boom), 0, std::sin(pose.boom));
  const double s = pose.boom + pose.knuckle;
  Vector3d place = point.place;
  if (point.body >= 1) {
    place = Vector3d(crane.pivot_radius, 0, crane.pivot_height);
    if (point.body == 1) {
      place += point.place.x() * boom;
    } else {
      place += crane.boom.length * boom + point.place.x() * Vector3d(std::cos(s), 0, std::sin(s));
    }
  }
  const Eigen::AngleAxisd slew(pose.slew, Vector3d::UnitZ()), roll(base.roll.value, Vector3d::UnitX()),
      pitch(base.pitch.value, Vector3d::UnitY()), yaw(base.yaw.value, Vector3d::UnitZ());
  return base.place() + yaw * (pitch * (roll * (crane.foot + slew * place)));
}

/// The bodies as point masses with the same mass, center and inertia.
std::vector<PointMass> PointMasses(const CraneBody& crane) {
  std::vector<PointMass> points;
  const auto add_rod = [&](int body, const CraneLink& link) {
    const double d = std::sqrt(3 * link.inertia / link.mass);  // 2 m/6 d^2 = I
    points.push_back({body, link.mass / 6, {link.center - d, 0, 0}});
    points.push_back({body, link.mass / 6, {link.center + d, 0, 0}});
    points.push_back({body, link.mass * 2 / 3, {link.center, 0, 0}});
  };
  for (const Vector3d& place : {Vector3d(1, 0, 0), Vector3d(-1, 0, 0), Vector3d(0, 1, 0), Vector3d(0, -1, 0)})
    points.push_back({0, crane.king_inertia / 4, place});
  add_rod(1, crane.boom);
  add_rod(2, crane.knuckle);
  points.push_back({2, crane.tip_mass, {crane.knuckle.length, 0, 0}});
  return points;
}

TEST(HandDerivedCraneTest, EquationsAreDAlembertsPrincipleOfItsPointsInTheEarthFrame) {
  CraneBody crane = TextbookCrane();
  crane.foot = {12, -5, 7};
  const Path path;
  constexpr double h = 2e-4;
  const auto points = PointMasses(crane);
  for (const double t : {0.0, 0.7, 2.9, 5.3}) {
    // Virtual work of m (a + g ez) with second differences of places alone: no rotating frames, no formulas.
    std::array<double, 3> expected{};
    const std::array<double CranePose::*, 3> angles{&CranePose::slew, &CranePose::boom, &CranePose::knuckle};
    for (const PointMass& point : points) {
      const auto place = [&](double time) {
        return PlaceInEarth(crane, point, path.Pose(time), path.Base(time));
      };
      const Vector3d a = (place(t + h) - 2 * place(t) + place(t - h)) / (h * h);
      for (std::size_t j = 0; j < 3; ++j) {
        CranePose low = path.Pose(t), high = low;
        low.*angles[j] -= h;
        high.*angles[j] += h;
        const Vector3d lever =
            (PlaceInEarth(crane, point, high, path.Base(t)) - PlaceInEarth(crane, point, low, path.Base(t))) /
            (2 * h);
        expected[j] += point.mass * lever.dot(a + Vector3d(0, 0, crane.gravity));
      }
    }
    const CraneTerms terms = ComputeCraneTerms(crane, path.Pose(t), path.Base(t));
    const JointTorques q = path.Acceleration(t);
    const CraneMass& M = terms.mass;
    // h^2/12 a'' is 1e-8 of a, the rounding of places of 30 m is 1e-14/h^2 = 2e-7 m/s2 of 10 m/s2.
    const double tolerance = 1e-6 * 4e6;
    EXPECT_NEAR(M.m00 * q.slew + terms.bias.slew, expected[0], tolerance) << t;
    EXPECT_NEAR(M.m11 * q.boom + M.m12 * q.knuckle + terms.bias.boom, expected[1], tolerance) << t;
    EXPECT_NEAR(M.m12 * q.boom + M.m22 * q.knuckle + terms.bias.knuckle, expected[2], tolerance) << t;
  }
}

TEST(HandDerivedCraneTest, TheTipMovesAsItsPlaceChanges) {
  CraneBody crane = TextbookCrane();
  crane.foot = {12, -5, 7};
  const Path path;
  constexpr double h = 1e-4;
  const auto tip = [&](double t) { return ComputeCraneTerms(crane, path.Pose(t), path.Base(t)).tip_earth; };
  for (const double t : {0.0, 0.7, 2.9, 5.3}) {
    const CraneTerms terms = ComputeCraneTerms(crane, path.Pose(t), path.Base(t));
    // h^2/6 of the third derivative, some 100 m/s3.
    EXPECT_LT((terms.tip_velocity - (tip(t + h) - tip(t - h)) / (2 * h)).norm(), 1e-6) << t;
    // Virtual work of a force on the tip.
    const Vector3d force(3, -5, 7);
    const JointTorques torques = terms.TorquesOf(force);
    const auto work = [&](double CranePose::*angle) {
      CranePose low = path.Pose(t), high = low;
      low.*angle -= h;
      high.*angle += h;
      return force.dot(ComputeCraneTerms(crane, high, path.Base(t)).tip_earth -
                       ComputeCraneTerms(crane, low, path.Base(t)).tip_earth) /
             (2 * h);
    };
    EXPECT_NEAR(torques.slew, work(&CranePose::slew), 1e-5) << t;
    EXPECT_NEAR(torques.boom, work(&CranePose::boom), 1e-5) << t;
    EXPECT_NEAR(torques.knuckle, work(&CranePose::knuckle), 1e-5) << t;
  }
}

}  // namespace
}  // namespace davit
