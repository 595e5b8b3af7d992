#include "simulator/requests/value_writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "simulator/simulator_manager.h"
#include "tests/support/system_harness.h"

namespace davit {
namespace {

/// A slow oscillator (20 s) whose force a host writes a thousand times a second.
class ValueWriterTest : public testing::TestWithParam<std::string> {
 protected:
  static std::string Text() {
    return "<System name='s'><SimulatorManager TimeStep='1 ms' StopTime='2 s'><Integration solver='ODE' "
           "method='" +
           GetParam() +
           "' rtol='1e-6' atol='1e-8'/></SimulatorManager>"
           "<mechanical.MassSpringDamper name='body' mass='10 kg' stiffness='1 N/m'><Start x='1 m'/>"
           "</mechanical.MassSpringDamper></System>";
  }
  /// Steps to the end; before each step `path` gets what `value` says of the time.
  template <class Value>
  static void Run(SystemHarness& system, const char* path, Value value) {
    Fault fault;
    const Item item = *system.system().FindSetting(system.system().root(), path, &fault);
    SimulatorManager& manager = system.manager();
    manager.Initialize();
    while (!manager.is_finished()) {
      manager.Write(item, value(manager.time()));
      manager.Step();
    }
  }
};

TEST_P(ValueWriterTest, WhatAnItemHasAlreadyCostsNothing) {
  SystemHarness silent(Text());
  silent.Run();
  for (const char* path : {"body.force", "body.mass"}) {
    SystemHarness written(Text());
    const double value = written.Read(path);
    Run(written, path, [&](double) { return value; });
    EXPECT_EQ(written.Read("body.x"), silent.Read("body.x"));
    EXPECT_EQ(written.manager().statistics().solver_steps, silent.manager().statistics().solver_steps);
    EXPECT_EQ(written.manager().statistics().evaluations, silent.manager().statistics().evaluations);
  }
}

// A solver that estimated its step size at each write would need several steps and many evaluations for each.
TEST_P(ValueWriterTest, ANewInputCostsOneStepOfTheSolver) {
  SystemHarness system(Text());
  Run(system, "body.force", [](double t) { return std::sin(t); });
  const RunStatistics statistics = system.manager().statistics();
  EXPECT_LE(statistics.solver_steps + statistics.rejected_steps, statistics.steps + 50);
}

// x'' = -0.1 x + 0.1 sin t with x(0) = 1, x'(0) = 0: x = cos(w t) + (sin(w t)/w - sin t)/9, w^2 = 0.1. The
// held input lags by half a TimeStep on average, which moves x by less than that.
TEST_P(ValueWriterTest, TheSolutionIsThatOfTheHeldInput) {
  SystemHarness system(Text());
  Run(system, "body.force", [](double t) { return std::sin(t); });
  const double w = std::sqrt(0.1);
  const double t = 2;
  EXPECT_NEAR(system.Read("body.x"), std::cos(w * t) + (std::sin(w * t) / w - std::sin(t)) / 9, 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Methods, ValueWriterTest, testing::Values("rosenbrock4", "runge_kutta_dopri5"),
                         [](const auto& method) { return method.param; });

}  // namespace
}  // namespace davit
