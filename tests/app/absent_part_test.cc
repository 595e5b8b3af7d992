// The programs that ./davit builds first: each has some parts of davit, and starts the launcher again for the
// others.

#include "app/absent_part.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "app/exit_code.h"
#include "app/program.h"
#include "results/program.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kPrograms = std::string(DAVIT_BINARY) + "_with_";

class AbsentPartTest : public testing::Test {
 protected:
  AbsentPartTest() {
    fs::create_directories(folder_);
    std::ofstream(launcher_) << "#!/bin/sh\necho \"needs $DAVIT_PART: $*\"\n";
    fs::permissions(launcher_, fs::perms::owner_all);
  }
  ~AbsentPartTest() override { fs::remove_all(folder_); }

  /// What a program writes that a launcher, which only says what it is asked for, has started.
  std::string Run(const std::string& program, std::vector<std::string> arguments,
                  const std::string& part = "") {
    std::vector<std::string> line{"DAVIT_LAUNCHER=" + launcher_.string()};
    if (!part.empty()) line.push_back("DAVIT_PART=" + part);
    line.push_back(program);
    line.insert(line.end(), arguments.begin(), arguments.end());
    const auto run = RunProgram("env", line, "");
    return run ? run->output + run->messages : "not started";
  }

  fs::path folder_ =
      fs::path(testing::TempDir()) /
      (std::string("absent_part_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  fs::path launcher_ = folder_ / "launcher";
};

/// The names of the commands.
std::vector<std::string> Commands() {
  Registry registry;
  std::istringstream in;
  std::ostringstream out;
  CommandContext context{registry, in, out, out};
  const std::unique_ptr<CLI::App> program = MakeProgram(context);
  std::vector<std::string> names;
  for (const CLI::App* command : program->get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

TEST_F(AbsentPartTest, EachCommandIsThatOfTheWholeProgramOrNeedsAPart) {
  std::set<std::string> parts;
  for (const std::string& command : Commands()) {
    SCOPED_TRACE(command);
    const std::string said = Run(kPrograms + "run", {command, "--help"});
    if (!said.starts_with("needs ")) {
      EXPECT_EQ(said, Run(DAVIT_BINARY, {command, "--help"}));
      continue;
    }
    const std::string part = said.substr(6, said.find(':') - 6);
    EXPECT_EQ(said, "needs " + part + ": " + command + " --help\n");
    parts.insert(part);
    const std::string program = part == "whole" ? std::string(DAVIT_BINARY) : kPrograms + part;
    EXPECT_EQ(Run(program, {command, "--help"}, part), Run(DAVIT_BINARY, {command, "--help"}));
  }
  EXPECT_THAT(parts, testing::UnorderedElementsAre("drawing", "live", "studio", "console", "studies", "proof",
                                                   "fmi", "hopsan", "whole"));
}

TEST_F(AbsentPartTest, HelpAndModelsAreThoseOfTheWholeProgram) {
  for (const std::string argument : {"--help", "--version", "list"})
    EXPECT_EQ(Run(kPrograms + "run", {argument}), Run(DAVIT_BINARY, {argument}));
}

TEST_F(AbsentPartTest, FilesAndModelsNeedTheirParts) {
  const std::string run = kPrograms + "run";
  EXPECT_EQ(Run(run, {"run", "motor.fmu"}), "needs fmi: run motor.fmu\n");
  EXPECT_EQ(Run(run, {"describe", "motor.fmu"}), "needs fmi: describe motor.fmu\n");
  EXPECT_EQ(Run(run, {"run", "motor.ssp"}), "needs fmi: run motor.ssp\n");
  EXPECT_EQ(Run(run, {"check", "motor.hmf"}), "needs hopsan: check motor.hmf\n");
  EXPECT_EQ(Run(run, {"list", "hopsan"}), "needs hopsan: list hopsan\n");
  EXPECT_EQ(Run(run, {"schema", "--study"}), "needs studies: schema --study\n");
  const std::string file = (folder_ / "system.xml").string();
  std::ofstream(file)
      << R"(<System name="s" xmlns="urn:davit:system:1"><fmi.Fmu name="m" file="m.fmu"/></System>)";
  EXPECT_EQ(Run(run, {"check", file}), "needs fmi: check " + file + "\n");
  const std::string plant = (folder_ / "plant.xml").string();
  std::ofstream(plant) << R"(<System name="p" xmlns="urn:davit:system:1"><UdpOut name="out"/></System>)";
  EXPECT_EQ(Run(run, {"check", plant}), "needs io: check " + plant + "\n");
  EXPECT_EQ(Run(kPrograms + "io", {"check", plant}, "io"), Run(DAVIT_BINARY, {"check", plant}));
  const std::string table = (folder_ / "table.csv").string();
  EXPECT_EQ(Run(kPrograms + "studies", {"sweep", file, "--vary", "m.x=1,2", "-o", table}, "studies"),
            "needs whole: sweep " + file + " --vary m.x=1,2 -o " + table + "\n");
  EXPECT_EQ(Run("env", {"OMPI_COMM_WORLD_SIZE=2", run, "run", file}), "needs whole: run " + file + "\n");
}

TEST_F(AbsentPartTest, WithoutTheLauncherAProgramSaysWhatItLacks) {
  const auto run = RunProgram(kPrograms + "run", {"sweep", "system.xml"}, "");
  ASSERT_TRUE(run.has_value());
  EXPECT_EQ(run->exit_code, kWrongInput);
  EXPECT_THAT(run->output, IsEmpty());
  EXPECT_THAT(run->messages, HasSubstr("without the part 'studies' of davit; run ./davit"));
}

}  // namespace
}  // namespace davit
