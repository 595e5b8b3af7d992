#include "analysis/sensitivity/radau_step.h"

#include <gtest/gtest.h>

#include <cmath>

namespace davit {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// s' = cos(t) s, 0 = z - 2 s + t from 0 to 2: the solution is s = exp(sin t), z = 2 s - t.
double ErrorOfSteps(int count) {
  const double h = 2.0 / count;
  MatrixXd S(2, 1), slope;
  S << 1, 2;
  for (int k = 0; k < count; ++k) {
    std::array<RadauStep::Stage, 3> stages;
    for (std::size_t i = 0; i < 3; ++i) {
      const double t = (k + RadauStep::Nodes()[i]) * h;
      stages[i].M = MatrixXd::Zero(2, 2);
      stages[i].M(0, 0) = -1;
      stages[i].K = MatrixXd::Zero(2, 2);
      stages[i].K(0, 0) = std::cos(t);
      stages[i].K.row(1) << -2, 1;
      stages[i].P = MatrixXd::Zero(2, 1);
      stages[i].P(1, 0) = t;
    }
    RadauStep::Advance(stages, h, VectorXd::Ones(2), S, slope);
  }
  EXPECT_NEAR(S(1, 0), 2 * S(0, 0) - 2, 1e-13);
  EXPECT_NEAR(slope(0, 0), std::cos(2.0) * S(0, 0), 1e-12);
  return std::abs(S(0, 0) - std::exp(std::sin(2.0)));
}

TEST(RadauStepTest, HasOrderFive) { EXPECT_NEAR(std::log2(ErrorOfSteps(8) / ErrorOfSteps(16)), 5, 0.5); }

TEST(RadauStepTest, StiffMotionsEnd) {
  // s' = -1e9 s: with one step of 1 s nothing is left of it (L-stable).
  std::array<RadauStep::Stage, 3> stages;
  for (RadauStep::Stage& stage : stages) {
    stage.M = -MatrixXd::Identity(1, 1);
    stage.K = -1e9 * MatrixXd::Identity(1, 1);
    stage.P = MatrixXd::Zero(1, 1);
  }
  MatrixXd S = MatrixXd::Ones(1, 1), slope;
  RadauStep::Advance(stages, 1, VectorXd::Ones(1), S, slope);
  EXPECT_LT(std::abs(S(0, 0)), 1e-8);
}

}  // namespace
}  // namespace davit
