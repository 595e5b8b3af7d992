#include "results/decimation.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace davit {
namespace {

/// Appends what is kept of rows [begin, end).
void KeepBin(std::span<const double> values, std::size_t begin, std::size_t end,
             std::vector<std::size_t>& rows) {
  std::size_t smallest = end;
  std::size_t largest = end;
  std::size_t gap = end;
  for (std::size_t i = begin; i < end; ++i) {
    if (std::isnan(values[i])) {
      gap = i;
      continue;
    }
    if (smallest == end || values[i] < values[smallest]) smallest = i;
    if (largest == end || values[i] > values[largest]) largest = i;
  }
  std::size_t kept[] = {begin, smallest, largest, gap, end - 1};
  std::ranges::sort(kept);
  for (const std::size_t row : kept) {
    if (row < end && (rows.empty() || row > rows.back())) rows.push_back(row);
  }
}

}  // namespace

std::vector<std::size_t> Decimate(std::span<const double> time, std::span<const double> values,
                                  std::size_t bin_count) {
  assert(time.size() == values.size() && bin_count > 0);
  std::vector<std::size_t> rows;
  if (time.size() <= 4 * bin_count) {
    rows.resize(time.size());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    return rows;
  }
  const double width = (time.back() - time.front()) / static_cast<double>(bin_count);
  std::size_t begin = 0;
  for (std::size_t bin = 1; bin <= bin_count && begin < time.size(); ++bin) {
    const double until = time.front() + width * static_cast<double>(bin);
    std::size_t end = begin;
    while (end < time.size() && (time[end] < until || bin == bin_count)) ++end;
    if (end > begin) KeepBin(values, begin, end, rows);
    begin = end;
  }
  return rows;
}

}  // namespace davit
