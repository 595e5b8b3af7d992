#include "simulator/simulator_manager.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "simulator/islands/island.h"
#include "simulator/solvers/integrator.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

using testing::HasSubstr;

/// An integrator of the constant 1 that commands may change: y shows when.
constexpr const char* kClock =
    "<signal.Constant name=\"c\" value=\"1\"/><signal.Integrator name=\"i\"/><Route from=\"c.y\" to=\"i.u\"/>"
    "<Record signals=\"i.y\"/>";

double EndOfClock(const std::string& manager, const std::string& commands) {
  TestSystem test(SystemText(manager, "", kClock + commands));
  test.Run();
  return test.Read("i.y");
}

std::string At(double time, const std::string& path, const std::string& value) {
  return "<At time=\"" + ToXml(time) + "\" set=\"" + path + "\" value=\"" + value + "\"/>";
}

// ---- time ------------------------------------------------------------------------------------------

TEST(SimulatorManagerTest, StepPointsAreCountedNotSummed) {
  TestSystem test(SystemText("StartTime=\"0.3\" StopTime=\"1000.3\" TimeStep=\"0.1\"", "", kClock));
  SimulatorManager& manager = test.manager();
  manager.Initialize();
  EXPECT_EQ(manager.time(), 0.3);
  for (int n = 1; n < 10000; ++n) {
    manager.Step();
    ASSERT_EQ(manager.time(), 0.3 + n * 0.1);
  }
  manager.Step();
  EXPECT_EQ(manager.time(), 1000.3);
  EXPECT_TRUE(manager.is_finished());
}

TEST(SimulatorManagerTest, TheLastStepIsShortWhereTheTimeStepDoesNotFit) {
  for (const OdeMethod& method : OdeMethods()) {
    TestSystem test(
        SystemText("StopTime=\"1\" TimeStep=\"0.3\"", "method=\"" + std::string(method.name) + "\"", kClock));
    const auto rows = test.RunAndRecord();
    ASSERT_EQ(rows.size(), 5U) << method.name;
    EXPECT_EQ(rows[3].t, 3 * 0.3);
    EXPECT_EQ(rows[4].t, 1.0);
    EXPECT_NEAR(rows[4].values[0], 1, 1e-14) << method.name;
  }
}

TEST(SimulatorManagerTest, AStopTimeThatIsAMultipleGetsNoExtraStep) {
  for (const char* time_step : {"0.1", "0.2", "0.07", "0.001"}) {
    const double h = std::stod(time_step);
    for (const int steps : {3, 7, 10, 49}) {
      TestSystem test(
          SystemText("StopTime=\"" + ToXml(h * steps) + "\" TimeStep=\"" + time_step + "\"", "", kClock));
      test.Run();
      EXPECT_EQ(test.manager().statistics().steps, static_cast<std::uint64_t>(steps)) << time_step;
    }
  }
}

TEST(SimulatorManagerTest, RunUntilStopsAtTheFirstStepPointThere) {
  TestSystem test(SystemText("StopTime=\"10\" TimeStep=\"0.1\"", "", kClock));
  test.manager().Initialize();
  test.manager().RunUntil(0.3);
  EXPECT_EQ(test.manager().time(), 3 * 0.1);
  test.manager().RunUntil(0.35);
  EXPECT_EQ(test.manager().time(), 4 * 0.1);
  test.manager().RunUntil(1e9);
  EXPECT_EQ(test.manager().time(), 10);
}

TEST(SimulatorManagerTest, CountsWhatItDoes) {
  TestSystem test(
      SystemText("StopTime=\"1\" TimeStep=\"0.1\"", "method=\"runge_kutta4\" substeps=\"5\"",
                 std::string(kClock) + "<test.Oscillator name=\"m\"/>" + At(0.5, "c.value", "2")));
  test.Run();
  const RunStatistics statistics = test.manager().statistics();
  EXPECT_EQ(statistics.steps, 10U);
  EXPECT_EQ(statistics.islands, 2U);
  EXPECT_EQ(statistics.states, 3U);
  EXPECT_EQ(statistics.solver_steps, 2U * 10 * 5);
  EXPECT_EQ(statistics.evaluations, 2U * 10 * 5 * 4);
  EXPECT_EQ(statistics.rejected_steps, 0U);
  EXPECT_EQ(statistics.commands, 1U);
  EXPECT_EQ(statistics.simulated, 1);
}

// ---- commands --------------------------------------------------------------------------------------

// A command acts at the first step point n >= (T - start) / h - 1e-9.
TEST(SimulatorManagerTest, ACommandActsAtTheFirstStepPointNotBeforeItsTime) {
  const auto acting = [](const std::string& start, double due) {
    const double begin = std::stod(start);
    const double end =
        EndOfClock("StartTime=\"" + start + "\" StopTime=\"" + ToXml(begin + 1) + "\" TimeStep=\"0.1\"",
                   At(due, "c.value", "0"));
    return end * 10;  // step points until it acted
  };
  EXPECT_NEAR(acting("0", 0.25), 3, 1e-12);
  EXPECT_NEAR(acting("0", 0.3), 3, 1e-12);  // 0.3 / 0.1 is not 3 in double precision
  EXPECT_NEAR(acting("0", 0.3 + 0.5e-10), 3, 1e-12);
  EXPECT_NEAR(acting("0", 0.3 + 2e-10), 4, 1e-12);
  EXPECT_NEAR(acting("0", 0.3 - 1e-6), 3, 1e-12);
  EXPECT_NEAR(acting("0", 0), 0, 1e-12);
  EXPECT_NEAR(acting("0", 0.9999), 10, 1e-12);
  EXPECT_NEAR(acting("0", 5), 10, 1e-12);  // never
  EXPECT_NEAR(acting("2.5", 2.75), 3, 1e-9);
  EXPECT_NEAR(acting("2.5", 1), 0, 1e-9);  // due before the start: before the first step
}

TEST(SimulatorManagerTest, CommandsOfOneStepActInTheOrderOfTimeThenOfTheFile) {
  EXPECT_NEAR(EndOfClock("StopTime=\"1\" TimeStep=\"1\"", At(0, "c.value", "2") + At(0, "c.value", "3")), 3,
              1e-14);
  EXPECT_NEAR(
      EndOfClock("StopTime=\"1\" TimeStep=\"0.5\"", At(0.4, "c.value", "3") + At(0.3, "c.value", "2")), 2,
      1e-14);
}

TEST(SimulatorManagerTest, SettingAStateIsAnOverride) {
  for (const OdeMethod& method : OdeMethods()) {
    TestSystem test(SystemText("StopTime=\"1\" TimeStep=\"0.25\"",
                               "method=\"" + std::string(method.name) + "\"", kClock + At(0.5, "i.y", "7")));
    test.Run();
    EXPECT_NEAR(test.Read("i.y"), 7.5, 1e-13) << method.name;
  }
}

TEST(SimulatorManagerTest, StopLetsTimeStandStill) {
  TestSystem test(SystemText("StopTime=\"1\" TimeStep=\"0.1\" Autostart=\"false\"", "", kClock));
  test.manager().Initialize();
  test.manager().RunUntil(1);
  EXPECT_EQ(test.manager().time(), 0);
  test.manager().Start();
  test.manager().RunUntil(0.5);
  test.manager().Stop();
  test.manager().RunUntil(1);
  EXPECT_NEAR(test.Read("i.y"), 0.5, 1e-14);
}

// ---- a reset while running -------------------------------------------------------------------------

class ResetWhileRunning : public testing::TestWithParam<const char*> {};

TEST_P(ResetWhileRunning, PutsStatesBackAndLetsTimeGoOn) {
  TestSystem test(
      SystemText("StopTime=\"2\" TimeStep=\"0.1\"", "rtol=\"1e-10\" atol=\"1e-10\"",
                 std::string("<test.Oscillator name=\"m\"/><Record signals=\"m.x\"/>") + GetParam()));
  const auto rows = test.RunAndRecord();
  for (const TestRow& row : rows) {
    // The command acts at the beginning of a step: the row of its own step point is written before.
    EXPECT_NEAR(row.values[0], std::cos(row.t < 0.85 ? row.t : row.t - 0.8), 1e-8) << row.t;
  }
  EXPECT_EQ(rows.back().t, 2);
  EXPECT_EQ(test.RunAndRecord(), rows);
}

INSTANTIATE_TEST_SUITE_P(
    All, ResetWhileRunning,
    testing::Values("<At time=\"0.8\" set=\"SimulatorManager.TimeStep\" value=\"0.05\"/>",
                    "<At time=\"0.8\" set=\"SimulatorManager.fs\" value=\"20 1/s\"/>",
                    "<At time=\"0.8\" message=\"Reset\" to=\"SimulatorManager\"/>"),
    [](const auto& test) {
      return std::string(test.param).find("TimeStep") != std::string::npos ? "TimeStep"
             : std::string(test.param).find("fs") != std::string::npos     ? "Fs"
                                                                           : "Message";
    });

TEST(SimulatorManagerTest, AfterAChangeOfTimeStepStepPointsCountFromThere) {
  TestSystem test(SystemText("StopTime=\"1\" TimeStep=\"0.1\"", "",
                             kClock + At(0.3, "SimulatorManager.TimeStep", "0.25")));
  std::vector<double> times;
  for (const TestRow& row : test.RunAndRecord()) times.push_back(row.t);
  const double origin = 3 * 0.1;
  EXPECT_THAT(times, testing::ElementsAre(0, 0.1, 0.2, origin, origin + 0.25, origin + 2 * 0.25, 1));
}

/// A thousandth and a thousand times what the file has; no step that time cannot count in.
TEST(SimulatorManagerTest, ARunMayChangeItsStepsAThousandfold) {
  const auto faults = [](const std::string& manager, const std::string& path, const std::string& value) {
    return FaultsOf(SystemText(manager, "", kClock + At(0.3, "SimulatorManager." + path, value)));
  };
  const std::string usual = "StopTime=\"1\" TimeStep=\"0.1\" fs=\"50\"";
  for (const auto& [path, value] : {std::pair("TimeStep", 0.1), std::pair("fs", 50.0)}) {
    for (const double factor : {1e-3, 1e3})
      EXPECT_THAT(faults(usual, path, ToXml(value * factor)), testing::IsEmpty()) << path << factor;
    for (const double factor : {1e-300, 0.999e-3, 1.001e3, 1e9}) {
      EXPECT_THAT(faults(usual, path, ToXml(value * factor)),
                  testing::ElementsAre(testing::AllOf(HasSubstr("is out of range"), HasSubstr(path))))
          << path << factor;
    }
  }
  const std::string long_run = "StopTime=\"1e10\" TimeStep=\"0.1\"";
  EXPECT_THAT(faults(long_run, "TimeStep", "0.01"), testing::IsEmpty());
  EXPECT_THAT(faults(long_run, "TimeStep", "0.0099"), testing::ElementsAre(HasSubstr("0.01 .. 100 s")));
}

/// The bounds are those of the file, however often the run has changed and begun anew.
TEST(SimulatorManagerTest, ChangesDoNotMoveTheBoundsOfFurtherOnes) {
  TestSystem test(SystemText("StopTime=\"1\" TimeStep=\"0.1\"", "", kClock));
  test.manager().Initialize();
  for (int run = 0; run < 3; ++run) {
    EXPECT_TRUE(test.simulation()
                    .Submit({.sender = "a", .command = "set SimulatorManager.TimeStep 1e-4"})
                    .is_accepted);
    EXPECT_FALSE(test.simulation()
                     .Submit({.sender = "a", .command = "set SimulatorManager.TimeStep 9e-5"})
                     .is_accepted);
    test.manager().Step();
    test.manager().Initialize();
  }
}

TEST(SimulatorManagerTest, RefusesAStopTimeBeforeTheStart) {
  EXPECT_THAT(FaultsOf(SystemText("StartTime=\"2\" StopTime=\"1\"", "", kClock)),
              testing::ElementsAre(HasSubstr("StopTime 1 s is not after StartTime 2 s")));
}

TEST(ResetTest, InputsAreThoseOfTheStartAndParametersStay) {
  const std::string content =
      "<mechanical.MassSpringDamper name=\"s\" force=\"2\"/>"
      "<At time=\"0.2\" set=\"s.force\" value=\"5\"/><At time=\"0.2\" set=\"s.mass\" value=\"3\"/>"
      "<At time=\"0.5\" message=\"Reset\" to=\"SimulatorManager\"/>";
  TestSystem test(SystemText("StopTime=\"1\" TimeStep=\"0.1\"", "", content));
  for (int run = 0; run < 2; ++run) {
    test.manager().Initialize();
    test.manager().Start();
    test.manager().RunUntil(0.45);
    EXPECT_EQ(test.Read("s.force"), 5) << run;
    test.manager().RunUntil(0.6);
    EXPECT_EQ(test.Read("s.force"), 2) << run;
    EXPECT_EQ(test.Read("s.mass"), 3) << run;
  }
  // What a program has set before the run is the start of the run.
  TestSystem written(SystemText("StopTime=\"1\" TimeStep=\"0.1\"", "", content));
  written.simulation().Write("s.force", 7);
  written.RunTo(0.6);
  EXPECT_EQ(written.Read("s.force"), 7);
}

}  // namespace
}  // namespace davit
