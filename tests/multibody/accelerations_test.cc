#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "components/mechanism/dynamics/tree_dynamics.h"
#include "tests/components/mechanism/dynamics/random_tree.h"
#include "tests/partners/links_of.h"
#ifdef DAVIT_HAS_DART
#include "tests/partners/dart_tree.h"
#endif
#ifdef DAVIT_HAS_SIMBODY
#include "tests/partners/simbody_tree.h"
#endif

namespace davit::multibody {
namespace {

/// A random tree on a base at rest; wrenches on its bodies stand for all forces, as joints have other forces
/// elsewhere.
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

/// Accelerations and reactions of random trees are the same as those of the partner's class Tree.
template <class Tree>
void ExpectTheSame() {
  double worst = 0;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    const OursAtRest ours(1 + seed % 30, seed);
    Tree tree(LinksOf(ours), ours.base.gravity);
    tree.Realize();
    const std::vector<PartnerMotion> theirs = tree.Motions();
    std::vector<Wrench> reactions(ours.tree.size());
    ours.dynamics.FillReactions(ours.wrenches, reactions);
    double acceleration = 1, off = 0, force = 1, force_off = 0;
    for (std::size_t i = 0; i < ours.tree.size(); ++i) {
      const PartnerMotion& expected = theirs[i];
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
  testing::Test::RecordProperty("largest_relative_difference", testing::PrintToString(worst));
}

#ifdef DAVIT_HAS_SIMBODY
TEST(Simbody, AccelerationsAndReactionsOfRandomTreesAreTheSame) { ExpectTheSame<SimbodyTree>(); }
#endif
#ifdef DAVIT_HAS_DART
TEST(Dart, AccelerationsAndReactionsOfRandomTreesAreTheSame) { ExpectTheSame<DartTree>(); }
#endif

}  // namespace
}  // namespace davit::multibody
