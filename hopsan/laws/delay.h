#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "framework/archive.h"

namespace davit::hopsan {

/// A value of some steps ago.
class Delay {
 public:
  /// The delay `time` in whole steps of T, at least one; all that is on its way is `value`. Throws
  /// std::length_error for more than 1e7 steps.
  void Start(double time, double T, double value) {
    constexpr double kMostSteps = 1e7;
    if (time > kMostSteps * T)
      throw std::length_error("a delay of more than 1e7 steps; take a longer TimeStep");
    values_.assign(static_cast<std::size_t>(std::max(1.0, std::floor(time / T + 0.5))), value);
    next_ = 0;
  }
  /// Takes the value of this step and gives the one of size() steps ago.
  double Step(double value) {
    const double oldest = values_[next_];
    values_[next_] = value;
    if (++next_ == values_.size()) next_ = 0;
    return oldest;
  }
  void ArchiveMemory(Archive& archive) {
    archive.List(values_);
    archive(next_);
    if (next_ >= values_.size()) next_ = 0;
  }
  std::size_t size() const { return values_.size(); }

 private:
  std::vector<double> values_;
  std::size_t next_ = 0;
};

}  // namespace davit::hopsan
