#include "results/program.h"

#include <gtest/gtest.h>

#include <string>

namespace davit {
namespace {

TEST(ProgramTest, ReadsItsInputAndIsReadToTheEnd) {
  std::string text;  // far more than a pipe holds
  for (int i = 0; i < 200000; ++i) text += std::to_string(i) + '\n';
  const auto cat = RunProgram("cat", {}, text);
  ASSERT_TRUE(cat.has_value());
  EXPECT_EQ(cat->exit_code, 0);
  EXPECT_TRUE(cat->output == text);
  EXPECT_EQ(cat->messages, "");
  const auto named = RunProgram("cat", {"/dev/stdin"}, text);
  ASSERT_TRUE(named.has_value());
  EXPECT_TRUE(named->output == text);
}

TEST(ProgramTest, MayWriteToBothOutputsInAnyOrder) {
  const auto shell = RunProgram(
      "sh", {"-c", "i=0; while [ $i -lt 20000 ]; do echo output; echo message >&2; i=$((i+1)); done"}, "");
  ASSERT_TRUE(shell.has_value());
  EXPECT_EQ(shell->exit_code, 0);
  EXPECT_EQ(shell->output.size(), 20000 * std::string("output\n").size());
  EXPECT_EQ(shell->messages.size(), 20000 * std::string("message\n").size());
}

TEST(ProgramTest, NeedNotReadItsInput) {
  const auto done = RunProgram("true", {}, std::string(1'000'000, 'x'));
  ASSERT_TRUE(done.has_value());
  EXPECT_EQ(done->exit_code, 0);
}

TEST(ProgramTest, TellsHowItEnded) {
  const auto failed = RunProgram("sh", {"-c", "echo part; echo why >&2; exit 3"}, "");
  ASSERT_TRUE(failed.has_value());
  EXPECT_EQ(failed->exit_code, 3);
  EXPECT_EQ(failed->output, "part\n");
  EXPECT_EQ(failed->messages, "why\n");
  const auto killed = RunProgram("sh", {"-c", "kill -9 $$"}, "");
  ASSERT_TRUE(killed.has_value());
  EXPECT_EQ(killed->exit_code, -1);
}

TEST(ProgramTest, ThatIsNotThereIsNothing) {
  EXPECT_FALSE(RunProgram("davit-has-no-such-program", {}, "").has_value());
}

}  // namespace
}  // namespace davit
