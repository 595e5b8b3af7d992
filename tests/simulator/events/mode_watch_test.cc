// Modes: what a component gets into by itself, located inside the steps of the solver.

#include "simulator/events/mode_watch.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "app/heap/allocation_counter.h"
#include "framework/run_log.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

struct Change {
  std::string text;
  double t;
};

/// `side Right -> Middle at t = 0.1666 s` as text and time.
std::vector<Change> Changes(TestSystem& test) {
  std::vector<Change> changes;
  RunLog log(RunLog::Severity::kDetail, [&](RunLog::Severity, std::string_view line) {
    const std::size_t text = line.find("side "), time = line.find(" at t = ");
    if (text == std::string_view::npos || time == std::string_view::npos) return;
    changes.push_back(
        {std::string(line.substr(text, time - text)), std::stod(std::string(line.substr(time + 8)))});
  });
  test.system().root().set_run_log(&log);
  test.Run();
  test.system().root().set_run_log(nullptr);
  return changes;
}

std::string Swing(const std::string& method, const std::string& time_step) {
  return SystemText("TimeStep=\"" + time_step + "\" StopTime=\"2\"",
                    "method=\"" + method + "\" rtol=\"1e-9\" atol=\"1e-9\" substeps=\"" +
                        (method == "runge_kutta4" ? "50" : "1") + "\"",
                    "<test.Swing name=\"s\"/>");
}

TEST(ModeWatchTest, ChangesAreLocatedInsideASolverStep) {
  // x = cos(2 pi t) passes 1/2 and -1/2 at sixths and thirds of the second.
  const std::vector<Change> exact{{"side Right -> Middle", 1.0 / 6}, {"side Middle -> Left", 1.0 / 3},
                                  {"side Left -> Middle", 2.0 / 3},  {"side Middle -> Right", 5.0 / 6},
                                  {"side Right -> Middle", 7.0 / 6}, {"side Middle -> Left", 4.0 / 3},
                                  {"side Left -> Middle", 5.0 / 3},  {"side Middle -> Right", 11.0 / 6}};
  for (const char* method : {"runge_kutta_dopri5", "runge_kutta_cash_karp54", "runge_kutta_fehlberg78",
                             "rosenbrock4", "runge_kutta4", "ida"}) {
    for (const char* time_step : {"10 ms", "0.1 s"}) {
      TestSystem test(Swing(method, time_step));
      const std::vector<Change> changes = Changes(test);
      ASSERT_EQ(changes.size(), exact.size()) << method << ' ' << time_step;
      for (std::size_t i = 0; i < exact.size(); ++i) {
        EXPECT_EQ(changes[i].text, exact[i].text) << method;
        // The global error is some hundred times rtol for ida, less for the others; values inside a step are
        // by an order less exact than at its end. The slope is 2*pi*sin(pi/3) = 5.4.
        EXPECT_NEAR(changes[i].t, exact[i].t, 1e-6) << method << ' ' << time_step;
      }
    }
  }
}

TEST(ModeWatchTest, MethodsWithoutValuesInsideTellTheStep) {
  for (const char* method : {"bulirsch_stoer", "adams_bashforth_moulton"}) {
    TestSystem test(Swing(method, "10 ms"));
    const std::vector<Change> changes = Changes(test);
    ASSERT_EQ(changes.size(), 8U) << method;
    EXPECT_NEAR(changes[0].t, 1.0 / 6, 10e-3) << method;
  }
}

TEST(ModeWatchTest, WatchingTakesNothingFromTheHeap) {
  if (!AllocationCounter::is_counting()) GTEST_SKIP() << "a sanitizer has the heap";
  TestSystem test(Swing("runge_kutta_dopri5", "10 ms"));
  test.manager().Initialize();
  test.manager().RunUntil(0.1);
  const AllocationCounter counter;
  test.manager().RunUntil(2);
  EXPECT_EQ(counter.count(), 0U);
  EXPECT_EQ(test.Read("s.side"), 2);
}

TEST(ModeWatchTest, ItIsReadAsAnOutput) {
  TestSystem test(SystemText("TimeStep=\"50 ms\" StopTime=\"0.5\"", "rtol=\"1e-9\" atol=\"1e-9\"",
                             "<test.Swing name=\"s\"/><Record signals=\"s.side s.x\"/>"));
  for (const TestRow& row : test.RunAndRecord()) {
    const double x = row.values[1];
    EXPECT_EQ(row.values[0], x < -0.5 ? 0 : x > 0.5 ? 2 : 1) << row.t;
  }
}

TEST(ModeWatchTest, AChartHearsOfItWithTheTime) {
  const auto file = std::filesystem::path(testing::TempDir()) / "davit_mode_watch_test.scxml";
  std::ofstream(file) << "<scxml xmlns='http://www.w3.org/2005/07/scxml' version='1.0'>"
                         "<datamodel><data id='at' expr='-1'/></datamodel>"
                         "<state id='s'><transition event='mode.side.Left'>"
                         "<assign location='at' expr='_event.data'/></transition></state></scxml>";
  TestSystem test(SystemText("TimeStep=\"50 ms\" StopTime=\"0.5\"", "rtol=\"1e-9\" atol=\"1e-9\"",
                             fmt::format("<test.Swing name=\"s\" chart=\"{}\"/>", file.string())));
  test.Run();
  EXPECT_NEAR(test.Read("s.chart.at"), 1.0 / 3, 1e-7);
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace davit
