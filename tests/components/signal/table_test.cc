#include "components/signal/table.h"

#include <fmt/format.h>

#include "tests/components/signal/signal_harness.h"

namespace davit {
namespace {

std::vector<std::string> Load(Block<Table>& block, std::string_view times, std::string_view values,
                              std::string_view interpolation = "linear") {
  return block.SetText("times", times)
      .SetText("values", values)
      .SetText("interpolation", interpolation)
      .Start();
}

TEST(TableTest, LinearIsExactAtThePointsAndStraightBetween) {
  Block<Table> block;
  EXPECT_TRUE(Load(block, "0.1, 0.3, 1.7, 10", "0.1 0.7 -3.3 4").empty());
  const std::vector<double> times{0.1, 0.3, 1.7, 10};
  const std::vector<double> values{0.1, 0.7, -3.3, 4};
  for (std::size_t i = 0; i < times.size(); ++i) EXPECT_EQ(block.At(times[i]), values[i]);
  for (std::size_t i = 0; i + 1 < times.size(); ++i) {
    for (const double part : {0.25, 0.5, 0.9}) {
      const double t = times[i] + part * (times[i + 1] - times[i]);
      EXPECT_NEAR(block.At(t), values[i] + part * (values[i + 1] - values[i]), 1e-14);
    }
    EXPECT_NEAR(block.At(JustBefore(times[i + 1])), values[i + 1], 1e-14);
  }
  EXPECT_EQ(BreakTimes(block, 0, 1e9), times);
}

TEST(TableTest, StepHoldsEachValueUntilTheNextTime) {
  Block<Table> block;
  EXPECT_TRUE(Load(block, "0 0.3 2", "5 6 7", "step").empty());
  EXPECT_EQ(block.At(0), 5);
  EXPECT_EQ(block.At(JustBefore(0.3)), 5);
  EXPECT_EQ(block.At(0.3), 6);
  EXPECT_EQ(block.At(JustBefore(2)), 6);
  EXPECT_EQ(block.At(2), 7);
  EXPECT_EQ(BreakTimes(block, -1, 1e9), (std::vector<double>{0, 0.3, 2}));
}

TEST(TableTest, EndValuesHoldBeyondTheEnds) {
  for (const std::string_view interpolation : {"linear", "step"}) {
    Block<Table> block;
    EXPECT_TRUE(Load(block, "1 2", "5 6", interpolation).empty());
    for (const double t : {-kInf, -1.0, JustBefore(1)}) EXPECT_EQ(block.At(t), 5);
    for (const double t : {2.0, 1e9, kInf}) EXPECT_EQ(block.At(t), 6);
    EXPECT_EQ(block.Next(2), kInf);
  }
}

TEST(TableTest, OnePointIsAConstant) {
  Block<Table> block;
  EXPECT_TRUE(Load(block, "3", "-2").empty());
  for (const double t : {0.0, 3.0, 9.0}) EXPECT_EQ(block.At(t), -2);
}

TEST(TableTest, WrongListsAreAnsweredWithARemedyAndDoNoHarm) {
  struct Case {
    std::string_view times, values, fault;
  };
  for (const auto& [times, values, fault] : {
           Case{"", "1 2", "times: empty"},
           Case{"1 2", "", "values: empty"},
           Case{"0 1 1", "1 2 3", "times: entry 3, 1, is not after entry 2, 1"},
           Case{"0 2 1.5", "1 2 3", "times: entry 3, 1.5, is not after entry 2, 2"},
           Case{"0 nan 1", "1 2 3", "times: entry 2, 'nan', is not finite"},
           Case{"0 1 2", "1 NaN 3", "values: entry 2, 'NaN', is not finite"},
           Case{"0 1 inf", "1 2 3", "times: entry 3, 'inf', is not finite"},
           Case{"0 1 2", "1 2", "the number of times is 3, that of values 2"},
           Case{"0 s, 1 s", "1 2", "times: entry 2, 's', is not a number"},
       }) {
    Block<Table> block;
    ExpectFault(Load(block, times, values), fault);
    EXPECT_TRUE(std::isfinite(block.At(0.5)));
    EXPECT_EQ(block.Next(0), kInf);
  }
  Block<Table> empty;
  EXPECT_EQ(empty.Start().size(), 2U) << "both lists are missing, and both are reported";
}

TEST(TableTest, AMillionPoints) {
  constexpr std::size_t kPoints = 1'000'000;
  std::string times;
  std::string values;
  for (std::size_t i = 0; i < kPoints; ++i) {
    fmt::format_to(std::back_inserter(times), "{} ", static_cast<double>(i) * 0.1);
    fmt::format_to(std::back_inserter(values), "{},", i % 7);
  }
  values.pop_back();
  Block<Table> block;
  ASSERT_TRUE(Load(block, times, values).empty());
  EXPECT_EQ(block.Next(-1), 0);
  for (std::size_t i = 1; i < kPoints; i += 997) {
    const double t = static_cast<double>(i) * 0.1;
    ASSERT_EQ(block.At(t), static_cast<double>(i % 7));
    ASSERT_EQ(block.Next(JustBefore(t)), t);
  }
}

}  // namespace
}  // namespace davit
