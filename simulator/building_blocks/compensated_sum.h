#pragma once

#include <cmath>

#include "framework/archive.h"

namespace davit::building_blocks {

/// Sum of many terms that hardly loses digits, for audits of energy and mass over a long run.
///
/// A. Neumaier, Zeitschrift fuer Angewandte Mathematik und Mechanik 54 (1974) 39-51: what each
/// addition rounds away is summed apart. Error <= eps |sum| + n^2 eps^2 sum|terms|, eps = 2^-53, where a
/// plain sum has n eps sum|terms|. An infinite term makes the value NaN.
class CompensatedSum {
 public:
  CompensatedSum() = default;
  explicit CompensatedSum(double start) : sum_(start) {}

  CompensatedSum& operator+=(double term) {
    const double sum = sum_ + term;
    if (std::abs(sum_) >= std::abs(term)) {
      lost_ += (sum_ - sum) + term;
    } else {
      lost_ += (term - sum) + sum_;
    }
    sum_ = sum;
    return *this;
  }
  CompensatedSum& operator-=(double term) { return *this += -term; }

  double value() const { return sum_ + lost_; }
  void ArchiveMemory(Archive& archive) { archive(sum_, lost_); }

 private:
  double sum_ = 0;
  double lost_ = 0;
};

}  // namespace davit::building_blocks
