#include "components/signal/pid.h"

#include <algorithm>
#include <cmath>
#include <vector>

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

/// The time after the error has changed sign until y has left its upper limit by 1e-3.
double TimeToLeaveLimit(Block<Pid>& block, int steps_at_limit) {
  constexpr double kStep = 0.005;
  EXPECT_TRUE(block.Start().empty());
  block.Set("setpoint", 10);
  for (int i = 0; i < steps_at_limit; ++i) {
    block.Advance(kStep);
    EXPECT_LE(block.At(0), 1);
  }
  // Without a proportional part the integral comes near as exp(-t/T), T <= 0.1 s and t = 5 s at least, until
  // the steps of its sum are lost in rounding: ulp(1)/2 T/h.
  EXPECT_NEAR(block.At(0), 1, 1e-14);
  block.Set("setpoint", -0.1);
  constexpr double kLeft = 1 - 1e-3;
  for (int i = 0; i < 100'000; ++i) {
    if (block.At(0) < kLeft) return i * kStep;
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

TEST(PidTest, TheIntegralDrivesTheOutputToALimitInTheTrackingTimeAndNotBeyond) {
  Block<Pid> block;
  block.Set("kp", 2).Set("ki", 4).Set("high", 3).Set("setpoint", 0.25).Set("tracking_time", 0.5);
  EXPECT_TRUE(block.Start().empty());
  block.SetState("integral", 2.25);  // v = 2.75: ki e = 1 is more than (high - v)/T
  EXPECT_DOUBLE_EQ(block.Ddt("integral"), 0.5);
  block.SetState("integral", 1.5);
  EXPECT_DOUBLE_EQ(block.Ddt("integral"), 1);
  block.SetState("integral", 4);  // beyond the limit it rests, and goes back freely
  EXPECT_EQ(block.Ddt("integral"), 0);
  block.Set("setpoint", -0.25);
  EXPECT_DOUBLE_EQ(block.Ddt("integral"), -1);
  // Near a limit, with e held: high - v falls as exp(-t/T).
  block.Set("setpoint", 10).Set("kp", 0).SetState("integral", 1);
  for (int i = 0; i < 500; ++i) block.Advance(0.001);
  EXPECT_NEAR(3 - block.State("integral"), 2 * std::exp(-1.0), 1e-6);
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

/// Signals that drive the output to both limits and away again.
void Feed(Block<Pid>& block, double t) {
  block.Set("setpoint", 2 * std::sin(3 * t)).Set("measurement", 0.5 * std::cos(7 * t));
}

void StartAtBothLimits(Block<Pid>& block, double h) {
  block.Set("kp", 1.5).Set("ki", 4).Set("kd", 0.05).Set("low", -1).Set("high", 2);
  Feed(block, 0);
  block.model().set_simulator_time_step(h);
  block.model().PrepareTimestep();
  EXPECT_TRUE(block.Start().empty());
  block.At(0);
}

TEST(PidTest, FixedStepIsTheTrapezoidalRuleAlsoAtALimit) {
  const double h = 0.01;
  Block<Pid> own, iterated;
  StartAtBothLimits(own, h);
  StartAtBothLimits(iterated, h);
  int held = 0;
  for (int i = 1; i <= 1000; ++i) {
    Feed(own, i * h);
    Feed(iterated, i * h);
    own.model().SimulateOneTimestep(i * h);
    iterated.model().DynamicSimComponent::SimulateOneTimestep(i * h);
    for (const char* state : {"integral", "filtered"})
      ASSERT_NEAR(own.State(state), iterated.State(state), 1e-11) << i;
    const double y = own.At(i * h);
    ASSERT_NEAR(y, iterated.At(i * h), 1e-10) << i;
    if (y == -1 || y == 2) ++held;
  }
  EXPECT_GT(held, 100);
  EXPECT_LT(held, 900);
}

TEST(PidTest, FixedStepsComeNearTheEquationsWithSecondOrder) {
  const auto path = [](int steps) {
    Block<Pid> block;
    const double h = 4.0 / steps;
    StartAtBothLimits(block, h);
    std::vector<double> values;
    for (int i = 1; i <= steps; ++i) {
      Feed(block, i * h);
      block.model().SimulateOneTimestep(i * h);
      if (i % (steps / 40) == 0) values.push_back(block.State("integral"));
    }
    return values;
  };
  // The equations themselves, by many small steps of the classic Runge-Kutta method with the mean input.
  const auto exact = [] {
    Block<Pid> block;
    constexpr int kSteps = 400'000;
    StartAtBothLimits(block, 4.0 / kSteps);
    std::vector<double> values;
    for (int i = 1; i <= kSteps; ++i) {
      Feed(block, (i - 0.5) * 4.0 / kSteps);
      block.Advance(4.0 / kSteps);
      if (i % (kSteps / 40) == 0) values.push_back(block.State("integral"));
    }
    return values;
  }();
  std::vector<double> errors;
  for (const int steps : {400, 800, 1600}) {
    const std::vector<double> values = path(steps);
    errors.push_back(0);
    for (std::size_t i = 0; i < values.size(); ++i)
      errors.back() = std::max(errors.back(), std::abs(values[i] - exact[i]));
  }
  EXPECT_LT(errors[2], 1e-3);
  for (std::size_t i = 1; i < errors.size(); ++i) EXPECT_GT(std::log2(errors[i - 1] / errors[i]), 1.7);
}

TEST(PidTest, WithFixedStepsDoesNotWindUpEither) {
  for (const int steps_at_limit : {1000, 100'000}) {
    Block<Pid> block;
    block.Set("kp", 1).Set("ki", 2).Set("low", -1).Set("high", 1).Set("setpoint", 10);
    block.model().set_simulator_time_step(0.005);
    EXPECT_TRUE(block.Start().empty());
    block.At(0);
    for (int i = 0; i < steps_at_limit; ++i) block.model().SimulateOneTimestep(0);
    EXPECT_EQ(block.At(0), 1);
    block.Set("setpoint", -0.1);
    int steps = 0;
    for (; block.At(0) >= 1 && steps < 1000; ++steps) block.model().SimulateOneTimestep(0);
    EXPECT_LT(steps * 0.005, 1) << steps_at_limit;
  }
}

TEST(PidTest, LimitsInTheWrongOrderAreAFault) {
  Block<Pid> block;
  block.Set("low", 1).Set("high", 0);
  ExpectFault(block.Start(), "low = 1 is not below high = 0");
}

}  // namespace
}  // namespace davit
