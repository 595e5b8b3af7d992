#include "app/run_messages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "tests/support/read_all.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;
using Severity = RunLog::Severity;

class RunMessagesTest : public testing::Test {
 protected:
  std::ostringstream err_;
  ProgressBar bar_{err_, false};
};

TEST_F(RunMessagesTest, DetailsAreNeededForAFileOrWhereAllIsShown) {
  EXPECT_EQ(RunMessages({}, bar_, err_).threshold(), Severity::kInfo);
  EXPECT_EQ(RunMessages({.is_quiet = true}, bar_, err_).threshold(), Severity::kError);
  EXPECT_EQ(RunMessages({.is_verbose = true}, bar_, err_).threshold(), Severity::kDetail);
  EXPECT_EQ(RunMessages({.is_quiet = true, .file = "x.log"}, bar_, err_).threshold(), Severity::kDetail);
}

TEST_F(RunMessagesTest, LinesThatAreAlikeButForNumbersAreCounted) {
  RunMessages messages({}, bar_, err_);
  for (int i = 1; i <= 40; ++i) {
    messages.Take(Severity::kWarning, "t = " + std::to_string(i) + " s: warning: /pump_1: late by " +
                                          std::to_string(i) + "e-05 s, -" + std::to_string(i) + ".5 bar");
  }
  messages.Take(Severity::kWarning, "t = 41 s: warning: /pump_2: late by 1e-05 s, 7 bar");
  messages.Finish();
  EXPECT_EQ(err_.str(),
            "t = 1 s: warning: /pump_1: late by 1e-05 s, -1.5 bar\n"
            "t = 2 s: warning: /pump_1: late by 2e-05 s, -2.5 bar\n"
            "t = 3 s: warning: /pump_1: late by 3e-05 s, -3.5 bar\n"
            "t = 41 s: warning: /pump_2: late by 1e-05 s, 7 bar\n"
            "37 more like: t = 40 s: warning: /pump_1: late by 40e-05 s, -40.5 bar\n"
            "all of them: --log FILE, or --verbose\n");
}

TEST_F(RunMessagesTest, ManyKindsGiveAFewLines) {
  RunMessages messages({}, bar_, err_);
  for (int kind = 0; kind < 26; ++kind) {
    for (int i = 0; i < 5; ++i) messages.Take(Severity::kInfo, std::string("t = 1 s: /") + char('a' + kind));
  }
  messages.Finish();
  EXPECT_THAT(err_.str(), HasSubstr("2 more like: t = 1 s: /a\n"));
  EXPECT_THAT(err_.str(), HasSubstr("32 more of 16 other kinds\n"));
}

TEST_F(RunMessagesTest, AFileTakesEveryLineWhateverIsShown) {
  const fs::path file = fs::temp_directory_path() / "davit_run_messages_test.log";
  RunMessages messages({.is_quiet = true, .file = file}, bar_, err_);
  messages.Open();
  for (int i = 0; i < 5; ++i) messages.Take(Severity::kDetail, "t = 0 s: /valve: position Open -> Close");
  messages.Take(Severity::kWarning, "t = 1 s: warning: /valve: hot");
  messages.Finish();
  EXPECT_EQ(err_.str(), "");
  const std::string detail = "t = 0 s: /valve: position Open -> Close\n";
  EXPECT_EQ(ReadAll(file), detail + detail + detail + detail + detail + "t = 1 s: warning: /valve: hot\n");
  fs::remove(file);
}

TEST_F(RunMessagesTest, VerboseShowsEveryLine) {
  RunMessages messages({.is_verbose = true}, bar_, err_);
  for (int i = 0; i < 5; ++i) messages.Take(Severity::kDetail, "same");
  messages.Finish();
  EXPECT_EQ(err_.str(), "same\nsame\nsame\nsame\nsame\n");
}

TEST_F(RunMessagesTest, AFileThatCannotBeMadeIsAnswered) {
  RunMessages messages({.file = "/no/such/folder/x.log"}, bar_, err_);
  EXPECT_THROW(messages.Open(), std::runtime_error);
}

TEST_F(RunMessagesTest, TheBarMakesRoomForALine) {
  ProgressBar bar(err_, true);
  RunMessages messages({}, bar, err_);
  bar.Show(0.5, 1);
  EXPECT_THAT(err_.str(), HasSubstr("[===============               ]  50 %  t = 1.000 s"));
  messages.Take(Severity::kInfo, "t = 1 s: /x");
  EXPECT_THAT(err_.str(), testing::EndsWith("\r\033[Kt = 1 s: /x\n"));
}

}  // namespace
}  // namespace davit
