#include "analysis/studies/levels_study.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "analysis/levels/level_group.h"
#include "analysis/levels/level_runner.h"
#include "analysis/levels/level_text.h"
#include "app/exit_code.h"
#include "app/studies/collect_command.h"
#include "app/studies/study_run.h"
#include "components/register.h"
#include "framework/xml/schedule_reader.h"
#include "results/csv_text.h"
#include "session/simulation.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// The lifting cylinder until 8 s: it rests until 5 s, then its spool jumps.
class LevelsCommandTest : public testing::Test {
 protected:
  LevelsCommandTest()
      : folder_(fs::path(testing::TempDir()) / ("davit_levels_test_" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~LevelsCommandTest() override { fs::remove_all(folder_); }

  static LevelsOptions Of(const std::vector<std::string>& metrics,
                          const std::vector<std::string>& tolerances) {
    LevelsOptions options;
    options.system = fs::path(DAVIT_SOURCE_DIR) / "systems" / "lifting_cylinder.xml";
    options.stop = "8 s";
    options.windows = "1 s";
    options.rounds = 1;
    options.workers = 1;
    for (const std::string& text : metrics) options.measures.push_back({text, OptionPlace("--metric", text)});
    for (const std::string& text : tolerances)
      options.tolerances.push_back({text, OptionPlace("--tolerance", text)});
    return options;
  }
  int Run(const LevelsOptions& options) {
    out_.str("");
    err_.str("");
    study_ = std::make_unique<LevelsStudy>(options);
    return RunStudy(*study_, false, registry_, out_, err_);
  }
  const LevelsResult& result() const { return study_->result(); }
  std::string ErrorsOf(const LevelsOptions& options) {
    EXPECT_EQ(Run(options), kWrongInput);
    return err_.str();
  }
  /// A signal at the end of each TimeStep of a run.
  std::vector<double> Curve(const fs::path& system, LoadOptions load, const std::string& signal) const {
    SimulationOptions options;
    options.load = std::move(load);
    options.load.set = {"SimulatorManager.StopTime=8 s"};
    const auto simulation = Simulation::Load(system, registry_, options).Take();
    simulation->Initialize();
    std::vector<double> values;
    while (!simulation->is_finished()) {
      simulation->Step();
      values.push_back(simulation->Read(signal));
    }
    return values;
  }

  static std::string Bytes(const fs::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator(stream), {}};
  }
  /// Without the time that they took.
  static std::string Rows(const fs::path& table) {
    std::ifstream file(table);
    std::string text;
    for (std::string line; std::getline(file, line);) text += line.substr(0, line.rfind(',')) + '\n';
    return text;
  }

  /// All five components at two lower levels, and each alone at two levels that the others do not have.
  static constexpr std::size_t kProbesOfWindow = 2 + 5 * 2;

  static LoadOptions Advanced() { return {.level = {"*=Advanced"}}; }
  static double RmsOf(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += std::pow(a[i] - b[i], 2);
    return std::sqrt(sum / static_cast<double>(a.size()));
  }

  const fs::path folder_;
  const Registry registry_ = AllModels();
  std::unique_ptr<LevelsStudy> study_;
  std::ostringstream out_, err_;
};

// Law: the file that the study writes, run by itself, has the error that the study has found, and that is
// within the tolerance; the reference is what --level '*=Advanced' runs. Both curves are those of other runs,
// bit for bit.
TEST_F(LevelsCommandTest, TheScheduleKeepsItsToleranceWhenItRunsAlone) {
  LevelsOptions options = Of({"lift=load.x", "pressure=cylinder.p_a"}, {"lift=1%", "pressure=2%"});
  options.outputs = {folder_ / "schedule.xml"};
  ASSERT_EQ(Run(options), kDone) << err_.str();
  const LevelPoint& chosen = result().chosen();
  EXPECT_TRUE(chosen.is_good());
  EXPECT_LT(chosen.cost.evaluations, result().reference.evaluations / 2);
  for (std::size_t m = 0; m < 2; ++m) {
    const std::string signal = m == 0 ? "load.x" : "cylinder.p_a";
    const std::vector<double> reference = Curve(options.system, Advanced(), signal);
    const std::vector<double> scheduled =
        Curve(options.system, {.levels = OutsideLevels{.schedule = folder_ / "schedule.xml"}}, signal);
    ASSERT_EQ(reference.size(), scheduled.size());
    const double error = RmsOf(scheduled, reference);
    EXPECT_EQ(error, chosen.errors[m]) << signal;
    const auto [low, high] = std::ranges::minmax(reference);
    EXPECT_LE(error, (m == 0 ? 0.01 : 0.02) * (high - low)) << signal;
  }
}

// Law: the chart that the study writes, in a run of its own, has the error that the study has found, within
// the tolerance; and it keeps the time between two switches of a component.
TEST_F(LevelsCommandTest, TheChartKeepsItsToleranceWhenItRunsAlone) {
  LevelsOptions options = Of({"lift=load.x"}, {"lift=1%"});
  options.outputs = {folder_ / "levels.scxml"};
  ASSERT_EQ(Run(options), kDone) << err_.str();
  ASSERT_TRUE(result().HasChart());
  const LevelPoint& point = result().chosen_chart().point;
  EXPECT_LT(point.cost.evaluations, result().reference.evaluations);
  const LoadOptions load{.levels = OutsideLevels{.chart = folder_ / "levels.scxml"}};
  const std::vector<double> reference = Curve(options.system, Advanced(), "load.x");
  EXPECT_EQ(RmsOf(Curve(options.system, load, "load.x"), reference), point.errors[0]);
  for (const LevelGroup& group : result().groups) {
    const std::vector<double> level = Curve(options.system, load, group.name + ".level");
    std::size_t last = 0;
    for (std::size_t i = 1; i < level.size(); ++i) {
      if (level[i] == level[i - 1]) continue;
      if (last > 0) {
        EXPECT_GE(0.01 * static_cast<double>(i - last), 0.1 - 1e-9) << group.name;
      }
      last = i;
    }
  }
}

// Law: without limits all stay at their highest level, and a chart then has the bits of the reference.
TEST_F(LevelsCommandTest, AToleranceOfNearlyNothingLetsTheChartLowerNothingThatMatters) {
  LevelsOptions options = Of({"lift=load.x"}, {"lift=1e-12 m"});
  options.outputs = {folder_ / "levels.scxml"};
  options.stop = "6 s";
  ASSERT_EQ(Run(options), kDone) << err_.str();
  ASSERT_TRUE(result().HasChart());
  EXPECT_LE(result().chosen_chart().point.errors[0], 1e-12);
}

// Law: a summary says the same as the result, by the names of the contract.
TEST_F(LevelsCommandTest, TheSummaryHasErrorsByMetric) {
  LevelsOptions options = Of({"lift=load.x", "pressure=cylinder.p_a"}, {"lift=1%", "pressure=2%"});
  options.summary = folder_ / "summary.json";
  ASSERT_EQ(Run(options), kDone) << err_.str();
  std::ifstream file(folder_ / "summary.json");
  const nlohmann::json summary = nlohmann::json::parse(file);
  const LevelPoint& chosen = result().chosen();
  EXPECT_EQ(summary["true_error"]["lift"], chosen.errors[0]);
  EXPECT_EQ(summary["true_error"]["pressure"], chosen.errors[1]);
  EXPECT_EQ(summary["cost"], chosen.cost.evaluations);
  EXPECT_EQ(summary["reference_cost"], result().reference.evaluations);
  EXPECT_EQ(summary["status"], "done");
  EXPECT_GT(summary["runs"], 1);
  EXPECT_TRUE(summary["predicted_error"].is_object());
}

// Law: charts and `<At>` of the system change no level in a run with a schedule.
TEST_F(LevelsCommandTest, ASystemWithChartsIsScheduled) {
  LevelsOptions options = Of({"lift=load.x"}, {"lift=5%"});
  options.system = fs::path(DAVIT_SOURCE_DIR) / "systems" / "level_switching.xml";
  options.windows = "4 s";
  options.outputs = {folder_ / "scheduled.xml"};
  ASSERT_EQ(Run(options), kDone) << err_.str();
  const std::vector<double> curve =
      Curve(options.system, {.levels = OutsideLevels{.schedule = folder_ / "scheduled.xml"}}, "load.x");
  LoadOptions highest{.levels = OutsideLevels{}};
  const double error = result().chosen().errors[0];
  EXPECT_EQ(RmsOf(curve, Curve(options.system, highest, "load.x")), error);
  EXPECT_EQ(result().fixed.back().name, "as the file has it");
  EXPECT_GT(result().fixed.back().switches, 0)
      << "its own charts and schedule switch levels, those of the study not";
}

// Law: a schedule in a file is what the study runs, bit for bit: values, evaluations and switches, for any
// levels from the first window on.
TEST_F(LevelsCommandTest, AScheduleInAFileRunsAsInTheStudy) {
  std::mt19937 random(1);
  for (const char* name : {"level_switching", "lifting_cylinder"}) {
    CaseSetup setup{.system = fs::path(DAVIT_SOURCE_DIR) / "systems" / (std::string(name) + ".xml")};
    setup.options.load.set = {"SimulatorManager.StopTime=8 s"};
    setup.options.load.levels.emplace();
    for (const char* signal : {"load.x", "cylinder.p_a", "cylinder.p_b", "pump.p_out", "cbv.opening"})
      setup.measures.push_back(
          {fmt::format("m{}", setup.measures.size()), fmt::format("final({})", signal), {}});
    Diagnostics diagnostics;
    const auto system = Simulation::Load(setup.system, registry_, setup.options).Take();
    const std::vector<LevelGroup> groups = FindLevelGroups(system->system(), {}, diagnostics);
    LevelRunner runner(setup, registry_, groups);
    const std::vector<double> starts{0, 2, 5.5}, ends{2, 5.5, 8};
    for (int i = 0; i < 6; ++i) {
      LevelSchedule schedule = TopSchedule(groups, starts.size());
      for (auto& row : schedule) {
        for (std::size_t& rung : row) rung = std::uniform_int_distribution<std::size_t>(0, 2)(random);
      }
      const LevelRun inside = runner.Run(
          {.ends = ends}, [&](std::size_t group, std::size_t window) { return schedule[group][window]; }, {});
      ASSERT_EQ(inside.fault, "");
      std::ofstream(folder_ / "schedule.xml") << ScheduleText(groups, schedule, starts, "");
      CaseSetup other = setup;
      other.options.load.levels->schedule = folder_ / "schedule.xml";
      const LevelRun outside = LevelRunner(other, registry_, {}).Run({.ends = {8}}, {}, {});
      EXPECT_EQ(outside.rows.values, inside.rows.values) << name << ' ' << i;
      EXPECT_EQ(outside.rows.evaluations, inside.rows.evaluations) << name << ' ' << i;
      EXPECT_EQ(outside.switches, inside.switches) << name << ' ' << i;
    }
  }
}

// Law: a schedule is not dearer than any levels that never change and keep the tolerances, of all 27.
TEST_F(LevelsCommandTest, NoLevelsThatNeverChangeAreCheaper) {
  LevelsOptions options = Of({"lift=load.x"}, {"lift=0.3%"});
  options.windows = "2 s";
  options.rounds = 0;
  options.groups = {{"p*", OptionPlace("--group", "p*")}, {"c*", OptionPlace("--group", "c*")}};
  ASSERT_EQ(Run(options), kDone) << err_.str();
  const auto run = [&](const std::vector<std::string>& levels) {
    SimulationOptions given;
    given.load.level = levels;
    given.load.set = {"SimulatorManager.StopTime=8 s"};
    const auto simulation = Simulation::Load(options.system, registry_, given).Take();
    simulation->Initialize();
    std::vector<double> curve;
    while (!simulation->is_finished()) {
      simulation->Step();
      curve.push_back(simulation->Read("load.x"));
    }
    return std::pair(curve, simulation->statistics().evaluations);
  };
  const std::vector<double> reference = run({"*=Advanced"}).first;
  std::uint64_t within = 0;
  const std::vector<std::string> levels{"Ideal", "Standard", "Advanced"};
  for (const std::string& p : levels) {
    for (const std::string& c : levels) {
      for (const std::string& dcv : levels) {
        const auto [curve, evaluations] = run({"p*=" + p, "c*=" + c, "dcv=" + dcv});
        if (RmsOf(curve, reference) > result().metrics[0].tolerance) continue;
        ++within;
        // The schedule begins with a switch from the highest levels.
        constexpr std::uint64_t kSwitches = 500;
        EXPECT_LE(result().chosen().cost.evaluations, evaluations + kSwitches) << p << ' ' << c << ' ' << dcv;
      }
    }
  }
  EXPECT_GE(within, 2U);
}

// Law: a wider tolerance never costs more, and one that nothing exceeds lets all have their cheapest levels.
TEST_F(LevelsCommandTest, CostFallsWithTheTolerance) {
  std::uint64_t before = UINT64_MAX;
  for (const char* tolerance : {"lift=1e-12 m", "lift=0.3%", "lift=3%", "lift=10 m"}) {
    ASSERT_EQ(Run(Of({"lift=load.x"}, {tolerance})), kDone) << err_.str();
    EXPECT_TRUE(result().chosen().is_good()) << tolerance;
    EXPECT_LE(result().chosen().cost.evaluations, before) << tolerance;
    before = result().chosen().cost.evaluations;
  }
}

// Law: the table of probes, the schedule and what is printed depend neither on the number of workers, nor on
// shards that are collected, nor on an interruption after any number of probes.
TEST_F(LevelsCommandTest, WorkersShardsAndResumingGiveTheSame) {
  LevelsOptions options = Of({"lift=load.x", "pressure=cylinder.p_a"}, {"lift=1%", "pressure=3%"});
  options.stop = "6 s";
  const auto as = [&](const std::string& name) {
    options.outputs = {folder_ / (name + ".csv"), folder_ / (name + ".xml")};
    return options;
  };
  ASSERT_EQ(Run(as("one")), kDone) << err_.str();
  const std::string whole = Rows(folder_ / "one.csv"), schedule = Bytes(folder_ / "one.xml"),
                    printed = out_.str();
  const auto expect_same = [&](const std::string& name) {
    EXPECT_EQ(Rows(folder_ / (name + ".csv")), whole) << name;
    EXPECT_EQ(Bytes(folder_ / (name + ".xml")), schedule) << name;
    EXPECT_EQ(out_.str(), printed) << name;
  };
  for (const unsigned workers : {2U, 8U}) {
    options.workers = workers;
    ASSERT_EQ(Run(as("workers")), kDone) << err_.str();
    expect_same("workers");
  }
  std::vector<fs::path> shards;
  for (const char* shard : {"1/3", "2/3", "3/3"}) {
    LevelsOptions part = options;
    part.outputs = {folder_ / (std::string("part") + shard[0] + ".csv")};
    part.shard = shard;
    ASSERT_EQ(Run(part), kDone) << err_.str();
    EXPECT_THAT(out_.str(), Not(HasSubstr("schedule")));
    shards.push_back(part.outputs[0]);
  }
  ASSERT_EQ(RunCollect({.tables = shards, .output = folder_ / "shards.csv", .cases = {}}, out_, err_), kDone)
      << err_.str();
  const std::string collected = Rows(folder_ / "shards.csv");
  EXPECT_EQ(whole.substr(0, collected.size()), collected);
  EXPECT_EQ(std::ranges::count(collected, '\n'), 1 + 6 * kProbesOfWindow);
  options.is_resumed = true;
  ASSERT_EQ(Run(as("shards")), kDone) << err_.str();
  expect_same("shards");
  for (const std::uint64_t probes : {7, 75}) {
    LevelsStudy interrupted(as("stopped"));
    Diagnostics diagnostics;
    interrupted.Check(registry_, diagnostics);
    std::stop_source stop;
    std::uint64_t heard = 0;
    interrupted.Run({.stop = stop.get_token(), .progress = [&](auto, auto, const std::string& what) {
                       if (what.ends_with(" probes") && ++heard >= probes) stop.request_stop();
                     }});
    EXPECT_FALSE(interrupted.result().is_complete);
    EXPECT_GE(std::ranges::count(Rows(folder_ / "stopped.csv"), '\n'),
              static_cast<std::ptrdiff_t>(1 + probes));
  }
  ASSERT_EQ(Run(as("stopped")), kDone) << err_.str();
  expect_same("stopped");
}

// Law: a table that was made with other tolerances gives the same as none: rows that were not worth a probe
// are no probes, and those around other schedules give way.
TEST_F(LevelsCommandTest, ATableOfOtherTolerancesIsContinued) {
  const auto run = [&](const std::string& name, const std::string& tolerance, bool is_resumed) {
    LevelsOptions options = Of({"lift=load.x"}, {"lift=" + tolerance});
    options.stop = "6 s";
    options.outputs = {folder_ / (name + ".csv"), folder_ / (name + ".xml")};
    options.is_resumed = is_resumed;
    ASSERT_EQ(Run(options), kDone) << err_.str();
  };
  run("tight", "0.3%", false);
  run("resumed", "10 m", false);
  ASSERT_THAT(Rows(folder_ / "resumed.csv"), HasSubstr(",left out,"));
  run("resumed", "0.3%", true);
  EXPECT_EQ(Rows(folder_ / "resumed.csv"), Rows(folder_ / "tight.csv"));
  EXPECT_EQ(Bytes(folder_ / "resumed.xml"), Bytes(folder_ / "tight.xml"));
}

// Law: probes of another system, or with another name, are not taken for those of this study.
TEST_F(LevelsCommandTest, ATableOfAnotherStudyIsNotContinued) {
  LevelsOptions options = Of({"lift=load.x"}, {"lift=1%"});
  options.stop = "6 s";
  options.windows = "3 s";
  options.outputs = {folder_ / "probes.csv"};
  ASSERT_EQ(Run(options), kDone) << err_.str();
  options.is_resumed = true;
  options.simulation.load.set = {"load.mass=9 t"};
  EXPECT_EQ(Run(options), kRunFailed);
  EXPECT_THAT(
      err_.str(),
      HasSubstr("probes.csv: this is the table of another study: its case 1 is another probe; name another "
                "file, or leave out resume to replace it"));
  options.measures[0].text = "rise=load.x";
  options.tolerances[0].text = "rise=1%";
  EXPECT_THAT(ErrorsOf(options), HasSubstr("its columns differ"));
  options.outputs.clear();
  EXPECT_THAT(ErrorsOf(options), HasSubstr("there is no table of probes; name it with output probes.csv"));
  options.is_resumed = false;
  options.outputs = {folder_ / "probes.csv", folder_ / "schedule.xml"};
  options.shard = "3/2";
  EXPECT_THAT(ErrorsOf(options),
              AllOf(HasSubstr("this is not a shard"), HasSubstr("a shard has probes only")));
}

// Law: components of a group have the same level at all times, and a group is one row of the result.
TEST_F(LevelsCommandTest, GroupsChangeTogether) {
  LevelsOptions options = Of({"top=max(load.x)", "lift=load.x"}, {"top=1 mm", "lift=2%"});
  options.groups = {{"p*", OptionPlace("--group", "p*")}};
  options.windows = "4 s, 5 s";
  ASSERT_EQ(Run(options), kDone) << err_.str();
  ASSERT_EQ(result().groups.size(), 4);
  EXPECT_EQ(result().groups[0].name, "p*");
  EXPECT_THAT(result().groups[0].components, ElementsAre("pump", "pipe"));
  EXPECT_THAT(result().starts, ElementsAre(0, 4, 5));
  EXPECT_LE(result().chosen().errors[0], 1e-3);
}

// Law: the table has a row for each probe, and for those of the reference that were not worth one.
TEST_F(LevelsCommandTest, TheTableHasAllProbes) {
  LevelsOptions options = Of({"lift=load.x"}, {"lift=1%"});
  options.outputs = {folder_ / "probes.csv"};
  ASSERT_EQ(Run(options), kDone) << err_.str();
  std::ifstream table(folder_ / "probes.csv");
  std::string line;
  std::getline(table, line);
  EXPECT_EQ(line,
            "case,around,group,level,others,begin,end,evaluations,steps,after,saved,lift,deviation,status,"
            "message,wall_s");
  std::size_t around_reference = 0, probes = 0;
  while (std::getline(table, line)) {
    const bool is_probe = line.find(",left out,") == std::string::npos;
    const bool is_of_reference = line.find(",reference ") != std::string::npos;
    around_reference += is_of_reference ? 1 : 0;
    probes += is_probe ? 1 : 0;
  }
  EXPECT_EQ(around_reference, 8 * kProbesOfWindow);
  EXPECT_EQ(probes, result().probes);
}

// Law: a row of the table is the probe that it names, bit for bit: its window with the level of its group and
// that of the others, then a tenth of it with the level of the others for all, against the reference.
TEST_F(LevelsCommandTest, ARowOfTheTableIsTheProbeThatItNames) {
  LevelsOptions options = Of({"lift=load.x"}, {"lift=1%"});
  options.rounds = 0;
  options.outputs = {folder_ / "probes.csv"};
  ASSERT_EQ(Run(options), kDone) << err_.str();
  const std::vector<LevelGroup>& groups = result().groups;
  const std::vector<double>& ends = result().ends;
  CaseSetup setup{.system = options.system};
  setup.options.load.set = {"SimulatorManager.StopTime=8 s"};
  setup.options.load.levels.emplace();
  setup.measures = {{"lift", "final(load.x)", {}}};
  LevelRunner runner(setup, registry_, groups);
  const LevelRun reference =
      runner.Run({.ends = ends}, [&](std::size_t g, std::size_t) { return groups[g].rungs.size() - 1; }, {});
  std::ifstream table(folder_ / "probes.csv");
  std::string line;
  std::getline(table, line);
  std::size_t compared = 0, alone = 0;
  for (int number = 0; std::getline(table, line); ++number) {
    const std::vector<std::string> cells = SplitCsvLine(line);
    if (!cells[1].starts_with("reference ") || line.find(",left out,") != std::string::npos) continue;
    if (number % 3 != 0) continue;
    const bool is_of_all = cells[2] == "*";
    const auto place = std::ranges::find_if(
        result().starts, [&](double start) { return fmt::format("{}", start) == cells[5]; });
    const auto window = static_cast<std::size_t>(place - result().starts.begin());
    std::vector<std::size_t> in, after;
    for (const LevelGroup& group : groups) {
      const auto rung_of = [&](const std::string& level) {
        return static_cast<std::size_t>(std::ranges::find(group.rungs, level) - group.rungs.begin());
      };
      after.push_back(rung_of(is_of_all ? cells[3] : cells[4]));
      in.push_back(group.name == cells[2] ? rung_of(cells[3]) : after.back());
    }
    const double end = ends[window], rest = std::min(end + 0.1 * (end - result().starts[window]), 8.0);
    const LevelProbe probe = runner.Probe(reference.snapshots[window], end, in, rest, after, {});
    ASSERT_EQ(probe.fault, "");
    EXPECT_EQ(cells[7], fmt::format("{}", probe.cost.evaluations)) << line.substr(0, 80);
    EXPECT_EQ(cells[8], fmt::format("{}", probe.cost.steps)) << line.substr(0, 80);
    EXPECT_EQ(cells[9], fmt::format("{}", probe.rest.evaluations)) << line.substr(0, 80);
    const std::size_t first = window == 0 ? 0 : reference.rows_end[window - 1];
    const std::size_t last = first + probe.rows.time.size() - 1;
    const std::uint64_t before = first == 0 ? 0 : reference.rows.evaluations[first - 1];
    const double saved = static_cast<double>(reference.rows.evaluations[last] - before) -
                         static_cast<double>(probe.rows.evaluations.back());
    EXPECT_EQ(cells[10], fmt::format("{}", saved)) << line.substr(0, 80);
    std::string deviation;
    for (std::size_t i = 0; i < probe.rows.values.size(); ++i)
      deviation +=
          fmt::format("{}{}", i == 0 ? "" : " ", probe.rows.values[i] - reference.rows.values[first + i]);
    EXPECT_EQ(cells[12], deviation) << line.substr(0, 80);
    ++compared;
    alone += is_of_all || cells[3] == cells[4] ? 0 : 1;
  }
  EXPECT_GT(compared, 10U);
  EXPECT_GT(alone, 5U);
}

// Law: the indicators of a window are the largest after a TimeStep in it, as a recording has them from
// StartTime on.
TEST_F(LevelsCommandTest, IndicatorsOfAWindowAreThoseOfARecording) {
  CaseSetup setup{.system = fs::path(DAVIT_SOURCE_DIR) / "systems" / "lifting_cylinder.xml"};
  setup.options.load.set = {"SimulatorManager.StopTime=3 s"};
  setup.options.load.levels.emplace();
  setup.measures = {{"lift", "final(load.x)", {}}};
  Diagnostics diagnostics;
  const auto system = Simulation::Load(setup.system, registry_, setup.options).Take();
  const std::vector<LevelGroup> groups =
      FindLevelGroups(system->system(), {{"p*", OptionPlace("--group", "p*")}}, diagnostics);
  const std::vector<double> ends{1.25, 3};
  const LevelRun run =
      LevelRunner(setup, registry_, groups)
          .Run({.ends = ends}, [&](std::size_t g, std::size_t) { return groups[g].rungs.size() - 1; }, {});
  ASSERT_EQ(run.fault, "");
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (std::size_t rung = 0; rung < groups[g].indicators.size(); ++rung) {
      const ItemList items = system->Items(groups[g].indicators[rung]);
      std::vector<double> seen(groups[g].indicators[rung].size());
      system->Initialize();
      for (std::size_t w = 0; w < ends.size(); ++w) {
        double largest = 0;
        for (const std::size_t end = run.rows_end[w]; system->time() < run.rows.time[end - 1] - 1e-9;) {
          system->Step();
          system->Read(items, seen);
          for (const double value : seen) largest = std::max(largest, value);
        }
        EXPECT_EQ(run.indicators[w][g][rung], largest) << groups[g].name << ' ' << rung << ' ' << w;
      }
    }
  }
}

// Law: a chart is built around the cheapest levels that never change and keep the tolerances; the best chart
// that has run is written. It waits for half a window, and switches of a component are a tenth of one apart.
TEST_F(LevelsCommandTest, TheBestChartIsWritten) {
  for (const char* tolerance : {"lift=3%", "lift=0.3%"}) {
    LevelsOptions options = Of({"lift=load.x"}, {tolerance});
    options.windows = "2 s";
    options.outputs = {folder_ / "levels.scxml"};
    ASSERT_EQ(Run(options), kDone) << err_.str();
    const LevelPoint* cheapest = nullptr;
    for (const LevelPoint& point : result().tried) {
      const bool is_constant = std::ranges::all_of(point.schedule, [](const std::vector<std::size_t>& row) {
        return std::ranges::count(row, row.front()) == static_cast<std::ptrdiff_t>(row.size());
      });
      if (!is_constant || !point.is_good()) continue;
      if (cheapest == nullptr || point.cost.evaluations < cheapest->cost.evaluations) cheapest = &point;
    }
    ASSERT_NE(cheapest, nullptr) << tolerance;
    EXPECT_EQ(result().charts.front().point.predicted_errors, cheapest->errors) << tolerance;
    ASSERT_TRUE(result().HasChart()) << tolerance;
    const LevelChart& chosen = result().chosen_chart();
    for (const LevelChart& chart : result().charts)
      EXPECT_FALSE(chart.point.is_good() && chart.point.cost.evaluations < chosen.point.cost.evaluations)
          << tolerance;
    EXPECT_EQ(Bytes(folder_ / "levels.scxml"), chosen.text) << tolerance;
    EXPECT_THAT(chosen.text, AllOf(HasSubstr("davit:dwell=\"0.2s\""), HasSubstr("davit:holds=\"1s\"")))
        << tolerance;
  }
}

// Law: with levels="scheduled" a run has the bits of one whose chart asks for nothing.
TEST_F(LevelsCommandTest, ChartsAreNotAskedWhereLevelsAreScheduled) {
  const auto run = [&](const std::string& chart, const std::string& levels) {
    std::ofstream(folder_ / "chart.scxml")
        << R"(<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="c"><state id="low">)"
        << chart << R"(</state><state id="high"/></scxml>)";
    std::ofstream(folder_ / "system.xml")
        << R"(<System name="s"><SimulatorManager StopTime="1 s" levels=")" << levels
        << R"("/><Statechart name="c" src="chart.scxml"/><At time="0.6 s" set="r.level" value="Standard"/>
  <hydraulic.Restriction name="r" level="Ideal"/><hydraulic.PressureSource name="p" pressure="50 bar"/>
  <hydraulic.Tank name="t"/><Connect from="r.a" to="p.port"/><Connect from="r.b" to="t.port"/></System>)";
    const auto simulation = Simulation::Load(folder_ / "system.xml", registry_, {}).Take();
    simulation->Initialize();
    std::vector<double> values;
    while (!simulation->is_finished()) {
      simulation->Step();
      values.push_back(simulation->Read("r.level"));
      values.push_back(simulation->Read("r.q"));
    }
    return values;
  };
  const std::string asks = R"(<transition cond="time gt 0.3" target="high">
    <assign location="r.level" expr="'Advanced'"/></transition>)";
  const std::string is_silent = R"(<transition cond="time gt 0.3" target="high"/>)";
  EXPECT_EQ(run(asks, "scheduled"), run(is_silent, "given"));
  EXPECT_NE(run(asks, "given"), run(is_silent, "given"));
}

TEST_F(LevelsCommandTest, WrongInputIsNamedWithItsRemedy) {
  EXPECT_THAT(ErrorsOf(Of({}, {})), HasSubstr("no metric is given; write for example metric"));
  EXPECT_THAT(
      ErrorsOf(Of({"lift=load.x", "p=cylinder.p_q"}, {"lift=0", "lift=1%", "left=1%"})),
      AllOf(HasSubstr("--tolerance lift=0: error: the tolerance '0' allows no change; write a value above 0"),
            HasSubstr("no metric is named 'left'; did you mean 'lift'?"),
            HasSubstr("p has no tolerance; give for example p=1%"),
            HasSubstr("--metric p=cylinder.p_q: error: ")));
  LevelsOptions windows = Of({"lift=load.x"}, {"lift=1%"});
  windows.windows = "3 s, 2 s";
  EXPECT_THAT(ErrorsOf(windows), HasSubstr("windows overlap: 2 s is not after 3 s"));
  LevelsOptions groups = Of({"lift=load.x"}, {"lift=1%"});
  groups.groups = {{"p*", OptionPlace("--group", "p*")},
                   {"pi*", OptionPlace("--group", "pi*")},
                   {"load", OptionPlace("--group", "load")}};
  EXPECT_THAT(ErrorsOf(groups), AllOf(HasSubstr("the groups 'p*' and 'pi*' both have this component"),
                                      HasSubstr("no component with several levels matches 'load'")));
  LevelsOptions level = Of({"lift=load.x"}, {"lift=1%"});
  level.simulation.load.level = {"*=Ideal"};
  EXPECT_THAT(ErrorsOf(level), HasSubstr("the study chooses the levels; leave out level"));
  for (const char* name : {"case", "around", "group", "deviation", "status", "wall_s"})
    EXPECT_THAT(
        ErrorsOf(Of({std::string(name) + "=load.x"}, {std::string(name) + "=1%"})),
        HasSubstr(std::string("--metric ") + name + "=load.x: error: the table of probes has a column '" +
                  name + "'; name the metric otherwise"));
  LevelsOptions plain = Of({"x=load.x"}, {"x=1%"});
  plain.system = fs::path(DAVIT_SOURCE_DIR) / "systems" / "mass_spring.xml";
  EXPECT_THAT(ErrorsOf(plain), HasSubstr("no component of this system has several levels"));
  EXPECT_THAT(ErrorsOf(Of({"lift=load.x"}, {"lift=1 bar"})),
              HasSubstr("has another dimension than its value, m"));
}

TEST_F(LevelsCommandTest, PercentOfNothingIsRefusedAfterTheReferenceRun) {
  EXPECT_EQ(Run(Of({"still=pump_volume.p*0"}, {"still=1%"})), kRunFailed);
  EXPECT_THAT(err_.str(), HasSubstr("so that a percentage has no meaning; give the tolerance as a value"));
}

}  // namespace
}  // namespace davit
