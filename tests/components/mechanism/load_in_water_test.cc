// Loads of a mechanism.Crane in the sea.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>

#include "components/mechanism/crane.h"
#include "tests/support/partials_law.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

using std::numbers::pi;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double kDensity = 1025, kGravity = 9.81;

/// A load of 20 t with a volume of 3 m3 and an added mass of 12 t, on 5 m of wire below a point that is fixed
/// 6 m to port, at `height` over the mean water level.
std::string LoadAt(double height, std::string_view sea, std::string_view load, std::string_view start = "",
                   std::string_view more = "", std::string_view attributes = "",
                   std::string_view method = "runge_kutta_dopri5") {
  return SystemText(
      "TimeStep='10 ms' StopTime='100 s'", fmt::format("method='{}' rtol='1e-10' atol='1e-12'", method),
      fmt::format(
          "<marine.Sea name='sea' depth='100 m' {}"
          "<mechanism.Crane name='crane' level='Standard' {}><Body name='post' at='0 6 {} m' mass='1 t'/>"
          "<Load name='load' on='post' mass='20 t' length='5 m' stiffness='1e9 N' damping_ratio='0.5' "
          "volume='3 m3' added_mass='12 t' {}/>"
          "<Start {}/></mechanism.Crane>{}",
          sea, attributes, height, load, start, more));
}
constexpr const char* kCalmSea = "significant_height='0 m'/>";

TEST(LoadInWater, ItPullsWithItsWeightLessTheWaterThatItDisplaces) {
  // The lowest point is 5 m below the wire's upper end, and a metre of two in the water.
  for (const auto& [height, wet] : {std::pair{0.0, 1.0}, {4.0, 0.5}, {6.0, 0.0}}) {
    TestSystem system(LoadAt(height, kCalmSea, "drag_area='0 m2'"));
    system.RunTo(5);
    const double pull = kGravity * (20e3 - wet * kDensity * 3);
    // The stretch, under less load than the weight, lifts it by (W - pull)*L/E: that much less is in the
    // water.
    const double lifted = (kGravity * 20e3 - pull) * 5 / 1e9;
    EXPECT_NEAR(system.Read("crane.load_pull"), pull, kGravity * kDensity * 1.5 * lifted * 1.1 + 1);
  }
}

TEST(LoadInWater, TheSurfaceOfTheWavesSaysHowMuchOfItIsInTheWater) {
  // A metre of two is below the mean level, and 0.4 m more at the crest of a wave of a minute. There the
  // water stands still and is accelerated downwards.
  TestSystem system(
      LoadAt(4, "spectrum='Waves'><Wave height='0.8 m' period='60 s' direction='0 deg'/></marine.Sea>",
             "drag_area='0 m2'"));
  const double w = 2 * pi / 60, k = WaveNumber(w, 100), wet = 1.4 / 2;
  system.RunTo(60);
  const double at = 100 - 1 + 1.4 / 2;  // its middle over the bed
  const double falls = 0.4 * w * w * std::sinh(k * at) / std::sinh(k * 100);
  const double pull = kGravity * (20e3 - wet * kDensity * 3) + wet * (kDensity * 3 + 12e3) * falls;
  // The stretch lifts it as above, out of 15 kN of buoyancy per metre.
  const double lifted = (kGravity * 20e3 - pull) * 5 / 1e9;
  EXPECT_NEAR(system.Read("crane.load_pull"), pull, kGravity * kDensity * 1.5 * lifted * 1.1 + 5);
}

TEST(LoadInWater, ItSwingsWithItsAddedMass) {
  // T = 2*pi*sqrt((m + A)*L/((m - rho*V)*g)), longer by (0.02 rad)^2/16. The stretch of the wire is 0.8 mm.
  TestSystem system(LoadAt(0, kCalmSea, "drag_area='0 m2'", "load_x='0.1 m' load_y='6 m' load_z='-4.999 m'"));
  std::vector<double> crossings;
  double before = 0, t_before = 0;
  for (double t = 0; t <= 30; t += 0.01) {
    system.RunTo(t);
    const double x = system.Read("crane.load_x");
    if (before > 0 && x <= 0) crossings.push_back(t_before + 0.01 * before / (before - x));
    before = x;
    t_before = t;
  }
  ASSERT_GE(crossings.size(), 3U);
  const double period = (crossings.back() - crossings.front()) / static_cast<double>(crossings.size() - 1);
  const double expected = 2 * pi * std::sqrt(32e3 * 5 / ((20e3 - 3 * kDensity) * kGravity));
  EXPECT_NEAR(period / expected, 1, 3e-4);
}

TEST(LoadInWater, TheCurrentCarriesItsWireAway) {
  // At rest the drag leads the wire by its angle: tan(angle) = drag/weight in the water.
  TestSystem system(LoadAt(0, "significant_height='0 m' current='2 m/s' current_direction='90 deg'/>",
                           "drag_area='9 m2' swing_damping_ratio='0.5'"));
  system.RunTo(100);
  const double drag = kDensity / 2 * 9 * 2 * 2, weight = (20e3 - 3 * kDensity) * kGravity;
  EXPECT_NEAR((system.Read("crane.load_y") - 6) / -system.Read("crane.load_z"), drag / weight, 1e-6);
  EXPECT_NEAR(system.Read("crane.load_pull") / std::hypot(drag, weight), 1, 1e-6);
}

TEST(LoadInWater, ASlackOneFallsIntoTheWaterAsAMarineLoad) {
  // The winch pays out faster than it falls. The other load is not of a crane.
  TestSystem system(LoadAt(
      8, kCalmSea, "body_height='1.5 m' drag_area='13.5 m2'", "",
      "<marine.Load name='free' mass='20 t' volume='3 m3' height='1.5 m' added_mass='12 t' area='9 m2' "
      "drag_coefficient='1.5'><Start x='-3 m'/></marine.Load>"
      "<mechanical.Force name='none'/><Connect from='none.port' to='free.port'/>",
      "load_winch_speed='30 m/s'"));
  for (const double t : {0.5, 0.8, 0.9, 1.1, 3.0}) {
    system.RunTo(t);
    // The wire becomes slack within the first microseconds.
    EXPECT_NEAR(system.Read("crane.load_z"), -system.Read("free.x"), 1e-4) << t;
    EXPECT_NEAR(system.Read("crane.load_vz"), -system.Read("free.v"), 1e-3) << t;
  }
  EXPECT_EQ(system.Read("free.submerged"), 1);
}

TEST(LoadInWater, ALightOneFollowsTheWaterOfTheWaves) {
  // As heavy as the water it displaces, and without drag: its acceleration is that of the water at its
  // middle, upwards and along the waves.
  TestSystem system(LoadAt(
      -20, "spectrum='Waves' seed='1'><Wave height='3 m' period='9 s' direction='30 deg'/></marine.Sea>",
      "drag_area='0 m2'", "", "", "load_winch_speed='1 m/s' load_mass='3075 kg'"));
  system.RunTo(3);
  const auto at = [&](double t, const char* item) {
    system.RunTo(t);
    return system.Read(item);
  };
  constexpr double kStep = 0.01;
  const double x = system.Read("crane.load_x"), y = system.Read("crane.load_y"),
               z = system.Read("crane.load_z") + 1;
  const double v0 = at(3, "crane.load_vx"), w0 = at(3, "crane.load_vz");
  const double v1 = at(3 + 2 * kStep, "crane.load_vx"), w1 = at(3 + 2 * kStep, "crane.load_vz");
  const double w = 2 * pi / 9, k = WaveNumber(w, 100);
  const double angle = w * (3 + kStep) - k * (x * std::cos(pi / 6) + y * std::sin(pi / 6));
  const double along = -1.5 * w * w * std::sin(angle) * std::cosh(k * (z + 100)) / std::sinh(k * 100);
  const double up = -1.5 * w * w * std::cos(angle) * std::sinh(k * (z + 100)) / std::sinh(k * 100);
  // What it moves in 10 ms changes the phase by 1e-3; its wire is slack.
  EXPECT_NEAR((v1 - v0) / (2 * kStep), along * std::cos(pi / 6), 2e-3);
  EXPECT_NEAR((w1 - w0) / (2 * kStep), up, 2e-3);
}

TEST(LoadInWater, ThePartialDerivativesAreThoseOfTheEquations) {
  TestSystem system(
      LoadAt(5, "significant_height='2 m' current='1 m/s'/>", "drag_area='9 m2'", "", "", "", "rodas5p"));
  const auto& components = system.system().components();
  auto& crane =
      dynamic_cast<DynamicSimComponent&>(**std::ranges::find(components, "crane", &Component::name));
  for (const double t : {0.03, 1.0, 4.0}) {
    system.RunTo(t);
    const auto evaluate = [&] {
      crane.EvaluateEfforts(t);
      crane.EvaluateDiffEquations(t);
    };
    EXPECT_THAT(WrongPartials(evaluate, crane), IsEmpty()) << t;
  }
}

// At the tip nothing but the weight would act on it.
TEST(LoadInWater, WithAutomaticLevelsItStaysOnItsWireWhileWaterOrADeckCarriesIt) {
  const auto level = [](double height, const char* load) {
    TestSystem system(LoadAt(height, kCalmSea, load, "", "", "levels='automatic'"));
    system.RunTo(1);
    return system.Read("crane.level");
  };
  EXPECT_EQ(level(20, ""), 0);
  EXPECT_GT(level(4, ""), 0);
  EXPECT_GT(level(0, ""), 0);
  EXPECT_GT(level(20, "deck_height='15.01 m'"), 0);
  EXPECT_GT(level(20, "deck_height='15.01 m' deck_on='base'"), 0);
}

TEST(LoadInWater, WithoutASeaItIsRefused) {
  std::string text = LoadAt(0, kCalmSea, "");
  const std::size_t begin = text.find("<marine.Sea");
  text.erase(begin, text.find("/>", begin) + 2 - begin);
  EXPECT_THAT(FaultsOf(text), ElementsAre(HasSubstr("there is no marine.Sea")));
}

}  // namespace
}  // namespace davit
