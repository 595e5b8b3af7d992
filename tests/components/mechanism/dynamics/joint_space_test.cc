#include "components/mechanism/dynamics/joint_space.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/components/mechanism/dynamics/random_tree.h"

namespace davit::multibody {
namespace {

/// The same random tree in the coordinates of its joints and in those of its bodies.
struct Both : RandomTree {
  explicit Both(unsigned seed)
      : RandomTree(1 + seed % 12, seed), space(tree), dynamics(tree), still(tree.speeds()) {}
  void MoveTo(const MovingBase& moving, std::span<const double> speeds) {
    space.MoveTo(moving, q, speeds);
    dynamics.MoveTo(moving, q, speeds);
  }
  /// What TreeDynamics needs so that no speed changes.
  Eigen::VectorXd JointForcesOf(std::span<const Wrench> on_bodies) {
    std::vector<Wrench> reactions(tree.size());
    std::vector<double> forces(tree.speeds());
    dynamics.SetAccelerations(still);
    dynamics.FillReactions(on_bodies, reactions);
    dynamics.FillJointForces(reactions, still, forces);
    return Eigen::Map<const Eigen::VectorXd>(forces.data(), space.h().size());
  }

  JointSpace space;
  TreeDynamics dynamics;
  std::vector<double> still;
};

TEST(JointSpace, ItsMassMatrixIsTheInverseOfTheResponseToJointForces) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    Both both(seed);
    both.MoveTo(both.base, both.u);
    ASSERT_FALSE(both.dynamics.FactorInertia(both.still).has_value());
    const Eigen::Index n = both.space.h().size();
    Eigen::MatrixXd response(n, n);
    std::vector<double> tau(both.still.size()), u_rate(tau.size());
    for (Eigen::Index k = 0; k < n; ++k) {
      tau.assign(tau.size(), 0);
      tau[static_cast<std::size_t>(k)] = 1;
      both.dynamics.SolveMass(tau, u_rate);
      response.col(k) = Eigen::Map<const Eigen::VectorXd>(u_rate.data(), n);
    }
    const Eigen::MatrixXd& M = both.space.M();
    EXPECT_LE((M * response - Eigen::MatrixXd::Identity(n, n)).norm(), 1e-13 * M.norm() * response.norm())
        << seed;
  }
}

TEST(JointSpace, HasTheJointForcesOfTheNewtonEulerAlgorithm) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    Both both(seed);
    both.MoveTo(both.base, both.u);
    const Eigen::VectorXd expected = both.JointForcesOf(std::vector<Wrench>(both.tree.size()));
    EXPECT_LE((both.space.h() - expected).norm(), 1e-12 * expected.norm()) << seed;
    EXPECT_NEAR(both.space.PotentialEnergy(), both.dynamics.PotentialEnergy(),
                1e-12 * (1 + std::abs(both.dynamics.PotentialEnergy())));
    // A force at a place of the last body, which a wrench about its origin exerts too.
    const std::size_t last = both.tree.size() - 1;
    const Vector3 place(0.3, -0.2, 0.5), force(700, -300, 200);
    const Pose& pose = both.dynamics.PoseOf(last);
    std::vector<Wrench> pushed(both.tree.size());
    pushed[last] = {(pose.R * place).cross(force), force};
    Eigen::VectorXd tau = Eigen::VectorXd::Zero(expected.size());
    both.space.AddForce(last, both.space.PoseOf(last) * place, force, tau);
    EXPECT_LE((both.space.h() - tau - both.JointForcesOf(pushed)).norm(), 1e-12 * expected.norm()) << seed;
  }
}

TEST(JointSpace, ItsWeightsHoldBodiesAtRest) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    Both both(seed);
    MovingBase at_rest;
    at_rest.pose = both.base.pose;
    both.MoveTo(at_rest, both.still);
    const Eigen::VectorXd expected = both.JointForcesOf(std::vector<Wrench>(both.tree.size()));
    EXPECT_LE((both.space.weights() - expected).norm(), 1e-12 * expected.norm()) << seed;
    EXPECT_LE((both.space.weights() - both.space.h()).norm(), 1e-12 * expected.norm()) << seed;
  }
}

TEST(JointSpace, ItsBodiesMoveAsThoseOfTheTree) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    Both both(seed);
    both.MoveTo(both.base, both.u);
    for (std::size_t i = 0; i < both.tree.size(); ++i) {
      const Pose &pose = both.space.PoseOf(i), &expected = both.dynamics.PoseOf(i);
      EXPECT_LT((pose.R - expected.R).norm() + (pose.p - expected.p).norm(), 1e-12);
      const Motion seen = both.space.VelocityOf(i).At(pose.p), &v = both.dynamics.VelocityOf(i);
      EXPECT_LT((seen.angular - v.angular).norm() + (seen.linear - v.linear).norm(), 1e-11);
    }
  }
}

}  // namespace
}  // namespace davit::multibody
