#include "simulator/solvers/error_norm.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace davit {
namespace {

TEST(ErrorNormTest, IsTheLargestErrorInUnitsOfItsTolerance) {
  const std::vector<double> absolute{1e-3, 1e-6};
  const ErrorNorm norm(1e-2, absolute);
  EXPECT_DOUBLE_EQ(norm.Compute({0, 0}, {1e-3, 0}), 1);
  EXPECT_DOUBLE_EQ(norm.Compute({0, 0}, {1e-3, -2e-6}), 2);
  EXPECT_DOUBLE_EQ(norm.Compute({-1, 0}, {0.011, 0}), 1);
  EXPECT_EQ(norm.Compute({1, 1}, {0, 0}), 0);
}

TEST(ErrorNormTest, CountsWhatIsNotFiniteAsFarTooLarge) {
  const std::vector<double> absolute{1, 1, 1};
  const ErrorNorm norm(1e-6, absolute);
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 3; ++i) {
    for (const double bad : {kNan, kInf, -kInf}) {
      std::vector<double> error{0, 0, 0};
      error[i] = bad;
      EXPECT_EQ(norm.Compute({1, 1, 1}, error), ErrorNorm::kNotFinite);
      EXPECT_EQ(norm.Compute(error, error), ErrorNorm::kNotFinite);
    }
  }
}

}  // namespace
}  // namespace davit
