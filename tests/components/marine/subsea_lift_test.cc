// systems/marine/subsea_lift.xml as a user runs it.

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "components/register.h"
#include "session/simulation.h"

namespace davit {
namespace {

class SubseaLiftTest : public testing::Test {
 protected:
  std::unique_ptr<Simulation> Load(const std::vector<std::string>& set = {}) {
    return Simulation::Load(std::string(DAVIT_SOURCE_DIR) + "/systems/marine/subsea_lift.xml", models_,
                            {.load = {.set = set}})
        .Take();
  }
  /// Standard deviations of the tip and of the load from 20 to 100 s [m].
  static std::pair<double, double> Deviations(Simulation& lift) {
    lift.Initialize();
    double tip = 0, load = 0, tip_square = 0, load_square = 0;
    constexpr int kCount = 800;
    for (int i = 0; i < kCount; ++i) {
      lift.RunUntil(20 + 0.1 * i);
      const double z = lift.Read("tip.z"), x = lift.Read("load.x");
      tip += z / kCount;
      load += x / kCount;
      tip_square += z * z / kCount;
      load_square += x * x / kCount;
    }
    return {std::sqrt(tip_square - tip * tip), std::sqrt(load_square - load * load)};
  }
  Registry models_ = AllModels();
};

TEST_F(SubseaLiftTest, CompensationRemovesNineTenthsOfTheMotion) {
  const auto lift = Load();
  const auto [tip, load] = Deviations(*lift);
  EXPECT_GT(tip, 0.3);
  EXPECT_LT(load, 0.1 * tip);
}

}  // namespace
}  // namespace davit
