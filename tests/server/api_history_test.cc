#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>

#include "server/http_api.h"
#include "simulator/dynamic_sim_component.h"
#include "tests/server/live_system.h"

namespace davit {
namespace {

/// A gate in which a step waits, like one that computes for long.
class StepGate {
 public:
  /// From now on the next step waits.
  void Shut() {
    const std::lock_guard lock(mutex_);
    is_shut_ = true;
  }
  void Open() {
    const std::lock_guard lock(mutex_);
    is_shut_ = false;
    changed_.notify_all();
  }
  void Pass() {
    std::unique_lock lock(mutex_);
    if (!is_shut_) return;
    is_waiting_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return !is_shut_; });
    is_waiting_ = false;
  }
  void AwaitStep() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_waiting_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_shut_ = false;
  bool is_waiting_ = false;
};

StepGate& Gate() {
  static StepGate gate;
  return gate;
}

/// x' = 1, with steps that may hang.
class Hanging final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "test.Hanging", .text = "Hangs in a step"};
  void EvaluateDiffEquations(double /*t*/) override { x_.ddt = 1; }
  void PostIntegrate() override { Gate().Pass(); }

 private:
  StateVariable x_{this, "x", "m", "Place", 0.0};
  Output y_{this, "y", "m", "Place, too"};
};

class ApiHistoryTest : public testing::Test {
 protected:
  std::optional<HttpAnswer> Ask(std::vector<std::pair<std::string, std::string>> parameters) {
    std::optional<HttpAnswer> answer;
    AnswerHistory(live_.context(),
                  {.method = "GET", .path = "/api/history", .parameters = std::move(parameters)},
                  [&](HttpAnswer got) { answer = std::move(got); });
    return answer;
  }
  void Step() {
    live_.Do([&] { EXPECT_EQ(live_.run().Step("test"), ""); });
  }

  LiveSystem live_{{},
                   {.is_paused = true, .factor = {}},
                   R"(<System name="rig"><SimulatorManager TimeStep="10 ms" fs="100 Hz" StopTime="100 s"/>
                      <test.Hanging name="part"/></System>)",
                   [](Registry& registry) { registry.Add<Hanging>(); }};
};

/// The answer comes within the call: nobody else has done anything meanwhile.
TEST_F(ApiHistoryTest, AnswersFromWhatIsThereWhileAStepHangs) {
  ASSERT_TRUE(Ask({{"path", "part.x"}}));
  Step();
  Step();
  Gate().Shut();
  std::string fault;
  live_.run().PostBetweenRuns([&] { fault = live_.run().Step("test"); });
  Gate().AwaitStep();
  const std::optional<HttpAnswer> answer = Ask({{"path", "part.x"}, {"path", "part.y"}});
  Gate().Open();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
  const nlohmann::json json = nlohmann::json::parse(answer->body);
  EXPECT_EQ(json["from"], 0);
  EXPECT_NEAR(json["to"].get<double>(), 0.02, 1e-12);
  const nlohmann::json& x = json["signals"]["part.x"];
  EXPECT_NEAR(x["last"].back().get<double>(), 0.02, 1e-12);
  EXPECT_EQ(x["t"].size(), 3u) << "the start and two steps";
  EXPECT_TRUE(json["signals"]["part.y"]["t"].empty()) << "it is kept from now on";
  // The step ends, and what was asked for is kept.
  Step();
  EXPECT_EQ(fault, "");
  const std::optional<HttpAnswer> later = Ask({{"path", "part.y"}});
  ASSERT_TRUE(later);
  EXPECT_FALSE(nlohmann::json::parse(later->body)["signals"]["part.y"]["t"].empty());
}

TEST_F(ApiHistoryTest, WrongPathsAreSaid) {
  const std::optional<HttpAnswer> answer = Ask({{"path", "part.z"}});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 404);
  EXPECT_NE(answer->body.find("part.z"), std::string::npos);
  for (const char* text : {"nan", "inf", "1 s", "soon"}) {
    EXPECT_EQ(Ask({{"path", "part.x"}, {"from", text}})->status, 400) << text;
    EXPECT_EQ(Ask({{"path", "part.x"}, {"to", text}})->status, 400) << text;
  }
  EXPECT_EQ(Ask({{"path", "part.x"}, {"from", "-1.5e0"}, {"to", "2"}})->status, 200);
  EXPECT_EQ(Ask(std::vector<std::pair<std::string, std::string>>(101, {"path", "part.x"}))->status, 400);
}

}  // namespace
}  // namespace davit
