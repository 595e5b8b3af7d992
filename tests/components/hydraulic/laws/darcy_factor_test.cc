#include "components/hydraulic/laws/darcy_factor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace davit {
namespace {

constexpr double kDigit = 0.5e-8;

TEST(DarcyFactorTest, ColebrookOverReynoldsNumberAndRoughness) {
  constexpr std::array<double, 7> kRoughness{0, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 5e-2};
  struct Row {
    double Re;
    std::array<double, 7> f;
  };
  for (const Row& row :
       {Row{4e3, {.03990701, .03990803, .03991717, .04000843, .04091039, .04908227, .07698683}},
        Row{1e4, {.03088295, .03088450, .03089842, .03103721, .03238181, .04312658, .07380128}},
        Row{3e4, {.02348295, .02348569, .02351024, .02375323, .02596973, .03982231, .07231353}},
        Row{1e5, {.01798977, .01799519, .01804380, .01851387, .02217454, .03850354, .07178093}},
        Row{3e5, {.01446303, .01447365, .01456823, .01543061, .02060329, .03810622, .07162756}},
        Row{1e6, {.01164504, .01166816, .01186954, .01344144, .01994347, .03796474, .07157375}},
        Row{1e7, {.00810267, .00821318, .00899571, .01216608, .01966705, .03790983, .07155298}},
        Row{1e8, {.00594047, .00643256, .00818756, .01199905, .01963863, .03790432, .07155090}}}) {
    for (std::size_t i = 0; i < kRoughness.size(); ++i) {
      EXPECT_NEAR(ColebrookDarcyFactor(row.Re, kRoughness[i]), row.f[i], kDigit)
          << "Re " << row.Re << ", roughness " << kRoughness[i];
    }
  }
}

TEST(DarcyFactorTest, ColebrookSolvesItsEquation) {
  for (double Re = 2e3; Re < 1e9; Re *= 1.7) {
    for (const double r : {0.0, 1e-7, 1e-4, 0.1}) {
      const double s = 1 / std::sqrt(ColebrookDarcyFactor(Re, r));
      EXPECT_NEAR(-2 * std::log10(r / 3.7 + 2.51 * s / Re), s, 1e-14 * s);
    }
  }
}

double Deviation(double Re, double r) {
  return SwameeJainDarcyFactor(Re, r) / ColebrookDarcyFactor(Re, r) - 1;
}

TEST(DarcyFactorTest, SwameeJainIsCloseToColebrook) {
  EXPECT_NEAR(Deviation(5e3, 1e-2), 2.83e-2, 0.005e-2);
  EXPECT_NEAR(Deviation(1e5, 1e-3), 0.757e-2, 0.0005e-2);
  EXPECT_NEAR(Deviation(1e6, 1e-4), 0.493e-2, 0.0005e-2);
  for (double Re = 5e3; Re <= 1e8; Re *= 1.1) {
    for (double r = 1e-6; r <= 1e-2; r *= 1.3) EXPECT_LT(std::abs(Deviation(Re, r)), 2.835e-2);
  }
}

TEST(DarcyFactorTest, HaalandIsCloseToColebrook) {
  double most = 0;
  for (double Re = 5e3; Re <= 1e8; Re *= 1.1) {
    for (double r = 1e-6; r <= 1.0001e-2; r *= std::pow(10, 0.1)) {
      most = std::max(most, std::abs(HaalandDarcyFactor(Re, r) / ColebrookDarcyFactor(Re, r) - 1));
    }
  }
  EXPECT_NEAR(most, 1.42e-2, 0.005e-2);
}

/// Erratum 51: the roughness is divided by the diameter.
TEST(DarcyFactorTest, RoughnessIsRelativeToTheDiameter) {
  const double eps = 2e-4, D = 0.049;
  EXPECT_NEAR(SwameeJainDarcyFactor(6489.62, eps / D), .040300, 0.5e-6);
  EXPECT_NEAR(SwameeJainDarcyFactor(1e6, eps / D), .028757, 0.5e-6);
  EXPECT_NEAR(SwameeJainDarcyFactor(6489.62, eps), .035301, 0.5e-6);  // as the thesis codes it
  EXPECT_NEAR(SwameeJainDarcyFactor(1e6, eps), .014771, 0.5e-6);
}

TEST(DarcyFactorTest, SmoothWalls) {
  struct Row {
    double Re, blasius, hermann, colebrook;
  };
  for (const Row& row : {Row{1e4, .031640, .030386, .030883}, Row{1e5, .017792, .017923, .017990},
                         Row{1e6, .010005, .011676, .011645}, Row{2e6, .008414, .010498, .010373}}) {
    EXPECT_NEAR(BlasiusDarcyFactor(row.Re), row.blasius, 0.5e-6 + 1e-12);
    EXPECT_NEAR(HermannDarcyFactor(row.Re), row.hermann, 0.5e-6);
    EXPECT_NEAR(ColebrookDarcyFactor(row.Re, 0), row.colebrook, 0.5e-6);
  }
  EXPECT_EQ(SmoothDarcyFactor(1e5), BlasiusDarcyFactor(1e5));
  EXPECT_EQ(SmoothDarcyFactor(1.0001e5), HermannDarcyFactor(1.0001e5));
}

TEST(DarcyFactorTest, ASwitchAtOneReynoldsNumberWouldJump) {
  EXPECT_NEAR(LaminarDarcyFactor(2300), .027826, 0.5e-6);
  EXPECT_NEAR(BlasiusDarcyFactor(2300), .045688, 0.5e-6);
  EXPECT_NEAR(BlasiusDarcyFactor(2300) / LaminarDarcyFactor(2300) - 1, 0.64, 0.005);
}

/// Erratum 56.
TEST(DarcyFactorTest, TransitionIsContinuousAndLinear) {
  for (const PipeWall wall :
       {PipeWall::kSmooth, PipeWall::kSwameeJain, PipeWall::kHaaland, PipeWall::kColebrook}) {
    const double r = 1e-3;
    EXPECT_EQ(DarcyFactor(2000, wall, r), 0.032);
    const double high = DarcyFactor(4000, wall, r);
    EXPECT_NEAR(DarcyFactor(std::nextafter(4000.0, 0.0), wall, r), high, 1e-15);
    EXPECT_NEAR(DarcyFactor(3000, wall, r), (0.032 + high) / 2, 1e-15);
  }
}

}  // namespace
}  // namespace davit
