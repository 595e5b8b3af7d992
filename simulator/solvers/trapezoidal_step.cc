#include "simulator/solvers/trapezoidal_step.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace davit {
namespace {
constexpr int kMostCorrections = 20;
constexpr double kConvergedChange = 1e-13;  // relative change of the states
constexpr double kGoodEnough = 1e-9;        // of a change that rounding keeps from shrinking
constexpr double kFast = 0.1;               // share of a correction that the next one may have
}  // namespace

TrapezoidalStep::TrapezoidalStep(std::vector<StateSlot> slots, std::vector<double> nominal)
    : slots_(std::move(slots)),
      nominal_(std::move(nominal)),
      pattern_(JacobianPattern::Full(slots_.size())),
      quotients_(slots_.size()),
      entries_(pattern_.nonzeros()) {
  const auto n = static_cast<Eigen::Index>(slots_.size());
  for (std::vector<double>* v : {&start_, &slope_, &values_, &slopes_, &increments_}) v->resize(size());
  residual_.setZero(n);
  change_.setZero(n);
  matrix_.setZero(n, n);
  lu_ = Eigen::PartialPivLU<Eigen::MatrixXd>(n);
}

void TrapezoidalStep::Linearize(double t1, double h, void* context, Evaluation evaluate) {
  for (std::size_t i = 0; i < size(); ++i) {
    values_[i] = Value(i);
    slopes_[i] = Slope(i);
    increments_[i] = Increment(std::max(std::abs(values_[i]), std::abs(h * slope_[i])), nominal_[i]);
  }
  quotients_.Fill(pattern_, values_, slopes_, increments_, entries_,
                  [&](const std::vector<double>& shifted, std::vector<double>& slopes) {
                    for (std::size_t i = 0; i < size(); ++i) Value(i) = shifted[i];
                    evaluate(context, t1);
                    for (std::size_t i = 0; i < size(); ++i) slopes[i] = Slope(i);
                  });
  for (std::size_t i = 0; i < size(); ++i) Value(i) = values_[i];
  CopyEntries(pattern_, entries_, matrix_);
  matrix_ *= -h / 2;
  matrix_.diagonal().array() += 1;
  lu_.compute(matrix_);
}

bool TrapezoidalStep::Advance(double t1, double h, void* context, Evaluation evaluate) {
  for (std::size_t i = 0; i < size(); ++i) {
    start_[i] = Value(i);
    slope_[i] = Slope(i);
    Value(i) += h * slope_[i];  // explicit Euler as first guess
  }
  evaluate(context, t1);
  double worst = 0;
  bool is_linearized = false;
  for (int iteration = 0; iteration < kMostCorrections; ++iteration) {
    for (std::size_t i = 0; i < size(); ++i) residual_[static_cast<Eigen::Index>(i)] = Residual(i, h);
    if (!is_linearized) Linearize(t1, h, context, evaluate);
    change_ = lu_.solve(residual_);
    const double last = std::exchange(worst, 0.0);
    for (std::size_t i = 0; i < size(); ++i) {
      const double step = change_[static_cast<Eigen::Index>(i)];
      Value(i) -= step;
      worst =
          std::max(worst, std::abs(step) / std::max({std::abs(Value(i)), std::abs(h * slope_[i]), 1e-30}));
    }
    evaluate(context, t1);
    if (worst <= kConvergedChange) return true;
    const bool is_fast = iteration == 0 || worst <= kFast * last;
    if (!is_fast && worst <= kGoodEnough) return true;
    is_linearized = is_fast;
  }
  return worst <= kGoodEnough;
}

}  // namespace davit
