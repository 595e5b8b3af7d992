// Runs that advance by themselves: hosts, pauses, the pace of the clock.

#include "session/run_loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <thread>

#include "app/heap/allocation_counter.h"
#include "session/real_time_pacer.h"
#include "tests/session/sessions.h"

namespace davit {
namespace {

using testing::HasSubstr;
using Clock = RunHost::Clock;
using std::chrono::milliseconds;

double Seconds(Clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

/// Counts what it is asked.
struct Counter : RunHost {
  Clock::duration BeforeStep() override {
    ++steps;
    return {};
  }
  void LookAround() override { ++looks; }
  bool SleepUntil(Clock::time_point when) override {
    sleeps.push_back(when);
    return true;
  }
  int steps = 0;
  int looks = 0;
  std::vector<Clock::time_point> sleeps;
};

TEST(RunLoopTest, HostIsAskedBeforeEachStep) {
  const auto s = LoadBody();
  s->Initialize();
  Counter host;
  EXPECT_EQ(s->Run(host), RunEnd::kReached);
  EXPECT_EQ(host.steps, 100);
  EXPECT_EQ(host.looks, 100 / 16);
  EXPECT_TRUE(host.sleeps.empty());
}

/// What a host submits before a step acts in it.
TEST(RunLoopTest, HostsMaySubmit) {
  struct Host final : RunHost {
    Clock::duration BeforeStep() override {
      if (simulation->time() == 0.5) simulation->Submit({.command = "set body.mass 3 kg"});
      return {};
    }
    Simulation* simulation = nullptr;
  } host;
  const auto s = LoadBody();
  const auto wanted = LoadBody({.load = {.at = {"0.5:body.mass=3 kg"}}});
  host.simulation = s.get();
  for (Simulation* one : {s.get(), wanted.get()}) one->Initialize();
  s->Run(host);
  wanted->Run();
  EXPECT_EQ(s->Read("body.x"), wanted->Read("body.x"));
}

/// A paced run takes at least its time; each period ends with a sleep until it is due, 1/(fs factor) after
/// the one before.
TEST(RunLoopTest, PacedRunsKeepTime) {
  const auto s = LoadBody({.load = {.set = {"SimulatorManager.fs=20 Hz"}}});
  s->Initialize();
  Counter host;
  EXPECT_EQ(s->Run(host, 10.0), RunEnd::kReached);
  EXPECT_EQ(host.looks, 20);
  ASSERT_EQ(host.sleeps.size(), 19U) << "after the last period there is nothing to wait for";
  for (std::size_t i = 1; i < host.sleeps.size(); ++i)
    EXPECT_NEAR(Seconds(host.sleeps[i] - host.sleeps[i - 1]), 0.005, 1e-6);

  s->Initialize();
  RunHost sleeper;
  const Clock::time_point begin = Clock::now();
  s->Run(sleeper, 10.0);
  EXPECT_GE(Seconds(Clock::now() - begin), 0.095 - 1e-3);  // the last of 20 periods of 5 ms is not waited for
}

/// A pause moves all that is due after it.
TEST(RunLoopTest, PausesAreNotCharged) {
  struct Pauser final : Counter {
    Clock::duration BeforeStep() override {
      return ++steps == 30 ? Clock::duration(std::chrono::seconds(100)) : Clock::duration();
    }
  } host;
  const auto s = LoadBody({.load = {.set = {"SimulatorManager.fs=20 Hz"}}});
  s->Initialize();
  s->Run(host, 1.0);
  ASSERT_EQ(host.sleeps.size(), 19U);
  EXPECT_NEAR(Seconds(host.sleeps[4] - host.sleeps[3]), 0.05, 1e-6);
  EXPECT_NEAR(Seconds(host.sleeps[5] - host.sleeps[4]), 100.05, 1e-6);
  EXPECT_NEAR(Seconds(host.sleeps[6] - host.sleeps[5]), 0.05, 1e-6);
  EXPECT_EQ(s->statistics().missed_periods, 0U);
}

TEST(RunLoopTest, WrongFactorsAreRefused) {
  const auto s = LoadBody();
  s->Initialize();
  RunHost host;
  for (const double factor : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THAT(WhatOf<std::invalid_argument>([&] { s->Run(host, factor); }),
                HasSubstr("it must be > 0 and finite"));
  }
  EXPECT_EQ(s->time(), 0);
}

/// Work is the share of a period's real time; pauses are left out, an empty period has none.
TEST(RealTimePacerTest, MeasuresWorkAndLateness) {
  RealTimePacer pacer(2);
  pacer.Start(10);
  const Clock::time_point begin = Clock::now();
  pacer.BeginPeriod(10);
  std::this_thread::sleep_for(milliseconds(20));
  pacer.AddPause(milliseconds(20));
  const RealTimePacer::Period period = pacer.EndPeriod(14, 14);
  const double elapsed = Seconds(Clock::now() - begin);
  EXPECT_GE(period.work_share, 0);
  EXPECT_LE(period.work_share, (elapsed - 0.02) / 2 + 1e-3);
  EXPECT_NEAR(Seconds(period.due - begin), 2.02, 1e-3);
  EXPECT_LT(period.seconds_late, -1.9);
  EXPECT_EQ(pacer.EndPeriod(10, 14).work_share, 0);
}

/// Takes 20 ms for each step as long as the cylinder is Advanced, and counts those of them that begin when
/// the computing of the first period is over its budget.
struct SlowModel final : RunHost {
  Clock::duration BeforeStep() override {
    if (begin == Clock::time_point()) begin = Clock::now();
    is_advanced = simulation->Read("cylinder.level") == 2;
    if (!is_advanced) return {};
    if (Clock::now() - begin > kBudget) ++steps_over_budget;
    std::this_thread::sleep_for(kStep);
    return {};
  }
  static constexpr milliseconds kBudget{100};
  static constexpr milliseconds kStep{20};
  Simulation* simulation = nullptr;
  Clock::time_point begin;
  int steps_over_budget = 0;
  bool is_advanced = true;
};

/// A period of 0.5 s would be missed by 0.5 s. Levels are lowered while it lasts, so it is not. The steps are
/// counted, because a busy machine may stop the program in between.
TEST(RunLoopTest, AnOverrunLowersLevelsBeforeThePeriodIsMissed) {
  const auto s = LoadExample("lifting_cylinder", "1 s",
                             {.load = {.set = {"SimulatorManager.fs=2 Hz", "SimulatorManager.TimeStep=10 ms",
                                               "SimulatorManager.RealTimeBudget=0.2"},
                                       .level = {"cylinder=Advanced"}}});
  s->Initialize();
  SlowModel host;
  host.simulation = s.get();
  s->Run(host, 1.0);
  EXPECT_FALSE(host.is_advanced);
  EXPECT_GT(host.steps_over_budget, 0);
  EXPECT_LT(host.steps_over_budget * SlowModel::kStep, milliseconds(100));
  EXPECT_EQ(s->statistics().missed_periods, 0U);
}

/// Each step has a duration. Each period but the last has a lateness, unless it was missed; sleeps end late,
/// never early.
TEST(RunLoopTest, PacedRunsRecordWhatStepsTakeAndHowLatePeriodsBegin) {
  const auto s = LoadBody({.load = {.set = {"SimulatorManager.fs=50 Hz"}}});
  s->Initialize();
  RunHost host;
  s->Run(host);
  EXPECT_EQ(s->real_time().steps.count(), 0U) << "nothing keeps pace";
  s->Initialize();
  s->Run(host, 10.0);
  EXPECT_EQ(s->real_time().steps.count(), 100U);
  EXPECT_EQ(s->real_time().lateness.count() + s->statistics().missed_periods, 49U);
  EXPECT_GT(s->real_time().lateness.max().count(), 0);
  EXPECT_LT(s->real_time().steps.Quantile(0.5), milliseconds(5));
  s->Initialize();
  EXPECT_EQ(s->real_time().steps.count(), 0U) << "it begins again";
}

/// Counts what steps take from the heap from 3 s on, where all is warm.
struct HeapWatch final : RunHost {
  Clock::duration BeforeStep() override {
    if (!counter && simulation->time() >= 3) counter.emplace();
    if (counter) count = counter->count();
    return {};
  }
  Simulation* simulation = nullptr;
  std::optional<AllocationCounter> counter;
  std::uint64_t count = 0;
};

/// Whether they keep pace or not: here each period is late. No level changes in this time, and the sparse
/// solver keeps its pivots; both take memory.
TEST(RunLoopTest, PacedStepsTakeNothingFromTheHeap) {
  if (!AllocationCounter::is_counting()) GTEST_SKIP() << "the heap belongs to a sanitizer";
  const auto s =
      LoadExample("knuckle_boom_crane", "20 s",
                  {.load = {.set = {"SimulatorManager.TimeStep=1 ms", "SimulatorManager.fs=1 kHz"}}});
  s->Initialize();
  HeapWatch host;
  host.simulation = s.get();
  s->Run(host, 1e6);
  ASSERT_TRUE(host.counter);
  EXPECT_EQ(host.count, 0U);
}

/// With Autostart="false" a run waits for the message of a client.
TEST(RunLoopTest, WaitsForStart) {
  const auto s = LoadBody({.load = {.set = {"SimulatorManager.Autostart=false"}}});
  s->Initialize();
  std::thread client([&] {
    std::this_thread::sleep_for(milliseconds(20));
    s->Post({.sender = "client", .command = "message SimulatorManager Start"});
  });
  EXPECT_EQ(s->Run(), RunEnd::kReached);
  client.join();
  EXPECT_EQ(s->time(), 1);
  s->Initialize();
  s->RequestStop();
  EXPECT_EQ(s->Run(), RunEnd::kRequested);
  EXPECT_EQ(s->time(), 0);
  s->Step();  // whoever steps by himself starts by himself
  EXPECT_EQ(s->time(), 0.01);
}

}  // namespace
}  // namespace davit
