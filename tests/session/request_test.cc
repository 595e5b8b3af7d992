// Requests: from any thread, checked, answered, done at step points.

#include "session/request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "session/request_inbox.h"
#include "tests/session/sessions.h"

namespace davit {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kSystem =
    "<System name=\"s\"><SimulatorManager TimeStep=\"10 ms\" StopTime=\"1 s\"/>"
    "<mechanical.MassSpringDamper name=\"body\" mass=\"2 kg\" stiffness=\"50\" damping=\"3\"><Start "
    "x=\"0.1\"/>"
    "</mechanical.MassSpringDamper>"
    "<hydraulic.Tank name=\"tank\"/>"
    "<hydraulic.AxialPistonPump name=\"pump\" level=\"Ideal\"/><hydraulic.Volume name=\"volume\"/>"
    "<Connect from=\"tank.port\" to=\"pump.in\"/><Connect from=\"tank.port\" to=\"pump.drain\"/>"
    "<Connect from=\"pump.out\" to=\"volume.port\"/>%s</System>";

std::string SystemWith(const std::string& ats) {
  std::string text = kSystem;
  return text.replace(text.find("%s"), 2, ats);
}

/// A request does what the `<At>` of the file does, bit for bit, whether as text or by handle.
TEST(RequestTest, DoesWhatTheFileDoes) {
  const auto by_file =
      LoadText(SystemWith("<At time=\"0.25 s\" set=\"body.mass\" value=\"3 kg\"/>"
                          "<At time=\"0.5 s\" set=\"body.x\" value=\"50 mm\"/>"));
  const auto by_text = LoadText(SystemWith(""));
  const auto by_handle = LoadText(SystemWith(""));
  for (Simulation* s : {by_file.get(), by_text.get(), by_handle.get()}) s->Initialize();
  EXPECT_TRUE(by_text->Post({.command = "0.25 s set body.mass 3 kg"}));
  EXPECT_TRUE(by_text->Post({.command = "500 ms set body.x 50 mm"}));
  EXPECT_TRUE(by_handle->Post({.time = 0.25, .items = by_handle->Items({"body.mass"}), .values = {3}}));
  EXPECT_TRUE(by_handle->Post({.time = 0.5, .items = by_handle->Items({"body.x"}), .values = {0.05}}));
  for (Simulation* s : {by_file.get(), by_text.get(), by_handle.get()}) {
    s->Run();
    EXPECT_EQ(s->statistics().commands, 2U);
  }
  EXPECT_EQ(by_text->Read("body.x"), by_file->Read("body.x"));
  EXPECT_EQ(by_text->Read("body.v"), by_file->Read("body.v"));
  EXPECT_TRUE(by_text->TakeSnapshot() == by_file->TakeSnapshot());
  EXPECT_TRUE(by_handle->TakeSnapshot() == by_file->TakeSnapshot());
}

/// A wrong request is answered with the text that a file would get, and changes nothing, bit for bit.
TEST(RequestTest, WrongOnesAreAnsweredAndChangeNothing) {
  const auto s = LoadText(SystemWith(""));
  const auto untouched = LoadText(SystemWith(""));
  const auto other = LoadText(SystemWith(""));
  for (Simulation* one : {s.get(), untouched.get()}) {
    one->Initialize();
    one->RunUntil(0.2);
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const ItemList mass = s->Items({"body.mass"});
  const std::vector<std::pair<Request, const char*>> wrong{
      {{.sender = "panel", .command = "set body.mas 3 kg"},
       "panel: error: /body: no parameter 'mas' on mechanical.MassSpringDamper; did you mean 'mass'?"},
      {{.sender = "panel", .line = 7, .command = "set body.mass 3 bar"},
       "panel:7: error: /body: mass: '3 bar' is"},
      {{.sender = "panel", .command = "set body.mass -3 kg"}, "out of range; it must be > 0 kg"},
      {{.sender = "panel", .command = "set body.mass 1e308 kg"},
       "mass: '1e308 kg' is larger than any value of a machine; write at most 1e+100 in SI"},
      {{.sender = "panel", .command = "level pump Best"}, "has no level 'Best'"},
      {{.sender = "panel", .command = "message body Jump"}, "panel: error: /body: no message 'Jump'"},
      {{.sender = "panel", .command = "event 1 2"}, "panel: error: event has too many words"},
      {{.sender = "panel", .command = "sett body.mass 3 kg"},
       "panel: error: no command 'sett'; did you mean 'set'?"},
      {{.sender = "panel", .command = "stop"},
       "only the program that runs the system takes this; a request is one of set, level, message, event"},
      {{.sender = "panel", .command = "# a remark"}, "no command; write for example 'set load.mass 5 t'"},
      {{.sender = "panel"}, "panel: error: neither a command nor items to write"},
      {{.sender = "host", .items = mass, .values = {-3}},
       "host: error: /body: body.mass: -3 is out of range; it must be > 0 kg"},
      {{.sender = "host", .items = mass, .values = {1e308}},
       "body.mass: 1e+308 is larger than any value of a machine"},
      {{.sender = "host", .items = mass, .values = {3, 4}}, "2 values for 1 item; give one for each"},
      {{.sender = "host", .time = nan, .items = mass, .values = {3}}, "time: nan is not a finite number"},
      {{.sender = "host", .items = other->Items({"body.mass"}), .values = {3}},
       "the items belong to another simulation"},
      {{.sender = "host", .items = s->Items({"body.mass", "pump.q_out"}), .values = {3, 4}},
       "'q_out' of hydraulic.AxialPistonPump is an output"},
  };
  std::vector<std::string> answers;
  for (const auto& [request, text] : wrong) {
    s->Post(request, [&answers](const RequestAnswer& answer) {
      EXPECT_FALSE(answer.is_accepted);
      answers.push_back(answer.text);
    });
  }
  EXPECT_THAT(answers, IsEmpty()) << "answers come with the next step";
  s->Step();
  ASSERT_EQ(answers.size(), wrong.size());
  for (std::size_t i = 0; i < wrong.size(); ++i) EXPECT_THAT(answers[i], HasSubstr(wrong[i].second));
  untouched->Step();
  EXPECT_TRUE(s->TakeSnapshot() == untouched->TakeSnapshot());
  s->Run();
  untouched->Run();
  EXPECT_TRUE(s->TakeSnapshot() == untouched->TakeSnapshot());
}

TEST(RequestTest, LevelsMessagesAndEventsAct) {
  std::vector<std::string> log;
  const auto s = Simulation::LoadText(
                     SystemWith(""), "s.xml", SessionModels(),
                     {.log_level = RunLog::Severity::kInfo,
                      .log = [&log](RunLog::Severity, std::string_view line) { log.emplace_back(line); }})
                     .Take();
  s->Initialize();
  for (const char* command :
       {"0.1 level pump Advanced", "0.2 event storm", "0.3 message pump SetLevel Ideal"})
    EXPECT_TRUE(s->Submit({.sender = "panel", .command = command}).is_accepted) << command;
  s->RunUntil(0.15);
  EXPECT_EQ(s->ReadText("pump.level"), "Advanced");
  s->Run();
  EXPECT_EQ(s->ReadText("pump.level"), "Ideal");
  EXPECT_THAT(log, testing::Contains(HasSubstr("<At time=\"0.2 s\" event=\"storm\"/>")));
}

/// A request that comes late acts at once, and its sender is notified.
TEST(RequestTest, LateOnesActAtOnce) {
  const auto s = LoadText(SystemWith(""));
  s->Initialize();
  s->RunUntil(0.5);
  const RequestAnswer answer = s->Submit({.sender = "panel", .command = "0.2 set body.mass 3 kg"});
  EXPECT_TRUE(answer.is_accepted);
  EXPECT_EQ(answer.text, "a request of panel is late: its time was 0.2 s");
  s->Step();
  EXPECT_EQ(s->Read("body.mass"), 3);
}

/// What belongs to the time before a snapshot is refused.
TEST(RequestTest, ThoseBeforeTheSnapshotAreRefused) {
  const auto saving = LoadText(SystemWith(""));
  saving->Initialize();
  saving->RunUntil(0.5);
  const auto s = LoadText(SystemWith(""));
  ASSERT_FALSE(s->LoadSnapshot(saving->TakeSnapshot()).has_errors());
  EXPECT_FALSE(s->Submit({.command = "0.2 set body.mass 3 kg"}).is_accepted);
  s->Step();
  EXPECT_EQ(s->Read("body.mass"), 2);
}

/// Each request is answered once, also where no run looks at it any more.
TEST(RequestTest, NobodyWaitsForEver) {
  std::vector<std::string> answers;
  const auto take = [&answers](const RequestAnswer& answer) { answers.push_back(answer.text); };
  auto s = LoadText(SystemWith(""));
  s->Initialize();
  s->Post({.sender = "panel", .command = "set body.mass 3 kg"}, take);
  s->Initialize();
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_THAT(answers[0], HasSubstr("panel: error: the run was started again"));
  EXPECT_EQ(s->Read("body.mass"), 2);
  s->Post({.sender = "panel", .command = "set body.mass 3 kg"}, take);
  s->TakeRequests();
  EXPECT_EQ(answers.at(1), "");
  s->Post({.sender = "panel", .command = "set body.mass 3 kg"}, take);
  s.reset();
  EXPECT_THAT(answers.at(2), HasSubstr("panel: error: the simulation ended"));
  EXPECT_EQ(answers.size(), 3U);
}

/// The inbox is finite.
TEST(RequestTest, AFullInboxSaysSo) {
  const auto s = LoadText(SystemWith(""));
  s->Initialize();
  for (std::size_t i = 0; i < RequestInbox::kMostWaiting; ++i)
    ASSERT_TRUE(s->Post({.command = "event tick"}));
  EXPECT_FALSE(s->Post({.command = "event tick"}));
  s->TakeRequests();
  EXPECT_TRUE(s->Post({.command = "event tick"}));
}

/// An answer that throws leaves the call, when all others have theirs and before the step.
TEST(RequestTest, ThrowingAnswersDoNotKeepOthersWaiting) {
  const auto s = LoadText(SystemWith(""));
  s->Initialize();
  int answers = 0;
  s->Post({.command = "event a"}, [](const RequestAnswer&) { throw std::runtime_error("gone"); });
  s->Post({.command = "event b"}, [&answers](const RequestAnswer&) { ++answers; });
  EXPECT_EQ(WhatOf<std::runtime_error>([&] { s->Step(); }), "gone");
  EXPECT_EQ(answers, 1);
  EXPECT_EQ(s->time(), 0);
  s->Step();
  EXPECT_EQ(s->time(), 0.01);
}

}  // namespace
}  // namespace davit
