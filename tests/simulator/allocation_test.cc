#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <string>

#include "app/heap/allocation_counter.h"
#include "simulator/recorder.h"
#include "simulator/solvers/integrator.h"
#include "tests/support/ode_methods.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

class Allocation : public testing::TestWithParam<OdeMethod> {
 protected:
  void SetUp() override {
    if (!AllocationCounter::is_counting()) GTEST_SKIP() << "a sanitizer has the heap";
  }

  /// What all steps after the first take from the heap, with a recorder that reads everything.
  static std::uint64_t CountAfterFirstStep(TestSystem& test) {
    double sum = 0;
    Recorder recorder(test.system().record_plan());
    recorder.AddSink([&](double /*t*/, std::span<const double> values) {
      for (const double value : values) sum += value;
    });
    SimulatorManager& manager = test.manager();
    manager.AddObserver(&recorder);
    manager.Initialize();
    manager.Step();
    const AllocationCounter counter;
    while (!manager.is_finished()) manager.Step();
    return counter.count();
  }

  /// odeint's bulirsch_stoer makes two short vectors in each attempt; all others take nothing.
  static std::uint64_t Allowed(const SimulatorManager& manager) {
    if (GetParam().name != "bulirsch_stoer") return 0;
    return 2 * (manager.statistics().solver_steps + manager.statistics().rejected_steps);
  }

  std::string Text(const std::string& content) const {
    return SystemText("TimeStep=\"0.01\" StopTime=\"1.005\"",
                      "method=\"" + std::string(GetParam().name) + "\"", content);
  }
};

TEST_P(Allocation, AStepTakesNothingFromTheHeap) {
  TestSystem test(Text("<test.Kepler name=\"kepler\"/><test.Pleiades name=\"stars\"/>"));
  const std::uint64_t count = CountAfterFirstStep(test);
  EXPECT_LE(count, Allowed(test.manager()));
}

TEST_P(Allocation, NorDoBreaksSampledRoutesAndOverrides) {
  TestSystem test(Text(R"(<signal.Pulse name="pulse" period="0.0317" width="0.0111"/>
                          <signal.Table name="table" times="0 0.2 0.5" values="0 1 0"/>
                          <test.Body name="a"/><test.Body name="b"/><test.Ball name="ball"/>
                          <signal.LowPass name="filter"/>
                          <Route from="pulse.y" to="a.u"/><Route from="a.x" to="b.u"/>
                          <Route from="table.y" to="filter.u"/>)"));
  const std::uint64_t count = CountAfterFirstStep(test);
  EXPECT_LE(count, Allowed(test.manager()));
}

INSTANTIATE_TEST_SUITE_P(All, Allocation, testing::ValuesIn(AllOdeMethods()), NameOf);

}  // namespace
}  // namespace davit
