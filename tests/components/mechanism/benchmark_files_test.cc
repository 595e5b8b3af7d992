#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "tests/support/read_all.h"
#include "tests/support/system_harness.h"

namespace davit {
namespace {

std::string FileOf(const std::string& name) {
  return ReadAll(DAVIT_SOURCE_DIR "/systems/mechanisms/" + name + ".xml");
}

// The reference solution at 30 ms of the Test Set for Initial Value Problem Solvers (release 2.4, 2008),
// problem Andrews' squeezing mechanism.
TEST(BenchmarkFiles, TheSqueezerEndsWhereThePublishedSolutionDoes) {
  SystemHarness system(FileOf("squeezer"));
  system.RunTo(0.03);
  const auto angle = [&](const std::string& body) { return system.Read("squeezer." + body + "_angle"); };
  EXPECT_NEAR(angle("K1"), 15.81077119629904, 1e-7);
  EXPECT_NEAR(angle("K2"), -15.75637105984298, 1e-7);
  EXPECT_NEAR(angle("K3"), 0.04082224013073101, 1e-8);
  EXPECT_NEAR(angle("K4"), -0.5347301163226948, 1e-8);
  EXPECT_NEAR(angle("K5"), 0.5244099658805304, 1e-8);
  EXPECT_NEAR(angle("K6"), 0.5347301163226948, 1e-8);
  EXPECT_NEAR(angle("K7"), 1.048080741042263, 1e-8);
}

/// Over 10 s: the largest change of the energy over the largest kinetic energy, and the largest error of a
/// loop.
struct Drift {
  Drift(const std::string& file, const std::string& component) {
    SystemHarness system(FileOf(file));
    system.RunTo(0);
    const auto energy = [&] {
      return system.Read(component + ".kinetic_energy") + system.Read(component + ".potential_energy");
    };
    const double start = energy();
    double change = 0, kinetic = 0;
    for (double t = 0.1; t <= 10; t += 0.1) {
      system.RunTo(t);
      change = std::max(change, std::abs(energy() - start));
      kinetic = std::max(kinetic, system.Read(component + ".kinetic_energy"));
      loop_error = std::max(loop_error, system.Read(component + ".loop_error"));
    }
    of_energy = change / kinetic;
  }
  double of_energy = 0;
  double loop_error = 0;
};

TEST(BenchmarkFiles, BricardsMechanismKeepsItsEnergyAndItsLoop) {
  const Drift drift("bricard", "rods");
  EXPECT_LT(drift.of_energy, 1e-8);
  EXPECT_LT(drift.loop_error, 1e-10);
}

TEST(BenchmarkFiles, TheFourBarKeepsThemThroughItsSingularPositions) {
  const Drift drift("four_bar", "linkage");
  EXPECT_LT(drift.of_energy, 1e-8);
  EXPECT_LT(drift.loop_error, 1e-10);
}

// Nothing turns the governor: its angular momentum stays while the arms rise and fall. The struts only take
// energy.
TEST(BenchmarkFiles, TheGovernorKeepsItsAngularMomentumAndItsSymmetry) {
  SystemHarness system(FileOf("governor"));
  const auto read = [&](const std::string& item) { return system.Read("governor." + item); };
  const auto momentum = [&] {
    const double down = std::numbers::pi / 6 + read("arm_1_angle");
    const double m = 5.3, c = 0.971698113, across = 0.05 + c * std::cos(down);
    const double arm =
        m * across * across + 5e-6 * std::pow(std::sin(down), 2) + 0.095757547 * std::pow(std::cos(down), 2);
    return (5e-6 + 0.005 + 2 * arm) * read("shaft_rate");
  };
  system.RunTo(0);
  const double start = momentum();
  double least = 1, most = 0, energy = read("kinetic_energy") + read("potential_energy") + 1e-3;
  for (double t = 0.1; t <= 10; t += 0.1) {
    system.RunTo(t);
    EXPECT_NEAR(momentum(), start, 1e-6 * start) << t;
    EXPECT_NEAR(read("arm_1_angle"), -read("arm_2_angle"), 1e-6) << t;
    least = std::min(least, read("slider_x"));
    most = std::max(most, read("slider_x"));
  }
  EXPECT_LT(read("kinetic_energy") + read("potential_energy"), energy);
  EXPECT_GT(most - least, 0.05);
}

}  // namespace
}  // namespace davit
