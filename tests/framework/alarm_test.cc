#include "framework/alarm.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "framework/archive.h"
#include "framework/latched_alarm.h"
#include "framework/run_log.h"
#include "framework/tree/component_archive.h"

namespace davit {
namespace {

class Pump final : public Component {
 public:
  Pump() { Place("pump", &root, {}); }
  Component root;
  Alarm hot{this, "Hot", AlarmLevel::kWarning, "the oil is hot"};
  Alarm full{this, "Full", AlarmLevel::kNotify, "the tank is full"};
};

class AlarmTest : public testing::Test {
 protected:
  AlarmTest() { pump.root.set_run_log(&log); }
  Pump pump;
  std::vector<std::string> lines;
  RunLog log{RunLog::Severity::kInfo,
             [this](RunLog::Severity, std::string_view line) { lines.emplace_back(line); }};
};

TEST_F(AlarmTest, IsDeclaredByItsOwner) {
  EXPECT_EQ(pump.declarations().alarms, (std::vector<Alarm*>{&pump.hot, &pump.full}));
  EXPECT_EQ(pump.hot.label().name, "Hot");
  EXPECT_FALSE(pump.hot.is_set());
  EXPECT_TRUE(pump.hot.is_acknowledged());
}

TEST_F(AlarmTest, EachChangeIsWrittenOnce) {
  log.set_time(1.5);
  pump.hot.Set("81 degC");
  pump.hot.Set("82 degC");
  EXPECT_TRUE(pump.hot.is_set());
  EXPECT_FALSE(pump.hot.is_acknowledged());
  EXPECT_EQ(pump.hot.count(), 2U);
  pump.hot.Acknowledge();
  pump.hot.Acknowledge();
  pump.hot.Clear();
  pump.hot.Clear();
  EXPECT_FALSE(pump.hot.is_set());
  EXPECT_EQ(lines, (std::vector<std::string>{
                       "t = 1.5 s: warning: /pump: alarm Hot set (warning): the oil is hot; 81 degC",
                       "t = 1.5 s: warning: /pump: alarm Hot acknowledged (warning): the oil is hot",
                       "t = 1.5 s: warning: /pump: alarm Hot cleared (warning): the oil is hot"}));
}

TEST_F(AlarmTest, ANoticeIsNoWarning) {
  pump.full.Set();
  EXPECT_EQ(lines, std::vector<std::string>{"t = 0 s: /pump: alarm Full set (notify): the tank is full"});
}

TEST_F(AlarmTest, ClearedBeforeAcknowledgedStaysUnacknowledged) {
  pump.hot.Set();
  pump.hot.Clear();
  EXPECT_FALSE(pump.hot.is_set());
  EXPECT_FALSE(pump.hot.is_acknowledged());
}

TEST_F(AlarmTest, ResetIsSilent) {
  pump.hot.Set();
  lines.clear();
  pump.hot.Reset();
  EXPECT_FALSE(pump.hot.is_set());
  EXPECT_EQ(pump.hot.count(), 0U);
  EXPECT_TRUE(lines.empty());
}

/// Two copies of a pump, each of which sees a part of it, have seen what one pump sees alone.
TEST_F(AlarmTest, CopiesJoinWhatTheyHaveSeen) {
  enum class Seen : std::uint8_t { kNothing, kSet, kAcknowledged, kCleared };
  const auto make = [](Seen seen, Alarm& alarm) {
    if (seen != Seen::kNothing) alarm.Set();
    if (seen == Seen::kAcknowledged) alarm.Acknowledge();
    if (seen == Seen::kCleared) alarm.Clear();
  };
  struct Case {
    Seen here, there;
    bool is_set, is_acknowledged;
    std::uint64_t count;
  };
  using enum Seen;
  for (const Case& c :
       {Case{kNothing, kNothing, false, true, 0}, Case{kNothing, kSet, true, false, 1},
        Case{kSet, kNothing, true, false, 1}, Case{kSet, kSet, true, false, 1},
        Case{kAcknowledged, kNothing, true, true, 1}, Case{kNothing, kAcknowledged, true, true, 1},
        Case{kAcknowledged, kSet, true, false, 1}, Case{kCleared, kNothing, false, false, 1},
        Case{kCleared, kAcknowledged, true, true, 1}, Case{kAcknowledged, kCleared, true, true, 1}}) {
    Pump here, there;
    make(c.here, here.hot);
    make(c.there, there.hot);
    there.full.Set();
    Archive saved;
    JoinAlarms(saved, there);
    Archive loaded(saved.Take());
    JoinAlarms(loaded, here);
    EXPECT_TRUE(loaded.is_good() && loaded.is_at_end());
    EXPECT_EQ(here.hot.is_set(), c.is_set);
    EXPECT_EQ(here.hot.is_acknowledged(), c.is_acknowledged);
    EXPECT_EQ(here.hot.count(), c.count);
    EXPECT_TRUE(here.full.is_set());
  }
}

TEST_F(AlarmTest, ItsLinesSayThatTheyAreOfAnAlarm) {
  std::vector<RunLog::Kind> kinds;
  RunLog log_of_kinds(RunLog::Severity::kInfo,
                      [&](const RunLog::Entry& entry) { kinds.push_back(entry.kind); });
  pump.root.set_run_log(&log_of_kinds);
  pump.hot.Set();
  pump.hot.Acknowledge();
  pump.hot.Clear();
  EXPECT_EQ(kinds, std::vector(3, RunLog::Kind::kAlarm));
}

TEST_F(AlarmTest, WorksWithoutALog) {
  pump.root.set_run_log(nullptr);
  pump.hot.Set();
  EXPECT_TRUE(pump.hot.is_set());
}

class LatchedTank final : public Component {
 public:
  LatchedTank() { Place("tank", &root, {}); }
  Component root;
  LatchedAlarm leaking{this, "Leaking", AlarmLevel::kWarning, "the tank leaks"};
};

TEST(LatchedAlarm, StaysSetUntilItsConditionHasGoneAndItIsAcknowledged) {
  for (const bool is_acknowledged_first : {false, true}) {
    LatchedTank tank;
    LatchedAlarm& alarm = tank.leaking;
    alarm.Look(false);
    EXPECT_FALSE(alarm.is_set());
    alarm.Look(true);
    EXPECT_TRUE(alarm.is_set());
    if (is_acknowledged_first) {
      alarm.Acknowledge();
      alarm.Look(true);
      EXPECT_TRUE(alarm.is_set()) << "it still leaks";
    } else {
      alarm.Look(false);
      EXPECT_TRUE(alarm.is_set()) << "nobody has seen it";
      alarm.Acknowledge();
    }
    alarm.Look(false);
    EXPECT_FALSE(alarm.is_set());
    EXPECT_TRUE(alarm.is_acknowledged());
  }
}

TEST(LatchedAlarm, ItsReturnIsNewAndWhatFlickersIsLoggedOnce) {
  LatchedTank tank;
  LatchedAlarm& alarm = tank.leaking;
  std::vector<std::string> lines;
  RunLog log{RunLog::Severity::kInfo,
             [&](RunLog::Severity, std::string_view line) { lines.emplace_back(line); }};
  tank.root.set_run_log(&log);
  for (int i = 0; i < 10; ++i) alarm.Look(i % 2 == 0, [i] { return std::to_string(i) + " l"; });
  EXPECT_EQ(lines, std::vector<std::string>{
                       "t = 0 s: warning: /tank: alarm Leaking set (warning): the tank leaks; 0 l"});
  alarm.Acknowledge();
  alarm.Look(false);
  alarm.Look(true);
  EXPECT_TRUE(alarm.is_set());
  EXPECT_FALSE(alarm.is_acknowledged());
  EXPECT_EQ(alarm.count(), 2U);
}

TEST(LatchedAlarm, IsNewsIfAndOnlyIfLookChangesIt) {
  for (int state = 0; state < 8; ++state) {
    const bool is_set = (state & 1) != 0, is_acknowledged = (state & 2) != 0, holds = (state & 4) != 0;
    LatchedTank tank;
    LatchedAlarm& alarm = tank.leaking;
    if (is_set) alarm.Look(true);
    if (is_acknowledged) alarm.Acknowledge();
    const bool is_news = alarm.IsNews(holds);
    alarm.Look(holds);
    EXPECT_EQ(is_news, alarm.is_set() != is_set) << state;
  }
}

}  // namespace
}  // namespace davit
