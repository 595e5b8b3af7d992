#include "simulator/solvers/trapezoidal_step.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <utility>
#include <vector>

namespace davit {
namespace {

/// Two states with a slope given by the test.
class Pair {
 public:
  using Slope = std::function<void(const double* y, double* ddt)>;

  Pair(std::vector<double> start, Slope slope)
      : y_(std::move(start)),
        ddt_(y_.size()),
        slope_(std::move(slope)),
        step_({{&memory_, 0}, {&memory_, 1}}, {1, 1}) {
    memory_.y = y_.data();
    memory_.ddt = ddt_.data();
    slope_(y_.data(), ddt_.data());
  }
  bool Advance(double h) {
    evaluations_ = 0;
    return step_.Advance(0, h, this, [](void* context, double /*t*/) {
      auto* self = static_cast<Pair*>(context);
      ++self->evaluations_;
      self->slope_(self->y_.data(), self->ddt_.data());
    });
  }
  const std::vector<double>& y() const { return y_; }
  const std::vector<double>& ddt() const { return ddt_; }
  int evaluations() const { return evaluations_; }

 private:
  std::vector<double> y_, ddt_;
  Slope slope_;
  StateMemory memory_;
  TrapezoidalStep step_;
  int evaluations_ = 0;
};

void Rotate(const double* y, double* ddt) {
  ddt[0] = y[1];
  ddt[1] = -y[0];
}

TEST(TrapezoidalStepTest, ALinearStepKeepsTheEnergyOfAnOscillatorAndTakesOneJacobian) {
  Pair pair({1, 0}, Rotate);
  ASSERT_TRUE(pair.Advance(0.5));
  // (I - h/2 J) y1 = (I + h/2 J) y0 is a rotation.
  EXPECT_NEAR(std::hypot(pair.y()[0], pair.y()[1]), 1, 1e-14);
  EXPECT_NEAR(std::atan2(-pair.y()[1], pair.y()[0]), 2 * std::atan(0.25), 1e-14);
  // The first guess, both sides of two columns, and two corrections.
  EXPECT_EQ(pair.evaluations(), 1 + 2 * 2 + 2);
}

TEST(TrapezoidalStepTest, SolvesBentEquationsToRounding) {
  // Far from linear within the step, so that the Jacobian is made anew.
  const auto slope = [](const double* y, double* ddt) {
    ddt[0] = -50 * y[0] * y[0] * y[0] + y[1];
    ddt[1] = -std::sqrt(std::abs(y[1])) * y[0];
  };
  const double h = 0.5;
  Pair pair({2, 3}, slope);
  const std::vector<double> y0 = pair.y(), f0 = pair.ddt();
  ASSERT_TRUE(pair.Advance(h));
  for (int i = 0; i < 2; ++i) {
    const double terms = std::abs(y0[i]) + h / 2 * (std::abs(f0[i]) + std::abs(pair.ddt()[i]));
    EXPECT_NEAR(pair.y()[i], y0[i] + h / 2 * (f0[i] + pair.ddt()[i]), 1e-12 * terms);
  }
}

TEST(TrapezoidalStepTest, ColumnsThatMustCancelDoSo) {
  // A law of the difference y0 - y1 alone, with a kink within the increments: the sum of the states is kept.
  const auto slope = [](const double* y, double* ddt) {
    const double d = y[0] - y[1];
    const double q = (d > 0 ? 1e6 : 5e5) * d;
    ddt[0] = -q;
    ddt[1] = q;
  };
  Pair pair({1, 1 - 1e-9}, slope);
  ASSERT_TRUE(pair.Advance(1e-3));
  EXPECT_NEAR(pair.y()[0] + pair.y()[1], 2 - 1e-9, 4e-16);
}

TEST(TrapezoidalStepTest, SaysWhereThereIsNoSolution) {
  // y1 = y0 + h/2 (f0 + y1^2) has no real solution for this h.
  const auto slope = [](const double* y, double* ddt) {
    ddt[0] = y[0] * y[0] + 1;
    ddt[1] = 0;
  };
  Pair pair({1, 0}, slope);
  EXPECT_FALSE(pair.Advance(10));
}

}  // namespace
}  // namespace davit
