#include "simulator/solvers/progress_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "simulator/solvers/integration_error.h"
#include "simulator/step_interrupted.h"

namespace davit {
namespace {

using testing::HasSubstr;

constexpr std::size_t kPairs = 4 * ProgressWatch::kAttempts;

/// A solver with two states that makes steps of h towards t_end and has `rejected` attempts in vain for each;
/// returns how many steps it was allowed.
struct Solver {
  double h;
  double t_end;
  std::uint64_t rejected;
  double speed = 0;  ///< of the first state, in each step

  std::size_t Run(ProgressWatch& watch) const {
    const std::array<double, 2> nominal{1, 1e5};
    watch.Resize(nominal);
    watch.Begin(0, t_end);
    std::array<double, 2> y{0, 3e5};
    double t = 0;
    for (std::size_t i = 0; i < kPairs; ++i) {
      if (rejected > 0) watch.Reject(rejected, 1);
      t += h;
      y[0] += speed;
      try {
        watch.Accept(t, y);
      } catch (const IntegrationError& error) {
        EXPECT_EQ(error.symptom(), Symptom::kNoProgress);
        EXPECT_EQ(error.state(), rejected > 0 ? 1u : 0u);
        EXPECT_EQ(error.time(), t);
        return i;
      }
    }
    return kPairs;
  }
};

TEST(ProgressWatch, EndsWhereNothingMovesAndTimeDoesNot) {
  ProgressWatch watch;
  EXPECT_LT(Solver({.h = 1e-12, .t_end = 1e-2, .rejected = 1}).Run(watch), ProgressWatch::kAttempts);
  EXPECT_LT(Solver({.h = 1e-12, .t_end = 1e-2, .rejected = 0}).Run(watch), 2 * ProgressWatch::kAttempts);
}

TEST(ProgressWatch, LetsASlowRunBe) {
  ProgressWatch watch;
  // Nine million steps for the TimeStep, half of them in vain; 5e8 steps where few are.
  EXPECT_EQ(Solver({.h = 1e-2 / 4e6, .t_end = 1e-2, .rejected = 1}).Run(watch), kPairs);
  EXPECT_EQ(Solver({.h = 1e-2 / 5e8, .t_end = 1e-2, .rejected = 0}).Run(watch), kPairs);
  // Steps as small as they may be, but a state moves by its size within 100,000 of them.
  EXPECT_EQ(Solver({.h = 1e-15, .t_end = 1e-2, .rejected = 1, .speed = 1e-5}).Run(watch), kPairs);
}

TEST(ProgressWatch, CountsTheStatesWhereAttemptsAreInVain) {
  // 1e6 steps for the TimeStep and as many in vain: times 12 states less than kMostWork, times 100 more.
  for (const std::size_t states : {std::size_t{12}, std::size_t{100}}) {
    for (const std::uint64_t rejected : {0U, 1U}) {
      const std::vector<double> nominal(states, 1.0), y(states, 0.0);
      ProgressWatch watch;
      watch.Resize(nominal);
      watch.Begin(0, 1);
      const auto run = [&] {
        for (std::size_t i = 1; i <= kPairs; ++i) {
          if (rejected > 0) watch.Reject(rejected, 0);
          watch.Accept(1e-6 * static_cast<double>(i), y);
        }
      };
      if (states == 100 && rejected > 0) {
        EXPECT_THROW(run(), IntegrationError);
      } else {
        EXPECT_NO_THROW(run());
      }
    }
  }
}

TEST(ProgressWatch, ForgetsWithARestart) {
  ProgressWatch watch;
  const std::array<double, 1> nominal{1}, y{0};
  watch.Resize(nominal);
  for (int restart = 0; restart < 100; ++restart) {
    watch.Begin(0, 1);
    for (std::uint64_t i = 1; i < ProgressWatch::kAttempts; ++i)
      watch.Accept(1e-15 * static_cast<double>(i), y);
  }
}

TEST(ProgressWatch, GivesUpWhereItIsAsked) {
  std::atomic<bool> interrupt = false;
  ProgressWatch watch;
  watch.set_interrupt(&interrupt);
  const std::array<double, 1> nominal{1}, y{0};
  watch.Resize(nominal);
  watch.Begin(2, 3);
  watch.Accept(2.25, y);
  interrupt = true;
  try {
    watch.Accept(2.5, y);
    FAIL() << "it went on";
  } catch (const StepInterrupted& interrupted) {
    EXPECT_EQ(interrupted.time(), 2);
    EXPECT_EQ(interrupted.reached(), 2.5);
  }
}

}  // namespace
}  // namespace davit
