#include "components/hydraulic/laws/oil_viscosity.h"

#include <gtest/gtest.h>

#include <cmath>

namespace davit {
namespace {

constexpr double kFreezingPoint = 273.15;

TEST(OilViscosityTest, GoesThroughThePointsOfEachGrade) {
  for (const OilGrade grade : {OilGrade::kIsoVg32, OilGrade::kIsoVg46, OilGrade::kIsoVg68}) {
    const OilViscosity law = ViscosityOf(grade);
    const OilGradeData& data = DataOf(grade);
    EXPECT_NEAR(law.Kinematic(kFreezingPoint + 40), data.viscosity_40, 1e-12 * data.viscosity_40);
    EXPECT_NEAR(law.Kinematic(kFreezingPoint + 100), data.viscosity_100, 1e-12 * data.viscosity_100);
  }
}

TEST(OilViscosityTest, IsAStraightLineInWalthersCoordinates) {
  const OilViscosity law = ViscosityOf(OilGrade::kIsoVg46);
  const auto height = [&](double T) { return std::log10(std::log10(law.Kinematic(T) * 1e6 + 0.7)); };
  const double T_0 = 280;
  EXPECT_NEAR(height(T_0 * 1.21), 2 * height(T_0 * 1.1) - height(T_0), 1e-12);
}

/// Erratum 10: 32 cSt belongs to 40 degC; at 45 to 55 degC the oil has 26 to 20 cSt.
TEST(OilViscosityTest, ThirtyTwoCentistokesBelongToFortyDegrees) {
  const OilViscosity law = ViscosityOf(OilGrade::kIsoVg32);
  EXPECT_NEAR(law.Kinematic(kFreezingPoint + 40) * 1e6, 32, 1);
  EXPECT_NEAR(law.Kinematic(kFreezingPoint + 45) * 1e6, 26, 1.5);
  EXPECT_NEAR(law.Kinematic(kFreezingPoint + 55) * 1e6, 20, 1.5);
}

TEST(OilViscosityTest, FallsWithTemperatureAndStaysPositive) {
  const OilViscosity law = ViscosityOf(OilGrade::kIsoVg68);
  double last = law.Kinematic(250);
  for (double T = 251; T < 1000; T += 1) {
    const double nu = law.Kinematic(T);
    EXPECT_LT(nu, last);
    EXPECT_GT(nu, 0);
    last = nu;
  }
}

}  // namespace
}  // namespace davit
