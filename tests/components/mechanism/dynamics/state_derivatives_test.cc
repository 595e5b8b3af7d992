#include "components/mechanism/dynamics/state_derivatives.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "components/mechanism/dynamics/loop_dynamics.h"
#include "tests/components/mechanism/dynamics/random_tree.h"

namespace davit::multibody {
namespace {

constexpr double kDecay = 20;
constexpr double kForce = 30;

Anchor RandomAnchor(Draw& draw, std::size_t body) {
  return {.body = body, .at = {draw.Rotation(), draw.Vector(1)}};
}

/// A random tree with loops that are closed at its q, a path over a sheave with a mass, one over a joint, and
/// a point with a force that depends on its place and velocity.
class RandomMechanism : public RandomTree {
 public:
  RandomMechanism(unsigned seed, bool has_loops)
      : RandomTree(7, seed),
        dynamics_(tree),
        closed_(&dynamics_, has_loops ? Loops(seed) : std::vector<Loop>{}, Paths(seed)),
        point_(Point(seed)) {
    Draw draw(seed + 300);
    for (int i = 0; i < 3; ++i) {
      by_place_.col(i) = draw.Vector(50);
      by_velocity_.col(i) = draw.Vector(20);
    }
    std::ranges::fill(wrenches, Wrench{});
    q_rate_.resize(q.size());
    u_rate_.resize(u.size());
    closed_.set_path_mass(0, 3);
    EXPECT_TRUE(closed_.Project(base, rotor_inertia, q, u).has_value());
  }

  /// The rates of q, then those of u.
  std::vector<double> Rates(const std::vector<double>& at_q, const std::vector<double>& at_u) {
    q_closed_ = at_q;
    u_closed_ = at_u;
    EXPECT_TRUE(closed_.Project(base, rotor_inertia, q_closed_, u_closed_).has_value());
    std::vector<Wrench> on_bodies = wrenches;
    AddPathForce(dynamics_, closed_.path(0), kForce, on_bodies);
    const AnchorMotion motion(dynamics_, point_);
    AddForce(dynamics_, point_.body, motion.pose.p, PointForceAt(motion), on_bodies);
    closed_.Accelerate(on_bodies, tau, u_rate_);
    tree.FillRates(q_closed_, u_closed_, q_rate_);
    std::vector<double> rates;
    for (std::size_t i = 0; i < at_q.size(); ++i)
      rates.push_back(q_rate_[i] - kDecay * (at_q[i] - q_closed_[i]));
    for (std::size_t i = 0; i < at_u.size(); ++i)
      rates.push_back(u_rate_[i] - kDecay * (at_u[i] - u_closed_[i]));
    return rates;
  }

  /// Of the last call of Rates.
  StateDerivatives Derivatives() {
    LoopDerivatives known(&closed_);
    const std::vector<LoopDerivatives::PathLoad> loads{{.force = kForce, .mass = 0}};
    known.Evaluate(u_closed_, u_rate_, loads, [&](TreeDerivatives& of_tree) {
      of_tree.AddPointForce(point_, {.force = PointForceAt(AnchorMotion(dynamics_, point_)),
                                     .by_place = by_place_,
                                     .by_velocity = by_velocity_});
    });
    StateDerivatives derivatives(tree, known.has_loops());
    derivatives.Begin(known, q_closed_, u_closed_, kDecay);
    derivatives.Finish(q);
    return derivatives;
  }

 private:
  Vector3 PointForceAt(const AnchorMotion& motion) const {
    return by_place_ * motion.pose.p + by_velocity_ * motion.v;
  }
  std::vector<Loop> Loops(unsigned seed) {
    Draw draw(seed + 100);
    dynamics_.MoveTo(base, q, u);
    const Anchor a = RandomAnchor(draw, 1);
    Anchor b = RandomAnchor(draw, tree.size() - 1);
    b.at = dynamics_.PoseOf(b.body).Inverse() * (dynamics_.PoseOf(a.body) * a.at);
    const auto kind = static_cast<JointKind>(1 + seed % (kJointKindNames.size() - 1));
    const Anchor c = RandomAnchor(draw, BodyTree::kBase), d = RandomAnchor(draw, 4);
    const double length = (dynamics_.PoseOf(d.body) * d.at.p - dynamics_.PoseOf(c.body) * c.at.p).norm();
    return {Loop::OfJoint(a, b, Joint(kind, draw.Direction(), draw.Direction())),
            Loop::OfDistance(c, d, length)};
  }
  std::vector<Path> Paths(unsigned seed) {
    Draw draw(seed + 200);
    return {{RandomAnchor(draw, 0), RandomAnchor(draw, BodyTree::kBase), RandomAnchor(draw, 5)}};
  }
  Anchor Point(unsigned seed) {
    Draw draw(seed + 400);
    return RandomAnchor(draw, 3);
  }

  TreeDynamics dynamics_;
  LoopDynamics closed_;
  Anchor point_;
  Matrix3 by_place_, by_velocity_;
  std::vector<double> q_closed_, u_closed_, q_rate_, u_rate_;
};

// The derivatives are those of the rates, by central differences: to the square of the step.
void ExpectDerivatives(bool has_loops) {
  int compared = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    RandomMechanism m(seed, has_loops);
    // Loops must leave some freedom.
    if (has_loops && m.tree.speeds() < 14) continue;
    ++compared;
    m.Rates(m.q, m.u);
    const StateDerivatives known = m.Derivatives();
    constexpr double kStep = 1e-6;
    const std::size_t positions = m.q.size();
    for (std::size_t j = 0; j < positions + m.u.size(); ++j) {
      const auto at = [&](double step) {
        std::vector<double> q = m.q, u = m.u;
        (j < positions ? q[j] : u[j - positions]) += step;
        return m.Rates(q, u);
      };
      const std::vector<double> above = at(kStep), below = at(-kStep);
      double largest = 1;
      for (const double rate : above) largest = std::max(largest, std::abs(rate));
      for (std::size_t i = 0; i < above.size(); ++i) {
        const double expected = (above[i] - below[i]) / (2 * kStep);
        const auto& block = i < positions ? (j < positions ? known.q_by_q() : known.q_by_u())
                                          : (j < positions ? known.u_by_q() : known.u_by_u());
        const double found = block(static_cast<Eigen::Index>(i < positions ? i : i - positions),
                                   static_cast<Eigen::Index>(j < positions ? j : j - positions));
        EXPECT_NEAR(found, expected, 1e-5 * (largest + std::abs(expected))) << seed << ' ' << i << ' ' << j;
      }
    }
  }
  EXPECT_GT(compared, 30);
}

TEST(StateDerivatives, AreThoseOfTheRatesOfATree) { ExpectDerivatives(false); }

TEST(StateDerivatives, AreThoseOfTheRatesWithLoops) { ExpectDerivatives(true); }

// A path over one joint has the length, the lever arm and the curvature of any path.
TEST(JointPath, IsThePathThatItSpans) {
  int compared = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    RandomTree m(6, seed);
    TreeDynamics dynamics(m.tree);
    dynamics.MoveTo(m.base, m.q, m.u);
    std::vector<double> at_rest(m.u.size());
    Draw draw(seed);
    for (std::size_t i = 0; i < m.tree.size(); ++i) {
      const Path path{RandomAnchor(draw, i), RandomAnchor(draw, m.tree[i].carrier)};
      const auto over = JointPath::Of(m.tree, path);
      EXPECT_EQ(over.has_value(), m.tree[i].joint.speeds() == 1);
      if (!over) continue;
      ++compared;
      dynamics.SetAccelerations(at_rest);
      const PathValue value(dynamics, path);
      const SpannedJoint::Point point = over->At(dynamics);
      const double u = m.u[over->speed()];
      EXPECT_NEAR(point.length, value.length, 1e-12);
      EXPECT_NEAR(point.lever_arm * u, value.rate, 1e-12);
      EXPECT_NEAR(point.curvature * u * u, value.second_rate, 1e-10);
    }
  }
  EXPECT_GT(compared, 30);
}

}  // namespace
}  // namespace davit::multibody
