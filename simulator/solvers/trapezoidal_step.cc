#include "simulator/solvers/trapezoidal_step.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace davit {
namespace {
constexpr int kMostCorrections = 10;
constexpr double kConvergedChange = 1e-13;  // relative change of the states
constexpr double kGoodEnough = 1e-9;        // of the last iteration, where rounding hides more
}  // namespace

TrapezoidalStep::TrapezoidalStep(std::vector<StateSlot> slots)
    : slots_(std::move(slots)), start_(slots_.size()), slope_(slots_.size()) {
  const auto n = static_cast<Eigen::Index>(slots_.size());
  residual_.setZero(n);
  change_.setZero(n);
  matrix_.setZero(n, n);
  lu_ = Eigen::PartialPivLU<Eigen::MatrixXd>(n);
}

bool TrapezoidalStep::Advance(double t1, double h, void* context, Evaluation evaluate) {
  const std::size_t n = size();
  const double root = std::sqrt(std::numeric_limits<double>::epsilon());
  for (std::size_t i = 0; i < n; ++i) {
    start_[i] = Value(i);
    slope_[i] = Slope(i);
    Value(i) += h * slope_[i];  // explicit Euler as first guess
  }
  evaluate(context, t1);
  double worst = 0;
  for (int iteration = 0; iteration < kMostCorrections; ++iteration) {
    for (std::size_t i = 0; i < n; ++i) residual_[static_cast<Eigen::Index>(i)] = Residual(i, h);
    for (std::size_t j = 0; j < n; ++j) {
      const double y = Value(j);
      const double increment = root * std::max({std::abs(y), std::abs(h * slope_[j]), 1e-9});
      Value(j) = y + increment;
      const double exact = Value(j) - y;
      evaluate(context, t1);
      const auto column = static_cast<Eigen::Index>(j);
      for (std::size_t i = 0; i < n; ++i) {
        const auto row = static_cast<Eigen::Index>(i);
        matrix_(row, column) = (Residual(i, h) - residual_[row]) / exact;
      }
      Value(j) = y;
    }
    lu_.compute(matrix_);
    change_ = lu_.solve(residual_);
    worst = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double step = change_[static_cast<Eigen::Index>(i)];
      Value(i) -= step;
      worst =
          std::max(worst, std::abs(step) / std::max({std::abs(Value(i)), std::abs(h * slope_[i]), 1e-30}));
    }
    evaluate(context, t1);
    if (worst <= kConvergedChange) return true;
  }
  return worst <= kGoodEnough;
}

}  // namespace davit
