#include "simulator/step_grid.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace davit {
namespace {

TEST(StepGridTest, PointsAreMultiplesNotSums) {
  const StepGrid grid{.origin = 1, .time_step = 0.1, .stop_time = 1e6};
  for (const std::uint64_t n : {0U, 1U, 3U, 1'000'000U})
    EXPECT_EQ(grid.Point(n), 1 + static_cast<double>(n) * 0.1);
}

TEST(StepGridTest, TheLastPointIsTheStopTimeExactly) {
  const StepGrid grid{.origin = 0, .time_step = 0.1, .stop_time = 0.3};
  EXPECT_LT(3 * 0.1 - 0.3, 1e-16);
  EXPECT_EQ(grid.Point(3), 0.3);
  EXPECT_EQ(grid.Point(4), 0.3) << "there is no time after it";
}

RC_GTEST_PROP(StepGridTest, NumberOfIsTheFirstPointNotBefore, ()) {
  const double h = *rc::gen::elementOf(std::vector<double>{1e-4, 1e-3, 0.01, 0.1, 0.25});
  const StepGrid grid{.origin = *rc::gen::inRange(-5, 5) * 0.5, .time_step = h, .stop_time = 1e9};
  const double t = grid.origin + *rc::gen::inRange(-1000, 1'000'000) * 1e-5;
  const std::uint64_t n = grid.NumberOf(t);
  const double same = 2 * StepGrid::kSameStep * h;
  RC_ASSERT(grid.Point(n) >= t - same);
  if (n > 0) RC_ASSERT(grid.Point(n - 1) < t - StepGrid::kSameStep * h / 2);
}

TEST(StepGridTest, APointIsItsOwnNumber) {
  const StepGrid grid{.origin = 0.3, .time_step = 1e-3, .stop_time = 1e9};
  for (std::uint64_t n = 0; n < 100'000; n += 7) ASSERT_EQ(grid.NumberOf(grid.Point(n)), n);
}

}  // namespace
}  // namespace davit
