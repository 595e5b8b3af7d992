#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "server/http_api.h"
#include "session/time_travel.h"
#include "tests/server/live_system.h"

namespace davit {
namespace {

using testing::HasSubstr;

class ApiTravelTest : public testing::Test {
 protected:
  HttpAnswer Ask(const std::string& body) {
    std::optional<HttpAnswer> answer;
    AnswerTravel(live_.context(), {.method = "POST", .path = "/api/travel", .body = body},
                 [&](HttpAnswer got) { answer = std::move(got); });
    EXPECT_TRUE(live_.PollUntil([&] { return answer.has_value(); }));
    return answer.value_or(HttpAnswer{.status = 0});
  }
  /// A recorded run that has taken steps of 10 ms.
  void RecordSteps(int count) {
    live_.Do([&] {
      live_.run().simulation().RecordRun({});
      for (int i = 0; i < count; ++i) EXPECT_EQ(live_.run().Step("test"), "");
    });
  }

  LiveSystem live_;
};

/// The branch is there before anything is changed, and the run waits at its begin; a change then belongs to
/// it.
TEST_F(ApiTravelTest, ABranchBeginsAtAPastTime) {
  RecordSteps(20);
  EXPECT_EQ(Ask(R"({"action":"goto","time":0.05})").status, 200);
  const HttpAnswer answer = Ask(R"({"action":"branch_here"})");
  ASSERT_EQ(answer.status, 200) << answer.body;
  const nlohmann::json json = nlohmann::json::parse(answer.body);
  EXPECT_EQ(json["branch"], "branch-1");
  EXPECT_EQ(json["is_at_end"], true);
  EXPECT_NEAR(json["time"].get<double>(), 0.05, 1e-12);
  EXPECT_NEAR(json["end"].get<double>(), 0.05, 1e-12);
  ASSERT_EQ(json["branches"].size(), 2U);
  EXPECT_NEAR(json["branches"][0]["end"].get<double>(), 0.2, 1e-12) << "the trunk remains";
  EXPECT_EQ(json["branches"][1]["parent"], "trunk");
  EXPECT_NEAR(json["branches"][1]["begin"].get<double>(), 0.05, 1e-12);
  EXPECT_EQ(live_.run().status(), LiveStatus::kPaused);
  live_.Do([&] {
    EXPECT_TRUE(live_.run().Submit({.sender = "test", .command = "set load.mass 20 kg"}).is_accepted);
    EXPECT_EQ(live_.run().Step("test"), "");
    EXPECT_EQ(live_.run().simulation().time_travel()->tapes().size(), 2U);
    EXPECT_NEAR(live_.run().simulation().time_travel()->end_time(), 0.06, 1e-12);
  });
}

TEST_F(ApiTravelTest, ABranchThatCannotBeginIsRefused) {
  const HttpAnswer unrecorded = Ask(R"({"action":"branch_here"})");
  EXPECT_EQ(unrecorded.status, 409);
  EXPECT_THAT(unrecorded.body, HasSubstr("record"));
  RecordSteps(3);
  const HttpAnswer at_end = Ask(R"({"action":"branch_here"})");
  EXPECT_EQ(at_end.status, 409);
  EXPECT_THAT(at_end.body, HasSubstr("go back in time first"));
  live_.Do([&] { EXPECT_EQ(live_.run().simulation().time_travel()->tapes().size(), 1U); });
}

/// The answer to what is no action lists all that there are.
TEST_F(ApiTravelTest, WrongActionsAreSaid) {
  RecordSteps(3);
  for (const char* body : {"", "[]", "{}", "branch_here", R"({"action":"branch_hre"})", R"({"action":7})",
                           R"({"action":"goto"})", R"({"action":"branch"})"}) {
    const HttpAnswer answer = Ask(body);
    EXPECT_EQ(answer.status, 400) << body;
    EXPECT_THAT(answer.body, HasSubstr("branch_here")) << body;
  }
  EXPECT_EQ(Ask(R"({"action":"goto","time":0.5})").status, 409);
  EXPECT_EQ(Ask(R"({"action":"branch","branch":"branch-7"})").status, 409);
}

}  // namespace
}  // namespace davit
