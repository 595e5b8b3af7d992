#include "components/mechanism/dynamics/assembly.h"

#include <gtest/gtest.h>

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

TEST(Assembly, ClosesAFourBarAtTheGivenCrank) {
  FourBar bar;
  TreeDynamics dynamics(bar.tree);
  for (const double crank : {0.5, 1.5, 2.5, -1.0}) {
    std::vector<double> q{crank, -crank + 0.5, -1.5}, u{2, 0, 0};
    const AssemblyResult result = Assemble(dynamics, bar.loops, {}, {true, false, false}, q, u);
    ASSERT_TRUE(result.is_closed) << crank;
    EXPECT_EQ(result.bound_speeds, 2U);
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
  const AssemblyResult result = Assemble(dynamics, bar.loops, {}, {true, false, false}, q, u);
  EXPECT_FALSE(result.is_closed);
  EXPECT_EQ(result.worst_loop, 1U);
  EXPECT_NEAR(result.error, 7, 1e-12);
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
  const AssemblyResult result = Assemble(dynamics, loops, {}, std::vector<bool>(6), q, u);
  EXPECT_TRUE(result.is_closed) << result.error;
  EXPECT_EQ(result.bound_speeds, 5U);
  EXPECT_NEAR(std::hypot(std::hypot(q[3], q[4]), std::hypot(q[5], q[6])), 1, 1e-15);
}

}  // namespace
}  // namespace davit::multibody
