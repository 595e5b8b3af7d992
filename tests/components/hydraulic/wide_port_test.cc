// A port far too wide for the two small volumes beside it. Its law q ~ sqrt(dp) is bent within a share of the
// tolerances, which is where linearly implicit methods have cycles that the equations do not have
// (SpuriousSteps). The pressures become equal, and the volumes then answer as one.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <tuple>

#include "tests/support/test_system.h"

namespace davit {
namespace {

constexpr double kRtol = 1e-6;
constexpr double kAtol = 1e-6;  // of 1 bar
constexpr double kBulkModulus = 1.6e9;
constexpr double kFlow = 1e-3 / 60;  // amplitude [m3/s], at 1 Hz

std::string TwoVolumes(const std::string& method, double area, double volume) {
  return fmt::format(R"(
<System name="wide_port" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="10 ms" StopTime="1 s">
    <Integration solver="ODE" method="{}" rtol="{}" atol="{}"/>
  </SimulatorManager>
  <signal.Sine name="flow" amplitude="1 l/min" frequency="1 rev/s"/>
  <hydraulic.FlowSource name="source"/>
  <hydraulic.Volume name="left" volume="{} m3" bulk_modulus="{} Pa"><Start p="210 bar"/></hydraulic.Volume>
  <hydraulic.Orifice name="port" area="{} m2" law="laminar_turbulent"/>
  <hydraulic.Volume name="right" volume="{} m3" bulk_modulus="{} Pa"><Start p="200 bar"/></hydraulic.Volume>
  <Route from="flow.y" to="source.flow"/>
  <Connect from="source.port" to="left.port"/>
  <Connect from="left.port" to="port.a"/>
  <Connect from="port.b" to="right.port"/>
</System>)",
                     method, kRtol, kAtol, volume, kBulkModulus, area, volume, kBulkModulus);
}

/// Of a method, area [m2], volume [m3].
using WidePortCase = std::tuple<const char*, double, double>;

class WidePort : public testing::TestWithParam<WidePortCase> {};

TEST_P(WidePort, VolumesBesideItAnswerAsOne) {
  const auto [method, area, volume] = GetParam();
  TestSystem system(TwoVolumes(method, area, volume));
  SimulatorManager& manager = system.manager();
  manager.Initialize();
  for (const double t : {0.01, 0.25, 0.5, 0.75, 1.0}) {
    manager.RunUntil(t);
    const double omega = 2 * std::numbers::pi;
    // One volume 2 V, which no oil leaves:  p = 205 bar + beta/(2 V) int q dt.
    const double p = 205e5 + kBulkModulus / (2 * volume) * kFlow / omega * (1 - std::cos(omega * t));
    const double tolerance = kAtol * 1e5 + kRtol * p;
    const double left = system.Read("left.p"), right = system.Read("right.p");
    // The drop of the port itself is below 15 Pa. An error below the tolerance is left at each point in time;
    // where it decays it does not add up.
    EXPECT_NEAR(left, right, 15 + 10 * tolerance) << t;
    // Both together are a quadrature of the flow: errors add up, at most one tolerance a step. The norm of
    // ida is a mean over both states, and its history passes an error on to the next steps: up to three.
    const auto steps = static_cast<double>(manager.statistics().solver_steps);
    EXPECT_NEAR((left + right) / 2, p, (std::string(method) == "ida" ? 3 : 1) * steps * tolerance) << t;
  }
  // At rest a step may be as long as the flow allows, and some 40 resolve how 10 bar become 20 Pa. A cycle
  // takes more than 1e6 in the first TimeStep.
  EXPECT_LT(manager.statistics().solver_steps + manager.statistics().rejected_steps, 1000U);
}

INSTANTIATE_TEST_SUITE_P(All, WidePort,
                         testing::Combine(testing::Values("rosenbrock4", "rodas5p", "ida"),
                                          testing::Values(1e-4, 1e-3, 1e-2), testing::Values(1e-5, 1e-4)));

}  // namespace
}  // namespace davit
