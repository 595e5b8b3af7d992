#include "components/hydraulic/laws/counterbalance_law.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>

#include "tests/support/random_values.h"

namespace davit {
namespace {

TEST(CounterbalanceLawTest, PilotOpensBetweenItsPressures) {
  EXPECT_EQ(PilotOpening(25e5, 25e5, 250e5), 0);
  EXPECT_DOUBLE_EQ(PilotOpening(137.5e5, 25e5, 250e5), 0.5);
  EXPECT_EQ(PilotOpening(300e5, 25e5, 250e5), 1);
}

TEST(CounterbalanceLawTest, PilotPressureToOpenOverLoadAndRatio) {
  struct Row {
    double psi;
    std::array<double, 3> pilot;  // [bar], at a load of 50, 120 and 200 bar
  };
  for (const Row& row : {Row{3, {66.6667, 43.3333, 16.6667}}, Row{4.5, {44.4444, 28.8889, 11.1111}},
                         Row{8, {25, 16.25, 6.25}}}) {
    const CounterbalanceForces forces{.p_set = 250e5, .psi = row.psi};
    const std::array<double, 3> loads{50e5, 120e5, 200e5};
    for (std::size_t i = 0; i < loads.size(); ++i) {
      EXPECT_NEAR(forces.PilotToOpen(loads[i], 0) / 1e5, row.pilot[i], 0.5e-4);
      EXPECT_EQ(forces.Opening(forces.PilotToOpen(loads[i], 0) - 1, loads[i], 0), 0);
      EXPECT_GT(forces.Opening(forces.PilotToOpen(loads[i], 0) + 1, loads[i], 0), 0);
    }
  }
}

/// Erratum 37: load and setting count; a load above the setting opens without pilot.
TEST(CounterbalanceLawTest, RelievesALoadAboveItsSetting) {
  const CounterbalanceForces forces;
  EXPECT_EQ(forces.Opening(0, 249e5, 0), 0);
  EXPECT_DOUBLE_EQ(forces.Opening(0, 275e5, 0), 0.5);
  EXPECT_EQ(forces.Opening(0, 300e5, 0), 1);
}

TEST(CounterbalanceLawTest, BackPressureHoldsItShut) {
  CounterbalanceForces forces;
  EXPECT_EQ(forces.Opening(0, 275e5, 25e5), 0);
  forces.k_back = 0;  // vented
  EXPECT_DOUBLE_EQ(forces.Opening(0, 275e5, 25e5), 0.5);
}

RC_GTEST_PROP(CounterbalanceLawTest, IsShutBelowItsSetting, ()) {
  const CounterbalanceForces forces{.psi = 1 + RandomDecades(-1, 1)};
  const double p_C = RandomDecades(4, 8), p_pilot = RandomDecades(4, 8), p_A = RandomDecades(3, 8);
  RC_PRE(forces.psi * p_pilot + p_C < forces.p_set);
  RC_ASSERT(forces.Opening(p_pilot, p_C, p_A) == 0);
}

RC_GTEST_PROP(CounterbalanceLawTest, IsBetweenShutAndOpenForAnyFiniteInput, ()) {
  const double limit = 1e300;
  const auto any = [&] { return std::clamp(AnyFinite(), -limit, limit); };
  const double r = CounterbalanceForces{}.Opening(any(), any(), any());
  RC_ASSERT(r >= 0);
  RC_ASSERT(r <= 1);
}

}  // namespace
}  // namespace davit
