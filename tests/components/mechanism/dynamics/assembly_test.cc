#include "components/mechanism/dynamics/assembly.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <vector>

#include "tests/components/mechanism/dynamics/random_tree.h"

namespace davit::multibody {
namespace {

/// A planar four-bar: ground 3 m, crank 1 m, coupler 3 m, rocker 2 m.
struct FourBar {
  FourBar() {
    const Joint pin(JointKind::kRevolute, -Vector3::UnitY());
    Draw draw(1);
    const auto shifted = [](double x) { return Pose{Matrix3::Identity(), {x, 0, 0}}; };
    tree.Add(BodyTree::kBase, {}, pin, draw.Body());
    tree.Add(0, shifted(1), pin, draw.Body());
    tree.Add(1, shifted(3), pin, draw.Body());
    loops.push_back(
        Loop::OfJoint({.body = 2, .at = shifted(2)}, {.body = BodyTree::kBase, .at = shifted(3)}, pin));
  }
  BodyTree tree;
  std::vector<Loop> loops;
};

HeldStart GivenCrank() {
  HeldStart held(3);
  held.positions[0] = held.speeds[0] = true;
  return held;
}

TEST(Assembly, ClosesAFourBarAtTheGivenCrank) {
  FourBar bar;
  TreeDynamics dynamics(bar.tree);
  for (const double crank : {0.5, 1.5, 2.5, -1.0}) {
    std::vector<double> q{crank, -crank + 0.5, -1.5}, u{2, 0, 0};
    const AssemblyResult result = Assemble(dynamics, bar.loops, {}, GivenCrank(), q, u);
    ASSERT_EQ(result.end, AssemblyResult::End::kClosed) << crank;
    EXPECT_EQ(q[0], crank);
    EXPECT_EQ(u[0], 2);
    // The law of cosines: the end of the coupler is 2 m from the fixed pin.
    const double x = std::cos(crank) + 3 * std::cos(crank + q[1]),
                 z = std::sin(crank) + 3 * std::sin(crank + q[1]);
    EXPECT_NEAR(std::hypot(x - 3, z), 2, 1e-12);
    const double vx = -2 * std::sin(crank) - 3 * (2 + u[1]) * std::sin(crank + q[1]);
    const double vz = 2 * std::cos(crank) + 3 * (2 + u[1]) * std::cos(crank + q[1]);
    EXPECT_NEAR((x - 3) * vx + z * vz, 0, 1e-11);
  }
}

TEST(Assembly, SaysHowFarALoopStaysOpen) {
  FourBar bar;
  TreeDynamics dynamics(bar.tree);
  bar.loops.push_back(Loop::OfDistance({.body = 0, .at = {}},
                                       {.body = BodyTree::kBase, .at = {Matrix3::Identity(), {9, 0, 0}}}, 2));
  std::vector<double> q{0.5, 0, -1.5}, u(3);
  const AssemblyResult result = Assemble(dynamics, bar.loops, {}, GivenCrank(), q, u);
  EXPECT_EQ(result.end, AssemblyResult::End::kOpen);
  EXPECT_EQ(result.worst_loop, 1U);
  EXPECT_FALSE(result.is_angle);
  EXPECT_NEAR(result.error, 7, 1e-12);
}

TEST(Assembly, OfBodiesThatCannotMoveSaysHowFarTheyAreApart) {
  BodyTree tree;
  Draw draw(3);
  tree.Add(BodyTree::kBase, {}, Joint(JointKind::kFixed), draw.Body());
  TreeDynamics dynamics(tree);
  for (const double distance : {0.0, 0.25}) {
    const Anchor away{.body = BodyTree::kBase, .at = {Matrix3::Identity(), {distance, 0, 0}}};
    const std::vector<Loop> loops{Loop::OfJoint({.body = 0, .at = {}}, away, Joint(JointKind::kFixed))};
    const AssemblyResult result = Assemble(dynamics, loops, {}, HeldStart(0), {}, {});
    EXPECT_EQ(result.end, distance > 0 ? AssemblyResult::End::kOpen : AssemblyResult::End::kClosed);
    EXPECT_EQ(result.error, distance);
  }
}

TEST(Assembly, SaysWhichAngleStaysOpen) {
  BodyTree tree;
  Draw draw(2);
  tree.Add(BodyTree::kBase, {}, Joint(JointKind::kPrismatic, Vector3::UnitX()), draw.Body());
  TreeDynamics dynamics(tree);
  // An axis along x on a base whose axis is turned by 30 degrees against it.
  const double angle = std::numbers::pi / 6;
  const Matrix3 R = Eigen::AngleAxisd(angle, Vector3::UnitZ()).toRotationMatrix();
  const std::vector<Loop> loops{Loop::OfJoint({.at = {R, Vector3::Zero()}}, {.body = 0, .at = {}},
                                              Joint(JointKind::kRevolute, Vector3::UnitX()))};
  std::vector<double> q{0.1}, u{0};
  const AssemblyResult result = Assemble(dynamics, loops, {}, HeldStart(1), q, u);
  EXPECT_EQ(result.end, AssemblyResult::End::kOpen);
  EXPECT_TRUE(result.is_angle);
  EXPECT_NEAR(result.error, std::sin(angle), 1e-12);
}

// The crank turns the rocker: both speeds cannot be given at will.
TEST(Assembly, SaysThatGivenSpeedsOpenALoop) {
  FourBar bar;
  TreeDynamics dynamics(bar.tree);
  std::vector<double> q{0.5, 0, -1.5}, u{2, 0, 0};
  ASSERT_EQ(Assemble(dynamics, bar.loops, {}, GivenCrank(), q, u).end, AssemblyResult::End::kClosed);
  HeldStart all(3);
  all.speeds.assign(3, true);
  std::vector<double> faster = u;
  EXPECT_EQ(Assemble(dynamics, bar.loops, {}, all, q, faster).end, AssemblyResult::End::kClosed);
  EXPECT_EQ(faster, u);
  faster[0] += 0.1;
  const AssemblyResult result = Assemble(dynamics, bar.loops, {}, all, q, faster);
  EXPECT_EQ(result.end, AssemblyResult::End::kMoving);
  EXPECT_GT(result.error, 1e-3);
  EXPECT_EQ(faster[0], u[0] + 0.1);
}

TEST(Assembly, KeepsQuaternionsOfUnitLength) {
  BodyTree tree;
  Draw draw(4);
  tree.Add(BodyTree::kBase, {}, Joint(JointKind::kFree), draw.Body());
  TreeDynamics dynamics(tree);
  const Anchor end{.body = 0, .at = {draw.Rotation(), draw.Vector(1)}};
  const Anchor target{.at = {draw.Rotation(), draw.Vector(2)}};
  const std::vector<Loop> loops{Loop::OfJoint(target, end, Joint(JointKind::kRevolute, draw.Direction()))};
  std::vector<double> q{0, 0, 0, 1, 0, 0, 0}, u{0, 0, 1, 1, 2, 3};
  const AssemblyResult result = Assemble(dynamics, loops, {}, HeldStart(6), q, u);
  EXPECT_EQ(result.end, AssemblyResult::End::kClosed) << result.error;
  EXPECT_NEAR(std::hypot(std::hypot(q[3], q[4]), std::hypot(q[5], q[6])), 1, 1e-15);
}

}  // namespace
}  // namespace davit::multibody
