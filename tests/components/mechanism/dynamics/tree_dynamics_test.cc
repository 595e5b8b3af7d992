#include "components/mechanism/dynamics/tree_dynamics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/components/mechanism/dynamics/random_tree.h"

namespace davit::multibody {
namespace {

constexpr double kRounding = 1e-10;  // of sums over chains of 30 bodies, relative

double Largest(std::span<const double> values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

struct Moved : RandomTree {
  Moved(std::size_t bodies, unsigned seed) : RandomTree(bodies, seed), dynamics(tree), u_rate(tree.speeds()) {
    dynamics.MoveTo(base, q, u);
    EXPECT_FALSE(dynamics.FactorInertia(rotor_inertia).has_value());
    dynamics.Accelerate(wrenches, tau, u_rate);
  }
  TreeDynamics dynamics;
  std::vector<double> u_rate;
};

TEST(TreeDynamics, InverseDynamicsReturnsTheJointForces) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    Moved m(1 + seed % 30, seed);
    std::vector<Wrench> reactions(m.tree.size());
    m.dynamics.FillReactions(m.wrenches, reactions);
    std::vector<double> tau(m.tau.size());
    m.dynamics.FillJointForces(reactions, m.u_rate, tau);
    double scale = 1 + Largest(m.tau);
    for (const Wrench& reaction : reactions)
      scale = std::max({scale, reaction.moment.norm(), reaction.force.norm()});
    for (std::size_t k = 0; k < tau.size(); ++k) EXPECT_NEAR(tau[k], m.tau[k], kRounding * scale) << seed;
  }
}

TEST(TreeDynamics, TheMassMatrixIsSymmetricAndTheShareOfForcesIsLinear) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    Moved m(12, seed);
    const std::size_t n = m.tau.size();
    std::vector<std::vector<double>> inverse(n, std::vector<double>(n));
    std::vector<double> unit(n), expected = m.u_rate, more(n), tau = m.tau;
    for (std::size_t k = 0; k < n; ++k) {
      unit.assign(n, 0);
      unit[k] = 1;
      m.dynamics.SolveMass(unit, inverse[k]);
    }
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t i = 0; i < n; ++i) {
        EXPECT_NEAR(inverse[k][i], inverse[i][k], kRounding * (inverse[k][k] + inverse[i][i]));
      }
      tau[k] += static_cast<double>(k);
      for (std::size_t i = 0; i < n; ++i) expected[i] += static_cast<double>(k) * inverse[k][i];
    }
    m.dynamics.Accelerate(m.wrenches, tau, more);
    for (std::size_t i = 0; i < n; ++i)
      EXPECT_NEAR(more[i], expected[i], kRounding * (1 + Largest(expected)));
  }
}

// The power of all forces is the rate of the energy: by a central difference along the motion, so to the
// square of its step.
TEST(TreeDynamics, ThePowerOfTheForcesChangesTheEnergy) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    Moved m(8, seed);
    m.base.velocity = {};
    m.base.acceleration = {};
    m.rotor_inertia.assign(m.rotor_inertia.size(), 0);
    m.dynamics.MoveTo(m.base, m.q, m.u);
    ASSERT_FALSE(m.dynamics.FactorInertia(m.rotor_inertia).has_value());
    m.dynamics.Accelerate(m.wrenches, m.tau, m.u_rate);
    double power = 0;
    for (std::size_t k = 0; k < m.u.size(); ++k) power += m.tau[k] * m.u[k];
    for (std::size_t i = 0; i < m.tree.size(); ++i) power += Power(m.wrenches[i], m.dynamics.VelocityOf(i));
    std::vector<double> q_rate(m.q.size());
    m.tree.FillRates(m.q, m.u, q_rate);
    constexpr double kStep = 1e-5;
    const auto energy = [&](double dt) {
      // u is second order in dt, and q with it, so that the difference quotient has an error of order dt^2.
      std::vector<double> q = m.q, u = m.u;
      for (std::size_t i = 0; i < q.size(); ++i) q[i] += dt * q_rate[i];
      for (std::size_t i = 0; i < u.size(); ++i) u[i] += dt * m.u_rate[i];
      m.dynamics.MoveTo(m.base, q, u);
      return m.dynamics.KineticEnergy() + m.dynamics.PotentialEnergy();
    };
    const double rate = (energy(kStep) - energy(-kStep)) / (2 * kStep);
    const double scale = 1 + std::abs(power) + m.dynamics.KineticEnergy();
    EXPECT_NEAR(rate, power, 1e-5 * scale) << seed;
  }
}

// What moves with the base is as if the base were a free body that moves so.
TEST(TreeDynamics, AMovingBaseIsAFreeBodyThatMovesSo) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    RandomTree on_base(10, seed);
    BodyTree free_tree;
    Draw draw(seed + 1000);
    free_tree.Add(BodyTree::kBase, {}, Joint(JointKind::kFree), draw.Body());
    for (std::size_t i = 0; i < on_base.tree.size(); ++i) {
      const BodyTree::Link& link = on_base.tree[i];
      free_tree.Add(link.carrier == BodyTree::kBase ? 0 : link.carrier + 1, link.at, link.joint, link.body);
    }
    const auto behind = [](std::vector<double> first, const std::vector<double>& rest) {
      first.insert(first.end(), rest.begin(), rest.end());
      return first;
    };
    const auto q = behind({0.1, 0.2, 0.3, 0.5, 0.5, -0.5, 0.5}, on_base.q);
    const auto u = behind({0.3, -0.2, 0.1, 1, -2, 0.5}, on_base.u);
    const auto tau = behind({5, 4, 3, 2, 1, 0}, on_base.tau);
    const auto rotor_inertia = behind(std::vector<double>(6, 0.0), on_base.rotor_inertia);
    auto wrenches = on_base.wrenches;
    wrenches.insert(wrenches.begin(), Wrench{});
    TreeDynamics free(free_tree);
    MovingBase at_rest;
    at_rest.gravity = on_base.base.gravity;
    free.MoveTo(at_rest, q, u);
    ASSERT_FALSE(free.FactorInertia(rotor_inertia).has_value());
    std::vector<double> expected(free_tree.speeds()), found(on_base.tree.speeds());
    free.Accelerate(wrenches, tau, expected);

    TreeDynamics dynamics(on_base.tree);
    dynamics.MoveTo({.pose = free.PoseOf(0),
                     .velocity = free.VelocityOf(0),
                     .acceleration = free.AccelerationOf(0),
                     .gravity = on_base.base.gravity},
                    on_base.q, on_base.u);
    ASSERT_FALSE(dynamics.FactorInertia(on_base.rotor_inertia).has_value());
    dynamics.Accelerate(on_base.wrenches, on_base.tau, found);
    for (std::size_t k = 0; k < found.size(); ++k) {
      EXPECT_NEAR(found[k], expected[k + 6], kRounding * (1 + Largest(expected))) << seed;
    }
  }
}

// (m*l^2 + I)*phi'' = -m*g*l*sin(phi) of a pendulum about the y axis that hangs along -z.
TEST(TreeDynamics, APendulumFollowsItsEquation) {
  BodyTree tree;
  const double mass = 3, l = 0.7, inertia = 0.2;
  tree.Add(BodyTree::kBase, {}, Joint(JointKind::kRevolute, Vector3::UnitY()),
           {.mass = mass, .centre = {0, 0, -l}, .inertia = inertia * Matrix3::Identity()});
  TreeDynamics dynamics(tree);
  for (const double phi : {-2.0, 0.0, 0.4, 3.0}) {
    double u_rate = 0;
    dynamics.MoveTo({}, {&phi, 1}, {&phi, 1});
    const double none = 0;
    ASSERT_FALSE(dynamics.FactorInertia({&none, 1}).has_value());
    const Wrench no_wrench;
    dynamics.Accelerate({&no_wrench, 1}, {&none, 1}, {&u_rate, 1});
    EXPECT_NEAR(u_rate, -mass * 9.81 * l * std::sin(phi) / (mass * l * l + inertia), 1e-13);
    Wrench reaction;
    dynamics.FillReactions({&no_wrench, 1}, {&reaction, 1});
    // The pin carries the weight and turns the centre round it.
    const double along = mass * (9.81 * std::cos(phi) + l * phi * phi);
    const Vector3 force = dynamics.PoseOf(0).R.transpose() * reaction.force;
    EXPECT_NEAR(force.z(), along, 1e-12);
    EXPECT_NEAR(reaction.moment.y(), 0, 1e-12);
  }
}

TEST(TreeDynamics, AFreeBodyTurnsAsEulerSays) {
  Draw draw(7);
  const RigidBody body{.mass = 2, .centre = Vector3::Zero(), .inertia = Vector3(1, 2, 2.5).asDiagonal()};
  BodyTree tree;
  tree.Add(BodyTree::kBase, {}, Joint(JointKind::kSpherical), body);
  TreeDynamics dynamics(tree);
  const std::vector<double> q{0.5, 0.5, 0.5, 0.5}, u{1, 2, 3}, none(3);
  dynamics.MoveTo({}, q, u);
  ASSERT_FALSE(dynamics.FactorInertia(none).has_value());
  std::vector<double> u_rate(3);
  const Wrench no_wrench;
  dynamics.Accelerate({&no_wrench, 1}, none, u_rate);
  // I*w' = -w x I*w
  EXPECT_NEAR(u_rate[0], -(2.5 - 2) * 2 * 3 / 1, 1e-13);
  EXPECT_NEAR(u_rate[1], -(1 - 2.5) * 3 * 1 / 2, 1e-13);
  EXPECT_NEAR(u_rate[2], -(2 - 1) * 1 * 2 / 2.5, 1e-13);
}

TEST(TreeDynamics, ASpeedThatNothingResistsIsNamed) {
  BodyTree tree;
  Draw draw(3);
  tree.Add(BodyTree::kBase, {}, Joint(JointKind::kRevolute), draw.Body());
  tree.Add(0, {Matrix3::Identity(), Vector3(1, 0, 0)}, Joint(JointKind::kPrismatic), {});
  tree.Add(0, {}, Joint(JointKind::kRevolute), draw.Body());
  TreeDynamics dynamics(tree);
  const std::vector<double> zero(3);
  dynamics.MoveTo({}, zero, zero);
  EXPECT_EQ(dynamics.FactorInertia(zero), 1U);
  const std::vector<double> rotors{0, 0.1, 0};
  EXPECT_FALSE(dynamics.FactorInertia(rotors).has_value());
}

}  // namespace
}  // namespace davit::multibody
