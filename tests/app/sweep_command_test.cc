#include "analysis/studies/sweep_study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "app/exit_code.h"
#include "app/studies/collect_command.h"
#include "app/studies/study_run.h"
#include "components/register.h"
#include "framework/xml/schedule_reader.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string ReadText(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// The lines of a table without the last cell, the time that a case took.
std::string WithoutWallTime(const fs::path& path) {
  std::ifstream file(path);
  std::string text;
  for (std::string line; std::getline(file, line);) text += line.substr(0, line.rfind(',')) + '\n';
  return text;
}

class SweepCommandTest : public testing::Test {
 protected:
  SweepCommandTest()
      : folder_(fs::path(testing::TempDir()) / ("davit_sweep_command_test_" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~SweepCommandTest() override { fs::remove_all(folder_); }

  SweepOptions Sweep(const std::string& output) const {
    SweepOptions options;
    options.system = fs::path(DAVIT_SOURCE_DIR) / "systems" / "lifting_cylinder.xml";
    options.stop = "1 s";
    options.workers = 1;
    Vary(options, "load.mass=8 t:1 t:12 t");
    Vary(options, "cylinder.level=Ideal,Standard");
    options.measures = {{"top=max(load.x)"}, {"peak=max(cylinder.p_a) - 10 bar"}};
    options.output = folder_ / output;
    return options;
  }
  static void Vary(SweepOptions& options, const std::string& text) {
    options.vary.push_back({text, OptionPlace("--vary", text)});
  }
  int Run(const SweepOptions& options) {
    out_.str("");
    err_.str("");
    SweepStudy study(options);
    return RunStudy(study, false, registry_, out_, err_);
  }
  /// Keeps the first `rows` rows, and a piece of the next: what a crash leaves behind.
  static void CutTable(const fs::path& path, int rows) {
    std::istringstream text(ReadText(path));
    std::ofstream file(path, std::ios::binary);
    std::string line;
    for (int i = 0; i <= rows && std::getline(text, line); ++i) file << line << '\n';
    std::getline(text, line);
    file << line.substr(0, line.size() / 2);
  }

  fs::path folder_;
  Registry registry_ = AllModels();
  std::ostringstream out_, err_;
};

TEST_F(SweepCommandTest, WritesARowForEachCaseInSi) {
  SweepOptions options = Sweep("a.csv");
  options.vary.clear();
  Vary(options, "load.mass=9 t,10 t");
  EXPECT_EQ(Run(options), kDone) << err_.str();
  std::istringstream table(ReadText(folder_ / "a.csv"));
  std::string line;
  std::getline(table, line);
  EXPECT_EQ(line, "case,load.mass,top,peak,status,message,wall_s");
  std::getline(table, line);
  EXPECT_THAT(line, AllOf(StartsWith("1,9000,"), HasSubstr(",done,,")));
  std::getline(table, line);
  EXPECT_THAT(line, StartsWith("2,10000,"));
  EXPECT_FALSE(std::getline(table, line));
  EXPECT_EQ(ReadText(folder_ / "a.csv.units"), "path,unit\nload.mass,kg\ntop,m\npeak,Pa\nwall_s,s\n");
  EXPECT_THAT(out_.str(), HasSubstr("done              2"));
}

TEST_F(SweepCommandTest, WorkersShardsAndResumingGiveTheSameTable) {
  ASSERT_EQ(Run(Sweep("one.csv")), kDone) << err_.str();
  const std::string expected = WithoutWallTime(folder_ / "one.csv");
  EXPECT_EQ(std::ranges::count(expected, '\n'), 11);

  SweepOptions two = Sweep("two.csv");
  two.workers = 2;
  ASSERT_EQ(Run(two), kDone);
  EXPECT_EQ(WithoutWallTime(folder_ / "two.csv"), expected);

  std::vector<fs::path> shards;
  for (const char* shard : {"1/4", "2/4", "3/4", "4/4"}) {
    SweepOptions part = Sweep(std::string("part") + shard[0] + ".csv");
    part.shard = shard;
    ASSERT_EQ(Run(part), kDone);
    shards.push_back(*part.output);
  }
  ASSERT_EQ(RunCollect({.tables = shards, .output = folder_ / "all.csv", .cases = {}}, out_, err_), kDone)
      << err_.str();
  EXPECT_EQ(WithoutWallTime(folder_ / "all.csv"), expected);
  EXPECT_EQ(ReadText(folder_ / "all.csv.units"), ReadText(folder_ / "one.csv.units"));

  for (const int rows : {0, 3, 9}) {
    CutTable(folder_ / "one.csv", rows);
    SweepOptions again = Sweep("one.csv");
    again.is_resumed = true;
    ASSERT_EQ(Run(again), kDone) << err_.str();
    EXPECT_EQ(WithoutWallTime(folder_ / "one.csv"), expected) << rows;
  }
}

TEST_F(SweepCommandTest, CollectFailsWhereCasesAreMissing) {
  std::vector<fs::path> shards;
  for (const char* shard : {"1/3", "2/3", "3/3"}) {
    SweepOptions part = Sweep(std::string("part") + shard[0] + ".csv");
    part.shard = shard;
    ASSERT_EQ(Run(part), kDone);
    shards.push_back(*part.output);
  }
  // Of ten cases the shards have 1 4 7 10, 2 5 8 and 3 6 9.
  const auto collect = [&](std::vector<fs::path> tables, std::optional<std::uint64_t> cases,
                           bool is_partial) {
    err_.str("");
    const int code = RunCollect({std::move(tables), folder_ / "all.csv", cases, is_partial}, out_, err_);
    const std::string all = ReadText(folder_ / "all.csv");
    return std::pair(code, std::ranges::count(all, '\n') - 1);
  };
  EXPECT_EQ(collect(shards, 10, false), std::pair(kDone, 10L));
  EXPECT_EQ(collect({shards[0], shards[2]}, {}, false), std::pair(kRunFailed, 7L));
  EXPECT_THAT(err_.str(), HasSubstr("error: 3 cases missing, the first of them is 2; "));
  EXPECT_EQ(collect({shards[0], shards[2]}, {}, true), std::pair(kDone, 7L));
  EXPECT_THAT(err_.str(), StartsWith("warning: 3 cases missing"));
  // The end of a study is known by the number of its cases only.
  EXPECT_EQ(collect({shards[1], shards[2]}, 10, false), std::pair(kRunFailed, 6L));
  EXPECT_THAT(err_.str(), HasSubstr("4 cases missing, the first of them is 1; "));
  err_.str("");
  EXPECT_EQ(RunCollect({.tables = shards, .output = folder_ / "all.csv", .cases = 9}, out_, err_),
            kWrongInput);
}

TEST_F(SweepCommandTest, AFailedCaseDoesNotEndTheStudy) {
  SweepOptions options = Sweep("failed.csv");
  options.vary.clear();
  std::ofstream(folder_ / "cases.csv") << "cylinder.rod,load.mass\n141 mm,9 t\n300 mm,9 t\n120 mm,10 t\n";
  options.cases = folder_ / "cases.csv";
  EXPECT_EQ(Run(options), kDone) << err_.str();
  std::istringstream table(ReadText(folder_ / "failed.csv"));
  std::vector<std::string> lines;
  for (std::string line; std::getline(table, line);) lines.push_back(line);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_THAT(lines[1], HasSubstr(",done,"));
  EXPECT_THAT(lines[2], AllOf(HasSubstr(",nan,nan,failed,"), HasSubstr("rod")));
  EXPECT_THAT(lines[3], HasSubstr(",done,"));
}

TEST_F(SweepCommandTest, SamplesAreTheSameForEachNumberOfWorkers) {
  const auto run = [&](unsigned workers, std::uint64_t seed) {
    SweepOptions options = Sweep("samples.csv");
    options.vary.clear();
    Vary(options, "load.mass=normal(10 t, 500 kg)");
    Vary(options, "pump.set_pressure=uniform(200 bar, 300 bar)");
    options.samples = 6;
    options.seed = seed;
    options.workers = workers;
    EXPECT_EQ(Run(options), kDone) << err_.str();
    return WithoutWallTime(folder_ / "samples.csv");
  };
  EXPECT_EQ(run(1, 7), run(3, 7));
  EXPECT_NE(run(1, 7), run(1, 8));
}

TEST_F(SweepCommandTest, KeepsCurvesAndWritesHdf5) {
  SweepOptions options = Sweep("kept.h5");
  options.vary.clear();
  Vary(options, "load.mass=9 t,10 t");
  options.keeps_curves = true;
  options.simulation.load.signals = {"load.x"};
  EXPECT_EQ(Run(options), kDone) << err_.str();
  EXPECT_EQ(ReadText(folder_ / "kept.h5").substr(1, 3), "HDF");
  EXPECT_FALSE(fs::exists(folder_ / "kept.h5.csv"));
  EXPECT_THAT(ReadText(folder_ / "kept_curves" / "case_2.csv"), StartsWith("time,load.x\n"));
}

TEST_F(SweepCommandTest, WrongInputIsToldInOnePass) {
  SweepOptions options = Sweep("table.txt");
  options.vary.clear();
  Vary(options, "load.mas=5 t");
  Vary(options, "load.mass=5 bar");
  options.measures = {{"top=max(load.xx)"}, {"max(load.x)"}, {"p=max(load.x) + 1 bar"}};
  options.shard = "5/4";
  EXPECT_EQ(Run(options), kWrongInput);
  EXPECT_THAT(err_.str(),
              AllOf(HasSubstr("did you mean 'mass'?"), HasSubstr("kg is needed"), HasSubstr("load.x"),
                    HasSubstr("it has no name"), HasSubstr("'+' adds m and Pa"),
                    HasSubstr("shard 5/4: error"), HasSubstr("unknown kind of table")));
  EXPECT_FALSE(fs::exists(folder_ / "table.txt"));
}

TEST_F(SweepCommandTest, TablesOfOtherStudiesAreNotContinued) {
  ASSERT_EQ(Run(Sweep("a.csv")), kDone);
  SweepOptions other = Sweep("a.csv");
  other.is_resumed = true;
  other.vary[0].text = "load.mass=8 t:2 t:12 t";
  EXPECT_EQ(Run(other), kWrongInput);
  EXPECT_THAT(err_.str(), HasSubstr("table of another study"));
  other = Sweep("a.csv");
  other.is_resumed = true;
  other.measures.pop_back();
  EXPECT_EQ(Run(other), kWrongInput);
  EXPECT_THAT(err_.str(), HasSubstr("its columns differ"));
}

TEST_F(SweepCommandTest, AFullDiskEndsTheStudyWithItsRows) {
  SweepOptions options = Sweep("x.csv");
  options.output = "/dev/full";
  EXPECT_EQ(Run(options), kRunFailed);
  EXPECT_THAT(err_.str(), HasSubstr("/dev/full"));
}

}  // namespace
}  // namespace davit
