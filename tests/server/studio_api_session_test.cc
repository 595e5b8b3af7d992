#include "server/studio_api_session.h"

#include <gtest/gtest.h>
#include <studio_api.pb.h>

#include <chrono>
#include <random>
#include <string>
#include <vector>

#include "tests/server/live_system.h"

namespace davit {
namespace {

using studio_api::Container;

std::vector<Container> ReadAll(const std::vector<std::string>& frames, std::size_t from = 1) {
  std::vector<Container> containers;
  for (std::size_t i = from; i < frames.size(); ++i) {
    containers.emplace_back();
    EXPECT_TRUE(containers.back().ParseFromString(frames[i]));
  }
  return containers;
}

class StudioApiSessionTest : public testing::Test {
 protected:
  void Tick() {
    live_.Poll();
    session_->Tick(StudioApiSession::Clock::now());
  }
  template <class Holds>
  bool TickUntil(Holds holds) {
    return live_.PollUntil([&] {
      session_->Tick(StudioApiSession::Clock::now());
      return holds();
    });
  }
  void Send(const Container& container) { session_->Take(container.SerializeAsString()); }
  /// The values of a node that were sent.
  std::vector<double> ValuesOf(std::uint32_t node) const {
    std::vector<double> values;
    for (const Container& container : ReadAll(client_.frames)) {
      for (const auto& value : container.getter_response()) {
        if (value.node_id() == node) values.push_back(value.d_value());
      }
    }
    return values;
  }
  void Subscribe(std::uint32_t node, double fs, double rate = 0) {
    Container container;
    container.set_message_type(Container::GETTER_REQUEST);
    auto& request = *container.add_getter_request();
    request.set_node_id(node);
    request.set_fs(fs);
    request.set_sample_rate(rate);
    Send(container);
  }
  void SetUp() override { session_->Open(); }

  LiveSystem live_;
  KeptFrames client_;
  std::shared_ptr<StudioApiSession> session_ =
      std::make_shared<StudioApiSession>(live_.context(), client_, "127.0.0.1:1", nullptr);
};

TEST_F(StudioApiSessionTest, HelloNeedsNoLoginWhereThereIsNoUser) {
  studio_api::Hello hello;
  ASSERT_TRUE(hello.ParseFromString(client_.frames.at(0)));
  EXPECT_EQ(hello.system_name(), "rig");
  EXPECT_FALSE(hello.has_challenge());
  EXPECT_FALSE(hello.has_system_use_notification());
}

TEST_F(StudioApiSessionTest, EveryNodeIsReachedFromTheRootAndNamesAreUnique) {
  std::vector<std::uint32_t> open{NodeTree::kSystemNode};
  std::size_t count = 0;
  while (!open.empty()) {
    Container request;
    request.set_message_type(Container::STRUCTURE_REQUEST);
    request.add_structure_request(open.back());
    open.pop_back();
    ++count;
    client_.frames.resize(1);
    Send(request);
    const std::vector<Container> answer = ReadAll(client_.frames);
    ASSERT_EQ(answer.size(), 1u);
    std::set<std::string> names;
    for (const auto& child : answer[0].structure_response(0).node()) {
      EXPECT_TRUE(names.insert(child.info().name()).second) << child.info().name();
      EXPECT_EQ(child.info().name().find('.'), std::string::npos);
      open.push_back(child.info().node_id());
    }
  }
  EXPECT_EQ(count, live_.context().tree.nodes().size());
}

TEST_F(StudioApiSessionTest, ASubscriptionBeginsWithTheLastValueAndHasEverySample) {
  const std::uint32_t time = live_.NodeOf("time");
  Subscribe(time, 1000);
  ASSERT_TRUE(TickUntil([&] { return ValuesOf(time).size() == 1; }));
  for (int i = 0; i < 20; ++i) {
    live_.Do([&] { EXPECT_EQ(live_.run().Step("test"), ""); });
    Tick();
  }
  ASSERT_TRUE(TickUntil([&] { return ValuesOf(time).size() == 21; }));
  const std::vector<double> values = ValuesOf(time);
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_NEAR(values[i], 0.01 * static_cast<double>(i), 1e-12);
  // Once more: the last value again, and no other subscription.
  Subscribe(time, 1000);
  ASSERT_TRUE(TickUntil([&] { return ValuesOf(time).size() == 22; }));
  EXPECT_EQ(live_.context().values.watched(), 1u);
  Container stop;
  stop.set_message_type(Container::GETTER_REQUEST);
  stop.add_getter_request()->set_node_id(time);
  stop.mutable_getter_request(0)->set_stop(true);
  Send(stop);
  EXPECT_EQ(live_.context().values.watched(), 0u);
}

TEST_F(StudioApiSessionTest, AGetWithoutFsIsAnsweredOnce) {
  const std::uint32_t time = live_.NodeOf("time");
  Container get;
  get.set_message_type(Container::GETTER_REQUEST);
  get.add_getter_request()->set_node_id(time);
  Send(get);
  ASSERT_TRUE(TickUntil([&] { return ValuesOf(time).size() == 1; }));
  EXPECT_EQ(live_.context().values.watched(), 0u);
  live_.Do([&] { EXPECT_EQ(live_.run().Step("test"), ""); });
  for (int i = 0; i < 10; ++i) Tick();
  EXPECT_EQ(ValuesOf(time).size(), 1u);
}

TEST_F(StudioApiSessionTest, PacketsComeAtFsAndSamplesAtTheirRate) {
  const std::uint32_t time = live_.NodeOf("time");
  Subscribe(time, 5);
  ASSERT_TRUE(TickUntil([&] { return ValuesOf(time).size() == 1; }));
  const auto step = [&](int count) {
    const std::uint64_t rows = live_.context().values.next_row() + static_cast<std::uint64_t>(count);
    for (int i = 0; i < count; ++i) live_.Do([&] { EXPECT_EQ(live_.run().Step("test"), ""); });
    EXPECT_TRUE(live_.PollUntil([&] { return live_.context().values.next_row() == rows; }));
  };
  const auto begin = StudioApiSession::Clock::now() + std::chrono::seconds(1);
  const std::size_t packets = client_.frames.size();
  step(10);
  session_->Tick(begin);
  EXPECT_EQ(client_.frames.size(), packets + 1);
  EXPECT_EQ(ValuesOf(time).size(), 11u);  // all of them in one packet
  step(1);
  session_->Tick(begin + std::chrono::milliseconds(199));
  EXPECT_EQ(client_.frames.size(), packets + 1);
  session_->Tick(begin + std::chrono::milliseconds(200));
  EXPECT_EQ(client_.frames.size(), packets + 2);

  // Steps come within milliseconds: of one sample a second there is one.
  Subscribe(time, 1000, 1);
  ASSERT_TRUE(TickUntil([&] { return ValuesOf(time).size() == 13; }));
  ValueSubscription decimated;
  decimated.sample_rate = 10;
  int taken = 0;
  for (std::uint64_t ms = 0; ms < 1000; ms += 10)
    taken += decimated.Takes(1'000'000 * ms + 1, static_cast<double>(ms), begin) ? 1 : 0;
  EXPECT_EQ(taken, 10);
}

TEST_F(StudioApiSessionTest, ADecimatedSubscriptionEndsWithTheValueThatHolds) {
  const std::uint32_t time = live_.NodeOf("time");
  Subscribe(time, 1000, 1);
  ASSERT_TRUE(TickUntil([&] { return ValuesOf(time).size() == 1; }));
  const std::uint64_t rows = live_.context().values.next_row() + 5;
  for (int i = 0; i < 5; ++i) live_.Do([&] { EXPECT_EQ(live_.run().Step("test"), ""); });
  ASSERT_TRUE(live_.PollUntil([&] { return live_.context().values.next_row() >= rows; }));
  // The steps come within the second of the first sample, and then the run rests.
  const auto begin = StudioApiSession::Clock::now();
  session_->Tick(begin);
  EXPECT_EQ(ValuesOf(time).size(), 1u);
  session_->Tick(begin + std::chrono::seconds(2));
  ASSERT_EQ(ValuesOf(time).size(), 2u);
  EXPECT_NEAR(ValuesOf(time).back(), 0.05, 1e-12);
  for (int i = 3; i < 10; ++i) session_->Tick(begin + std::chrono::seconds(i));
  EXPECT_EQ(ValuesOf(time).size(), 2u) << "once";
}

TEST(ValueSubscription, AHeldSampleGivesWayToANewerOne) {
  using std::chrono::milliseconds;
  ValueSubscription decimated;
  decimated.sample_rate = 10;
  const auto begin = ValueSubscription::Clock::now();
  const auto at = [&](std::uint64_t ms, double value) {
    return decimated.Takes(1'000'000'000 + 1'000'000 * ms, value, begin + milliseconds(ms));
  };
  EXPECT_TRUE(at(0, 1));
  EXPECT_FALSE(at(10, 2));
  EXPECT_FALSE(at(20, 3));
  EXPECT_FALSE(decimated.TakeHeld(begin + milliseconds(99)));
  const auto held = decimated.TakeHeld(begin + milliseconds(100));
  ASSERT_TRUE(held);
  EXPECT_EQ(held->value, 3);
  EXPECT_EQ(held->wall, 1'020'000'000u) << "with its own time";
  EXPECT_FALSE(decimated.TakeHeld(begin + milliseconds(300))) << "once";
  // It counts as the sample of its time, so the next one is due 100 ms later.
  EXPECT_FALSE(at(150, 4));
  EXPECT_TRUE(at(200, 5));
  EXPECT_FALSE(decimated.TakeHeld(begin + milliseconds(400))) << "4 is of the past";
  // What goes back to the value that the client has needs nothing.
  EXPECT_FALSE(at(210, 6));
  EXPECT_FALSE(at(220, 5));
  EXPECT_FALSE(decimated.TakeHeld(begin + milliseconds(500)));
}

TEST(StudioApiValues, ARunThatRestsHasPublishedItsLastStepPoint) {
  // 1/fs has 7 steps, so most step points lie inside a period.
  LiveSystem live({}, {.is_paused = true, .factor = {}},
                  R"(<System name="slow"><SimulatorManager TimeStep="10 ms"
      fs="14.2857142857 Hz" StopTime="1e6 s"/><mechanical.Mass name="load"><Start v="1 m/s"/></mechanical.Mass></System>)");
  KeptFrames client;
  const auto session = std::make_shared<StudioApiSession>(live.context(), client, "127.0.0.1:2", nullptr);
  session->Open();
  Container container;
  container.set_message_type(Container::GETTER_REQUEST);
  container.add_getter_request()->set_node_id(live.NodeOf("load.x"));
  container.mutable_getter_request(0)->set_fs(1000);
  session->Take(container.SerializeAsString());
  for (int i = 0; i < 5; ++i) {
    live.Do([&] { EXPECT_EQ(live.run().Start("test"), ""); });
    ASSERT_TRUE(live.PollUntil([&] { return live.run().time() > i + 1; }));
    double x = 0;
    live.run().Post([&] { live.run().Pause("test"); });
    ASSERT_TRUE(live.PollUntil([&] { return live.run().status() == LiveStatus::kPaused; }));
    live.Do([&] { x = live.run().simulation().Read("load.x"); });
    EXPECT_TRUE(live.PollUntil([&] {
      session->Tick(StudioApiSession::Clock::now());
      const std::vector<Container> all = ReadAll(client.frames);
      return !all.empty() && !all.back().getter_response().empty() &&
             all.back().getter_response().rbegin()->d_value() == x;
    })) << x;
  }
}

TEST_F(StudioApiSessionTest, AWriteActsAtTheNextStepPointAndIsLoggedAsTheAtThatRepeatsIt) {
  Container setter;
  setter.set_message_type(Container::SETTER_REQUEST);
  setter.add_setter_request()->set_node_id(live_.NodeOf("load.mass"));
  setter.mutable_setter_request(0)->set_str_value("5 t");
  Send(setter);
  live_.Do([&] { EXPECT_EQ(live_.run().Step("test"), ""); });
  const auto is_logged = [&] {
    const auto lines = live_.context().events.LinesAfter(0, 1000);
    return std::ranges::any_of(lines, [](const LogLine* line) {
      return line->text == R"(by 127.0.0.1:1: <At time="0 s" set="load.mass" value="5 t"/>)";
    });
  };
  EXPECT_TRUE(live_.PollUntil(is_logged));
  EXPECT_EQ(client_.frames.size(), 1u);  // no refusal
}

TEST_F(StudioApiSessionTest, ARefusedWriteIsAnsweredWithTheErrorOfAFile) {
  Container setter;
  setter.set_message_type(Container::SETTER_REQUEST);
  setter.add_setter_request()->set_node_id(live_.NodeOf("load.mass"));
  setter.mutable_setter_request(0)->set_d_value(-5);
  Send(setter);
  ASSERT_TRUE(live_.PollUntil([&] { return client_.frames.size() > 1; }));
  const Container answer = ReadAll(client_.frames).at(0);
  EXPECT_EQ(answer.error().code(), 10u);
  EXPECT_EQ(answer.error().node_id(), live_.NodeOf("load.mass"));
  EXPECT_NE(answer.error().text().find("/load"), std::string::npos) << answer.error().text();
}

TEST_F(StudioApiSessionTest, AClientThatDoesNotReadGetsNoValues) {
  const std::uint32_t time = live_.NodeOf("time");
  Subscribe(time, 1000);
  ASSERT_TRUE(TickUntil([&] { return ValuesOf(time).size() == 1; }));
  client_.waiting = StudioApiSession::kBusyBytes + 1;
  live_.Do([&] { EXPECT_EQ(live_.run().Step("test"), ""); });
  for (int i = 0; i < 10; ++i) Tick();
  EXPECT_EQ(ValuesOf(time).size(), 1u);
  client_.waiting = 0;
  EXPECT_TRUE(TickUntil([&] { return ValuesOf(time).size() == 2; }));
}

/// Whatever comes, there is an answer or none, and what is kept stays bounded. tests/fuzz has fuzzers that go
/// on for as long as one likes.
TEST_F(StudioApiSessionTest, RandomMessagesDoNoHarm) {
  std::mt19937 random(7);
  const auto pick = [&](std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
  };
  const std::size_t nodes = live_.context().tree.nodes().size();
  const auto make = [&] {
    Container container;
    container.set_message_type(static_cast<int>(pick(20)));
    for (std::size_t i = pick(4); i > 0; --i)
      container.add_structure_request(static_cast<std::uint32_t>(pick(nodes + 2)));
    for (std::size_t i = pick(4); i > 0; --i) {
      auto& request = *container.add_getter_request();
      request.set_node_id(static_cast<std::uint32_t>(pick(nodes + 2)));
      if (pick(2) == 0) request.set_fs(std::vector<double>{0, -1, 5, 1e300, std::nan("")}[pick(5)]);
      if (pick(2) == 0) request.set_sample_rate(std::vector<double>{0, -1, 5, 1e300, 1e-300}[pick(5)]);
      if (pick(4) == 0) request.set_stop(true);
    }
    for (std::size_t i = pick(3); i > 0; --i) {
      auto& value = *container.add_setter_request();
      value.set_node_id(static_cast<std::uint32_t>(pick(nodes + 2)));
      if (pick(2) == 0) value.set_d_value(std::vector<double>{0, 1, -1e308, std::nan("")}[pick(4)]);
      if (pick(2) == 0)
        value.set_str_value(std::vector<std::string>{"", "5 t", "Advanced", std::string(20'000, 'x'), "a\nb",
                                                     "\xff"}[pick(6)]);
    }
    for (std::size_t i = pick(3); i > 0; --i) {
      auto& request = *container.add_event_request();
      if (pick(2) == 0) request.set_node_id(static_cast<std::uint32_t>(pick(nodes + 2)));
      if (pick(2) == 0) request.set_starting_from(pick(2));
      if (pick(4) == 0) request.set_stop(true);
    }
    return container.SerializeAsString();
  };
  for (int count = 1; count <= 20'000; ++count) {
    std::string message = make();
    for (std::size_t i = pick(4); i > 0 && !message.empty(); --i) {
      switch (pick(3)) {
        case 0: message[pick(message.size())] = static_cast<char>(pick(256)); break;
        case 1: message.resize(pick(message.size())); break;
        default: message.insert(pick(message.size()), 1, static_cast<char>(pick(256))); break;
      }
    }
    session_->Take(message);
    if (count % 64 == 0) {
      Tick();
      client_.frames.clear();
      EXPECT_LE(live_.context().values.watched(), nodes);
    }
    if (session_->is_closed()) {
      session_ = std::make_shared<StudioApiSession>(live_.context(), client_, "127.0.0.1:1", nullptr);
      session_->Open();
    }
    if (pick(1000) == 0 && live_.run().status() != LiveStatus::kRunning)
      live_.Do([&] { live_.run().Reset("test"); });
    if (pick(1000) == 0) live_.run().Post([&run = live_.run()] { run.Start("test"); });
  }
  session_.reset();
  EXPECT_EQ(live_.context().values.watched(), 0u);
}

/// By a clock of its own: 30 min are over at once.
TEST(StudioApiLogin, WhoDoesNothingIsLockedOutAndHasWhatHeAskedForAfterwards) {
  LiveSystem live({.user = "anna", .password = "secret", .idle_time = std::chrono::minutes(30)});
  KeptFrames client;
  const auto session = std::make_shared<StudioApiSession>(live.context(), client, "127.0.0.1:1",
                                                          live.context().authentication.FindUser("anna"));
  session->Open();
  const auto begin = StudioApiSession::Clock::now();
  session->Tick(begin + std::chrono::minutes(29));
  ASSERT_EQ(client.frames.size(), 1u);
  session->Tick(begin + std::chrono::minutes(31));
  ASSERT_EQ(client.frames.size(), 2u);
  const Container lock = ReadAll(client.frames).at(0);
  EXPECT_EQ(lock.error().code(), 1u);
  ASSERT_EQ(lock.error().challenge().size(), 32u);
  Container structure;
  structure.set_message_type(Container::STRUCTURE_REQUEST);
  session->Take(structure.SerializeAsString());
  EXPECT_EQ(client.frames.size(), 2u) << "it waits";
  const auto log_in = [&](const std::string& password) {
    Container container;
    container.set_message_type(Container::REAUTH_REQUEST);
    auto& request = *container.mutable_reauth_request();
    request.set_user_id("anna");
    auto& response = *request.add_challenge_response();
    response.set_type("PasswordHash");
    response.set_response(Sha256(lock.error().challenge() + ":" + Sha256("anna:" + password)));
    session->Take(container.SerializeAsString());
    return ReadAll(client.frames);
  };
  EXPECT_EQ(log_in("wrong").at(1).reauth_response().result_code(),
            studio_api::AuthResponse::INVALID_CHALLENGE_RESPONSE);
  const std::vector<Container> answers = log_in("secret");
  ASSERT_EQ(answers.size(), 4u);
  EXPECT_EQ(answers[2].reauth_response().result_code(), studio_api::AuthResponse::GRANTED);
  EXPECT_EQ(answers[3].message_type(), Container::STRUCTURE_RESPONSE);
}

/// The role is that of the user who has logged in last.
TEST(StudioApiLogin, AViewerWritesNothingAndAnOperatorDoes) {
  LiveSystem live({.users = {{"olga", UserRole::kOperate, Sha256("olga:two")},
                             {"vera", UserRole::kView, Sha256("vera:one")}}});
  KeptFrames client;
  const auto session = std::make_shared<StudioApiSession>(live.context(), client, "127.0.0.1:1", nullptr);
  session->Open();
  studio_api::Hello hello;
  ASSERT_TRUE(hello.ParseFromString(client.frames.at(0)));
  studio_api::AuthRequest request;
  request.set_user_id("vera");
  auto& response = *request.add_challenge_response();
  response.set_type("PasswordHash");
  response.set_response(Sha256(hello.challenge() + ":" + Sha256("vera:one")));
  session->Take(request.SerializeAsString());
  ASSERT_EQ(client.frames.size(), 2u);
  const LiveNode* const flow = live.context().tree.FindPath("source.flow");
  ASSERT_NE(flow, nullptr);
  Container write;
  write.set_message_type(Container::SETTER_REQUEST);
  studio_api::VariantValue& value = *write.add_setter_request();
  value.set_node_id(flow->id);
  value.set_d_value(1e-6);
  const auto flow_after_a_step = [&] {
    double read = 0;
    live.Do([&] {
      EXPECT_EQ(live.run().Step("test"), "");
      read = live.run().simulation().Read("source.flow");
    });
    return read;
  };
  session->Take(write.SerializeAsString());
  ASSERT_EQ(client.frames.size(), 3u);
  EXPECT_EQ(flow_after_a_step(), 0);
  Container refused;
  ASSERT_TRUE(refused.ParseFromString(client.frames.at(2)));
  EXPECT_EQ(refused.message_type(), Container::REMOTE_ERROR);
  EXPECT_NE(refused.error().text().find("the role operate"), std::string::npos) << refused.error().text();

  KeptFrames other;
  const auto operated = std::make_shared<StudioApiSession>(live.context(), other, "127.0.0.1:2",
                                                           live.context().authentication.FindUser("olga"));
  operated->Open();
  operated->Take(write.SerializeAsString());
  EXPECT_EQ(other.frames.size(), 1u) << "nothing is refused";
  EXPECT_EQ(flow_after_a_step(), 1e-6);
}

TEST(StudioApiLogin, NothingIsToldBeforeTheLogin) {
  LiveSystem live({.user = "anna", .password = "secret"});
  KeptFrames client;
  const auto session = std::make_shared<StudioApiSession>(live.context(), client, "127.0.0.1:1", nullptr);
  session->Open();
  studio_api::Hello hello;
  ASSERT_TRUE(hello.ParseFromString(client.frames.at(0)));
  ASSERT_EQ(hello.challenge().size(), 32u);
  studio_api::AuthRequest request;
  request.set_user_id("ANNA");
  auto& response = *request.add_challenge_response();
  response.set_type("PasswordHash");
  response.set_response("wrong");
  session->Take(request.SerializeAsString());
  studio_api::AuthResponse answer;
  ASSERT_TRUE(answer.ParseFromString(client.frames.at(1)));
  EXPECT_EQ(answer.result_code(), studio_api::AuthResponse::INVALID_CHALLENGE_RESPONSE);
  response.set_response(Sha256(hello.challenge() + ":" + Sha256("anna:secret")));
  session->Take(request.SerializeAsString());
  ASSERT_TRUE(answer.ParseFromString(client.frames.at(2)));
  EXPECT_EQ(answer.result_code(), studio_api::AuthResponse::GRANTED);
}

}  // namespace
}  // namespace davit
