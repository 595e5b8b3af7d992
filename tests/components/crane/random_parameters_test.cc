// Cranes whose parameters lie anywhere within ten times their usual size: each run ends, with finite results
// or with an error that says where and why. 1,000 of them: benchmarks/random_parameters.cc.

#include "tests/support/random_parameters.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "components/register.h"

namespace davit {
namespace {

struct Given {
  std::string system;
  std::string level;
  std::string stop_time;
};

SimulationOptions OptionsOf(const Given& given) {
  SimulationOptions options;
  options.load.set = {"SimulatorManager.StopTime=" + given.stop_time};
  options.load.level = {"*=" + given.level};
  options.log = [](RunLog::Severity /*severity*/, std::string_view /*line*/) {};
  return options;
}

class RandomParametersTest : public testing::TestWithParam<Given> {
 protected:
  const std::string file = DAVIT_SOURCE_DIR "/systems/" + GetParam().system + ".xml";
  const Registry registry = AllModels();
};

TEST_P(RandomParametersTest, ARunEndsOrSaysWhyNot) {
  constexpr std::uint64_t kSeeds = 12;
  std::uint64_t done = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    const RandomSystem random = LoadWithRandomParameters(file, registry, seed, true, OptionsOf(GetParam()));
    ASSERT_NE(random.simulation, nullptr);
    Simulation& crane = *random.simulation;
    try {
      crane.Initialize();
      crane.Run();
      EXPECT_TRUE(crane.is_finished());
      for (const char* path : {"crane.q1", "crane.q2", "boom_cylinder.p_a", "knuckle_cylinder.p_b"})
        EXPECT_TRUE(std::isfinite(crane.Read(path))) << path;
      ++done;
    } catch (const SimulationFailure& failure) {
      const std::string text = failure.what();
      EXPECT_EQ(text.substr(0, 1), "/") << text;  // the component
      EXPECT_NE(text.find(" at t = "), std::string::npos) << text;
      EXPECT_NE(text.find("; "), std::string::npos) << text;  // the remedy
    }
  }
  EXPECT_GE(done, kSeeds / 2);  // else the parameters are no crane, and nothing has been tested
}

class RandomChambersTest : public RandomParametersTest {};

/// Whatever the lengths are: a piston outside of its barrel is refused, and one that starts is inside.
TEST_P(RandomChambersTest, APistonStartsInItsBarrelOrIsTold) {
  std::size_t told = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    const RandomSystem random = LoadWithRandomParameters(file, registry, seed, false, OptionsOf(GetParam()));
    ASSERT_NE(random.simulation, nullptr);
    if (random.refusals.find("m long at the start, but the cylinder /") != std::string::npos) ++told;
    Simulation& crane = *random.simulation;
    crane.Initialize();
    for (const std::string name : {"boom_cylinder", "knuckle_cylinder"}) {
      const double x = crane.Read(name + ".x"), stroke = crane.Read(name + ".stroke");
      const double bore = crane.Read(name + ".bore"), rod = crane.Read(name + ".rod");
      const double dead_volume = crane.Read(name + ".dead_volume");
      const double piston = bore * bore * std::atan(1), ring = piston - rod * rod * std::atan(1);
      EXPECT_GT(dead_volume + piston * x, 0) << name;
      EXPECT_GT(dead_volume + ring * (stroke - x), 0) << name;
    }
  }
  EXPECT_GT(told, 0U);
}

std::string NameOf(const testing::TestParamInfo<Given>& given) {
  return given.param.system + given.param.level;
}

INSTANTIATE_TEST_SUITE_P(All, RandomParametersTest,
                         testing::Values(Given{"knuckle_boom_crane", "Ideal", "0.4 s"},
                                         Given{"knuckle_boom_crane", "Standard", "0.4 s"},
                                         Given{"knuckle_boom_crane", "Advanced", "0.4 s"},
                                         Given{"laboratory_crane", "Standard", "0.4 s"}),
                         NameOf);
// At Ideal a cylinder has no chambers.
INSTANTIATE_TEST_SUITE_P(All, RandomChambersTest,
                         testing::Values(Given{"knuckle_boom_crane", "Standard", "0.4 s"},
                                         Given{"knuckle_boom_crane", "Advanced", "0.4 s"},
                                         Given{"laboratory_crane", "Standard", "0.4 s"}),
                         NameOf);

}  // namespace
}  // namespace davit
