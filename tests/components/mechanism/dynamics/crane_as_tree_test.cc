#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "components/mechanism/dynamics/tree_dynamics.h"
#include "tests/components/crane/hand_derived_crane.h"
#include "tests/components/crane/textbook_crane.h"
#include "tests/components/mechanism/dynamics/random_tree.h"

namespace davit::multibody {
namespace {

/// The textbook crane as a tree: king, boom, knuckle boom, and the mass at the tip as a body of its own.
BodyTree CraneTree(const CraneBody& crane) {
  BodyTree tree;
  const Joint lift(JointKind::kRevolute, -Vector3::UnitY());
  const auto shifted = [](double x, double z) { return Pose{Matrix3::Identity(), {x, 0, z}}; };
  const auto rod = [](const CraneLink& link) {
    return RigidBody{.mass = link.mass,
                     .centre = {link.center, 0, 0},
                     .inertia = Vector3(0, link.inertia, link.inertia).asDiagonal()};
  };
  tree.Add(BodyTree::kBase, {}, Joint(JointKind::kRevolute, Vector3::UnitZ()),
           {.mass = 0, .centre = Vector3::Zero(), .inertia = Vector3(0, 0, crane.king_inertia).asDiagonal()});
  tree.Add(0, shifted(crane.pivot_radius, crane.pivot_height), lift, rod(crane.boom));
  tree.Add(1, shifted(crane.boom.length, 0), lift, rod(crane.knuckle));
  tree.Add(2, shifted(crane.knuckle.length, 0), Joint(JointKind::kFixed),
           {.mass = crane.tip_mass, .centre = Vector3::Zero(), .inertia = Matrix3::Zero()});
  return tree;
}

// Joint torques for random accelerations, the mass matrix and the energy of the weights, on a vessel that
// moves.
TEST(TreeDynamics, TheCraneAsATreeHasTheEquationsDerivedByHand) {
  const CraneBody crane = TextbookCrane();
  const BodyTree tree = CraneTree(crane);
  TreeDynamics dynamics(tree);
  Draw draw(11);
  for (int i = 0; i < 200; ++i) {
    const CranePose pose{.slew = draw.Number(-3, 3),
                         .boom = draw.Number(-0.5, 1.4),
                         .knuckle = draw.Number(-2.5, 0),
                         .slew_rate = draw.Number(-1, 1),
                         .boom_rate = draw.Number(-1, 1),
                         .knuckle_rate = draw.Number(-1, 1)};
    const auto degree = [&](double size) {
      return BaseMotion::Degree{draw.Number(-size, size), draw.Number(-size, size), draw.Number(-size, size)};
    };
    const BaseMotion vessel{.heave = degree(2),
                            .roll = degree(0.3),
                            .pitch = degree(0.3),
                            .surge = degree(2),
                            .sway = degree(2),
                            .yaw = degree(3)};
    const CraneTerms terms = ComputeCraneTerms(crane, pose, vessel);
    const BaseFrame frame = BaseFrame::Of(vessel);
    const Matrix3& R = frame.to_earth;
    const Vector3 w = R * frame.omega, v = vessel.velocity();
    // The acceleration of a frame is that of the point at its origin less w x v.
    const MovingBase base{.pose = {R, vessel.place()},
                          .velocity = {w, v},
                          .acceleration = {R * frame.alpha, vessel.acceleration() - w.cross(v)},
                          .gravity = {0, 0, -crane.gravity}};
    const std::vector<double> q{pose.slew, pose.boom, pose.knuckle};
    const std::vector<double> u{pose.slew_rate, pose.boom_rate, pose.knuckle_rate};
    const std::vector<double> u_rate{draw.Number(-1, 1), draw.Number(-1, 1), draw.Number(-1, 1)};
    dynamics.MoveTo(base, q, u);
    dynamics.SetAccelerations(u_rate);
    const std::vector<Wrench> none(tree.size());
    std::vector<Wrench> reactions(tree.size());
    std::vector<double> tau(3);
    dynamics.FillReactions(none, reactions);
    dynamics.FillJointForces(reactions, u_rate, tau);
    const CraneMass& M = terms.mass;
    const double slew = M.m00 * u_rate[0] + terms.bias.slew;
    const double boom = M.m11 * u_rate[1] + M.m12 * u_rate[2] + terms.bias.boom;
    const double knuckle = M.m12 * u_rate[1] + M.m22 * u_rate[2] + terms.bias.knuckle;
    const double scale = std::abs(slew) + std::abs(boom) + std::abs(knuckle);
    EXPECT_NEAR(tau[0], slew, 1e-12 * scale);
    EXPECT_NEAR(tau[1], boom, 1e-12 * scale);
    EXPECT_NEAR(tau[2], knuckle, 1e-12 * scale);
    ASSERT_FALSE(dynamics.FactorInertia(std::vector<double>(3)).has_value());
    const JointTorques a = M.Solve({1e5, -3e5, 2e5});
    std::vector<double> response(3);
    dynamics.SolveMass(std::vector<double>{1e5, -3e5, 2e5}, response);
    const double size = std::abs(a.slew) + std::abs(a.boom) + std::abs(a.knuckle);
    EXPECT_NEAR(response[0], a.slew, 1e-12 * size);
    EXPECT_NEAR(response[1], a.boom, 1e-12 * size);
    EXPECT_NEAR(response[2], a.knuckle, 1e-12 * size);
    EXPECT_NEAR(dynamics.PotentialEnergy(), terms.potential_energy,
                1e-12 * (1 + std::abs(terms.potential_energy)));
  }
}

}  // namespace
}  // namespace davit::multibody
