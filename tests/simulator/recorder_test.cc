#include "simulator/recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>
#include <utility>
#include <vector>

#include "framework/system.h"

namespace davit {
namespace {

using testing::ElementsAre;

RecordPlan PlanOf(std::vector<double> intervals, std::vector<double> times = {}) {
  RecordPlan plan;
  plan.intervals = std::move(intervals);
  plan.times = std::move(times);
  return plan;
}

/// The times of the rows of a plan when it is shown the step points `times`.
std::vector<double> RowTimes(const RecordPlan& plan, const std::vector<double>& times) {
  Recorder recorder(plan);
  std::vector<double> rows;
  recorder.AddSink([&](double t, std::span<const double> /*values*/) { rows.push_back(t); });
  recorder.OnStart(times.front());
  for (std::size_t i = 1; i < times.size(); ++i) recorder.OnStep(times[i]);
  EXPECT_EQ(recorder.rows(), rows.size());
  return rows;
}

std::vector<double> StepPoints(double start, double h, int steps) {
  std::vector<double> times;
  for (int n = 0; n <= steps; ++n) times.push_back(start + n * h);
  return times;
}

TEST(RecorderTest, IntervalZeroIsEveryStep) {
  const RecordPlan plan = PlanOf({0});
  EXPECT_THAT(RowTimes(plan, {0, 0.5, 0.7, 2}), ElementsAre(0, 0.5, 0.7, 2));
}

TEST(RecorderTest, ARowIsDueAtTheFirstStepPointNotBeforeEachMultiple) {
  const RecordPlan plan = PlanOf({0.25});
  EXPECT_THAT(RowTimes(plan, StepPoints(0, 0.125, 5)), ElementsAre(0, 0.25, 0.5));
  EXPECT_THAT(RowTimes(plan, StepPoints(1, 0.1, 6)), ElementsAre(1, 1 + 3 * 0.1, 1 + 5 * 0.1));
}

TEST(RecorderTest, RoundingNeitherLosesNorAddsARow) {
  for (const double h : {0.1, 0.01, 0.001, 0.07}) {
    const RecordPlan plan = PlanOf({10 * h});
    for (const double start : {0.0, 0.3, 1e5}) {
      EXPECT_EQ(RowTimes(plan, StepPoints(start, h, 100000)).size(), 10001U) << h << " from " << start;
    }
  }
}

TEST(RecorderTest, AnIntervalShorterThanTheStepGivesOneRowAStep) {
  const RecordPlan plan = PlanOf({0.01});
  EXPECT_EQ(RowTimes(plan, StepPoints(0, 0.1, 50)).size(), 51U);
}

TEST(RecorderTest, SingleInstantsAreMetOnce) {
  const RecordPlan plan = PlanOf({}, {0, 0.3, 0.35, 0.36, 5});
  EXPECT_THAT(RowTimes(plan, StepPoints(0, 0.1, 10)), ElementsAre(0, 3 * 0.1, 4 * 0.1));
}

TEST(RecorderTest, InstantsAndIntervalsThatMeetGiveOneRow) {
  const RecordPlan plan = PlanOf({0.5, 0.25}, {0.5});
  EXPECT_THAT(RowTimes(plan, StepPoints(0, 0.125, 8)), ElementsAre(0, 0.25, 0.5, 0.75, 1));
}

TEST(RecorderTest, ASecondStartBeginsAnew) {
  const RecordPlan plan = PlanOf({0.5}, {0.25});
  Recorder recorder(plan);
  for (int run = 0; run < 2; ++run) {
    recorder.OnStart(0);
    for (const double t : {0.25, 0.5, 0.75}) recorder.OnStep(t);
    EXPECT_EQ(recorder.rows(), 3U);
  }
}

}  // namespace
}  // namespace davit
