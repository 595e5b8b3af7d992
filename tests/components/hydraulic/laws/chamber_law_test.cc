#include "components/hydraulic/laws/chamber_law.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "components/hydraulic/laws/oil_state.h"
#include "tests/components/hydraulic/lifting_data.h"
#include "tests/support/random_values.h"

namespace davit {
namespace {

OilContent ContentOf(Formulation formulation) {
  OilContent content;
  content.Choose(formulation);
  content.SetOil(OilCompression({.bulk_modulus = kBeta}));
  return content;
}

TEST(ChamberLawTest, BothFormsAgreeInAFixedVolume) {
  const double V = 0.0483, q = 479.52 / 6e4;
  const double seconds = (300e5 - 1e5) / PressureRate(kBeta, V, q, 0);
  EXPECT_NEAR(seconds, .112939, 0.5e-6);
  const OilContent quantity = ContentOf(Formulation::kQuantity);
  EXPECT_NEAR(quantity.p(quantity.State(1e5, V) + q * seconds, V), 300e5, 1e-6);
}

/// Erratum 26: the quantity form moves (1 + p/beta) times the volume of the wall.
RC_GTEST_PROP(ChamberLawTest, QuantityFormMovesMoreOilThanItsWall, ()) {
  const OilContent quantity = ContentOf(Formulation::kQuantity), pressure = ContentOf(Formulation::kPressure);
  const double V = RandomDecades(-4, 0), dV = RandomDecades(-6, -2), p = RandomDecades(5, 8);
  const double q = (1 + p / kBeta) * dV;
  const double h = 1e-3 * V / dV;
  const double Q = quantity.State(p, V) + h * quantity.Rate(quantity.State(p, V), V, q, dV);
  RC_ASSERT(std::abs(quantity.p(Q, V + h * dV) - p) <= 1e-10 * p);
  // The pressure form holds p with the flow of the wall alone.
  RC_ASSERT(pressure.Rate(p, V, dV, dV) == 0);
}

TEST(ChamberLawTest, DifferByTwoPercentAt300Bar) { EXPECT_NEAR(300e5 / kBeta, 0.02, 0.0015); }

TEST(ChamberLawTest, ACavityKeepsItsVolumeAndBearsNoTension) {
  const OilContent quantity = ContentOf(Formulation::kQuantity);
  const double V = 0.01, Q = quantity.State(1e5, V);
  EXPECT_EQ(quantity.p(Q - 1e-3, V), 0);
  EXPECT_NEAR(quantity.VoidVolume(Q - 1e-3, V), 1e-3 - Q, 1e-18);
  EXPECT_NEAR(quantity.p(Q - 1e-3 + 1e-3, V), 1e5, 1e-6);
}

RC_GTEST_PROP(ChamberLawTest, QuantityPressureIsNeverNegative, ()) {
  RC_ASSERT(ContentOf(Formulation::kQuantity).p(AnyFinite(), RandomDecades(-9, 3)) >= 0);
}

}  // namespace
}  // namespace davit
