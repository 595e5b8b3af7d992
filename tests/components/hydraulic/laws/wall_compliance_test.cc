#include "components/hydraulic/laws/wall_compliance.h"
#include "tests/components/hydraulic/lifting_data.h"

#include <gtest/gtest.h>

namespace davit {
namespace {

constexpr double kE = 180e9;
constexpr double kPoisson = 0.3;

/// Errata 2 to 4: walls make oil softer, never stiffer.
TEST(WallComplianceTest, SteelTubesMakeOilSofter) {
  struct Tube {
    double d1, d2, thick, thin, wrong_sign;
  };
  for (const Tube& tube : {Tube{.283, .343, 1.455967e9, 1.464208e9, 1.763553e9},
                           Tube{.283, .323, 1.402787e9, 1.410106e9, 1.848998e9},
                           Tube{.283, .299, 1.203993e9, 1.209068e9, 2.364532e9},
                           Tube{.049, .057, 1.423764e9, 1.431412e9, 1.813602e9},
                           Tube{.049, .051, 1.103482e9, 1.107692e9, 2.88e9}}) {
    SCOPED_TRACE(tube.d2);
    const double thin = ThinWallCompliance(tube.d1, tube.d2, kE);
    EXPECT_NEAR(WithWall(kBeta, ThickWallCompliance(tube.d1, tube.d2, kE, kPoisson)), tube.thick, 500);
    EXPECT_NEAR(WithWall(kBeta, thin), tube.thin, 500);
    EXPECT_NEAR(WithWall(kBeta, -thin), tube.wrong_sign, 500);
    EXPECT_LT(tube.thick, kBeta);
    EXPECT_LT(tube.thin, kBeta);
  }
}

TEST(WallComplianceTest, ThickFormulaIsMerritts) {
  const double d1 = 0.283, d2 = 0.343;
  const double merritt = 2 / kE * ((1 + kPoisson) * d2 * d2 + (1 - kPoisson) * d1 * d1) / (d2 * d2 - d1 * d1);
  EXPECT_NEAR(ThickWallCompliance(d1, d2, kE, kPoisson), merritt, 1e-15 * merritt);
}

TEST(WallComplianceTest, ThickBecomesThinWithTheWall) {
  const double d = 0.1;
  for (const double e : {1e-3, 1e-4, 1e-5}) {
    const double thin = ThinWallCompliance(d, d + 2 * e, kE);
    EXPECT_NEAR(ThickWallCompliance(d, d + 2 * e, kE, kPoisson) / thin, 1, 1.3 * 2 * e / d);
    EXPECT_NEAR(thin, (d + e) / (kE * e), 1e-9 * thin);
  }
}

/// Erratum 3: thin up to e = d1/10, not d1/20.
TEST(WallComplianceTest, ThinUpToATenthOfTheDiameter) {
  EXPECT_TRUE(IsThinWall(0.1, 0.1199));
  EXPECT_FALSE(IsThinWall(0.1, 0.1201));
}

/// Erratum 5: the factor of the anchoring has Poisson's ratio in it.
TEST(WallComplianceTest, AnchoringFactors) {
  EXPECT_EQ(AnchoringFactor(PipeAnchoring::kExpansionJoints, 0.3), 1);
  EXPECT_EQ(AnchoringFactor(PipeAnchoring::kUpstream, 0.3), 0.85);
  EXPECT_EQ(AnchoringFactor(PipeAnchoring::kThroughout, 0.3), 0.91);
}

}  // namespace
}  // namespace davit
