#include "analysis/spectrum/even_samples.h"

#include <algorithm>
#include <cmath>

namespace davit {

EvenSamples MakeEvenSamples(std::span<const double> time, std::span<const std::vector<double>* const> columns,
                            double begin, double end) {
  constexpr double kSameTime = 1e-12;
  constexpr double kEven = 1e-6;
  EvenSamples samples;
  samples.columns.resize(columns.size());
  std::vector<std::size_t> points;  // the last of each instant
  for (std::size_t i = 0; i < time.size(); ++i) {
    if (time[i] < begin - kSameTime * std::abs(begin) || time[i] > end + kSameTime * std::abs(end)) continue;
    const bool is_same =
        !points.empty() && time[i] - time[points.back()] <= kSameTime * std::max(1.0, std::abs(time[i]));
    if (is_same) {
      points.back() = i;
    } else {
      points.push_back(i);
    }
  }
  samples.given = points.size();
  if (points.size() < 2) return samples;
  std::vector<double> steps;
  for (std::size_t k = 1; k < points.size(); ++k) steps.push_back(time[points[k]] - time[points[k - 1]]);
  const double first = time[points.front()], span = time[points.back()] - first;
  const double mean = span / static_cast<double>(steps.size());
  samples.begin = first;
  bool is_even = true;
  for (std::size_t k = 0; k < points.size(); ++k)
    is_even = is_even && std::abs(time[points[k]] - (first + static_cast<double>(k) * mean)) <= kEven * mean;
  if (is_even) {
    samples.dt = mean;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      for (const std::size_t i : points) samples.columns[c].push_back((*columns[c])[i]);
    }
    return samples;
  }
  samples.is_resampled = true;
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  // So that the last point is one of the new ones, too.
  const double count = std::max(1.0, std::round(span / *middle));
  samples.dt = span / count;
  std::size_t k = 0;
  for (std::size_t n = 0; n <= static_cast<std::size_t>(count); ++n) {
    const double t = std::min(first + static_cast<double>(n) * samples.dt, time[points.back()]);
    while (k + 2 < points.size() && time[points[k + 1]] < t) ++k;
    const double left = time[points[k]], right = time[points[k + 1]];
    const double share = (t - left) / (right - left);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::vector<double>& values = *columns[c];
      samples.columns[c].push_back((1 - share) * values[points[k]] + share * values[points[k + 1]]);
    }
  }
  return samples;
}

}  // namespace davit
