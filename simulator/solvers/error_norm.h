#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace davit {

/// The size of an error estimate in units of the tolerance: max_i |e_i| / (atol_i + rtol |y_i|); at most 1 is
/// accepted. Has the form of odeint's error checkers.
class ErrorNorm {
 public:
  /// What an estimate that is not finite counts as: the step is tried again, much smaller.
  static constexpr double kNotFinite = 1e10;

  ErrorNorm() = default;
  ErrorNorm(double relative, const std::vector<double>& absolute)
      : relative_(relative), absolute_(&absolute) {}

  /// Of state i with the value y.
  double Tolerance(std::size_t i, double y) const { return (*absolute_)[i] + relative_ * std::abs(y); }

  double Compute(const std::vector<double>& y, const std::vector<double>& error) const {
    double worst = 0;
    bool is_finite = true;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double ratio = std::abs(error[i]) / Tolerance(i, y[i]);
      is_finite = is_finite && ratio <= std::numeric_limits<double>::max();
      worst = std::max(worst, ratio);
    }
    return is_finite ? worst : kNotFinite;
  }

  /// The state with the largest error of an estimate; one that is not finite, if any is.
  std::size_t FindWorst(const std::vector<double>& y, const std::vector<double>& error) const {
    std::size_t worst = 0;
    double largest = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double ratio = std::abs(error[i]) / Tolerance(i, y[i]);
      if (ratio <= largest) continue;
      if (!(ratio <= std::numeric_limits<double>::max())) return i;
      largest = ratio;
      worst = i;
    }
    return worst;
  }

  template <class Algebra, class State, class Derivative, class Error, class Time>
  double error(Algebra& /*algebra*/, const State& y, const Derivative& /*ddt*/, Error& error,
               Time /*dt*/) const {
    return Compute(y, error);
  }

 private:
  double relative_ = 0;
  const std::vector<double>* absolute_ = nullptr;
};

}  // namespace davit
