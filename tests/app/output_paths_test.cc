// What a command reads it does not overwrite, whatever it is called and whichever option would write it.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "app/exit_code.h"
#include "results/program.h"
#include "tests/support/read_all.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

ProgramResult RunDavit(std::vector<std::string> arguments) {
  auto result = RunProgram(DAVIT_BINARY, std::move(arguments), "");
  return result ? *result : ProgramResult{};
}

class OutputPathsTest : public testing::Test {
 protected:
  OutputPathsTest() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    Write("system.xml", R"(<System name="inputs" xmlns="urn:davit:system:1">
  <Plugin src="oscillators.so"/>
  <SimulatorManager TimeStep="10 ms" StopTime="0.2 s"/>
  <Subsystem name="part" src="part.xml"/>
  <Statechart name="operator" src="operator.scxml"/>
  <fmi.Fmu name="unit" file="unit.fmu"/>
  <Record signals="part.load.x" interval="10 ms"/>
</System>)");
    const auto system_of = [](std::string_view content) {
      return fmt::format("<System name=\"part\" xmlns=\"urn:davit:system:1\">{}</System>\n", content);
    };
    Write("part.xml", system_of(kOscillator));
    Write("alone.xml", system_of(fmt::format("{}{}<Record signals=\"load.x load.v\" interval=\"10 ms\"/>",
                                             kManager, kOscillator)));
    Write("operator.scxml", R"(<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"
    xmlns:davit="urn:davit:chart:1"><state id="on">
  <davit:include src="included.scxml"/></state></scxml>)");
    Write("included.scxml", R"(<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <state id="idle"/></scxml>)");
    Write("set.ssv", R"(<ssv:ParameterSet version="1.0" name="s" xmlns:ssv="a" xmlns:ssc="b"><ssv:Parameters>
<ssv:Parameter name="m"><ssv:Real value="3" unit="kg"/></ssv:Parameter></ssv:Parameters></ssv:ParameterSet>)");
    Write("map.ssm", R"(<ssm:ParameterMapping version="1.0" xmlns:ssm="x" xmlns:ssc="y">
<ssm:MappingEntry source="m" target="part.load.mass"/></ssm:ParameterMapping>)");
    Write("commands.txt", "0.05 set part.load.mass 4\n");
    fs::copy_file(DAVIT_TEST_PLUGINS "/oscillators.so", folder_ / "oscillators.so");
    EXPECT_EQ(Davit({"fmu", "export", "alone.xml", "--no-reference", "-o", "unit.fmu"}).exit_code, kDone);
  }
  ~OutputPathsTest() override { fs::remove_all(folder_); }

  std::string In(const std::string& name) const { return (folder_ / name).string(); }
  void Write(const std::string& name, std::string_view text) const { std::ofstream(In(name)) << text; }

  /// Arguments that are files of the folder are replaced by their paths.
  ProgramResult Davit(std::vector<std::string> arguments) const {
    for (std::string& argument : arguments) {
      const std::size_t comma = argument.find(',');
      const bool is_pair = comma != std::string::npos && fs::exists(In(argument.substr(0, comma)));
      if (is_pair) argument = In(argument.substr(0, comma)) + ',' + In(argument.substr(comma + 1));
      const bool is_output = argument.ends_with(".fmu") || fs::is_symlink(In(argument));
      if (argument[0] != '-' && (is_output || fs::exists(In(argument)))) argument = In(argument);
    }
    return RunDavit(std::move(arguments));
  }

  /// The command with an output that is a link to `input` is refused, and changes nothing. The link has a
  /// name that the option takes.
  void ExpectRefused(std::vector<std::string> command, const std::string& option,
                     const std::string& extension, const std::string& input) const {
    const std::string before = ReadAll(In(input));
    ASSERT_FALSE(before.empty()) << input;
    const std::string link = "link" + extension;
    fs::remove(In(link));
    if (input.size() % 2 == 0) {
      fs::create_symlink(In(input), In(link));
    } else {
      fs::create_hard_link(In(input), In(link));
    }
    command.insert(command.end(), {option, link});
    const ProgramResult result = Davit(command);
    const std::string what = fmt::format("{} {} -> {}", fmt::join(command, " "), option, input);
    EXPECT_EQ(result.exit_code, kWrongInput) << what << result.messages;
    EXPECT_THAT(result.messages, HasSubstr(option + " " + In(link))) << what;
    EXPECT_THAT(result.messages, HasSubstr(input + ", and would overwrite it; give another name")) << what;
    EXPECT_EQ(ReadAll(In(input)), before) << what;
    fs::remove(In(link));
  }

  static constexpr std::string_view kManager = R"(<SimulatorManager TimeStep="10 ms" StopTime="0.2 s"/>)";
  static constexpr std::string_view kOscillator = R"(
  <mechanical.Mass name="load" mass="2 kg"><Start x="1 cm" v="0.1 m/s"/></mechanical.Mass>
  <mechanical.Spring name="spring" stiffness="50 N/m"/> <mechanical.Fixed name="wall"/>
  <Connect from="spring.a" to="wall.port"/> <Connect from="spring.b" to="load.a"/>
)";

  const fs::path folder_ =
      fs::path(testing::TempDir()) /
      fmt::format("output_paths_{}_{}", testing::UnitTest::GetInstance()->current_test_info()->name(),
                  getpid());
};

TEST_F(OutputPathsTest, ARunKeepsAllThatItsSystemIsMadeOf) {
  const std::vector<std::string> run{"run",        "system.xml",  "--params", "set.ssv,map.ssm",
                                     "--commands", "commands.txt"};
  std::vector<std::string> first = run;
  first.insert(first.end(), {"--save-state", In("state.snap") + "@0.1"});
  ASSERT_EQ(Davit(first).exit_code, kDone) << Davit(first).messages;
  std::vector<std::string> resumed = run;
  resumed.insert(resumed.end(), {"--load-state", "state.snap"});
  for (const char* input : {"system.xml", "part.xml", "operator.scxml", "included.scxml", "unit.fmu",
                            "oscillators.so", "set.ssv", "map.ssm", "commands.txt", "state.snap"}) {
    ExpectRefused(resumed, "-o", ".csv", input);
    ExpectRefused(resumed, "--summary", ".json", input);
    ExpectRefused(resumed, "--plot", ".svg", input);
    ExpectRefused(resumed, "--log", ".txt", input);
    if (input != std::string_view("state.snap")) ExpectRefused(resumed, "--save-state", ".snap", input);
  }
  // A snapshot may replace the one that the run began with.
  resumed.insert(resumed.end(), {"--save-state", "state.snap"});
  EXPECT_EQ(Davit(resumed).exit_code, kDone) << Davit(resumed).messages;
}

TEST_F(OutputPathsTest, TheUnitsBesideATableAreFilesToo) {
  fs::rename(In("map.ssm"), In("r.csv.units"));
  const std::vector<std::string> run{"run", "system.xml", "--params", "set.ssv,r.csv.units"};
  std::vector<std::string> command = run;
  command.insert(command.end(), {"-o", In("r.csv")});
  const std::string before = ReadAll(In("r.csv.units"));
  EXPECT_EQ(Davit(command).exit_code, kWrongInput);
  EXPECT_EQ(ReadAll(In("r.csv.units")), before);
  const ProgramResult both = Davit({"run", "alone.xml", "-o", In("t.csv"), "--summary", In("t.csv.units")});
  EXPECT_EQ(both.exit_code, kWrongInput);
  EXPECT_THAT(both.messages, HasSubstr("writes the same file; give another name"));
}

TEST_F(OutputPathsTest, AStudyKeepsItsSystemItsFileAndItsTables) {
  ASSERT_EQ(Davit({"run", "alone.xml", "-o", In("data.csv")}).exit_code, kDone);
  Write("cases.csv", "load.mass\n2\n3\n");
  const std::vector<std::string> sweep{"sweep",     "system.xml",        "--vary", "part.load.mass=1,2",
                                       "--measure", "m=max(part.load.x)"};
  for (const char* input : {"part.xml", "included.scxml", "unit.fmu"}) {
    ExpectRefused(sweep, "-o", ".csv", input);
    ExpectRefused(
        {"optimize", "system.xml", "--vary", "part.load.mass=1:2", "--minimize", "max(part.load.x)"}, "-o",
        ".csv", input);
    ExpectRefused({"sensitivity", "system.xml", "--to", "part.load.mass", "--of", "max(part.load.x)"}, "-o",
                  ".csv", input);
    ExpectRefused({"fit", "system.xml", "--data", "data.csv", "--vary", "part.load.mass=1:2", "--match",
                   "part.load.x=load.x"},
                  "-o", ".csv", input);
    ExpectRefused({"linearize", "system.xml"}, "-o", ".json", input);
    ExpectRefused({"linearize", "system.xml"}, "--poles", ".svg", input);
  }
  ExpectRefused(
      {"fit", "alone.xml", "--data", "data.csv", "--vary", "load.mass=1:2", "--match", "load.x=load.x"}, "-o",
      ".csv", "data.csv.units");
  ExpectRefused(
      {"sweep", "alone.xml", "--cases", "cases.csv", "--measure", "m=max(load.x)", "-o", In("t.csv")},
      "--plot", ".svg", "cases.csv");
  Write("study.xml", R"x(<Study>
  <Sweep system="alone.xml" output="table.csv"><Vary path="load.mass" values="1,2"/>
  <Measure name="m" expr="max(load.x)"/></Sweep></Study>)x");
  fs::create_hard_link(In("study.xml"), In("table.csv"));
  const std::string before = ReadAll(In("study.xml"));
  EXPECT_EQ(Davit({"study", "study.xml"}).exit_code, kWrongInput);
  EXPECT_EQ(ReadAll(In("study.xml")), before);
}

TEST_F(OutputPathsTest, ExportsAndPicturesKeepWhatTheyShow) {
  Write("outer.xml", R"(<System name="outer" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="10 ms" StopTime="0.2 s"/><Subsystem name="part" src="part.xml"/>
  <Statechart name="operator" src="operator.scxml"/><Record signals="part.load.x" interval="10 ms"/></System>)");
  ASSERT_EQ(Davit({"run", "alone.xml", "-o", In("r.csv")}).exit_code, kDone);
  for (const char* input : {"part.xml", "included.scxml"}) {
    ExpectRefused({"fmu", "export", "outer.xml"}, "-o", ".fmu", input);
    ExpectRefused({"ssp", "export", "outer.xml"}, "-o", ".ssp", input);
    ExpectRefused({"graph", "outer.xml"}, "-o", ".svg", input);
  }
  ExpectRefused({"chart", "graph", "operator.scxml"}, "-o", ".svg", "included.scxml");
  for (const char* input : {"r.csv", "r.csv.units"}) {
    ExpectRefused({"plot", "r.csv"}, "-o", ".svg", input);
    ExpectRefused({"spectrum", "r.csv", "load.x"}, "--plot", ".svg", input);
    ExpectRefused({"spectrum", "r.csv", "load.x"}, "-o", ".csv", input);
  }
}

TEST_F(OutputPathsTest, AModelOfHopsanKeepsItsPartsAndParameters) {
  Write("outer.hmf",
        "<hopsanmodelfile hopsancoreversion='2.24.0'><system name='outer'>"
        "<simulationtime start='0' stop='1' timestep='0.01'/><objects>"
        "<system name='inner' external_path='inner.hmf'/></objects></system></hopsanmodelfile>");
  Write("inner.hmf",
        "<hopsanmodelfile><system name='inner'><simulationtime start='0' stop='1' "
        "timestep='0.01'/><objects/></system></hopsanmodelfile>");
  Write("set.hpf", "<hopsanparameterfile><system name='outer'/></hopsanparameterfile>");
  for (const char* input : {"outer.hmf", "inner.hmf", "set.hpf"})
    ExpectRefused({"hopsan", "convert", "outer.hmf", "--params", "set.hpf"}, "-o", ".xml", input);
}

}  // namespace
}  // namespace davit
