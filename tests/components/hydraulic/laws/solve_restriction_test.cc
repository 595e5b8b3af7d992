#include "components/hydraulic/laws/solve_restriction.h"

#include <gtest/gtest.h>

#include <cmath>

namespace davit {
namespace {

TEST(SolveRestrictionTest, IsExactForALinearLaw) {
  const auto law = [](double dp) { return FlowAndSlope{2e-9 * dp, 2e-9}; };
  for (const double dc : {-3e7, -1.0, 1e-6, 1e5, 3e7}) {
    EXPECT_DOUBLE_EQ(SolveRestriction(dc, 1e9, law), 2e-9 * dc / (1 + 2e-9 * 1e9));
  }
  EXPECT_EQ(SolveRestriction(0, 1e9, law), 0);
}

TEST(SolveRestrictionTest, FindsTheRootOfALawWithAnInfiniteSlope) {
  // dp + Zs sqrt(dp) = dc is a quadratic equation for sqrt(dp).
  const auto law = [](double dp) {
    const double root = std::sqrt(std::abs(dp));
    return FlowAndSlope{std::copysign(root, dp), 0.5 / root};
  };
  for (const double Zs : {1e-3, 1.0, 1e3, 1e6}) {
    for (const double dc : {1e-3, 1.0, 1e7}) {
      const double q = 2 * dc / (Zs + std::sqrt(Zs * Zs + 4 * dc));
      EXPECT_NEAR(SolveRestriction(dc, Zs, law), q, 1e-12 * q);
      EXPECT_NEAR(SolveRestriction(-dc, Zs, law), -q, 1e-12 * q);
    }
  }
}

TEST(SolveRestrictionTest, PassesKinks) {
  // Shut below 10, saturated above 11.
  const auto law = [](double dp) {
    return dp < 10 ? FlowAndSlope{0, 0} : dp < 11 ? FlowAndSlope{dp - 10, 1} : FlowAndSlope{1, 0};
  };
  EXPECT_EQ(SolveRestriction(9, 100, law), 0);
  EXPECT_NEAR(SolveRestriction(60.5, 100, law), 50.5 / 101, 1e-13);
  EXPECT_NEAR(SolveRestriction(500, 100, law), 1, 1e-13);
}

TEST(SolveRestrictionTest, DoesNotGoBackAndForthBetweenTheEndsOfTheBracket) {
  // Newton leads from 4 to 0 and, as the law is flat there, from 0 to 4.
  const auto law = [](double dp) {
    return dp <= 0 ? FlowAndSlope{-4, 0} : FlowAndSlope{dp * dp / 4 - 4 + 4e-9, dp / 2};
  };
  const double q = SolveRestriction(0, 1, {0, 4, 4}, law);
  const double dp = -q;  // dc = 0, Zs = 1
  EXPECT_NEAR(dp + dp * dp / 4 - 4 + 4e-9, 0, 1e-12);
}

TEST(SolveRestrictionTest, ADifferenceQuotientServesAsASlope) {
  const auto law = [](double dp) { return 1e-9 * dp + 1e-16 * dp * std::abs(dp); };
  for (const double dc : {-3e7, -1e3, 1.0, 1e5, 3e7}) {
    const double q = SolveRestriction(dc, 1e9, [&](double dp) { return WithQuotient(law, dp); });
    EXPECT_NEAR(q, law(dc - 1e9 * q), 1e-12 * std::abs(q));
  }
}

TEST(SolveRestrictionTest, AQuotientThatReachesOverAKinkLeadsThereTooIfMoreSlowly) {
  for (const double kink : {0.0, 10.0}) {
    const auto law = [kink](double dp) { return dp < kink ? 2e-7 * (dp - kink) : 1e-12 * (dp - kink); };
    for (const double below : {0.04, 0.05, 0.06, 0.09}) {
      const double root = kink - below;
      const double Zs = 6e11;
      const double dc = root + Zs * law(root);
      // The longest way round: the whole bracket is known.
      const RestrictionBracket bracket{dc, kink + 1e4, kink + 1e4};
      const double q = SolveRestriction(dc, Zs, bracket, [&](double dp) { return WithQuotient(law, dp); });
      EXPECT_NEAR(q, law(root), 1e-12 * std::abs(law(root))) << kink << ' ' << below;
    }
  }
}

TEST(SolveRestrictionTest, EndsWithNumbersThatAreNotFinite) {
  const auto law = [](double dp) { return FlowAndSlope{dp, 1}; };
  EXPECT_TRUE(std::isnan(SolveRestriction(std::nan(""), 1, law)));
}

}  // namespace
}  // namespace davit
