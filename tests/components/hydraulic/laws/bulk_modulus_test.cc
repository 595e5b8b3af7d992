#include "components/hydraulic/laws/bulk_modulus.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>

#include "components/hydraulic/laws/oil.h"
#include "tests/components/hydraulic/lifting_data.h"
#include "tests/support/random_values.h"

namespace davit {
namespace {

constexpr std::array<double, 6> kPressures{1e5, 5e5, 10e5, 50e5, 100e5, 300e5};  // absolute

struct Row {
  double free_air;
  std::array<double, 6> isothermal;
  std::array<double, 6> adiabatic;
};

constexpr std::array<Row, 4> kRows{{
    {.001,
     {9.41232e7, 9.75329e8, 1.37915e9, 1.58982e9, 1.59744e9, 1.59972e9},
     {1.28746e8, 9.27864e8, 1.31066e9, 1.57795e9, 1.59322e9, 1.59897e9}},
    {.005,
     {1.97543e7, 3.79808e8, 8.87132e8, 1.55015e9, 1.58724e9, 1.59857e9},
     {2.75208e7, 3.45432e8, 7.59237e8, 1.49514e9, 1.56656e9, 1.59485e9}},
    {.01,
     {9.93851e6, 2.14730e8, 6.11988e8, 1.50287e9, 1.57456e9, 1.59713e9},
     {1.38798e7, 1.93033e8, 4.96314e8, 1.40237e9, 1.53418e9, 1.58968e9}},
    {.05,
     {1.99763e6, 4.66049e7, 1.70641e8, 1.19719e9, 1.47580e9, 1.58517e9},
     {2.79535e6, 4.15856e7, 1.28074e8, 9.23578e8, 1.30805e9, 1.54769e9}},
}};

/// Half of the sixth digit.
double Digit(double value) { return 0.5 * std::pow(10.0, std::floor(std::log10(value)) - 5); }

/// Erratum 8: air follows its polytropic exponent and the absolute pressure.
TEST(BulkModulusTest, OfOilWithAir) {
  for (const Row& row : kRows) {
    for (std::size_t i = 0; i < kPressures.size(); ++i) {
      SCOPED_TRACE(row.free_air);
      OilWithAir oil{.bulk_modulus = kBeta, .free_air = row.free_air, .polytropic_exponent = 1};
      EXPECT_NEAR(oil.BulkModulus(kPressures[i]), row.isothermal[i], Digit(row.isothermal[i]));
      oil.polytropic_exponent = 1.4;
      EXPECT_NEAR(oil.BulkModulus(kPressures[i]), row.adiabatic[i], Digit(row.adiabatic[i]));
    }
  }
}

RC_GTEST_PROP(BulkModulusTest, IsWhatTheVolumeSays, ()) {
  const OilWithAir oil{.free_air = RandomDecades(-4, -1), .polytropic_exponent = 1 + RandomDecades(-3, 0)};
  const double P = RandomDecades(4, 8);
  const double h = 1e-4 * P;
  const double dV = (oil.RelativeVolume(P + h) - oil.RelativeVolume(P - h)) / (2 * h);
  const double beta = -oil.RelativeVolume(P) / dV;
  // Truncation of the difference, (h/P)^2; rounding of volumes whose change is h/beta.
  RC_ASSERT(std::abs(oil.BulkModulus(P) / beta - 1) <= 1e-7 + 1e-15 * beta / h);
  RC_ASSERT(std::abs(oil.Density(861.8, P) * oil.RelativeVolume(P) - 861.8) <= 1e-12);
}

TEST(BulkModulusTest, WithoutAirIsThatOfTheOil) {
  const OilWithAir oil{.bulk_modulus = kBeta};
  EXPECT_DOUBLE_EQ(oil.BulkModulus(300e5), kBeta);
  EXPECT_DOUBLE_EQ(oil.Density(861.8, 1e5), 861.8);
  EXPECT_DOUBLE_EQ(oil.Density(861.8, 301e5), ExponentialDensity(861.8, 300e5, kBeta));
}

TEST(BulkModulusTest, SimpleLawIsTheMixtureWithLittleAir) {
  const OilWithAir oil{.bulk_modulus = kBeta, .free_air = 1e-5};
  for (const double P : kPressures) {
    const double simple = BulkModulusWithGas(kBeta, GasShare(1e-5, P, 1.4, 1e5), 1.4, P);
    EXPECT_NEAR(simple / oil.BulkModulus(P), 1, 2e-4);  // the share of oil is 1 - a0, its compression P/beta
  }
}

/// Erratum 9: the pressure in B p + C is a gauge pressure; then the law is that of a constant share of gas.
TEST(BulkModulusTest, ConstantsOfAnOilAreAConstantShareOfGas) {
  const double p_atm = 1e5, share = 3e-3;
  const double B = 1 / kBeta, C = B * p_atm + share;
  for (const double p : {0.0, 1e5, 100e5}) {
    const double beta = BulkModulusWithGas(kBeta, share, 1, p + p_atm);
    EXPECT_NEAR(BulkModulusOfConstants(B, C, p, p_atm), beta, 1e-13 * beta);
  }
  EXPECT_NEAR(BulkModulusOfConstants(B, C, 1e15, p_atm), kBeta, 1e-2 * kBeta);
}

TEST(BulkModulusTest, GasIsCompressedFromTheAtmosphere) {
  EXPECT_EQ(GasShare(0.01, 1e5, 1.4, 1e5), 0.01);
  EXPECT_DOUBLE_EQ(GasShare(0.01, 10e5, 1, 1e5), 0.001);
}

TEST(BulkModulusTest, DensityLawsOfAPressedVolume) {
  const double V = 0.01, dV = 1e-4;  // pressed into a closed volume
  EXPECT_NEAR(kBeta * dV / V, 16.000e6, 500);
  EXPECT_NEAR(kBeta * std::log(1.01), 15.920529e6, 0.5);
  EXPECT_NEAR(ExponentialDensity(861.8, kBeta * std::log(1.01), kBeta), 861.8 * 1.01, 1e-9);
  EXPECT_NEAR(ExponentialDensity(1, 160e5, kBeta) / (1 + 160e5 / kBeta) - 1, 5e-5, 1e-6);
}

/// Erratum 11: gauge pressure outside, absolute inside, and never less than vapour.
TEST(BulkModulusTest, AbsolutePressureIsAboveVapour) {
  const Oil oil;
  EXPECT_EQ(oil.Absolute(0), 1e5);
  EXPECT_EQ(oil.Absolute(-0.5e5), 0.5e5);
  EXPECT_EQ(oil.Absolute(-2e5), 100);
}

TEST(BulkModulusTest, OilHasItsDynamicViscosity) {
  EXPECT_NEAR(Oil{}.dynamic_viscosity(), 0.0275776, 0.5e-7);
}

RC_GTEST_PROP(BulkModulusTest, IsNoNanForAnyGaugePressure, ()) {
  Oil oil;
  oil.free_air = *rc::gen::element(0.0, 1e-3, 0.05);
  const double beta = oil.with_air().BulkModulus(oil.Absolute(AnyFinite()));
  RC_ASSERT(beta > 0);
}

}  // namespace
}  // namespace davit
