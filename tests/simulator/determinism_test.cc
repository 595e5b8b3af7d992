#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "simulator/solvers/integrator.h"
#include "tests/support/ode_methods.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

/// A bit of everything: several islands, sampled and continuous routes, breaks, overrides, commands.
std::string Everything(std::string_view method) {
  return SystemText("TimeStep=\"0.01\" StopTime=\"2.345\"", "method=\"" + std::string(method) + "\"",
                    R"(<test.Kepler name="kepler"/>
                       <test.Pleiades name="stars"/>
                       <test.Ball name="ball"/>
                       <signal.Pulse name="pulse" period="0.0317" width="0.0111"/>
                       <signal.Sine name="sine" start_time="0.5"/>
                       <test.Body name="a"/><test.Body name="b"/><test.Body name="c"/>
                       <signal.LowPass name="filter" time_constant="0.1"/>
                       <Route from="pulse.y" to="a.u"/>
                       <Route from="pulse.y" to="c.u"/>
                       <Route from="a.x" to="b.u"/>
                       <Route from="sine.y" to="filter.u"/>
                       <At time="0.7" set="a.gain" value="-2"/>
                       <At time="1.1" set="pulse.width" value="20 ms"/>
                       <At time="1.3" set="filter.y" value="0.5"/>
                       <At time="1.5" set="kepler.u" value="0.1"/>
                       <Record signals="*"/>)");
}

/// The rows of a run that is driven by `drive` between Initialize and the end.
template <class Drive>
std::vector<TestRow> RowsOf(TestSystem& test, Drive drive) {
  test.StartRecording();
  test.TakeRows();
  test.manager().Initialize();
  drive(test.manager());
  return test.TakeRows();
}

void Finish(SimulatorManager& manager) {
  while (!manager.is_finished()) manager.Step();
}

class Determinism : public testing::TestWithParam<OdeMethod> {
 protected:
  std::string Text() const { return Everything(GetParam().name); }
};

TEST_P(Determinism, InitializeRepeatsARunBitForBit) {
  TestSystem test(Text());
  const auto rows = test.RunAndRecord();
  EXPECT_EQ(rows.size(), 236U);
  EXPECT_TRUE(test.RunAndRecord() == rows);
  // Also in the middle of a run, after commands.
  test.manager().Initialize();
  test.manager().RunUntil(1.4);
  EXPECT_TRUE(test.RunAndRecord() == rows);
}

TEST_P(Determinism, TwoSystemsDoNotSeeEachOther) {
  TestSystem alone(Text());
  const auto rows = alone.RunAndRecord();
  TestSystem first(Text());
  TestSystem second(Text());
  first.StartRecording();
  second.StartRecording();
  first.manager().Initialize();
  second.manager().Initialize();
  while (!first.manager().is_finished() || !second.manager().is_finished()) {
    if (!first.manager().is_finished()) first.manager().Step();
    for (int i = 0; i < 3 && !second.manager().is_finished(); ++i) second.manager().Step();
  }
  EXPECT_TRUE(first.TakeRows() == rows);
  EXPECT_TRUE(second.TakeRows() == rows);
}

TEST_P(Determinism, ARunMayMoveToAnotherThread) {
  TestSystem test(Text());
  const auto rows = test.RunAndRecord();
  const auto moved = RowsOf(test, [](SimulatorManager& manager) {
    std::thread([&] { manager.RunUntil(0.777); }).join();
    manager.RunUntil(1.234);
    std::thread([&] { Finish(manager); }).join();
  });
  EXPECT_TRUE(moved == rows);
}

TEST_P(Determinism, TwoRunsMayGoOnAtTheSameTime) {
  TestSystem alone(Text());
  const auto rows = alone.RunAndRecord();
  TestSystem first(Text());
  TestSystem second(Text());
  std::vector<TestRow> first_rows;
  std::thread other([&] { first_rows = first.RunAndRecord(); });
  const auto second_rows = second.RunAndRecord();
  other.join();
  EXPECT_TRUE(first_rows == rows);
  EXPECT_TRUE(second_rows == rows);
}

TEST_P(Determinism, ResultsDoNotDependOnTheNumberOfThreads) {
  TestSystem test(Text());
  const auto rows = test.RunAndRecord();
  for (const unsigned threads : {2U, 3U}) {
    test.manager().set_threads(threads);
    EXPECT_TRUE(test.RunAndRecord() == rows) << threads;
  }
}

TEST_P(Determinism, RecordingChangesNothing) {
  TestSystem silent(Text());
  silent.Run();
  TestSystem test(Text());
  const auto rows = test.RunAndRecord();
  EXPECT_EQ(silent.Read("stars.u[3]"), test.Read("stars.u[3]"));
  EXPECT_EQ(silent.Read("b.x"), test.Read("b.x"));
}

INSTANTIATE_TEST_SUITE_P(All, Determinism, testing::ValuesIn(AllOdeMethods()), NameOf);

}  // namespace
}  // namespace davit
