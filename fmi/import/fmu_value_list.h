#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "fmi/fmu_description.h"
#include "framework/archive.h"

namespace davit {

/// The nearest whole number that T can have; 0 for NaN.
template <class T>
T ToWhole(double value) {
  if (std::isnan(value)) return 0;
  constexpr double kLow = static_cast<double>(std::numeric_limits<T>::lowest());
  constexpr double kHigh = static_cast<double>(std::numeric_limits<T>::max());
  const double rounded = std::nearbyint(value);
  if (rounded <= kLow) return std::numeric_limits<T>::lowest();
  if (rounded >= kHigh) return std::numeric_limits<T>::max();
  return static_cast<T>(rounded);
}

/// Variables that are read or written together. Their values are doubles, one for each element: of a
/// condition 0 or 1, of an enumeration its number in the FMU. Whole numbers beyond 2^53 lose digits.
class FmuValueList {
 public:
  /// Variables of one type that follow each other: one call of the FMU.
  struct Run {
    FmuBaseType type = FmuBaseType::kFloat64;
    std::vector<std::uint32_t> references;
    std::vector<std::size_t> counts;  ///< of the elements of each
    std::size_t begin = 0;            ///< of their values
    std::size_t count = 0;

    void ArchiveMemory(Archive& archive) {
      archive(type);
      archive.List(references);
      archive.List(counts);
      archive(begin, count);
    }
  };

  /// Adds a variable of `count` elements; returns where its values begin. Pre: it is a number.
  std::size_t Add(FmuBaseType type, std::uint32_t reference, std::size_t count = 1);

  const std::vector<Run>& runs() const { return runs_; }
  std::size_t size() const { return size_; }
  void ArchiveMemory(Archive& archive) {
    archive.List(runs_);
    archive(size_);
  }

 private:
  std::vector<Run> runs_;
  std::size_t size_ = 0;
};

}  // namespace davit
