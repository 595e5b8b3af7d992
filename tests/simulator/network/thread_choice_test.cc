#include "simulator/network/thread_choice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>

namespace davit {
namespace {

constexpr double kSerial = 50e-6;

struct Totals {
  double seconds = 0;  ///< as chosen
  double serial = 0;   ///< on one thread
  int shared_steps = 0;
};

/// Runs `steps` steps; `one` and `several` give the time of a step on one thread and on several.
template <class One, class Several>
Totals RunSteps(ThreadChoice& choice, int steps, One one, Several several) {
  Totals totals;
  for (int i = 0; i < steps; ++i) {
    const double serial = one(i);
    const double taken = choice.is_parallel() ? several(i) : serial;
    totals.shared_steps += choice.is_parallel() ? 1 : 0;
    totals.serial += serial;
    totals.seconds += taken;
    choice.Report(choice.wants_time() ? taken : 0);
  }
  return totals;
}

double Always(int /*step*/) { return kSerial; }

TEST(ThreadChoiceTest, SharesWhereThatIsFaster) {
  ThreadChoice choice;
  const Totals totals = RunSteps(choice, 10'000, Always, [](int) { return kSerial / 2; });
  EXPECT_GT(totals.shared_steps, 9'900);
}

TEST(ThreadChoiceTest, LeavesShortStepsToOneThread) {
  ThreadChoice choice;
  const Totals totals = RunSteps(
      choice, 10'000, [](int) { return 0.9 * ThreadChoice::kLeastSerial; }, [](int) { return 0.0; });
  EXPECT_EQ(totals.shared_steps, 0);
}

/// Whatever threads lose, by a little in each step or by much in one, the whole takes at most 1 + 1/40 of the
/// time on one thread, and the loss after which they were last stopped.
TEST(ThreadChoiceTest, LosesAtMostItsShare) {
  for (const double factor : {1.02, 1.5, 3.0, 100.0}) {
    ThreadChoice choice;
    const Totals totals = RunSteps(choice, 200'000, Always, [&](int) { return factor * kSerial; });
    const double last = ThreadChoice::kLeastLostSteps * kSerial + (factor - 1) * kSerial;
    EXPECT_LE(totals.seconds, totals.serial * (1 + 1 / ThreadChoice::kPausePerLoss) + last) << factor;
    // A shared step is followed by kPausePerLoss times what it has lost.
    const double share = 1 / (1 + ThreadChoice::kPausePerLoss * (factor - 1));
    EXPECT_LE(totals.shared_steps, 200'000 * share + ThreadChoice::kMostShared) << factor;
  }
}

TEST(ThreadChoiceTest, LosesAtMostItsShareToRareLongStops) {
  ThreadChoice choice;
  std::mt19937 random(1);
  constexpr double kStop = 4e-3;  // a time slice of another program
  const Totals totals = RunSteps(choice, 1'000'000, Always, [&](int) {
    return kSerial / 2 + (std::uniform_int_distribution<>(0, 49)(random) == 0 ? kStop : 0);
  });
  EXPECT_LE(totals.seconds, totals.serial * (1 + 1 / ThreadChoice::kPausePerLoss) + 2 * kStop);
}

TEST(ThreadChoiceTest, TriesAgainWhenTheCoreIsFree) {
  ThreadChoice choice;
  constexpr int kBusySteps = 20'000;
  RunSteps(choice, kBusySteps, Always, [](int) { return 10 * kSerial; });
  const Totals totals = RunSteps(choice, 3 * kBusySteps, Always, [](int) { return kSerial / 2; });
  EXPECT_TRUE(choice.is_parallel());
  EXPECT_GT(totals.shared_steps, kBusySteps);
}

/// Where all steps become longer, threads are no loss: they continue after a few steps on one thread.
TEST(ThreadChoiceTest, LearnsThatStepsHaveBecomeLonger) {
  ThreadChoice choice;
  RunSteps(choice, 1'000, Always, [](int) { return kSerial / 2; });
  const Totals totals = RunSteps(
      choice, 10'000, [](int) { return 10 * kSerial; }, [](int) { return 5 * kSerial; });
  EXPECT_GT(totals.shared_steps, 9'800);
}

/// A sample in which the thread lost its processor does not make one thread look slow.
TEST(ThreadChoiceTest, OneStoppedSampleSaysNothing) {
  ThreadChoice choice;
  const Totals totals = RunSteps(
      choice, 200'000, [](int i) { return i % 9 == 4 ? 100 * kSerial : kSerial; },
      [](int) { return 20 * kSerial; });
  EXPECT_LT(totals.shared_steps, 2'000);
}

}  // namespace
}  // namespace davit
