#include "statecharts/event_inbox.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <thread>
#include <vector>

#include "tests/statecharts/chart_fixture.h"

namespace davit {
namespace {

TEST(EventInboxTest, KeepsTheOrderOfEachThreadAndLosesNothing) {
  constexpr std::uint32_t kThreads = 3;
  constexpr std::uint32_t kEvents = 20'000;
  EventInbox inbox(64);
  std::vector<std::thread> threads;
  for (std::uint32_t thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&inbox, thread] {
      for (std::uint32_t i = 0; i < kEvents; ++i) {
        PostedEvent event;
        event.name = thread * kEvents + i;
        while (!inbox.Post(event)) std::this_thread::yield();
      }
    });
  }
  std::array<std::uint32_t, kThreads> next{};
  for (std::uint32_t taken = 0; taken < kThreads * kEvents;) {
    PostedEvent event;
    if (!inbox.Take(event)) {
      std::this_thread::yield();
      continue;
    }
    ++taken;
    const std::uint32_t thread = event.name / kEvents;
    ASSERT_EQ(event.name % kEvents, next[thread]++);
  }
  for (std::thread& thread : threads) thread.join();
  PostedEvent event;
  EXPECT_FALSE(inbox.Take(event));
}

TEST(EventInboxTest, CountsWhatFindsNoPlace) {
  EventInbox inbox(4);
  int posted = 0;
  for (int i = 0; i < 10; ++i) posted += inbox.Post({}) ? 1 : 0;
  EXPECT_EQ(posted, 4);
  EXPECT_EQ(inbox.lost(), 6U);
}

TEST(EventInboxTest, PostedEventsComeAfterTheTimersOfTheStep) {
  RunningChart chart(ChartText("<state id='s'><onentry><send event='timer' delay='1s'/></onentry></state>"));
  PostedEvent posted;
  posted.name = chart.session().chart().symbols->Add("posted");
  EXPECT_TRUE(chart.table().Post(posted));
  chart.table().Step(1);
  EXPECT_EQ(chart.observer.events, (std::vector<std::string>{"timer", "posted"}));
}

}  // namespace
}  // namespace davit
