#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "analysis/study/sampling.h"
#include "analysis/study/variation.h"

namespace davit {

/// The cases of a study: what is varied, and the values of each case.
class CaseList {
 public:
  /// More are refused.
  static constexpr std::uint64_t kMostCases = 100'000'000;

  CaseList() = default;
  /// All combinations; the last item changes with each case.
  explicit CaseList(std::vector<Variation> grid);
  /// Cases one after the other. Pre: each has a value for each item.
  CaseList(std::vector<VariedItem> items, std::vector<std::vector<CaseValue>> cases);
  /// Samples of distributions.
  CaseList(const std::vector<RandomVariation>& variations, Sampling sampling, std::size_t samples,
           std::uint64_t seed);

  const std::vector<VariedItem>& items() const { return items_; }
  std::uint64_t size() const { return size_; }
  /// Values in the order of the items. Pre: i < size(). Any thread.
  std::vector<CaseValue> CaseAt(std::uint64_t i) const;
  /// Of a grid: the values of each item; empty for others.
  const std::vector<Variation>& grid() const { return grid_; }

 private:
  std::vector<VariedItem> items_;
  std::uint64_t size_ = 0;  ///< kMostCases + 1 where there are more
  std::vector<Variation> grid_;
  std::vector<std::vector<CaseValue>> cases_;
};

/// Which cases one of several programs runs that share a study.
struct Shard {
  std::uint64_t first = 1, count = 1;  ///< every count-th case, from the first one on

  bool Has(std::uint64_t number) const { return number % count == first % count; }
};

/// Cases from a CSV file: the first line has the paths, each further one the values of a case, with units or
/// in SI. All faults go to `diagnostics` with their lines.
CaseList LoadCases(const std::filesystem::path& file, System& system, Diagnostics& diagnostics);

}  // namespace davit
