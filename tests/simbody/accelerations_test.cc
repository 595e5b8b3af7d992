#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "components/mechanism/dynamics/tree_dynamics.h"
#include "tests/components/mechanism/dynamics/random_tree.h"
#include "tests/partners/links_of.h"
#include "tests/partners/simbody_tree.h"

namespace davit::multibody {
namespace {

/// A random tree on a base at rest; wrenches on its bodies stand for all forces, as joints have other forces
/// in Simbody.
struct OursAtRest : RandomTree {
  OursAtRest(std::size_t bodies, unsigned seed)
      : RandomTree(bodies, seed), dynamics(tree), u_rate(tree.speeds()) {
    tau.assign(tau.size(), 0);
    rotor_inertia.assign(rotor_inertia.size(), 0);
    const Vector3 gravity = base.gravity;
    base = {};
    base.gravity = gravity;
    dynamics.MoveTo(base, q, u);
    EXPECT_FALSE(dynamics.FactorInertia(rotor_inertia).has_value());
    dynamics.Accelerate(wrenches, tau, u_rate);
  }
  TreeDynamics dynamics;
  std::vector<double> u_rate;
};

TEST(SimbodyPartner, AccelerationsAndReactionsOfRandomTreesAreTheSame) {
  double worst = 0;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    const OursAtRest ours(1 + seed % 30, seed);
    SimbodyTree simbody(LinksOf(ours), ours.base.gravity);
    simbody.Realize();
    const std::vector<SimbodyMotion> theirs = simbody.Motions();
    std::vector<Wrench> reactions(ours.tree.size());
    ours.dynamics.FillReactions(ours.wrenches, reactions);
    double acceleration = 1, off = 0, force = 1, force_off = 0;
    for (std::size_t i = 0; i < ours.tree.size(); ++i) {
      const SimbodyMotion& expected = theirs[i];
      const Pose& pose = ours.dynamics.PoseOf(i);
      ASSERT_LT((pose.p - expected.p).norm(), 1e-12 * (1 + pose.p.norm())) << seed;
      const Motion v = ours.dynamics.VelocityOf(i), a = ours.dynamics.AccelerationOf(i);
      const Vector3 linear = a.linear + v.angular.cross(v.linear), angular = a.angular;
      acceleration = std::max({acceleration, expected.linear.norm(), expected.angular.norm()});
      off = std::max({off, (linear - expected.linear).norm(), (angular - expected.angular).norm()});
      force = std::max({force, expected.moment.norm(), expected.force.norm()});
      force_off = std::max({force_off, (reactions[i].moment - expected.moment).norm(),
                            (reactions[i].force - expected.force).norm()});
    }
    EXPECT_LT(off, 1e-10 * acceleration) << seed;
    EXPECT_LT(force_off, 1e-10 * force) << seed;
    worst = std::max({worst, off / acceleration, force_off / force});
  }
  RecordProperty("largest_relative_difference", testing::PrintToString(worst));
}

}  // namespace
}  // namespace davit::multibody
