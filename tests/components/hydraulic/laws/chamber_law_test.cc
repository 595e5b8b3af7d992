#include "components/hydraulic/laws/chamber_law.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "tests/components/hydraulic/lifting_data.h"
#include "tests/support/random_values.h"

namespace davit {
namespace {

TEST(ChamberLawTest, BothFormsAgreeInAFixedVolume) {
  const double V = 0.0483, q = 479.52 / 6e4;
  const double seconds = (300e5 - 1e5) / PressureRate(kBeta, V, q, 0);
  EXPECT_NEAR(seconds, .112939, 0.5e-6);
  EXPECT_NEAR(QuantityPressure(kBeta, QuantityAt(kBeta, 1e5, V) + q * seconds, V), 300e5, 1e-6);
}

/// Erratum 26: the quantity form moves (1 + p/beta) times the volume of the wall.
RC_GTEST_PROP(ChamberLawTest, QuantityFormMovesMoreOilThanItsWall, ()) {
  const double V = RandomDecades(-4, 0), dV = RandomDecades(-6, -2), p = RandomDecades(5, 8);
  // p stays the same if Q = p V/beta grows with V: Q' = p dV/beta.
  const double q = dV + p * dV / kBeta;
  RC_ASSERT(std::abs(q - (1 + p / kBeta) * dV) <= 1e-15 * q);
  const double h = 1e-3 * V / dV;
  const double Q = QuantityAt(kBeta, p, V) + h * (q - dV);
  RC_ASSERT(std::abs(QuantityPressure(kBeta, Q, V + h * dV) - p) <= 1e-12 * p);
  // The pressure form holds p with the flow of the wall alone.
  RC_ASSERT(PressureRate(kBeta, V, dV, dV) == 0);
}

TEST(ChamberLawTest, DifferByTwoPercentAt300Bar) { EXPECT_NEAR(300e5 / kBeta, 0.02, 0.0015); }

TEST(ChamberLawTest, ACavityKeepsItsVolumeAndBearsNoTension) {
  const double V = 0.01;
  double Q = QuantityAt(kBeta, 1e5, V);
  Q -= 1e-3;
  EXPECT_EQ(QuantityPressure(kBeta, Q, V), 0);
  Q += 1e-3;
  EXPECT_NEAR(QuantityPressure(kBeta, Q, V), 1e5, 1e-6);
}

RC_GTEST_PROP(ChamberLawTest, QuantityPressureIsNeverNegative, ()) {
  RC_ASSERT(QuantityPressure(kBeta, AnyFinite(), RandomDecades(-9, 3)) >= 0);
}

}  // namespace
}  // namespace davit
