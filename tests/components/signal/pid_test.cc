#include "components/signal/pid.h"

#include <cmath>

#include "tests/components/signal/signal_harness.h"

namespace davit {
namespace {

TEST(PidTest, ProportionalPartIsGainTimesError) {
  Block<Pid> block;
  block.Set("kp", 4).Set("setpoint", 3).Set("measurement", 1);
  EXPECT_TRUE(block.Start().empty());
  EXPECT_EQ(block.At(0), 8);
  EXPECT_EQ(block.Ddt("integral"), 0);
}

TEST(PidTest, IntegralGrowsWithTheError) {
  Block<Pid> block;
  block.Set("kp", 0).Set("ki", 2).Set("setpoint", 3).Set("measurement", 1);
  EXPECT_TRUE(block.Start().empty());
  EXPECT_EQ(block.Ddt("integral"), 4);
  for (int i = 0; i < 100; ++i) block.Advance(0.01);
  EXPECT_NEAR(block.At(0), 4, 1e-12);
}

TEST(PidTest, DerivativeOfARampIsMinusGainTimesSlope) {
  constexpr double kSlope = 0.3;
  constexpr double kFilter = 0.05;
  Block<Pid> block;
  block.Set("kp", 0).Set("kd", 5).Set("derivative_filter", kFilter).Set("measurement", 2);
  EXPECT_TRUE(block.Start().empty());
  block.SetState("filtered", 2 - kSlope * kFilter);  // the lag behind a ramp that has been on for long
  EXPECT_NEAR(block.Ddt("filtered"), kSlope, 1e-14) << "so the lag stays";
  EXPECT_NEAR(block.At(0), -5 * kSlope, 1e-13);
}

TEST(PidTest, DerivativeOfARestingMeasurementFades) {
  Block<Pid> block;
  block.Set("kp", 0).Set("kd", 5).Set("derivative_filter", 0.05).Set("measurement", 2);
  EXPECT_TRUE(block.Start().empty());
  EXPECT_EQ(block.At(0), -200);
  for (int i = 1; i <= 100; ++i) {
    block.Advance(0.001);
    EXPECT_NEAR(block.At(0), -200 * std::exp(-i * 0.001 / 0.05), 1e-6);
  }
}

TEST(PidTest, DerivativeDoesNotSeeTheSetpoint) {
  Block<Pid> block;
  block.Set("kp", 0).Set("kd", 5).Set("setpoint", 1e6);
  EXPECT_TRUE(block.Start().empty());
  EXPECT_EQ(block.At(0), 0);
}

TEST(PidTest, IsOddInItsSignals) {
  Block<Pid> plus;
  Block<Pid> minus;
  for (Block<Pid>* block : {&plus, &minus}) {
    block->Set("kp", 2).Set("ki", 3).Set("kd", 0.1).Set("low", -5).Set("high", 5);
    const double sign = block == &plus ? 1 : -1;
    block->Set("setpoint", sign * 2).Set("measurement", sign * 0.5);
    EXPECT_TRUE(block->Start().empty());
  }
  for (int i = 0; i < 300; ++i) {
    plus.Advance(0.005);
    minus.Advance(0.005);
    ASSERT_EQ(plus.At(0), -minus.At(0));
  }
}

/// The time after the error has changed sign until y leaves its upper limit.
double TimeToLeaveLimit(Block<Pid>& block, int steps_at_limit) {
  constexpr double kStep = 0.005;
  EXPECT_TRUE(block.Start().empty());
  block.Set("setpoint", 10);
  for (int i = 0; i < steps_at_limit; ++i) {
    block.Advance(kStep);
    EXPECT_LE(block.At(0), 1);
  }
  EXPECT_EQ(block.At(0), 1);
  block.Set("setpoint", -0.1);
  for (int i = 0; i < 100'000; ++i) {
    if (block.At(0) < 1) return i * kStep;
    block.Advance(kStep);
  }
  return kInf;
}

TEST(PidTest, DoesNotWindUpHoweverLongTheOutputIsAtItsLimit) {
  struct Case {
    double kp, tracking_time;
  };
  for (const auto& [kp, tracking_time] : {Case{1, 0}, Case{0, 0}, Case{1, 0.1}, Case{0, 0.1}}) {
    SCOPED_TRACE(testing::Message() << "kp " << kp << ", tracking time " << tracking_time);
    Block<Pid> block;
    block.Set("kp", kp).Set("ki", 2).Set("low", -1).Set("high", 1).Set("tracking_time", tracking_time);
    const double after_short = TimeToLeaveLimit(block, 1000);
    const double after_long = TimeToLeaveLimit(block, 100'000);
    EXPECT_LE(after_long, after_short + 0.006);
    EXPECT_LT(after_long, 1);
  }
}

TEST(PidTest, AtALimitTheIntegralSettlesWhereTheAutomaticTrackingTimePutsIt) {
  Block<Pid> block;
  block.Set("kp", 2).Set("ki", 4).Set("high", 3).Set("setpoint", 7);
  EXPECT_TRUE(block.Start().empty());
  block.SetState("integral", 3);  // I + kp e - y = (kp / ki) ki e
  EXPECT_NEAR(block.Ddt("integral"), 0, 1e-14);
}

TEST(PidTest, WithoutIntegralActionALimitLeavesNoTrace) {
  Block<Pid> block;
  block.Set("kp", 10).Set("high", 1).Set("tracking_time", 0.1).Set("setpoint", 5);
  EXPECT_TRUE(block.Start().empty());
  EXPECT_EQ(block.At(0), 1);
  EXPECT_EQ(block.Ddt("integral"), 0);
}

TEST(PidTest, BringsAFirstOrderPlantToTheSetpoint) {
  Block<Pid> block;
  block.Set("kp", 3).Set("ki", 5).Set("low", -2).Set("high", 2).Set("setpoint", 1);
  EXPECT_TRUE(block.Start().empty());
  double plant = 0;
  double largest = 0;
  for (int i = 0; i < 20'000; ++i) {
    block.Set("measurement", plant);
    plant += 0.001 * (block.At(0) - plant);
    block.Advance(0.001);
    largest = std::max(largest, plant);
  }
  EXPECT_NEAR(plant, 1, 1e-6);
  EXPECT_LT(largest, 1.2);
}

TEST(PidTest, LimitsInTheWrongOrderAreAFault) {
  Block<Pid> block;
  block.Set("low", 1).Set("high", 0);
  ExpectFault(block.Start(), "low = 1 is not below high = 0");
}

}  // namespace
}  // namespace davit
