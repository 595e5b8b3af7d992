#include "components/signal/pulse.h"

#include <random>

#include "tests/components/signal/signal_harness.h"

namespace davit {
namespace {

struct Wave {
  double period, width, start;
};

/// Between neighbouring breaks y is constant to the last double, at each break it changes, and the next break
/// is the same seen from all times between.
void ExpectJumpsOnlyAtBreaks(const Wave& wave, int periods) {
  SCOPED_TRACE(testing::Message() << wave.period << " s, " << wave.width << " s, from " << wave.start
                                  << " s");
  Block<Pulse> block;
  block.Set("period", wave.period)
      .Set("width", wave.width)
      .Set("start_time", wave.start)
      .Set("low", -1)
      .Set("high", 3);
  ASSERT_TRUE(block.Start().empty());
  EXPECT_EQ(block.At(wave.start - 1), -1);
  EXPECT_EQ(block.At(JustBefore(wave.start)), -1);
  EXPECT_EQ(block.Next(wave.start - 1), wave.start);
  double begin = wave.start;
  for (int edge = 0; edge < 2 * periods; ++edge) {
    const double level = edge % 2 == 0 ? 3 : -1;
    const double end = block.Next(begin);
    ASSERT_GT(end, begin);
    for (const double t : {begin, JustAfter(begin), 0.7 * begin + 0.3 * end, JustBefore(end)}) {
      if (t < begin || t >= end) continue;
      ASSERT_EQ(block.At(t), level) << "edge " << edge << " at " << t;
      ASSERT_EQ(block.Next(t), end) << "edge " << edge << " at " << t;
    }
    ASSERT_NE(block.At(end), level) << "edge " << edge << " at " << end;
    const double length = edge % 2 == 0 ? wave.width : wave.period - wave.width;
    ASSERT_NEAR(end - begin, length, 4e-16 * (1 + std::abs(wave.start) + std::abs(begin) + std::abs(end)))
        << "edge " << edge;
    begin = end;
  }
  EXPECT_NEAR(begin, wave.start + periods * wave.period, 1e-12 * std::abs(begin) + 1e-15);
}

TEST(PulseTest, JumpsExactlyAtItsBreaksOverManyPeriods) {
  ExpectJumpsOnlyAtBreaks({1, 0.5, 0}, 1000);
  ExpectJumpsOnlyAtBreaks({0.1, 0.03, 0}, 100'000);
  ExpectJumpsOnlyAtBreaks({0.1, 0.05, 0.3}, 100'000);
  ExpectJumpsOnlyAtBreaks({0.1, 0.1 / 3, -7.7}, 100'000);
  ExpectJumpsOnlyAtBreaks({1.0 / 3, 0.1, 1e5 + 0.1}, 10'000);
  ExpectJumpsOnlyAtBreaks({1e-6, 3e-7, 1000.1}, 10'000);
}

TEST(PulseTest, JumpsExactlyAtItsBreaksForManyNumbers) {
  std::mt19937 random(1);
  const auto below = [&](unsigned n) { return static_cast<double>(random() % n); };
  for (int i = 0; i < 500 && !HasFailure(); ++i) {
    const double period = (1 + below(100'000)) * 1e-4 / 3;
    const double width = period * (1 + below(998)) / 1000;
    const double start = (below(2'000'000) - 1e6) * 1e-3;
    ExpectJumpsOnlyAtBreaks({period, width, start}, 200);
  }
}

TEST(PulseTest, EvaluationAndBreaksAgreeFarFromTheStart) {
  Block<Pulse> block;
  block.Set("period", 0.1).Set("width", 0.05);
  EXPECT_TRUE(block.Start().empty());
  for (const double far : {1e3, 1e6, 1e9, 1e12}) {
    double t = far;
    for (int i = 0; i < 100; ++i) {
      const double next = block.Next(t);
      ASSERT_GT(next, t);
      ASSERT_NE(block.At(next), block.At(JustBefore(next)));
      t = next;
    }
    EXPECT_NEAR(t, far + 5, 0.2);
  }
}

TEST(PulseTest, WidthOfZeroIsAlwaysLowAndOfAPeriodAlwaysHigh) {
  for (const double width : {0.0, 0.1}) {
    Block<Pulse> block;
    block.Set("period", 0.1).Set("width", width);
    EXPECT_TRUE(block.Start().empty());
    for (int i = 0; i < 10'000; ++i) ASSERT_EQ(block.At(i * 0.0137), width == 0 ? 0 : 1);
    EXPECT_GE(BreakTimes(block, 0, 10).size(), 99U);
  }
}

TEST(PulseTest, TimesBeyondTheResolutionOfItsPeriodEndWithoutABreak) {
  Block<Pulse> block;
  block.Set("period", 1e-9);
  EXPECT_TRUE(block.Set("width", 0.5e-9).Start().empty());
  for (const double t : {1e9, 1e300, kInf}) {
    const double y = block.At(t);
    EXPECT_TRUE(y == 0 || y == 1);
    const double next = block.Next(t);
    EXPECT_TRUE(next > t || next == kInf);
  }
}

TEST(PulseTest, WidthBeyondThePeriodIsAFault) {
  Block<Pulse> block;
  block.Set("period", 1).Set("width", 1.5);
  ExpectFault(block.Start(), "width = 1.5 s is longer than period = 1 s");
}

}  // namespace
}  // namespace davit
