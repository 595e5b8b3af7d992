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
}

TEST(StudyList, StoppedAndResumedStudyHasTheTableOfTheCommandLine) {
  const TestFolder test("study_resume");
  test.Write("swing.xml", kSpring);
  test.Write("sweep.xml", kSweep);
  const StudioRig rig(test.path());
  EXPECT_EQ(rig.Parse(rig.Post("/api/studies", {{"path", "sweep.xml"}}))["study"], 1);
  Await(rig, 1, 5);
  EXPECT_EQ(rig.Post("/api/studies", {{"path", "sweep.xml"}}).status, 409);  // one of a file at a time
  EXPECT_EQ(Send(rig.port(), "DELETE", "/api/studies?study=1").status, 200);
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
  EXPECT_EQ(Send(rig.port(), "DELETE", "/api/studies?study=9").status, 404);
  const StudioRig locked(test.path(), {.is_read_only = true});
  EXPECT_EQ(locked.Post("/api/studies", {{"path", "s.xml"}}).status, 403);
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
