#include "components/mechanism/dynamics/loop.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "components/mechanism/dynamics/loop_dynamics.h"
#include "tests/components/mechanism/dynamics/random_tree.h"

namespace davit::multibody {
namespace {

/// A loop of each kind between random anchors of random bodies.
std::vector<Loop> RandomLoops(const BodyTree& tree, unsigned seed) {
  Draw draw(seed);
  const auto anchor = [&](bool may_be_base) {
    const std::size_t body = draw.Index(tree.size() + (may_be_base ? 1 : 0));
    return Anchor{.body = body == tree.size() ? BodyTree::kBase : body,
                  .at = {draw.Rotation(), draw.Vector(1)}};
  };
  std::vector<Loop> loops;
  for (std::size_t kind = 0; kind < kJointKindNames.size(); ++kind) {
    const Anchor a = anchor(true), b = anchor(false);
    loops.push_back(
        Loop::OfJoint(a, b, Joint(static_cast<JointKind>(kind), draw.Direction(), draw.Direction())));
  }
  const Anchor a = anchor(true);
  loops.push_back(Loop::OfDistance(a, anchor(false), 1));
  return loops;
}

/// The base at rest, with the accelerations of the tree under its forces.
struct Moving : RandomTree {
  explicit Moving(unsigned seed) : RandomTree(8, seed, true), dynamics(tree), u_rate(tree.speeds()) {
    base.velocity = base.acceleration = {};
    Move(q, u);
  }
  void Move(std::span<const double> positions, std::span<const double> speeds) {
    dynamics.MoveTo(base, positions, speeds);
    ASSERT_FALSE(dynamics.FactorInertia(rotor_inertia).has_value());
    dynamics.Accelerate(wrenches, tau, u_rate);
  }
  TreeDynamics dynamics;
  std::vector<double> u_rate;
};

// phi' and phi'' are the derivatives of phi and phi' along the motion; central differences, so the square of
// the step.
TEST(Loop, RatesAreTheDerivativesOfTheError) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    Moving m(seed);
    const std::vector<double> u_rate = m.u_rate;
    for (const Loop& loop : RandomLoops(m.tree, seed)) {
      for (const LoopEquation& equation : loop.equations()) {
        const auto value = [&] {
          return LoopValue(equation, AnchorMotion(m.dynamics, loop.a()), AnchorMotion(m.dynamics, loop.b()));
        };
        m.Move(m.q, m.u);
        const LoopValue here = value();
        constexpr double kStep = 1e-5;
        const auto at = [&](double dt) {
          // q to second order: from the rates in the middle of the step.
          std::vector<double> u_half = m.u, u_end = m.u, q = m.q, rate(q.size());
          for (std::size_t k = 0; k < u_end.size(); ++k) {
            u_half[k] += dt / 2 * u_rate[k];
            u_end[k] += dt * u_rate[k];
          }
          std::vector<double> q_half = m.q;
          m.tree.FillRates(m.q, m.u, rate);
          for (std::size_t k = 0; k < q.size(); ++k) q_half[k] += dt / 2 * rate[k];
          m.tree.FillRates(q_half, u_half, rate);
          for (std::size_t k = 0; k < q.size(); ++k) q[k] += dt * rate[k];
          m.Move(q, u_end);
          return value();
        };
        const LoopValue before = at(-kStep), after = at(kStep);
        const double scale = 1 + std::abs(here.rate) + std::abs(here.second_rate);
        EXPECT_NEAR((after.phi - before.phi) / (2 * kStep), here.rate, 1e-5 * scale) << seed;
        EXPECT_NEAR((after.rate - before.rate) / (2 * kStep), here.second_rate, 1e-4 * scale) << seed;
      }
    }
  }
}

TEST(Loop, ItsRowMakesItsRateOfTheSpeeds) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    Moving m(seed);
    for (const Loop& loop : RandomLoops(m.tree, seed)) {
      for (const LoopEquation& equation : loop.equations()) {
        const LoopValue value(equation, AnchorMotion(m.dynamics, loop.a()),
                              AnchorMotion(m.dynamics, loop.b()));
        std::vector<double> row(m.u.size());
        AddBodyRow(m.dynamics, loop.b().body, value.on_b, 1, row);
        AddBodyRow(m.dynamics, loop.a().body, value.on_b, -1, row);
        double rate = 0;
        for (std::size_t k = 0; k < row.size(); ++k) rate += row[k] * m.u[k];
        EXPECT_NEAR(rate, value.rate, 1e-11 * (1 + std::abs(value.rate))) << seed;
      }
    }
  }
}

// With kappa = 0 the accelerations leave the rates of the loops as they are, also with equations that repeat
// others; and the reactions with the forces of the loops are those of a tree under them.
TEST(LoopDynamics, LoopsStayAsTheyMoveWithRedundantEquations) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    Moving m(seed);
    // Four equations bind at least as many speeds between the two bodies.
    if (m.tree[6].speed_begin + m.tree[6].joint.speeds() - m.tree[3].speed_begin < 4) continue;
    Draw draw(seed + 50);
    const Anchor a{.body = 2, .at = {draw.Rotation(), draw.Vector(1)}};
    const Anchor b{.body = 6, .at = {draw.Rotation(), draw.Vector(1)}};
    const Loop loop = Loop::OfDistance(a, b, 1);
    const std::vector<Loop> loops{loop, loop, Loop::OfJoint(a, b, Joint(JointKind::kPlanar))};
    LoopDynamics closed(&m.dynamics, loops);
    closed.Accelerate(m.wrenches, m.tau, m.u_rate);
    for (const Loop& each : loops) {
      for (const LoopEquation& equation : each.equations()) {
        const LoopValue value(equation, AnchorMotion(m.dynamics, a), AnchorMotion(m.dynamics, b));
        EXPECT_NEAR(value.second_rate, 0, 1e-8) << seed;
      }
    }
    std::vector<Wrench> wrenches = m.wrenches, reactions(m.tree.size());
    closed.AddLoopWrenches(wrenches);
    m.dynamics.FillReactions(wrenches, reactions);
    std::vector<double> tau(m.tau.size());
    m.dynamics.FillJointForces(reactions, m.u_rate, tau);
    for (std::size_t k = 0; k < tau.size(); ++k)
      EXPECT_NEAR(tau[k], m.tau[k], 1e-7 * (1 + std::abs(m.tau[k])));
  }
}

// A mass that a body drives through a distance is as if it were part of a slider.
TEST(LoopDynamics, ADistanceMassMovesLikeASlider) {
  BodyTree alone, with_mass;
  const RigidBody light{.mass = 2, .inertia = Matrix3::Identity()};
  const RigidBody heavy{.mass = 5, .inertia = Matrix3::Identity()};
  alone.Add(BodyTree::kBase, {}, Joint(JointKind::kPrismatic, Vector3::UnitX()), light);
  with_mass.Add(BodyTree::kBase, {}, Joint(JointKind::kPrismatic, Vector3::UnitX()), heavy);
  const double q = 0.4, u = 0.3, tau = 7, none = 0;
  const Wrench no_wrench;
  double expected = 0, found = 0;
  TreeDynamics heavy_dynamics(with_mass), dynamics(alone);
  for (TreeDynamics* d : {&heavy_dynamics, &dynamics}) {
    d->MoveTo({}, {&q, 1}, {&u, 1});
    ASSERT_FALSE(d->FactorInertia({&none, 1}).has_value());
  }
  heavy_dynamics.Accelerate({&no_wrench, 1}, {&tau, 1}, {&expected, 1});
  LoopDynamics closed(&dynamics, {}, {{{}, {.body = 0, .at = {}}}});
  closed.set_path_mass(0, 3);
  closed.Accelerate({&no_wrench, 1}, {&tau, 1}, {&found, 1});
  EXPECT_NEAR(found, expected, 1e-14);
  closed.set_path_mass(0, 0);
  closed.Accelerate({&no_wrench, 1}, {&tau, 1}, {&found, 1});
  EXPECT_NEAR(found, 3.5, 1e-14);
}

/// Runge and Kutta's method of fourth order for a mechanism with loops.
class LoopRun {
 public:
  LoopRun(const BodyTree& tree, const Loop& loop, std::vector<double> q)
      : tree_(&tree), dynamics_(tree), closed_(&dynamics_, {&loop, 1}), y_(std::move(q)) {
    y_.resize(tree.positions() + tree.speeds());
  }
  std::span<double> q() { return std::span(y_).first(tree_->positions()); }
  std::span<double> u() { return std::span(y_).subspan(tree_->positions()); }
  double Energy() {
    Rates(y_);
    return dynamics_.KineticEnergy() + dynamics_.PotentialEnergy();
  }
  double LoopError() {
    Rates(y_);
    return error_;
  }
  void Step(double h) {
    const auto moved = [&](const std::vector<double>& slope, double dt) {
      std::vector<double> y = y_;
      for (std::size_t i = 0; i < y.size(); ++i) y[i] += dt * slope[i];
      return y;
    };
    const auto k1 = Rates(y_), k2 = Rates(moved(k1, h / 2)), k3 = Rates(moved(k2, h / 2)),
               k4 = Rates(moved(k3, h));
    for (std::size_t i = 0; i < y_.size(); ++i) y_[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }

 private:
  std::vector<double> Rates(const std::vector<double>& y) {
    const std::size_t n = tree_->positions();
    std::vector<double> rates(y.size());
    const std::vector<double> none(tree_->speeds());
    const std::vector<Wrench> no_wrenches(tree_->size());
    std::vector<double> closed = y;
    const std::span<double> closed_q = std::span(closed).first(n), closed_u = std::span(closed).subspan(n);
    error_ = closed_.Project({}, none, closed_q, closed_u).value();
    closed_.Accelerate(no_wrenches, none, std::span(rates).subspan(n));
    tree_->FillRates(closed_q, closed_u, std::span(rates).first(n));
    for (std::size_t i = 0; i < y.size(); ++i) rates[i] -= 100 * (y[i] - closed[i]);
    return rates;
  }

  const BodyTree* tree_;
  TreeDynamics dynamics_;
  LoopDynamics closed_;
  std::vector<double> y_;
  double error_ = 0;
};

/// A rod of length 1 along x from its joint, 1 kg.
RigidBody Rod() {
  return {.mass = 1, .centre = {0.5, 0, 0}, .inertia = Vector3(0, 1.0 / 12, 1.0 / 12).asDiagonal()};
}
Pose Shifted(double x, double y = 0, double z = 0) { return {Matrix3::Identity(), {x, y, z}}; }

// Bricard's mechanism: six rods of 1 m that form the edges of a cube, six revolute joints, each normal to
// both of its rods, one degree of freedom, closed by five equations of which one repeats the others (IFToMM
// benchmark A04).
TEST(LoopDynamics, BricardsMechanismKeepsItsEnergyAndItsLoop) {
  BodyTree tree;
  // Edges of a cube: +x, -z, +y, -x, +z closes with -y fixed to the base.
  const Vector3 edges[] = {Vector3::UnitX(), -Vector3::UnitZ(), Vector3::UnitY(), -Vector3::UnitX(),
                           Vector3::UnitZ()};
  Vector3 corner = Vector3::Zero();
  std::size_t carrier = BodyTree::kBase;
  Vector3 before = -Vector3::UnitY();  // the edge that is fixed
  Vector3 carrier_at = Vector3::Zero();
  for (const Vector3& edge : edges) {
    const Vector3 axis = before.cross(edge);
    RigidBody rod{
        .mass = 1, .centre = edge / 2, .inertia = (Matrix3::Identity() - edge * edge.transpose()) / 12};
    carrier =
        tree.Add(carrier, {Matrix3::Identity(), corner - carrier_at}, Joint(JointKind::kRevolute, axis), rod);
    carrier_at = corner;
    corner += edge;
    before = edge;
  }
  // Back at the begin of the fixed edge.
  const Vector3 axis = before.cross(-Vector3::UnitY());
  const Loop loop = Loop::OfJoint({.body = carrier, .at = {Matrix3::Identity(), corner - carrier_at}},
                                  {.body = BodyTree::kBase, .at = {Matrix3::Identity(), corner}},
                                  Joint(JointKind::kRevolute, axis));
  LoopRun run(tree, loop, std::vector<double>(5));
  EXPECT_LT((corner - Vector3::UnitY()).norm(), 1e-15);
  const double energy = run.Energy();
  EXPECT_LT(run.LoopError(), 1e-15);
  double lowest = 0, largest_error = 0;
  for (int i = 0; i < 20000; ++i) {
    run.Step(5e-4);
    if (i % 100 == 0) {
      largest_error = std::max(largest_error, run.LoopError());
      lowest = std::max(lowest, std::abs(run.Energy() - energy));
    }
  }
  EXPECT_LT(lowest, 1e-8 * 9.81);
  EXPECT_LT(largest_error, 1e-10);
  EXPECT_GT(std::abs(run.u()[0]), 1e-3);  // it moves
}

// Two bars between the ground and a coupler of the same length pass positions in which all bars lie on one
// line (IFToMM benchmark A02 with N = 1): energy and loop are kept through them.
TEST(LoopDynamics, AFourBarPassesItsSingularPositions) {
  BodyTree tree;
  const Joint pin(JointKind::kRevolute, -Vector3::UnitY());  // positive angles lift a rod along x
  // Upright crank, horizontal coupler, rocker that hangs from its end and is closed at the ground.
  const std::size_t crank = tree.Add(BodyTree::kBase, {}, pin, Rod());
  const std::size_t coupler = tree.Add(crank, Shifted(1), pin, Rod());
  const std::size_t rocker = tree.Add(coupler, Shifted(1), pin, Rod());
  const Loop loop =
      Loop::OfJoint({.body = rocker, .at = Shifted(1)}, {.body = BodyTree::kBase, .at = Shifted(1)}, pin);
  const double right = std::numbers::pi / 2;
  LoopRun run(tree, loop, {right, -right, -right});
  ASSERT_LT(run.LoopError(), 1e-15);
  // The coupler end starts with 1 m/s: the coupler moves along, crank and rocker turn alike.
  run.u()[0] = -1;
  run.u()[1] = 1;
  run.u()[2] = -1;
  const double energy = run.Energy();
  double drift = 0, error = 0;
  int turns = 0;
  double before = run.q()[0];
  for (int i = 0; i < 20000; ++i) {
    run.Step(5e-4);
    if (std::floor(run.q()[0] / std::numbers::pi) != std::floor(before / std::numbers::pi)) ++turns;
    before = run.q()[0];
    if (i % 100 == 0) {
      error = std::max(error, run.LoopError());
      drift = std::max(drift, std::abs(run.Energy() - energy));
    }
  }
  EXPECT_GT(turns, 5);
  EXPECT_LT(drift, 1e-8 * energy);
  EXPECT_LT(error, 1e-10);
}

}  // namespace
}  // namespace davit::multibody
