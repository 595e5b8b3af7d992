#include "analysis/studies/study_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "analysis/studies/study_schema.h"
#include "app/studies/study_command.h"
#include "components/register.h"
#include "results/program.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kTwoStudies = R"xml(<Study>
  <Sweep system="mass_spring.xml" output="table.csv" stop="1 s">
    <Vary path="load.mass" values="5 kg:5 kg:15 kg"/>
    <Set path="damper.coefficient" value="8 N.s/m"/>
    <Measure name="top" expr="max(load.v)"/>
  </Sweep>
  <Optimize system="mass_spring.xml" stop="1 s" method="nelder-mead" budget="30">
    <Vary path="damper.coefficient" values="1 N.s/m:1000 N.s/m log"/>
    <Minimize expr="rms(load.x)"/>
  </Optimize>
</Study>
)xml";

constexpr const char* kWrongForm = R"xml(<Study>
  <Sweep system="mass_spring.xml" outputs="table.csv">
    <Varry path="load.mass" values="5 kg"/>
    <Vary path="load.mass"/>
  </Sweep>
  <Optimize system="mass_spring.xml" budget="-3" method="simplex"/>
</Study>
)xml";

constexpr const char* kWrongNames = R"xml(<Study>
  <Sweep system="mass_spring.xml" output="table.csv">
    <Vary path="load.mas" values="5 kg"/>
    <Measure name="top" expr="max(load.q)"/>
  </Sweep>
</Study>
)xml";

class StudyFileTest : public testing::Test {
 protected:
  StudyFileTest()
      : folder_(fs::path(testing::TempDir()) / ("davit_study_file_test_" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    fs::copy_file(fs::path(DAVIT_SOURCE_DIR) / "systems" / "mass_spring.xml", folder_ / "mass_spring.xml");
  }
  ~StudyFileTest() override { fs::remove_all(folder_); }

  int Run(const std::string& text) {
    std::ofstream(folder_ / "study.xml") << text;
    out_.str("");
    err_.str("");
    CommandContext context{registry_, in_, out_, err_};
    return RunStudies(folder_ / "study.xml", 1, false, context);
  }

  fs::path folder_;
  Registry registry_ = AllModels();
  std::istringstream in_;
  std::ostringstream out_, err_;
};

TEST_F(StudyFileTest, RunsItsStudiesOneAfterTheOther) {
  EXPECT_EQ(Run(kTwoStudies), kDone) << err_.str();
  std::ifstream table(folder_ / "table.csv");
  std::string line;
  int lines = 0;
  while (std::getline(table, line)) ++lines;
  EXPECT_EQ(lines, 4);
  EXPECT_THAT(out_.str(), AllOf(HasSubstr("study.xml:2 <Sweep>"), HasSubstr("study.xml:7 <Optimize>"),
                                HasSubstr("best case")));
}

TEST_F(StudyFileTest, FaultsHaveTheirLines) {
  EXPECT_EQ(Run(kWrongForm), kWrongInput);
  EXPECT_THAT(
      err_.str(),
      AllOf(HasSubstr("study.xml:2: error: no attribute 'outputs' on <Sweep>; did you mean 'output'?"),
            HasSubstr("study.xml:2: error: <Sweep> has no output"),
            HasSubstr("study.xml:3: error: no element <Varry> in <Sweep>; did you mean 'Vary'?"),
            HasSubstr("study.xml:4: error: <Vary> has no values"), HasSubstr("study.xml:6: error: budget"),
            HasSubstr("study.xml:6: error: method")));
}

TEST_F(StudyFileTest, FaultsOfAStudyHaveTheirLines) {
  EXPECT_EQ(Run(kWrongNames), kWrongInput);
  EXPECT_THAT(err_.str(), AllOf(HasSubstr("study.xml:3: error: /load"), HasSubstr("study.xml:4: error: ")));
}

TEST_F(StudyFileTest, OtherFilesAreRefused) {
  EXPECT_EQ(Run("<System/>"), kWrongInput);
  EXPECT_THAT(err_.str(), HasSubstr("<Study>"));
  EXPECT_EQ(Run("<Study/>"), kWrongInput);
  EXPECT_THAT(err_.str(), HasSubstr("there is no study"));
}

/// What xmllint finds wrong by the schema of studies.
std::string SchemaFault(const fs::path& schema, const std::string& text) {
  std::ofstream(schema) << MakeStudySchema();
  const auto result = RunProgram("xmllint", {"--noout", "--nonet", "--schema", schema.string(), "-"}, text);
  if (!result) return "no xmllint";
  return result->exit_code == 0 ? std::string() : result->messages;
}

TEST_F(StudyFileTest, TheSchemaAcceptsRightFilesAndRefusesFaultsOfForm) {
  if (!RunProgram("xmllint", {"--version"}, "")) GTEST_SKIP() << "xmllint is not installed (libxml2-utils)";
  const fs::path schema = folder_ / "study.xsd";
  EXPECT_EQ(SchemaFault(schema, kTwoStudies), "");
  EXPECT_EQ(SchemaFault(schema, kWrongNames), "");  // their meaning is left to davit study
  const std::string faults = SchemaFault(schema, kWrongForm);
  for (const char* fault : {"outputs", "Varry", "-3", "simplex"}) EXPECT_THAT(faults, HasSubstr(fault));
}

TEST_F(StudyFileTest, AFitHasSeveralExperiments) {
  std::ofstream data(folder_ / "data.csv");
  data << "time,x\n";
  for (int i = 0; i < 20; ++i) data << 0.05 * i << ',' << 0.1 - 0.001 * i * i << '\n';
  data.close();
  const char* const text = R"xml(<Study>
  <Fit system="mass_spring.xml" stop="1 s" loss="huber" loss_scale="0.01">
    <Data file="data.csv"><Set path="load.mass" value="9 kg"/></Data>
    <Data file="data.csv"><Set path="load.mass" value="11 kg"/></Data>
    <Vary path="spring.stiffness" values="1 N/m:800 N/m"/>
    <Match path="load.x" column="x"/>
  </Fit>
</Study>
)xml";
  EXPECT_EQ(Run(text), kDone) << err_.str();
  EXPECT_THAT(out_.str(), AllOf(HasSubstr("values                   40"), HasSubstr("huber, scale 0.01")));
  std::string one_set(text);
  one_set.erase(one_set.find("<Set path=\"load.mass\" value=\"11 kg\"/>"), 37);
  EXPECT_EQ(Run(one_set), kWrongInput);
  EXPECT_THAT(err_.str(), HasSubstr("study.xml:3: error: load.mass must be set once in each <Data>"));
  EXPECT_EQ(Run("<Study>\n<Fit system=\"mass_spring.xml\"/></Study>"), kWrongInput);
  EXPECT_THAT(err_.str(), HasSubstr("study.xml:2: error: <Fit> has no data"));
}

TEST_F(StudyFileTest, SensitivitiesAreRun) {
  std::ofstream(folder_ / "study.xml") << R"xml(<Study>
  <Sensitivity system="mass_spring.xml" output="slopes.csv" stop="1 s" method="variational">
    <Of expr="final(load.x)" name="x"/>
    <To path="load.mass"/>
  </Sensitivity>
</Study>
)xml";
  Registry registry = AllModels();
  std::istringstream in;
  std::ostringstream out, err;
  CommandContext context{registry, in, out, err};
  EXPECT_EQ(RunStudies(folder_ / "study.xml", 1, false, context), kDone) << err.str();
  EXPECT_TRUE(fs::exists(folder_ / "slopes.csv"));
  EXPECT_THAT(out.str(), HasSubstr("variational equations"));
}

}  // namespace
}  // namespace davit
