#include "tests/docs/page_laws.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/read_all.h"
#include "tests/support/result_file.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

/// The sizes of the knuckle boom crane, with the digits that the page has.
void CheckAnalysis(const fs::path& folder) {
  const std::string table = ReadAll(folder / "three_cranes.csv");
  std::istringstream lines(table);
  std::string line;
  std::getline(lines, line);
  ASSERT_TRUE(line.starts_with("case,boom_cylinder.bore,pump.displacement,time_of_lift,pump_power,highest,"));
  struct Crane {
    double seconds, kilowatts;
  };
  for (const Crane expected : {Crane{28.9, 48}, Crane{28.5, 46}, Crane{24.8, 55}}) {
    ASSERT_TRUE(std::getline(lines, line));
    std::array<double, 6> cells{};
    std::istringstream row(line);
    for (double& cell : cells) {
      std::string text;
      std::getline(row, text, ',');
      cell = std::stod(text);
    }
    EXPECT_NEAR(cells[3], expected.seconds, 0.05);
    EXPECT_NEAR(cells[4] / 1e3, expected.kilowatts, 0.5);
    EXPECT_LT(cells[5], 150e5);
  }
}

void CheckExtending(const fs::path& folder) {
  // The valve passes on the higher pressure. The volume lags by V/(beta G) = 0.6 ms at up to 63 bar/s, and
  // the ball takes 0.1 bar to change sides.
  const ResultFile valve(folder / "my_valves/example.csv");
  const auto& left = valve["left.y"];
  const auto& right = valve["right.y"];
  const auto& load = valve["load.p"];
  ASSERT_GT(load.size(), 900U);
  for (std::size_t i = 10; i < load.size(); ++i)
    EXPECT_NEAR(load[i], std::max(left[i], right[i]), 0.2e5) << i;

  // The limit cycle for mu = 1 has the amplitude 2.008619861; between two rows 10 ms apart the deflection
  // turns by less than x'' h^2/8 = 2.5e-5.
  const ResultFile oscillator(folder / "oscillators/van_der_pol.csv");
  const auto& x = oscillator["oscillator.x"];
  ASSERT_GT(x.size(), 6000U);
  const auto [low, high] = std::minmax_element(x.end() - 1400, x.end());  // two periods
  EXPECT_NEAR(*high, 2.008619861, 3e-5);
  EXPECT_NEAR(*low, -2.008619861, 3e-5);
}

void CheckGuideCrane(const fs::path& folder) {
  // Half of the lever's way beyond the deadband, 60 l/min nominal, 100 cm3/rev: some 284 rpm.
  const ResultFile result(folder / "winch.csv");
  const auto& t = result.time();
  const auto row = std::ranges::lower_bound(t, 10 - 1e-9) - t.begin();
  ASSERT_LT(static_cast<std::size_t>(row), t.size());
  EXPECT_NEAR(result["winch.w"][row] * 30 / std::numbers::pi, (0.5 - 0.05) / 0.95 * 60000 / 100, 30);
  EXPECT_EQ(result["safety.alarms"][row], 0);
}

/// Hopsan's columns have the units of their quantities.
void CheckHopsan(const fs::path& folder) {
  const std::string units = ReadAll(folder / "as_hopsan.csv.units");
  EXPECT_THAT(units, testing::StartsWith("path,unit\n"));
  for (const char* row : {"#Pressure,Pa\n", "#Flow,m3/s\n"}) EXPECT_THAT(units, testing::HasSubstr(row));
}

/// Exponential smoothing of a step that is seen first at 100 ms: 20 mm (1 - exp(-(n + 1) h/T)).
void CheckOperators(const fs::path& folder) {
  const ResultFile result(folder / "sensors/smoothing.csv");
  const auto& inner = result["place.y_operators.smoothing.y"];
  ASSERT_EQ(inner.size(), 101U);
  for (std::size_t i = 0; i < inner.size(); ++i) {
    const double steps = i < 10 ? 0 : static_cast<double>(i - 9);
    const double expected = -0.02 * std::expm1(-steps * 0.01 / 0.05);
    EXPECT_NEAR(inner[i], expected, 1e-15 + 1e-14 * expected) << i;
    EXPECT_EQ(result["place.y"][i], std::min(inner[i], 0.015)) << i;
  }
}

void CheckTutorialOde(const fs::path& folder) {
  // The sine is an eigenvector of the 59 cells: it decays with 4 a/dx^2 sin^2(pi/120). Errors of the run are
  // some hundred times rtol 1e-8.
  const ResultFile rod(folder / "motors/rod.csv");
  const double rate = 4 * 1e-4 * 60 * 60 * std::pow(std::sin(std::numbers::pi / 120), 2);
  ASSERT_EQ(rod.time().size(), 201U);
  for (std::size_t i = 0; i < rod.time().size(); ++i) {
    const double middle = 100 * std::exp(-rate * rod.time()[i]);
    EXPECT_NEAR(rod["rod.middle"][i], middle, 1e-6 * 100) << rod.time()[i];
    EXPECT_NEAR(rod["rod.T[0]"][i], middle * std::sin(std::numbers::pi / 60), 1e-6 * 100) << rod.time()[i];
  }

  // HIRES at the time of the published values, which is off the grid of TimeStep. Errors of the run stay
  // within a hundred times rtol 1e-8.
  const ResultFile hires(folder / "motors/hires.csv");
  ASSERT_EQ(hires.time().size(), 323U);  // 0, 1, ... 321 and the end
  EXPECT_EQ(hires.time().back(), 321.8122);
  EXPECT_NEAR(hires["hires.y1"].back(), 0.7371312573325668e-3, 1e-6 * 0.7371312573325668e-3);
  EXPECT_NEAR(hires["hires.y8"].back(), 0.2850001604814e-2, 1e-6 * 0.2850001604814e-2);
}

void CheckTutorialPid(const fs::path& folder) {
  const auto row_at = [](const ResultFile& result, double t) {
    return std::ranges::lower_bound(result.time(), t - 1e-9) - result.time().begin();
  };
  const ResultFile open(folder / "open.csv");
  EXPECT_NEAR(open["load.v"][row_at(open, 0.9)], 0.09, 1e-3);
  // Without overshoot at half of the critical gain; beyond it the valve oscillates for ever.
  EXPECT_NEAR(std::ranges::max(ResultFile(folder / "step_20.csv")["load.x"]), 0.35, 1e-6);
  const ResultFile beyond(folder / "step_60.csv");
  const auto& spool = beyond["valve.spool_x"];
  EXPECT_GT(*std::max_element(spool.begin() + row_at(beyond, 5), spool.end()), 0.03);
  // The row ki = 20 of its table.
  const ResultFile ideal(folder / "ideal.csv");
  const auto row = row_at(ideal, 1.9);
  EXPECT_NEAR(ideal["reference.y"][row] - ideal["load.x"][row], 15.6e-3, 0.05e-3);
  EXPECT_NEAR(std::ranges::max(ideal["load.x"]) - 0.6, 17.9e-3, 0.05e-3);
}

void CheckTutorialDomain(const fs::path& folder) {
  // p - 1 bar decays with the time constant V/(Rs T K); the solver keeps rtol 1e-6 a step.
  const ResultFile leak(folder / "pneumatics/leak.csv");
  const auto& t = leak.time();
  const auto& p = leak["vessel.p"];
  const double time_constant = 1e-3 / (287 * 293.15 * 1e-8);
  ASSERT_GT(p.size(), 50U);
  for (std::size_t i = 0; i < p.size(); ++i)
    EXPECT_NEAR(p[i], 1e5 + 1e5 * std::exp(-t[i] / time_constant), 10) << t[i];
  EXPECT_THAT(ReadAll(folder / "pneumatics/system.svg"), testing::HasSubstr("#6a1b9a"));
}

}  // namespace

void CheckResultsOf(const std::string& page, const fs::path& folder) {
  static const std::map<std::string, void (*)(const fs::path&)> kLaws{
      {"analysis", CheckAnalysis},
      {"extending", CheckExtending},
      {"operators", CheckOperators},
      {"guide-crane", CheckGuideCrane},
      {"hopsan", CheckHopsan},
      {"tutorial-domain", CheckTutorialDomain},
      {"tutorial-ode", CheckTutorialOde},
      {"tutorial-pid", CheckTutorialPid}};
  const auto it = kLaws.find(page);
  if (it != kLaws.end()) it->second(folder);
}

}  // namespace davit
