#include "server/event_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/server/live_system.h"

namespace davit {
namespace {

using Kind = LiveEvent::Kind;

/// Kinds and texts of the events that a line becomes.
class EventLogTest : public testing::Test {
 protected:
  std::vector<Kind> KindsOf(RunLog::Severity severity, RunLog::Kind kind, std::string_view text) {
    EventLog log(live_.context().tree);
    RunLog run_log(RunLog::Severity::kDetail, [&](const RunLog::Entry& entry) { log.Add(ToNote(entry)); });
    run_log.set_time(1.25);
    run_log.Write(severity, "/load", text, kind);
    EXPECT_EQ(log.next_line(), 1u);
    std::vector<Kind> kinds;
    for (const LiveEvent& event : log.events()) {
      EXPECT_EQ(event.time, 1.25);
      EXPECT_EQ(event.path, "load");
      EXPECT_EQ(event.text, text);
      EXPECT_EQ(event.node, live_.NodeOf("load"));
      kinds.push_back(event.kind);
    }
    return kinds;
  }
  LiveSystem live_;
};

/// What a text looks like means nothing: charts and components write what they like.
TEST_F(EventLogTest, TheKindOfALineIsThatOfItsSource) {
  using Severity = RunLog::Severity;
  for (const char* text : {"level Ideal -> Advanced", "alarm hot set", "a -> b", "by panel: c -> d", ""}) {
    EXPECT_EQ(KindsOf(Severity::kInfo, RunLog::Kind::kNote, text), std::vector<Kind>{}) << text;
    EXPECT_EQ(KindsOf(Severity::kInfo, RunLog::Kind::kLevel, text), std::vector{Kind::kLevel}) << text;
    EXPECT_EQ(KindsOf(Severity::kInfo, RunLog::Kind::kTransition, text), std::vector{Kind::kTransition});
    EXPECT_EQ(KindsOf(Severity::kInfo, RunLog::Kind::kMessage, text), std::vector{Kind::kMessage}) << text;
    EXPECT_EQ(KindsOf(Severity::kWarning, RunLog::Kind::kNote, text), std::vector{Kind::kLog}) << text;
    EXPECT_EQ(KindsOf(Severity::kError, RunLog::Kind::kNote, text), std::vector{Kind::kLog}) << text;
    // The alarm itself is watched; default charts and modes are details.
    EXPECT_EQ(KindsOf(Severity::kWarning, RunLog::Kind::kAlarm, text), std::vector<Kind>{}) << text;
    EXPECT_EQ(KindsOf(Severity::kDetail, RunLog::Kind::kTransition, text), std::vector<Kind>{}) << text;
    EXPECT_EQ(KindsOf(Severity::kDetail, RunLog::Kind::kMode, text), std::vector<Kind>{}) << text;
  }
}

/// Set is 1, cleared 2, acknowledged 4, as in CDP.
TEST_F(EventLogTest, TheCodeOfAnAlarmSaysWhatHasChanged) {
  struct Change {
    bool is_set, is_acknowledged;
    std::uint32_t code;
  };
  const std::vector<std::vector<Change>> lives = {
      {{true, false, 1}, {true, true, 4}, {false, true, 2}},    // acknowledged, then gone
      {{true, false, 1}, {false, false, 2}, {false, true, 4}},  // gone, then acknowledged
      {{true, false, 1}, {false, true, 6}},                     // both since the last look
      {{true, false, 1}, {false, false, 2}, {true, false, 1}},
      {{true, true, 1}, {false, true, 2}},                    // all between two looks
      {{true, false, 1}, {true, true, 4}, {true, false, 1}},  // gone and back between two looks
  };
  for (const std::vector<Change>& life : lives) {
    EventLog log(live_.context().tree);
    for (const Change& change : life) {
      log.Add({.kind = RunNote::Kind::kAlarm,
               .alarm = 0,
               .is_set = change.is_set,
               .is_acknowledged = change.is_acknowledged});
      EXPECT_EQ(log.events().back().code, change.code);
    }
  }
}

TEST_F(EventLogTest, LinesAndEventsCarryTheNumberOfTheirRun) {
  EventLog log(live_.context().tree);
  RunLog run_log(RunLog::Severity::kDetail, [&](const RunLog::Entry& entry) { log.Add(ToNote(entry)); });
  for (std::uint64_t run = 0; run < 3; ++run) {
    EXPECT_EQ(log.run(), run);
    run_log.Write(RunLog::Severity::kWarning, "/load", "hot");
    EXPECT_EQ(log.LinesAfter(0, 100).back()->run, run);
    EXPECT_EQ(log.events().back().run, run);
    log.Add({.kind = RunNote::Kind::kBegin});
  }
  EXPECT_EQ(log.events().size(), 3u);
}

TEST_F(EventLogTest, AFloodOfRequestsPushesOutNoTransitionAndNoWarning) {
  EventLog log(live_.context().tree);
  RunLog run_log(RunLog::Severity::kDetail, [&](const RunLog::Entry& entry) { log.Add(ToNote(entry)); });
  run_log.Write(RunLog::Severity::kInfo, "/load", "a -> b", RunLog::Kind::kTransition);
  run_log.Write(RunLog::Severity::kInfo, "/load", "level Ideal -> Standard", RunLog::Kind::kLevel);
  run_log.Write(RunLog::Severity::kWarning, "/load", "hot");
  EXPECT_EQ(log.first_line(), 0u);
  constexpr std::size_t kFlood = 2 * EventLog::kMostNotes;
  for (std::size_t i = 0; i < kFlood; ++i)
    run_log.Write(RunLog::Severity::kInfo, "/load", R"(by x: <At time="0 s" set="load.mass" value="5 t"/>)");
  const std::vector<const LogLine*> lines = log.LinesAfter(0, 2 * kFlood);
  ASSERT_EQ(lines.size(), 3 + EventLog::kMostNotes);
  EXPECT_EQ(lines[0]->text, "a -> b");
  EXPECT_EQ(lines[1]->text, "level Ideal -> Standard");
  EXPECT_EQ(lines[2]->text, "hot");
  EXPECT_TRUE(std::ranges::is_sorted(lines, {}, &LogLine::number));
  EXPECT_EQ(log.first_line(), lines[3]->number);
  EXPECT_EQ(log.LinesAfter(log.first_line(), 2 * kFlood).size(), EventLog::kMostNotes);
}

TEST_F(EventLogTest, SourcesSayWhatTheirLinesAre) {
  live_.Do([&] {
    EXPECT_TRUE(
        live_.run().Submit({.sender = "test", .command = "message SimulatorManager Start"}).is_accepted);
    EXPECT_TRUE(live_.run().Submit({.sender = "test", .command = "set load.mass 5 t"}).is_accepted);
  });
  live_.Do([&] { live_.run().Step("test"); });
  live_.Do([&] { live_.run().Step("test"); });
  live_.Poll();
  const auto has = [&](RunLog::Kind kind, std::string_view text) {
    for (const LogLine* line : live_.context().events.LinesAfter(0, 1000))
      if (line->kind == kind && line->text.find(text) != std::string::npos) return true;
    return false;
  };
  EXPECT_TRUE(has(RunLog::Kind::kMessage, "Start"));
  EXPECT_TRUE(has(RunLog::Kind::kNote, "load.mass"));
}

TEST(EventLog, StatusBitsAreThoseOfStudioApi) {
  EXPECT_EQ(StatusOf(AlarmLevel::kNotify, true, true), 0x1u);
  EXPECT_EQ(StatusOf(AlarmLevel::kWarning, true, false), 0x100010u);
  EXPECT_EQ(StatusOf(AlarmLevel::kError, false, false), 0x1000000u);
  EXPECT_EQ(StatusOf(AlarmLevel::kEmergency, true, false), 0x8000800u);
}

}  // namespace
}  // namespace davit
