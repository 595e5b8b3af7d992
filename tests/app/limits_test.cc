// Where the operating system gives no memory, no thread or no folder, davit says so and what helps.

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

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they take terabytes of addresses

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class LimitsTest : public testing::Test {
 protected:
  LimitsTest() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~LimitsTest() override { fs::remove_all(folder_); }

  std::string In(const std::string& name) const { return (folder_ / name).string(); }
  /// davit after `commands` of a shell that is in the folder of the test.
  ProgramResult DavitAfter(const std::string& commands, const std::vector<std::string>& arguments) const {
    std::vector<std::string> all{
        "-c", "cd '" + folder_.string() + "' && " + commands + R"( && exec "$0" "$@")", DAVIT_BINARY};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const auto result = RunProgram("sh", std::move(all), "");
    return result ? *result : ProgramResult{};
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) /
      ("limits_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) +
       std::to_string(getpid()));
  const std::string systems_ = std::string(DAVIT_SOURCE_DIR) + "/systems/";
};

// Threads that cannot be started leave their share to the others, and results do not depend on it.
TEST_F(LimitsTest, ARunUsesTheThreadsThatItGets) {
  const std::vector<std::string> run{"run", systems_ + "lifting_cylinder.xml", "--stop", "0.1", "--quiet"};
  std::vector<std::string> one = run, many = run;
  one.insert(one.end(), {"-o", In("one.csv")});
  many.insert(many.end(), {"-o", In("many.csv"), "--threads", "256", "--always-threads"});
  ASSERT_EQ(DavitAfter("true", one).exit_code, kDone);
  const ProgramResult limited = DavitAfter("ulimit -v 700000", many);  // each stack has 8 MiB
  EXPECT_EQ(limited.exit_code, kDone) << limited.messages;
  EXPECT_EQ(ReadAll(In("many.csv")), ReadAll(In("one.csv")));
  const std::vector<std::string> sweep{"sweep",     systems_ + "mass_spring.xml",
                                       "--vary",    "load.mass=1:1:9",
                                       "--measure", "m=max(load.x)",
                                       "-j",        "200",
                                       "-o",        In("table.csv")};
  const ProgramResult swept = DavitAfter("ulimit -v 700000", sweep);
  EXPECT_EQ(swept.exit_code, kDone) << swept.messages;
}

TEST_F(LimitsTest, WithoutMemoryTheMessageSaysWhatHelps) {
  std::ofstream(In("many.xml")) << R"(<System name="many" xmlns="urn:davit:system:1">
  <For name="i" from="1" to="100000"><mechanical.Mass name="m{i}" mass="1 kg"/></For></System>)";
  const ProgramResult result = DavitAfter("ulimit -v 600000", {"check", In("many.xml")});
  EXPECT_EQ(result.exit_code, kRunFailed);
  EXPECT_THAT(result.messages, HasSubstr("error: out of memory; "));
  EXPECT_THAT(result.messages, Not(HasSubstr("bad_alloc")));
}

TEST_F(LimitsTest, AFolderThatWasRemovedIsNamed) {
  const std::string gone = "mkdir gone && cd gone && rmdir ../gone";
  const ProgramResult run =
      DavitAfter(gone, {"run", systems_ + "mass_spring.xml", "--stop", "0.1", "-o", In("r.csv")});
  EXPECT_EQ(run.exit_code, kDone) << run.messages;
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"run", systems_ + "mass_spring.xml", "-o", "r.csv"},
                                             {"fmu", "export", systems_ + "mass_spring.xml", "-o", "x.fmu"},
                                             {"new-model", "my.Valve", "--kind", "ode", "-o", "valve"}}) {
    const ProgramResult refused = DavitAfter(gone, command);
    EXPECT_NE(refused.exit_code, kDone);
    EXPECT_THAT(refused.messages, Not(HasSubstr("filesystem error"))) << command.front();
    EXPECT_THAT(refused.messages, HasSubstr("; ")) << command.front();
  }
}

}  // namespace
}  // namespace davit

#endif
