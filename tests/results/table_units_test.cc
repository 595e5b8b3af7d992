#include "results/table_units.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <numbers>

#include "results/csv_writer.h"
#include "results/load_result.h"
#include "results/rewrite_result.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

constexpr double kPi = std::numbers::pi;

ResultTable Table() {
  return {.names = {"p", "joint.q", "joint.w", "shaft.w", "F", "T", "level", "odd", "x"},
          .units = {"Pa", "rad", "rad/s", "rad/s", "N", "N.m", "", "kg/s", "m"},
          .time = {0, 1},
          .columns = {{25e6, 0},
                      {kPi / 2, 0},
                      {0.1, 0},
                      {50 * kPi, 0},
                      {2e5, std::numeric_limits<double>::quiet_NaN()},
                      {3e4, 1},
                      {2, 1},
                      {7, 8},
                      {0.5, 1}}};
}

TEST(TableUnitsTest, EngineersReadBarDegreesAndTurnsAMinute) {
  ResultTable table = Table();
  ConvertToDisplayUnits(table);
  EXPECT_THAT(table.units, ElementsAre("bar", "deg", "deg/s", "rpm", "kN", "kN.m", "", "kg/s", "m"));
  EXPECT_DOUBLE_EQ(table.columns[0][0], 250);
  EXPECT_DOUBLE_EQ(table.columns[1][0], 90);
  EXPECT_DOUBLE_EQ(table.columns[2][0], 18 / kPi);
  EXPECT_DOUBLE_EQ(table.columns[3][0], 1500);
  EXPECT_DOUBLE_EQ(table.columns[4][0], 200);
  EXPECT_TRUE(std::isnan(table.columns[4][1]));
}

TEST(TableUnitsTest, SiComesBack) {
  const ResultTable si = Table();
  ResultTable table = si;
  ConvertToDisplayUnits(table);
  ConvertToSi(table);
  EXPECT_EQ(table.units, si.units);
  for (std::size_t i = 0; i < si.columns.size(); ++i) EXPECT_DOUBLE_EQ(table.columns[i][0], si.columns[i][0]);
}

TEST(TableUnitsTest, UnitsOfOtherProgramsAreConvertedToo) {
  ResultTable table{.names = {"T", "Q", "u"},
                    .units = {"degC", "l/s", "furlong"},
                    .time = {0},
                    .columns = {{20}, {3}, {4}}};
  ConvertToSi(table);
  EXPECT_THAT(table.units, ElementsAre("K", "m3/s", "furlong"));
  EXPECT_DOUBLE_EQ(table.columns[0][0], 293.15);
  EXPECT_DOUBLE_EQ(table.columns[1][0], 3e-3);
  EXPECT_EQ(table.columns[2][0], 4);
}

TEST(TableUnitsTest, AFileInDisplayUnitsIsReadAsTheOneInSi) {
  const ResultTable si = Table();
  std::vector<ResultColumn> columns;
  for (std::size_t i = 0; i < si.names.size(); ++i) columns.push_back({si.names[i], si.units[i], "text"});
  for (const char* extension : {".csv", ".mat", ".h5"}) {
    const fs::path file = fs::temp_directory_path() / (std::string("davit_table_units_test") + extension);
    const auto writer = MakeResultWriter(file, columns);
    for (std::size_t n = 0; n < 2; ++n) {
      std::vector<double> row;
      for (const auto& column : si.columns) row.push_back(column[n]);
      writer->WriteRow(si.time[n], row);
    }
    writer->Close();
    RewriteInDisplayUnits(file, columns);
    Diagnostics diagnostics;
    if (extension == std::string(".csv")) {
      const auto as_written = LoadCsv(file, diagnostics);
      ASSERT_TRUE(as_written);
      EXPECT_EQ(as_written->units[1], "deg");
      EXPECT_DOUBLE_EQ(as_written->columns[1][0], 90);
    }
    const auto back = LoadResult(file, diagnostics);
    ASSERT_TRUE(back) << extension;
    EXPECT_EQ(back->units, si.units) << extension;
    EXPECT_EQ(back->time, si.time);
    for (std::size_t i = 0; i < si.columns.size(); ++i)
      EXPECT_DOUBLE_EQ(back->columns[i][0], si.columns[i][0]) << extension << ' ' << si.names[i];
    fs::remove(file);
    fs::remove(UnitsFileOf(file));
  }
}

}  // namespace
}  // namespace davit
