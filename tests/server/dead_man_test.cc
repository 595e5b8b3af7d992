// Levers of an operator who is lost return to neutral. panel_test.mjs does the same with real connections.

#include "server/dead_man.h"

#include <gtest/gtest.h>
#include <studio_api.pb.h>

#include <chrono>
#include <memory>
#include <string>

#include "tests/server/live_system.h"

namespace davit {
namespace {

using std::chrono::milliseconds;
using studio_api::Container;

constexpr std::string_view kText = R"(
<System name="rig" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="10 ms" fs="100 Hz" StopTime="1000 s"/>
  <signal.Constant name="hand"/>
  <signal.Constant name="foot"/>
  <signal.Constant name="set_point"/>
  <Panel name="cabin" timeout="200 ms">
    <Lever name="hand" set="hand.value" low="-1" high="1" neutral="0.1"/>
    <Lever name="foot" set="foot.value" low="0" high="1"/>
    <Slider name="set_point" set="set_point.value" low="0" high="1"/>
  </Panel>
</System>
)";

class DeadManTest : public testing::Test {
 protected:
  std::shared_ptr<StudioApiSession> Connect() {
    auto session = std::make_shared<StudioApiSession>(live_.context(), client_, "127.0.0.1:1", nullptr);
    session->Open();
    return session;
  }
  void Write(StudioApiSession& session, std::string_view path, double number) {
    Container container;
    container.set_message_type(Container::SETTER_REQUEST);
    container.add_setter_request()->set_node_id(live_.NodeOf(path));
    container.mutable_setter_request(0)->set_d_value(number);
    session.Take(container.SerializeAsString());
  }
  double Read(std::string_view path) {
    double value = 0;
    live_.Do([&] { value = live_.context().tree.FindItem(path)->item.Read(); });
    return value;
  }
  bool IsLost() {
    bool is_set = false;
    live_.Do([&] {
      is_set = dynamic_cast<OperatorPanel&>(*live_.run().simulation().system().Find("cabin"))
                   .operator_lost()
                   .is_set();
    });
    return is_set;
  }
  /// Until all that was sent has acted, with as much time for what must not happen.
  void Wait(milliseconds time, const std::shared_ptr<StudioApiSession>& session = nullptr) {
    const auto end = DeadMan::Clock::now() + time;
    live_.PollUntil([&] {
      if (session != nullptr) session->Tick(DeadMan::Clock::now());
      return DeadMan::Clock::now() > end;
    });
  }

  KeptFrames client_;
  LiveSystem live_{{}, {.is_paused = false, .factor = 1}, kText};
};

TEST_F(DeadManTest, AClosedConnectionReturnsItsLeversWithASpring) {
  auto session = Connect();
  Write(*session, "hand.value", -0.4);
  Write(*session, "foot.value", 0.7);
  Write(*session, "set_point.value", 0.6);
  ASSERT_TRUE(live_.PollUntil([&] { return Read("set_point.value") == 0.6; }));
  EXPECT_EQ(Read("hand.value"), -0.4);
  EXPECT_FALSE(IsLost());
  session.reset();
  ASSERT_TRUE(live_.PollUntil([&] { return Read("hand.value") == 0.1; }));
  EXPECT_EQ(Read("foot.value"), 0);
  EXPECT_EQ(Read("set_point.value"), 0.6);
  EXPECT_TRUE(IsLost());
}

TEST_F(DeadManTest, AWriteThatTheRunHasNotDoneYetIsReturnedToo) {
  auto session = Connect();
  Write(*session, "foot.value", 1);
  session.reset();
  ASSERT_TRUE(live_.PollUntil([&] { return IsLost(); }));
  Wait(milliseconds(50));
  EXPECT_EQ(Read("foot.value"), 0);
}

TEST_F(DeadManTest, AClientThatGivesNoSignOfLifeIsLost) {
  const auto session = Connect();
  Write(*session, "foot.value", 1);
  const auto begin = DeadMan::Clock::now();
  ASSERT_TRUE(live_.PollUntil([&] { return Read("foot.value") == 1; }));
  ASSERT_TRUE(live_.PollUntil([&] {
    session->Tick(DeadMan::Clock::now());
    return Read("foot.value") == 0;
  }));
  EXPECT_GE(DeadMan::Clock::now() - begin, milliseconds(200));
  EXPECT_GE(client_.pings, 2);
  EXPECT_TRUE(IsLost());
  // Whoever takes the lever again ends the alarm.
  Write(*session, "foot.value", 0.5);
  EXPECT_TRUE(live_.PollUntil([&] { return !IsLost(); }));
}

TEST_F(DeadManTest, AnAnswerToAPingIsASignOfLife) {
  const auto session = Connect();
  Write(*session, "foot.value", 1);
  for (int i = 0; i < 10; ++i) {
    Wait(milliseconds(50), session);
    session->TakeSign();
  }
  EXPECT_EQ(Read("foot.value"), 1);
  EXPECT_FALSE(IsLost());
}

TEST_F(DeadManTest, WhoHasWrittenNeutralHoldsNothing) {
  auto session = Connect();
  Write(*session, "foot.value", 1);
  Write(*session, "foot.value", 0);
  Wait(milliseconds(400), session);
  EXPECT_EQ(client_.pings, 0);
  session.reset();
  Wait(milliseconds(50));
  EXPECT_FALSE(IsLost());
}

TEST_F(DeadManTest, ALeverBelongsToTheClientThatWroteItLast) {
  auto first = Connect();
  const auto second = Connect();
  Write(*first, "foot.value", 1);
  Write(*second, "foot.value", 0.5);
  first.reset();
  for (int i = 0; i < 4; ++i) {
    Wait(milliseconds(20));
    second->TakeSign();
  }
  EXPECT_EQ(Read("foot.value"), 0.5);
  EXPECT_FALSE(IsLost());
}

}  // namespace
}  // namespace davit
