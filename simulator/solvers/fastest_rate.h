#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "framework/archive.h"

namespace davit {

/// Follows the absolute value of the largest eigenvalue of df/dy along a run by a power iteration, one
/// product each time, by a difference quotient.
class FastestRate {
 public:
  void Resize(std::size_t size) {
    for (std::vector<double>* v : {&direction_, &moved_, &slope_there_}) v->assign(size, 0.0);
  }

  /// What the iteration knows now [1/s], at (t, y) where f(t, y) = `ddt`; one evaluation `f(y, ddt, t)`. 0
  /// where f is not finite close by.
  template <class System>
  double Estimate(System&& f, const std::vector<double>& y, const std::vector<double>& ddt, double t,
                  std::span<const double> nominal) {
    const std::size_t n = y.size();
    double length = 0;
    for (std::size_t i = 0; i < n; ++i) length = std::max(length, std::abs(direction_[i]) / nominal[i]);
    if (!(length > 0)) {
      for (std::size_t i = 0; i < n; ++i) direction_[i] = nominal[i] * (i % 2 == 0 ? 1.0 : -1.0);
      length = 1;
    }
    const double share = 1e-6 / length;
    for (std::size_t i = 0; i < n; ++i) moved_[i] = y[i] + share * direction_[i];
    f(moved_, slope_there_, t);
    double growth = 0;
    for (std::size_t i = 0; i < n; ++i) {
      direction_[i] = (slope_there_[i] - ddt[i]) / share;
      growth = std::max(growth, std::abs(direction_[i]) / nominal[i]);
    }
    if (!std::isfinite(growth)) {
      direction_.assign(n, 0.0);
      return 0;
    }
    for (double& d : direction_) d /= growth > 0 ? growth : 1.0;
    return growth / length;
  }

  void ArchiveMemory(Archive& archive) { archive(direction_); }

 private:
  std::vector<double> direction_, moved_, slope_there_;
};

}  // namespace davit
