// The hydraulic systems of systems/, as a user runs them.

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>

#include "components/register.h"
#include "framework/system_loader.h"
#include "simulator/simulator_manager.h"

namespace davit {
namespace {

class HydraulicSystemsTest : public testing::Test {
 protected:
  void Load(const std::string& name, const LoadOptions& options = {}) {
    RegisterSimulator(registry_);
    RegisterComponents(registry_);
    Diagnostics diagnostics;
    const std::string file = std::string(DAVIT_SOURCE_DIR) + "/systems/" + name + ".xml";
    system_ = LoadSystem(file, registry_, options, diagnostics);
    if (system_ != nullptr && !diagnostics.has_errors())
      SimulatorManager::Of(*system_).Build(*system_, diagnostics);
    std::string faults;
    for (const Diagnostic& diagnostic : diagnostics.all()) faults += ToText(diagnostic) + '\n';
    ASSERT_EQ(faults, "");
    SimulatorManager::Of(*system_).Initialize();
  }
  void RunUntil(double t) { SimulatorManager::Of(*system_).RunUntil(t); }
  double Read(std::string_view path) {
    std::string fault;
    const auto variable = system_->FindVariable(system_->root(), path, &fault);
    EXPECT_TRUE(variable.has_value()) << fault;
    return variable ? variable->Read() : 0;
  }

 private:
  Registry registry_;
  std::unique_ptr<System> system_;
};

TEST_F(HydraulicSystemsTest, LiftingCylinderFollowsTheReference) {
  Load("lifting_cylinder");
  const struct { double t, x; } kPoints[] = {{8, 1.00085691}, {20, 0.67153612}};
  for (const auto& [t, x] : kPoints) {
    RunUntil(t);
    // Both instants lie in steady hoisting.
    EXPECT_NEAR(Read("load.x"), x, 5e-6) << t;
    EXPECT_NEAR(Read("load.v"), 0.1270553, 1e-6) << t;
    EXPECT_NEAR(Read("cylinder.p_a"), 1755102.6, 10) << t;
    EXPECT_NEAR(Read("cylinder.p_b"), 260091.9, 10) << t;
    EXPECT_NEAR(Read("pump.p_out"), 8080900.5, 50) << t;
    EXPECT_NEAR(Read("pump.q_out") * 6e4, 479.52, 1e-3) << t;
    EXPECT_NEAR(Read("cylinder.q_a") * 6e4, 479.52, 1e-3) << t;
    EXPECT_NEAR(Read("cylinder.q_b") * 6e4, 360.4857, 1e-3) << t;
  }
}

TEST_F(HydraulicSystemsTest, TwoTanksLevelOut) {
  Load("two_tanks");
  // Square root law: sqrt(dp) falls linearly. K = Cd A sqrt(2/rho), d/dt sqrt(dp) = -beta K/V.
  const double slope = 1.6e9 * 0.611 * 12.6e-6 * std::sqrt(2 / 861.8);
  for (const double t : {1.0, 2.0, 4.0}) {
    RunUntil(t);
    EXPECT_NEAR(std::sqrt(Read("hole.dp")), std::sqrt(100e5) - slope * t, 0.05) << t;
    EXPECT_NEAR(Read("left.p") + Read("right.p"), 100e5, 1e-3) << t;
  }
  RunUntil(10);
  EXPECT_NEAR(Read("left.p"), 50e5, 100);
}

}  // namespace
}  // namespace davit
