// The hydraulic systems of systems/, as a user runs them.

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <string>

#include "components/hydraulic/orifice_law.h"
#include "components/register.h"
#include "framework/system_loader.h"
#include "simulator/simulator_manager.h"
#include "tests/support/lifting_ida.h"

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
  /// Runs lifting_cylinder.xml at a level against the same equations written by hand, solved by another
  /// integrator to 1e-9. The tolerances are those of a run at rtol 1e-9; the file asks for 1e-6.
  template <class Equations>
  void CompareLiftingCylinder(const std::string& level) {
    Load("lifting_cylinder", {.level = {"*=" + level}});
    constexpr double kInterval = 0.5;
    const auto run = lifting::SolveWithIda<Equations>({.rtol = 1e-9, .atol = 1e-11, .interval = kInterval});
    for (std::size_t i = 1; i < run.values.size(); ++i) {
      const double t = static_cast<double>(i) * kInterval;
      const lifting::Values& exact = run.values[i];
      RunUntil(t);
      EXPECT_NEAR(Read("load.x"), exact.x, 2e-6) << t;
      EXPECT_NEAR(Read("load.v"), exact.v, 1e-5) << t;
      EXPECT_NEAR(Read("cylinder.p_a"), exact.p_a, 2e3) << t;
      EXPECT_NEAR(Read("cylinder.p_b"), exact.p_b, 2e3) << t;
      EXPECT_NEAR(Read("pump.p_out"), exact.p_pump, 2e3) << t;
      EXPECT_NEAR(Read("pump.q_out") * 6e4, exact.q_pump * 6e4, 0.5) << t;
      EXPECT_NEAR(Read("cylinder.q_a") * 6e4, exact.q_a * 6e4, 0.5) << t;
      EXPECT_NEAR(Read("cylinder.q_b") * 6e4, exact.q_b * 6e4, 0.5) << t;
    }
  }
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

TEST_F(HydraulicSystemsTest, LiftingCylinderAtStandardIsThatWrittenByHand) {
  CompareLiftingCylinder<lifting::Standard>("Standard");
}

TEST_F(HydraulicSystemsTest, LiftingCylinderAtAdvancedIsThatWrittenByHand) {
  CompareLiftingCylinder<lifting::Advanced>("Advanced");
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

TEST_F(HydraulicSystemsTest, HydrostaticTransmissionKeepsItsBalances) {
  Load("hydrostatic_transmission");
  const double V = 125e-6 / (2 * std::numbers::pi);
  const double G = 1e-11;
  RunUntil(1.4);  // the lever is faster than the load: the relief valve limits the pressure
  EXPECT_GT(Read("relief_forward.q"), 1e-4);
  EXPECT_GT(Read("pump.p_out"), 250e5);
  EXPECT_LT(Read("pump.p_out"), 252e5);
  for (const double t : {3.9, 5.9}) {  // steady, without and with the brake
    RunUntil(t);
    const double w = Read("load.w");
    const double pump_flow = V * 1500 * std::numbers::pi / 30 - G * (Read("pump.p_out") - Read("pump.p_in"));
    EXPECT_NEAR(Read("pump.q_out"), pump_flow, 1e-12) << t;
    EXPECT_NEAR(Read("motor.q"), V * w + G * Read("motor.dp"), 1e-12) << t;
    EXPECT_NEAR(Read("motor.torque"), V * Read("motor.dp") - 0.1 * w, 1e-9) << t;
    EXPECT_NEAR(Read("motor.torque"), 0.5 * w + (t > 4 ? 300 : 0), 0.5) << t;
    // What leaks to the cases comes back from the boost; what the pump delivers goes to the motor but for
    // that.
    const double leakage = Read("case_leakage_forward.q") + Read("case_leakage_back.q");
    EXPECT_NEAR(Read("make_up_back.q"), leakage, 0.02 * leakage) << t;
    EXPECT_NEAR(Read("pump.q_out") - Read("case_leakage_forward.q"), Read("motor.q"), 1e-6) << t;
    EXPECT_EQ(Read("make_up_forward.q"), 0) << t;
    EXPECT_EQ(Read("relief_forward.q"), 0) << t;
  }
}

TEST_F(HydraulicSystemsTest, TutorialPumpFillsItsVolumeAndMassSwings) {
  Load("tutorial_pump_and_mass");
  RunUntil(0.6);
  // m x'' + B x' + k x = F from t = 0.1 s on.
  const double m = 100, B = 10, k = 1e4, F = 1000, t = 0.5;
  const double damping = B / (2 * m);
  const double omega = std::sqrt(k / m - damping * damping);
  const double decay = std::exp(-damping * t);
  const double x = F / k * (1 - decay * (std::cos(omega * t) + damping / omega * std::sin(omega * t)));
  const double v = F / k * decay * (k / m) / omega * std::sin(omega * t);
  // Whole steps spread the jump of the force over one step.
  const double h = 1e-4;
  EXPECT_NEAR(Read("mass.x"), x, std::abs(v) * h);
  EXPECT_NEAR(Read("mass.v"), v, std::abs(F - B * v - k * x) / m * h);
  RunUntil(2);
  const double p = Read("volume.p");
  const double q = 250 * 50e-6 / (2 * std::numbers::pi) - 1e-11 * p;
  EXPECT_NEAR(Read("pump.q_out"), q, 1e-9 * q);
  EXPECT_NEAR(OrificeFlow(OrificeCoefficient(0.67, 20e-6, 870), p), q, 1e-9 * q);
}

}  // namespace
}  // namespace davit
