#pragma once

#include <algorithm>
#include <limits>

#include "framework/archive.h"

namespace davit::building_blocks {

/// Range of an output y, in the unit of y; without limits unless set. Pre: min <= max. NaN passes through.
struct Limits {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();

  double Clamp(double y) const { return std::clamp(y, min, max); }
  bool IsReachedBy(double y) const { return y <= min || y >= max; }
  /// A rate of change of y without what would drive y out of the limit it is at.
  double Inward(double y, double rate) const {
    if (y >= max) return std::min(rate, 0.0);
    if (y <= min) return std::max(rate, 0.0);
    return rate;
  }
  void ArchiveMemory(Archive& archive) { archive(min, max); }

  friend bool operator==(const Limits&, const Limits&) = default;
};

}  // namespace davit::building_blocks
