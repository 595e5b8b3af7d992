#include "app/plot_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

std::string PictureText(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// A wave, a step with two rows at its event, a level, and a signal that has no values.
ResultTable MakeTable() {
  ResultTable table{.names = {"cylinder.p_a", "dcv.spool", "cylinder.level", "off.x"},
                    .units = {"Pa", "", "", "m"},
                    .time = {},
                    .columns = std::vector<std::vector<double>>(4)};
  const auto append = [&](double t, bool is_after) {
    table.time.push_back(t);
    table.columns[0].push_back(1e7 + 1e6 * std::sin(t));
    table.columns[1].push_back(is_after ? 1 : 0);
    table.columns[2].push_back(is_after ? 2 : 1);
    table.columns[3].push_back(std::numeric_limits<double>::quiet_NaN());
  };
  for (int i = 0; i <= 10; ++i) append(i, false);
  for (int i = 10; i <= 20; ++i) append(i, true);
  return table;
}

class PlotCommandTest : public testing::Test {
 protected:
  PlotCommandTest()
      : folder_(fs::path(testing::TempDir()) / ("davit_plot_command_test_" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~PlotCommandTest() override { fs::remove_all(folder_); }

  int Plot(const ResultTable& table, const std::vector<std::string>& signals, const fs::path& output) {
    std::ostringstream out;
    std::ostringstream err;
    const int code = PlotTable(table, signals, "lifting_cylinder", output, out, err);
    out_ = out.str();
    err_ = err.str();
    return code;
  }

  const fs::path folder_;
  const fs::path svg_ = folder_ / "x.svg";
  std::string out_;
  std::string err_;
};

TEST_F(PlotCommandTest, AFileOfResultsBecomesAPicture) {
  std::ofstream(folder_ / "my result.csv") << "time,a.p,a.x\n0,1,2\n1,3,4\n";
  std::ofstream(folder_ / "my result.csv.units") << "path,unit\na.p,Pa\na.x,m\n";
  std::ostringstream out;
  std::ostringstream err;
  EXPECT_EQ(
      RunPlot({.result = folder_ / "my result.csv", .more = {}, .output = folder_ / "it's.PNG"}, out, err),
      0);
  EXPECT_THAT(err.str(), IsEmpty());
  EXPECT_THAT(out.str(), HasSubstr("it's.PNG: 2 signals in 2 panels\n"));
  EXPECT_THAT(PictureText(folder_ / "it's.PNG"), StartsWith("\x89PNG\r\n\x1a\n"));

  EXPECT_EQ(RunPlot({.result = folder_ / "my result.csv", .more = {"a.x"}, .output = svg_}, out, err), 0);
  const std::string svg = PictureText(svg_);
  EXPECT_THAT(svg, AllOf(StartsWith("<?xml"), HasSubstr("my result"), HasSubstr("a.x"),
                         HasSubstr("Position [m]"), Not(HasSubstr("a.p")), Not(HasSubstr("<script"))));
  EXPECT_TRUE(svg.ends_with("</svg>\n\n") || svg.ends_with("</svg>\n"));
}

TEST_F(PlotCommandTest, SeveralResultsAreDrawnIntoOnePicture) {
  std::ofstream(folder_ / "ideal.csv") << "time,a.p,a.x\n0,1e5,2\n1,3e5,4\n";
  std::ofstream(folder_ / "ideal.csv.units") << "path,unit\na.p,Pa\na.x,m\n";
  std::ofstream(folder_ / "advanced.csv")
      << "time,b.x,a.x\n0,1,2\n0.5,2,3\n2,3,4\n";  // other times, no units
  std::ostringstream out;
  std::ostringstream err;
  const std::vector<std::string> both{(folder_ / "advanced.csv").string(), "a.*"};
  EXPECT_EQ(RunPlot({.result = folder_ / "ideal.csv", .more = both, .output = svg_}, out, err), 0);
  EXPECT_THAT(err.str(), IsEmpty());
  EXPECT_THAT(out.str(), HasSubstr("x.svg: 3 curves in 2 panels\n"));
  EXPECT_THAT(PictureText(svg_),
              AllOf(HasSubstr("ideal: a.x"), HasSubstr("advanced: a.x"), HasSubstr("ideal: a.p"),
                    Not(HasSubstr("b.x")), HasSubstr("ideal, advanced"), HasSubstr("Position [m]")));
}

TEST_F(PlotCommandTest, ResultsOfTheSameNameAreToldByTheirFolders) {
  fs::create_directories(folder_ / "b");
  for (const fs::path& file : {folder_ / "run.csv", folder_ / "b/run.csv"}) {
    std::ofstream(file) << "time,a.x\n0,2\n1,4\n";
  }
  std::ostringstream out;
  std::ostringstream err;
  const std::vector<std::string> other{(folder_ / "b/run.csv").string()};
  EXPECT_EQ(RunPlot({.result = folder_ / "run.csv", .more = other, .output = svg_}, out, err), 0);
  EXPECT_THAT(PictureText(svg_), HasSubstr("b/run.csv: a.x"));
}

TEST_F(PlotCommandTest, EachResultThatCannotBeReadIsReported) {
  std::ostringstream out;
  std::ostringstream err;
  const std::vector<std::string> more{(folder_ / "none_2.csv").string(), "a.x"};
  EXPECT_EQ(RunPlot({.result = folder_ / "none_1.csv", .more = more, .output = svg_}, out, err), 2);
  EXPECT_THAT(err.str(), AllOf(HasSubstr("none_1.csv: error: cannot be read"),
                               HasSubstr("none_2.csv: error: cannot be read")));
}

TEST_F(PlotCommandTest, CurvesAreDrawnOverAnotherSignal) {
  std::ofstream(folder_ / "pump.csv")
      << "time,pump.p,pump.q,load.x\n0,1e7,2e-3,0\n1,3e7,1e-3,1\n2,2e7,4e-3,2\n";
  std::ofstream(folder_ / "pump.csv.units") << "path,unit\npump.p,Pa\npump.q,m3/s\nload.x,m\n";
  std::ostringstream out;
  std::ostringstream err;
  EXPECT_EQ(RunPlot({.result = folder_ / "pump.csv", .more = {}, .output = svg_, .x = "pump.p"}, out, err),
            0);
  EXPECT_THAT(err.str(), IsEmpty());
  EXPECT_THAT(out.str(), HasSubstr("x.svg: 2 signals in 2 panels\n"));
  EXPECT_THAT(PictureText(svg_), AllOf(HasSubstr("pump.p [bar]"), HasSubstr("Flow [l/min]"),
                                       Not(HasSubstr("Time [s]")), Not(HasSubstr("Pressure [bar]"))));
  EXPECT_EQ(RunPlot({.result = folder_ / "pump.csv", .more = {}, .output = svg_, .x = "pump.pp"}, out, err),
            2);
  EXPECT_THAT(err.str(), HasSubstr("error: --x: no signal is named 'pump.pp'; did you mean 'pump.p'?"));
}

TEST_F(PlotCommandTest, UnitsLevelsAndMissingValuesAreNamed) {
  EXPECT_EQ(Plot(MakeTable(), {}, svg_), 0) << err_;
  EXPECT_THAT(PictureText(svg_),
              AllOf(HasSubstr("Pressure [bar]"), HasSubstr("Time [s]"), HasSubstr("lifting_cylinder"),
                    HasSubstr("cylinder.p_a"), HasSubstr("Ideal"), HasSubstr("Standard"),
                    HasSubstr("Advanced"), HasSubstr("off.x (no values)")));
}

TEST_F(PlotCommandTest, LevelsOfOnesOwnAspectsAndModesAreNamed) {
  ResultTable table = MakeTable();
  table.names.insert(table.names.end(), {"own.level", "own.friction", "own.regime"});
  table.units.resize(table.names.size());
  table.options.resize(table.names.size());
  const auto fill = [&](std::size_t back, double value, std::vector<std::string> options) {
    table.columns.emplace_back(table.time.size(), value);
    table.options[table.options.size() - back] = std::move(options);
  };
  fill(3, 3, {"Ideal", "Standard", "Advanced", "It's coarse"});
  fill(2, 1, {"None", "LuGre"});
  fill(1, 0, {"Laminar", "Turbulent"});
  EXPECT_EQ(Plot(table, {}, svg_), 0) << err_;
  EXPECT_THAT(PictureText(svg_), AllOf(HasSubstr("It's coarse"), HasSubstr("LuGre"), HasSubstr("Turbulent")));
}

TEST_F(PlotCommandTest, NamesAreNeitherCommandsNorMarkup) {
  ResultTable table = MakeTable();
  const fs::path trap = folder_ / "trap";
  table.names[0] = "it's `touch " + trap.string() + "` \\ \"q\" <b> & {/=50 x}_y^z @a";
  table.names[1] = "';set output '" + trap.string() + "';#\n!touch " + trap.string();
  EXPECT_EQ(Plot(table, {}, svg_), 0) << err_;
  EXPECT_FALSE(fs::exists(trap));
  EXPECT_THAT(PictureText(svg_), HasSubstr("&lt;b> &amp; {/=50 x}_y^z @a"));
}

TEST_F(PlotCommandTest, GlobsAndPathsSelectEachSignalOnce) {
  EXPECT_EQ(Plot(MakeTable(), {"cylinder.*", "cylinder.p_a", "dcv.spool"}, svg_), 0);
  EXPECT_THAT(out_, HasSubstr("x.svg: 3 signals in 3 panels\n"));
}

TEST_F(PlotCommandTest, MisspeltNamesAreAnsweredWithTheNearest) {
  EXPECT_EQ(Plot(MakeTable(), {"cylinder.pa", "zz*", "dcv.spool"}, folder_ / "x.pdf"), 2);
  EXPECT_THAT(err_, HasSubstr("x.pdf: error: '.pdf' is not a format of pictures; name it .svg or .png\n"));
  EXPECT_THAT(err_, HasSubstr("error: no signal is named 'cylinder.pa'; did you mean 'cylinder.p_a'?\n"));
  EXPECT_THAT(
      err_,
      HasSubstr("error: no signal matches 'zz*'; the result has cylinder.p_a, dcv.spool, cylinder.level, "
                "off.x\n"));
  EXPECT_FALSE(fs::exists(folder_ / "x.pdf"));
}

TEST_F(PlotCommandTest, WrongInputIsReportedInOnePass) {
  std::ostringstream out;
  std::ostringstream err;
  EXPECT_EQ(RunPlot({.result = folder_ / "none.csv", .more = {}, .output = folder_ / "x"}, out, err), 2);
  EXPECT_THAT(err.str(), HasSubstr("none.csv: error: cannot be read: No such file or directory\n"));
  EXPECT_THAT(err.str(), HasSubstr("x: error: a picture needs a name that ends in .svg or .png\n"));

  EXPECT_EQ(Plot({.names = {"a"}, .units = {""}, .time = {}, .columns = {{}}}, {}, svg_), 2);
  EXPECT_THAT(err_, HasSubstr("there is nothing to plot"));
}

TEST_F(PlotCommandTest, WhatIsLeftOutIsSaid) {
  ResultTable table;
  table.time = {0, 1};
  for (int i = 1; i <= 14; ++i) {
    table.names.push_back("line_" + std::to_string(i) + ".p");
    table.units.push_back("Pa");
    table.columns.push_back({0.0, 1e5 * i});
  }
  EXPECT_EQ(Plot(table, {}, svg_), 0);
  EXPECT_THAT(err_, HasSubstr("warning: 2 signals not drawn"));
  EXPECT_THAT(err_, HasSubstr("line_13.p, line_14.p"));
  EXPECT_THAT(PictureText(svg_), AllOf(HasSubstr("line_12.p"), Not(HasSubstr("line_13.p"))));

  EXPECT_EQ(Plot(table, {"line_*.p"}, svg_), 0);
  EXPECT_THAT(err_, IsEmpty());
  EXPECT_THAT(PictureText(svg_), HasSubstr("line_14.p"));
}

TEST_F(PlotCommandTest, OddCurvesAreDrawn) {
  ResultTable table{.names = {"a", "b"}, .units = {"m", "Pa"}, .time = {5}, .columns = {{0}, {1e7}}};
  EXPECT_EQ(Plot(table, {}, svg_), 0) << err_;  // one instant
  table.time = {1e6, 1e6 + 1e-3};
  table.columns = {{1, 1 + 1e-15}, {std::numeric_limits<double>::infinity(), 1e300}};
  EXPECT_EQ(Plot(table, {}, svg_), 0) << err_;  // nearly constant, and hardly a number
  table.columns = {{-1.7e308, 1.7e308}, {0, 5e-324}};
  EXPECT_EQ(Plot(table, {}, svg_), 0) << err_;
  table.columns = {{-1e290, 1e290}, {1e-250, 3e-250}};
  EXPECT_EQ(Plot(table, {}, svg_), 0) << err_;
}

TEST_F(PlotCommandTest, MuchDataMakesASmallPicture) {
  ResultTable table{.names = {"a"}, .units = {"m"}, .time = {}, .columns = {{}}};
  for (int i = 0; i < 300000; ++i) {
    table.time.push_back(1e-3 * i);
    table.columns[0].push_back(std::sin(0.1 * i));
  }
  EXPECT_EQ(Plot(table, {}, svg_), 0);
  EXPECT_LT(fs::file_size(svg_), 200'000U);
}

TEST_F(PlotCommandTest, AFailureToDrawOrToWriteIsReported) {
  EXPECT_EQ(Plot(MakeTable(), {}, folder_ / "none/x.svg"), 1);
  EXPECT_THAT(err_,
              HasSubstr("x.svg: cannot be opened for writing: No such file or directory; make the folder"));

  const std::string path = std::getenv("PATH");
  setenv("PATH", folder_.c_str(), 1);
  EXPECT_EQ(Plot(MakeTable(), {}, svg_), 1);
  EXPECT_EQ(
      err_,
      "error: the program gnuplot, which draws the curves, is not installed; install it (Debian: apt install "
      "gnuplot-nox)\n");

  std::ofstream(folder_ / "gnuplot") << "#!/bin/sh\necho 'line 2: unknown terminal' >&2\nexit 1\n";
  fs::permissions(folder_ / "gnuplot", fs::perms::owner_all);
  EXPECT_EQ(Plot(MakeTable(), {}, svg_), 1);
  EXPECT_THAT(err_, HasSubstr("gnuplot could not draw the curves: line 2: unknown terminal; "));
  EXPECT_FALSE(fs::exists(svg_));
  setenv("PATH", path.c_str(), 1);
}

TEST_F(PlotCommandTest, LogarithmicAxesLeaveOutWhatIsNotPositive) {
  std::ofstream csv(folder_ / "decay.csv");
  csv << "time,a.x,a.level\n";
  for (int i = -1; i <= 6; ++i)
    csv << (i < 0 ? 0 : std::pow(10, i)) << ',' << std::pow(10, -i) - 1e-5 << ",1\n";
  csv.close();
  std::ostringstream out, err;
  for (const LogAxes log : {LogAxes{true, false}, LogAxes{false, true}, LogAxes{true, true}}) {
    const PlotOptions options{.result = folder_ / "decay.csv", .more = {}, .output = svg_, .log = log};
    EXPECT_EQ(RunPlot(options, out, err), 0) << err.str();
    const std::string picture = PictureText(svg_);
    if (log.x) {
      EXPECT_THAT(picture, AllOf(HasSubstr("1e+06"), HasSubstr("10000"), HasSubstr("100")));
    }
    if (log.y) {
      EXPECT_THAT(picture, AllOf(HasSubstr("0.0001"), HasSubstr("0.01"), HasSubstr("Ideal")));
    }
  }
  EXPECT_THAT(err.str(), IsEmpty());
}

}  // namespace
}  // namespace davit
