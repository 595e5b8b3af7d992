#include "analysis/sensitivity/elementary_effects.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "analysis/study/portable_random.h"

namespace davit {

std::vector<std::vector<double>> MorrisDesign(std::size_t trajectories, std::size_t inputs,
                                              std::uint64_t seed) {
  // In thirds: each of the four levels has one other that is two levels away.
  constexpr std::uint64_t kLevels = 4;
  constexpr int kStep = 2;
  PortableRandom random(seed);
  std::vector<std::vector<double>> points;
  points.reserve(trajectories * (inputs + 1));
  std::vector<int> levels(inputs);
  std::vector<std::size_t> order(inputs);
  const auto add_point = [&] {
    std::vector<double>& point = points.emplace_back();
    for (const int level : levels) point.push_back(static_cast<double>(level) / (kLevels - 1));
  };
  for (std::size_t t = 0; t < trajectories; ++t) {
    for (int& level : levels) level = static_cast<int>(random.Below(kLevels));
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = inputs; i > 1; --i) std::swap(order[i - 1], order[random.Below(i)]);
    add_point();
    for (const std::size_t i : order) {
      levels[i] += levels[i] < kStep ? kStep : -kStep;
      add_point();
    }
  }
  return points;
}

ElementaryEffects ComputeElementaryEffects(std::span<const std::vector<double>> points,
                                           std::span<const double> values) {
  ElementaryEffects effects;
  if (points.empty()) return effects;
  const std::size_t inputs = points.front().size();
  std::vector<std::vector<double>> all(inputs);
  for (std::size_t begin = 0; begin + inputs < points.size(); begin += inputs + 1) {
    const auto of_trajectory = values.subspan(begin, inputs + 1);
    if (!std::ranges::all_of(of_trajectory, [](double x) { return std::isfinite(x); })) continue;
    ++effects.used;
    for (std::size_t k = 1; k <= inputs; ++k) {
      const std::vector<double>&before = points[begin + k - 1], &after = points[begin + k];
      const auto changed = std::ranges::mismatch(before, after).in1 - before.begin();
      const auto i = static_cast<std::size_t>(changed);
      all[i].push_back((of_trajectory[k] - of_trajectory[k - 1]) / (after[i] - before[i]));
    }
  }
  const auto n = static_cast<double>(effects.used);
  const auto mean_of = [&](const std::vector<double>& list) {
    return std::accumulate(list.begin(), list.end(), 0.0) / n;
  };
  const auto deviation_of = [&](const std::vector<double>& list, double mean) {
    double squares = 0;
    for (const double x : list) squares += (x - mean) * (x - mean);
    return n > 1 ? std::sqrt(squares / (n - 1)) : std::numeric_limits<double>::quiet_NaN();
  };
  for (std::vector<double>& list : all) {
    effects.mu.push_back(mean_of(list));
    effects.sigma.push_back(deviation_of(list, effects.mu.back()));
    for (double& x : list) x = std::abs(x);
    effects.mu_star.push_back(mean_of(list));
    effects.mu_star_error.push_back(deviation_of(list, effects.mu_star.back()) / std::sqrt(n));
  }
  return effects;
}

}  // namespace davit
