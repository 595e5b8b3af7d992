#include "studio/study_list.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "analysis/studies/study_file.h"
#include "analysis/studies/study_kinds.h"
#include "proof/bench_element.h"
#include "proof/bench_run.h"
#include "tests/studio/studio_rig.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr std::string_view kSweep = R"xml(<Study>
  <Sweep system="swing.xml" output="tables.csv" stop="20 s">
    <Vary path="load.mass" values="1 kg:0.1 kg:20.9 kg"/>
    <Measure name="top" expr="max(load.x)"/>
  </Sweep>
</Study>
)xml";

/// The rows of a table without `wall_s`, the last column.
std::string WithoutTimes(const std::string& table) {
  std::string text;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) text += line.substr(0, line.rfind(',')) + '\n';
  return text;
}

Json StudyOf(const StudioRig& rig, int number) {
  const Json list = rig.Parse(rig.Get("/api/studies"));
  for (const Json& study : list["studies"]) {
    if (study["study"] == number) return study;
  }
  return {};
}

/// Waits until a study has ended, or `rows` of its cases have.
Json Await(const StudioRig& rig, int number, std::uint64_t rows = UINT64_MAX) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (std::chrono::steady_clock::now() < end) {
    Json study = StudyOf(rig, number);
    const bool is_over = study["status"] != "running" && study["status"] != "loading";
    if (is_over || study["done"].get<std::uint64_t>() >= rows) return study;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return {};
}

/// As the command line runs a study file: its table.
std::string TableOf(const TestFolder& test, const std::string& study, const std::string& table) {
  const Registry registry = ModelsOfTests();
  Diagnostics diagnostics;
  const auto studies = LoadStudies(test.path() / study, false, diagnostics);
  EXPECT_EQ(studies.size(), 1U);
  studies[0]->Check(registry, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors());
  studies[0]->Run({});
  return WithoutTimes(test.Read(table));
}

TEST(StudyList, DescribesAllOptionsOfFiles) {
  const TestFolder test("study_kinds");
  const StudioRig rig(test.path());
  const Json answer = rig.Parse(rig.Get("/api/studies/kinds"));
  ASSERT_EQ(answer["kinds"].size(), StudyKinds().size());
  for (std::size_t k = 0; k < StudyKinds().size(); ++k) {
    const StudyKind& kind = StudyKinds()[k];
    std::vector<std::string> names, wanted;
    for (const Json& option : answer["kinds"][k]["options"]) names.push_back(option["name"]);
    for (const StudyOption& option : kind.options) {
      if (option.is_in_files) wanted.push_back(option.name);
    }
    EXPECT_EQ(names, wanted) << kind.name;
  }
  EXPECT_THAT(answer["measures"].dump(), HasSubstr("settling_time"));
  EXPECT_EQ(answer["bench"].size(), BenchElementKinds().size());
}

TEST(StudyList, StoppedAndResumedStudyHasTheTableOfTheCommandLine) {
  const TestFolder test("study_resume");
  test.Write("swing.xml", kSpring);
  test.Write("sweep.xml", kSweep);
  const StudioRig rig(test.path());
  EXPECT_EQ(rig.Parse(rig.Post("/api/studies", {{"path", "sweep.xml"}}))["study"], 1);
  Await(rig, 1, 5);
  EXPECT_EQ(rig.Post("/api/studies", {{"path", "sweep.xml"}}).status, 409);  // one of a file at a time
  EXPECT_EQ(SendRequest(rig.port(), "DELETE", "/api/studies?study=1").status, 200);
  const Json stopped = Await(rig, 1);
  EXPECT_EQ(stopped["status"], "stopped");
  const std::string part = test.Read("tables.csv");
  EXPECT_LT(std::ranges::count(part, '\n'), 201);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(test.Read("tables.csv"), part);  // nothing runs any more

  EXPECT_EQ(rig.Parse(rig.Post("/api/studies", {{"path", "sweep.xml"}, {"resume", true}}))["study"], 2);
  EXPECT_EQ(Await(rig, 2)["status"], "done");
  const std::string whole = test.Read("tables.csv");
  EXPECT_TRUE(whole.starts_with(part.substr(0, part.rfind('\n') + 1)));  // kept, with their times
  EXPECT_EQ(WithoutTimes(whole), TableOf(test, "sweep.xml", "tables.csv"));
}

TEST(StudyList, LeadsNeitherOutOfTheFolderNorToFilesOfOtherKinds) {
  const TestFolder test("study_escape");
  test.Write("swing.xml", kSpring);
  test.Write("dir/plain.csv", "");
  fs::create_symlink(test.outside() / "new.csv", test.path() / "link.csv");
  fs::create_directory_symlink(test.outside(), test.path() / "up");
  const StudioRig rig(test.path());
  const auto faults = [&](const std::string& from, const std::string& to) {
    std::string text(kSweep);
    text.replace(text.find(from), from.size(), to);
    return rig.Post("/api/studies", {{"path", "s.xml"}, {"texts", {{"s.xml", text}}}}).body;
  };
  for (const char* const file : {"../out.csv", "/out.csv", "link.csv", "up/out.csv", "dir/../../out.csv"})
    EXPECT_THAT(faults("tables.csv", file), HasSubstr("outside of the folder")) << file;
  for (const char* const file : {".git/config.csv", "run.sh", ".bashrc", "noending"})
    EXPECT_THAT(faults("tables.csv", file), HasSubstr("lets studies use")) << file;
  EXPECT_THAT(faults("stop=", "summary=\"run.sh\" stop="), HasSubstr("lets studies use"));
  EXPECT_THAT(faults("swing.xml", "../secret.xml"), HasSubstr("outside of the folder"));
  EXPECT_FALSE(fs::exists(test.outside() / "new.csv"));
  EXPECT_FALSE(fs::exists(test.outside() / "out.csv"));
  EXPECT_THAT(faults("tables.csv", "dir/plain.csv"), HasSubstr("\"study\":"));
}

TEST(StudyList, SaysWhatIsWrongWithLineAndRemedy) {
  const TestFolder test("study_faults");
  test.Write("swing.xml", kSpring);
  const StudioRig rig(test.path());
  std::string text(kSweep);
  text.replace(text.find("load.mass"), 9, "load.mas");
  const Json fault =
      rig.Parse(rig.Post("/api/studies", {{"path", "s.xml"}, {"texts", {{"s.xml", text}}}}))["faults"][0];
  EXPECT_EQ(fault["file"], "s.xml");
  EXPECT_EQ(fault["line"], 3);
  EXPECT_THAT(fault["remedy"].get<std::string>(), HasSubstr("mass"));
  EXPECT_EQ(rig.Parse(rig.Get("/api/studies"))["studies"].size(), 0U);
  EXPECT_EQ(rig.Post("/api/studies", {{"texts", 3}}).status, 400);
  EXPECT_EQ(SendRequest(rig.port(), "DELETE", "/api/studies?study=9").status, 404);
  const StudioRig locked(test.path(), {.is_read_only = true});
  EXPECT_EQ(locked.Post("/api/studies", {{"path", "s.xml"}}).status, 403);
}

/// As messages of the check: where the folder is on the disk of the server is nothing to the page.
TEST(StudyList, MessagesNameFilesAsSeenFromTheFolder) {
  const TestFolder test("study_messages");
  test.Write("swing.xml", kSpring);
  test.Write("sweep.xml", R"xml(<Study>
  <Sweep system="swing.xml" output="table.csv" plot="curves.svg" keep="true" stop="0.1 s">
    <Vary path="load.mass" values="1 kg,2 kg"/>
  </Sweep>
</Study>
)xml");
  const StudioRig rig(test.path());
  rig.Post("/api/studies", {{"path", "sweep.xml"}});
  const Json study = Await(rig, 1);
  ASSERT_EQ(study["warnings"].size(), 1U) << study;  // there is nothing to draw
  EXPECT_THAT(study["warnings"][0].get<std::string>(), testing::StartsWith("curves.svg: warning: "));
}

constexpr std::string_view kBench = R"xml(<Bench system="swing.xml" stop="1 s">
  <Case name="swings">
    <Eventually expr="load.x lt 0 m"/>
  </Case>
  <Case name="rests" text="The load does not pass its middle">
    <Always expr="load.x gt 0 m"/>
    <Never expr="load.v gt 100 m/s"/>
  </Case>
</Bench>
)xml";

/// A bench runs like a study; its verdicts are those of the command line, and a failed expectation has the
/// curve that contradicts it.
TEST(BenchJob, HasTheVerdictsOfTheCommandLine) {
  const TestFolder test("bench_verdicts");
  test.Write("swing.xml", kSpring);
  test.Write("bench.xml", kBench);
  const StudioRig rig(test.path());
  EXPECT_THAT(rig.Get("/api/files").body, HasSubstr("\"kind\":\"bench\""));
  ASSERT_EQ(rig.Parse(rig.Post("/api/studies", {{"path", "bench.xml"}, {"bench", true}}))["study"], 1);
  const Json study = Await(rig, 1);
  EXPECT_EQ(study["status"], "done");
  EXPECT_EQ(study["kind"], "bench");
  EXPECT_EQ(study["all"], 2);
  const Json& found = study["found"];
  EXPECT_EQ(found["passed"], 1);

  const Registry registry = ModelsOfTests();
  Diagnostics diagnostics;
  const Bench bench = LoadBench(test.path() / "bench.xml", diagnostics);
  const std::vector<CaseReport> reports = BenchRun(bench, registry).Run({});
  ASSERT_EQ(found["cases"].size(), reports.size());
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const Json& one = found["cases"][i];
    EXPECT_EQ(one["name"], reports[i].name);
    EXPECT_EQ(one["is_passed"], reports[i].is_passed());
    ASSERT_EQ(one["expectations"].size(), reports[i].expectations.size());
    for (std::size_t k = 0; k < reports[i].expectations.size(); ++k) {
      EXPECT_EQ(one["expectations"][k]["verdict"], reports[i].expectations[k].verdict.text);
      EXPECT_EQ(one["expectations"][k].contains("curves"), !reports[i].expectations[k].verdict.is_met);
    }
  }
  const Json& curves = found["cases"][1]["expectations"][0]["curves"];
  const auto time = curves["time"].get<std::vector<double>>();
  const auto values = curves["signals"][0]["values"].get<std::vector<double>>();
  EXPECT_EQ(curves["signals"][0]["name"], "load.x");
  ASSERT_EQ(time.size(), values.size());
  const auto at = std::ranges::lower_bound(time, curves["at"].get<double>() - 1e-9);
  ASSERT_NE(at, time.end());
  EXPECT_LE(values[static_cast<std::size_t>(at - time.begin())], 0);
}

TEST(BenchJob, RunsTheCasesThatAreAskedFor) {
  const TestFolder test("bench_cases");
  test.Write("swing.xml", kSpring);
  test.Write("bench.xml", kBench);
  const StudioRig rig(test.path());
  const auto post = [&](const char* name) {
    return rig.Parse(rig.Post("/api/studies", {{"path", "bench.xml"}, {"bench", true}, {"cases", {name}}}));
  };
  ASSERT_EQ(post("rests")["study"], 1);
  const Json study = Await(rig, 1);
  ASSERT_EQ(study["found"]["cases"].size(), 1U);
  EXPECT_EQ(study["found"]["cases"][0]["name"], "rests");
  EXPECT_THAT(post("sleeps").dump(), HasSubstr("no case of these names"));
}

TEST(BenchJob, SaysWhatIsWrongAndReadsNothingOutsideOfTheFolder) {
  const TestFolder test("bench_faults");
  test.Write("swing.xml", kSpring);
  const StudioRig rig(test.path());
  const auto faults = [&](const std::string& from, const std::string& to) {
    std::string text(kBench);
    text.replace(text.find(from), from.size(), to);
    return rig.Parse(rig.Post("/api/studies",
                              {{"path", "b.xml"}, {"bench", true}, {"texts", {{"b.xml", text}}}}))["faults"];
  };
  EXPECT_THAT(faults("swing.xml", "../secret.xml").dump(), HasSubstr("outside of the folder"));
  EXPECT_THAT(faults("<Always expr=\"load.x gt 0 m\"/>",
                     "<Follows signal=\"load.x\" file=\"../a.csv\" tube=\"1 m\"/>")
                  .dump(),
              HasSubstr("outside of the folder"));
  EXPECT_THAT(faults("stop=", "snapshot=\"/etc/passwd\" stop=").dump(), HasSubstr("outside of the folder"));
  const Json wrong = faults("load.x lt 0 m", "load.y lt 0 m");
  ASSERT_FALSE(wrong.is_null());
  EXPECT_EQ(wrong[0]["file"], "b.xml");
  EXPECT_EQ(wrong[0]["line"], 3);
  EXPECT_EQ(rig.Parse(rig.Get("/api/studies"))["studies"].size(), 0U);
}

TEST(StudyList, EndOfTheServerStopsStudies) {
  const TestFolder test("study_end");
  test.Write("swing.xml", kSpring);
  std::string text(kSweep);
  text.replace(text.find("20 s"), 4, "1 h");  // each case takes seconds
  test.Write("sweep.xml", text);
  const auto begin = std::chrono::steady_clock::now();
  {
    const StudioRig rig(test.path());
    EXPECT_EQ(rig.Parse(rig.Post("/api/studies", {{"path", "sweep.xml"}}))["study"], 1);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(RunList, RunHasTheValuesOfACase) {
  const TestFolder test("study_case");
  test.Write("swing.xml", kSpring);
  const StudioRig rig(test.path());
  EXPECT_EQ(rig.Parse(rig.Post("/api/runs", {{"path", "swing.xml"},
                                             {"free", true},
                                             {"stop", "1 s"},
                                             {"set", {"load.mass=3", "load.x=0.2 m"}}}))["run"],
            1);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (rig.Parse(rig.Get("/run/1/api/state"))["status"] != "finished" &&
         std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const Registry registry = ModelsOfTests();
  SimulationOptions options;
  options.load.set = {"load.mass=3", "load.x=0.2 m", "SimulatorManager.StopTime=1 s"};
  const auto alone = Simulation::Load(test.path() / "swing.xml", registry, options).Take();
  alone->Initialize();
  alone->Run();
  const std::string csv = rig.Get("/run/1/api/result.csv").body;
  const std::size_t last = csv.rfind('\n', csv.size() - 2) + 1;
  EXPECT_EQ(csv.substr(last),
            fmt::format("1,{:.17g},{:.17g}\n", alone->Read("load.x"), alone->Read("load.v")));
  EXPECT_EQ(rig.Post("/api/runs", {{"path", "swing.xml"}, {"set", {3}}}).status, 400);
  EXPECT_THAT(rig.Post("/api/runs", {{"path", "swing.xml"}, {"set", {"load.mas=3"}}}).body,
              HasSubstr("mass"));
}

}  // namespace
}  // namespace davit
