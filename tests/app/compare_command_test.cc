#include "app/compare_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/child_program.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

class CompareCommandTest : public testing::Test {
 protected:
  CompareCommandTest()
      : folder_(fs::path(testing::TempDir()) / ("davit_compare_command_test_" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~CompareCommandTest() override { fs::remove_all(folder_); }

  int Run(std::string_view a, std::string_view b, CompareOptions options = {}) {
    options.a = folder_ / "a.csv";
    options.b = folder_ / "b.csv";
    std::ofstream(options.a) << a;
    std::ofstream(options.b) << b;
    std::ostringstream out;
    std::ostringstream err;
    const int code = RunCompare(options, out, err);
    out_ = out.str();
    err_ = err.str();
    return code;
  }

  const fs::path folder_;
  std::string out_;
  std::string err_;
};

TEST_F(CompareCommandTest, EqualResultsAreTheSame) {
  EXPECT_EQ(Run("time,x,y\n0,1,nan\n1,2,3\n", "time,y,x\n0,nan,1\n1,3,2\n"), 0);
  EXPECT_EQ(out_,
            "signal  worst_at  |a-b|  a    b\n"
            "x       0         0      1    1    ok\n"
            "y       0         0      nan  nan  ok\n"
            "0 of 2 signals differ (rtol 1e-09, atol 1e-12, time-tol 0 s)\n");
  EXPECT_THAT(err_, IsEmpty());
}

TEST_F(CompareCommandTest, TheWorstPointIsShown) {
  EXPECT_EQ(Run("time,x,only_a\n0,1,1\n1,2,1\n", "time,x\n0,1\n1,2.5\n"), 1);
  EXPECT_EQ(out_,
            "signal  worst_at  |a-b|  a  b\n"
            "x       1         0.5    2  2.5  DIFFERENT\n"
            "only_a  -         -      -  -    DIFFERENT (only in A)\n"
            "2 of 2 signals differ (rtol 1e-09, atol 1e-12, time-tol 0 s)\n");
}

TEST_F(CompareCommandTest, TolerancesAreUsed) {
  const std::string_view a = "time,x\n0,1\n1,1\n1,2\n2,2\n";
  EXPECT_EQ(Run(a, "time,x\n0,1.01\n1,1\n1,2\n2,2\n", {.a = {}, .b = {}, .atol = 0.02}), 0);
  EXPECT_EQ(Run(a, "time,x\n0,1.01\n1,1\n1,2\n2,2\n", {.a = {}, .b = {}, .rtol = 0.02}), 0);
  EXPECT_EQ(Run(a, "time,x\n0,1\n1.1,1\n1.1,2\n2,2\n"), 1);
  EXPECT_EQ(Run(a, "time,x\n0,1\n1.1,1\n1.1,2\n2,2\n", {.a = {}, .b = {}, .time_tol = 0.1}), 0);
}

TEST_F(CompareCommandTest, OtherTimesAreMentioned) {
  EXPECT_EQ(Run("time,x\n0,1\n1,1\n2,1\n", "time,x\n1,1\n2,1\n"), 0);
  EXPECT_EQ(err_, "warning: A spans 0 s to 2 s and B 1 s to 2 s; the comparison covers 1 s to 2 s\n");
  EXPECT_EQ(Run("time,x\n0,1\n1,1\n", "time,x\n2,1\n3,1\n"), 1);
  EXPECT_EQ(err_, "error: the results have no time in common, so nothing is compared\n");
  EXPECT_THAT(out_, HasSubstr("x       -         -      -  -  not compared"));
}

TEST_F(CompareCommandTest, AllFaultsOfTheInputAreReportedInOnePass) {
  EXPECT_EQ(Run("x\n", "time,x\n0\n", {.a = {}, .b = {}, .rtol = -1}), 2);
  EXPECT_THAT(out_, IsEmpty());
  EXPECT_THAT(err_, HasSubstr("--rtol -1: error: a tolerance must be 0 or a positive number\n"));
  EXPECT_THAT(
      err_,
      HasSubstr("a.csv:1: error: the first column is 'x'; it must have the heading time, without a unit, "
                "and contain seconds\n"));
  EXPECT_THAT(err_,
              HasSubstr("b.csv:2: error: 1 cell, but the header has 2; remove the line or complete it\n"));
}

/// Two versions of a system: a list, JSON, and 0 where at most the drawing differs.
TEST_F(CompareCommandTest, SystemsAreCompared) {
  const auto run = [&](std::string_view a, std::string_view b) {
    CompareOptions options{.a = folder_ / "a.xml", .b = folder_ / "b.xml", .summary = folder_ / "c.json"};
    std::ofstream(options.a) << a;
    std::ofstream(options.b) << b;
    std::ostringstream out, err;
    const int code = RunCompareSystems(options, out, err);
    out_ = out.str();
    err_ = err.str();
    return code;
  };
  EXPECT_EQ(run("<System/>", "<System/>"), 0);
  EXPECT_EQ(out_, "0 differences of the system, 0 of the layout only\n");
  EXPECT_EQ(run("<System><m.A name='x' v='1'/><m.B name='y'/></System>",
                "<System><m.A name='x' v='2'/><Connect from='x.a' to='x.b'/></System>"),
            1);
  EXPECT_EQ(out_,
            "- component y (m.B)\n"
            "~ component x, v: 1 -> 2\n"
            "+ connection x.a - x.b\n"
            "3 differences of the system, 0 of the layout only\n");
  std::ifstream file(folder_ / "c.json");
  const auto json = nlohmann::json::parse(file);
  EXPECT_EQ(json["differences"].size(), 3U);
  EXPECT_EQ(json["differences"][1]["before"], "1");
  EXPECT_EQ(json["differences"][1]["at_after"]["line"], 1);
  EXPECT_EQ(json["same"], false);
  EXPECT_EQ(run("<System/>", "<System><Layout><Note x='0' y='0' text='new'/></Layout></System>"), 0);
  EXPECT_EQ(out_,
            "+ layout note 'x=0, y=0, text=new'\n"
            "0 differences of the system, 1 of the layout only\n");
  EXPECT_EQ(run("<System>", "<scxml/>"), 2);
  EXPECT_THAT(err_, HasSubstr("a.xml:1: error: "));
  EXPECT_THAT(err_, HasSubstr("b.xml:1: error: the root element is <scxml>; name a system file"));
}

/// Options of the other kind of file are not ignored.
TEST_F(CompareCommandTest, OptionsOfTheOtherKindAreRefused) {
  const auto run = [&](const std::string& ending, std::vector<std::string> options) {
    options.insert(options.begin(),
                   {DAVIT_BINARY, "compare", folder_ / ("a" + ending), folder_ / ("b" + ending)});
    ChildProgram program(options);
    const int code = program.Finish();
    err_ = program.err();
    return code;
  };
  for (const char* name : {"a", "b"}) {
    std::ofstream(folder_ / (std::string(name) + ".xml")) << "<System/>";
    std::ofstream(folder_ / (std::string(name) + ".csv")) << "time,x\n0,1\n";
  }
  EXPECT_EQ(run(".xml", {"--rtol", "0.1", "--time-tol", "1"}), 2);
  EXPECT_THAT(err_, HasSubstr("--rtol: error: two system files are compared; leave it out\n--time-tol: "));
  EXPECT_EQ(run(".csv", {"--summary", folder_ / "c.json"}), 2);
  EXPECT_THAT(err_, HasSubstr("--summary: error: two results are compared; leave it out\n"));
  EXPECT_FALSE(fs::exists(folder_ / "c.json"));
  EXPECT_EQ(run(".xml", {}), 0);
  EXPECT_EQ(run(".csv", {"--rtol", "0.1"}), 0);
}

}  // namespace
}  // namespace davit
