#include "components/hydraulic/laws/solve_opening.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/random_values.h"

namespace davit {
namespace {

TEST(SolveOpeningTest, EndsAreExact) {
  EXPECT_EQ(SolveOpening([](double) { return 0.0; }), 0);
  EXPECT_EQ(SolveOpening([](double) { return 1.0; }), 1);
}

// r = clip(s*(r_0 - r)) has the solution s*r_0/(1 + s), up to 1.
RC_GTEST_PROP(SolveOpeningTest, FindsTheRootOfAFallingLine, ()) {
  const double s = RandomDecades(-3, 9), r_0 = RandomDecades(-3, 1);
  const double r = SolveOpening([&](double at) { return std::clamp(s * (r_0 - at), 0.0, 1.0); });
  RC_ASSERT(std::abs(r - std::min(s * r_0 / (1 + s), 1.0)) <= 1e-14);
}

}  // namespace
}  // namespace davit
