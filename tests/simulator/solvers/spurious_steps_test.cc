#include "simulator/solvers/spurious_steps.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace davit {
namespace {

/// Steps of one state with an absolute tolerance of 1.
class SpuriousStepsTest : public testing::Test {
 protected:
  SpuriousStepsTest() { steps_.Resize(1); }

  /// Of a step that goes on by `move` with a first stage of `tangent`.
  bool IsSpurious(double move, double tangent) {
    const std::array<double, 1> y_old{y_}, y_new{y_ + move}, first_stage{tangent}, error{0.6};
    y_ += move;
    return steps_.Look(y_old, y_new, first_stage, error, norm_);
  }

 private:
  const std::vector<double> absolute_{1.0};
  const ErrorNorm norm_{0, absolute_};
  SpuriousSteps steps_;
  double y_ = 0;
};

TEST_F(SpuriousStepsTest, AFixedPointWithoutRestIs) {
  for (int i = 1; i < 20; ++i) EXPECT_FALSE(IsSpurious(0, 2));
  EXPECT_TRUE(IsSpurious(0, 2));
  // Then each second step, where it is the same again.
  EXPECT_FALSE(IsSpurious(0, 2));
  EXPECT_TRUE(IsSpurious(0, 2));
}

// A second state, without an error, moves by many of its tolerances in each step, as a speed near 0 does.
TEST(SpuriousStepsOfTwoTest, AFixedPointIsOneHoweverFarOthersMove) {
  const std::vector<double> absolute{1.0, 1e-8};
  const ErrorNorm norm{0, absolute};
  SpuriousSteps steps;
  steps.Resize(2);
  const auto look = [&](double other) {
    return steps.Look(std::array<double, 2>{0, 0}, std::array<double, 2>{0, other},
                      std::array<double, 2>{2, other}, std::array<double, 2>{0.6, 0}, norm);
  };
  int first = 1;
  while (first < 1000 && !look(1e-6)) ++first;
  EXPECT_GT(first, 20);  // the run gets on, for a while
  EXPECT_LE(first, 100);
  // Then each second step, until one follows the solution.
  EXPECT_FALSE(look(1e-6));
  EXPECT_TRUE(look(1e-6));
}

TEST_F(SpuriousStepsTest, ACycleIs) {
  int count = 0;
  for (int i = 0; i < 30; ++i) count += IsSpurious(i % 2 == 0 ? 3 : -3, i % 2 == 0 ? 3 : -3) ? 1 : 0;
  EXPECT_GE(count, 2);
}

TEST_F(SpuriousStepsTest, RestIsNot) {
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(IsSpurious(0, 0.09));
}

// y' = -y with the implicit Euler method, gamma = 1, from not stiff to stiff: moves are those of the tangent.
TEST_F(SpuriousStepsTest, DecayIsNot) {
  for (const double h : {1e-3, 1.0, 1e3}) {
    double y = 1e4;
    for (int i = 0; i < 20; ++i) {
      const double move = -y * h / (1 + h);
      EXPECT_FALSE(IsSpurious(move, move)) << h;
      y += move;
    }
  }
}

// y = sin t with as few as four steps a period, where the tangent is that of the linearly implicit Euler
// method after a quarter of the step.
TEST_F(SpuriousStepsTest, OscillationIsNot) {
  for (const double h : {0.1, 0.7, 1.5}) {
    for (int i = 0; i < 100; ++i) {
      const double t = i * h, a = 0.25 * h;
      const double tangent = (a * std::cos(t) - a * a * std::sin(t)) / (1 + a * a);
      EXPECT_FALSE(IsSpurious(1e3 * (std::sin(t + h) - std::sin(t)), 1e3 * tangent)) << h << ' ' << i;
    }
  }
}

}  // namespace
}  // namespace davit
