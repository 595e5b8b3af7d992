#include "simulator/energy/power_quadrature.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace davit {
namespace {

/// On -1 .. 1: the ends, +-1/sqrt(5), and of the extension 0 and +-sqrt(2/3).
const std::array<double, 7> kPlaces{
    -1, -std::sqrt(2.0 / 3), -std::sqrt(0.2), 0, std::sqrt(0.2), std::sqrt(2.0 / 3), 1};
constexpr std::array<double, 7> kLobatto{1.0 / 12, 0, 5.0 / 12, 0, 5.0 / 12, 0, 1.0 / 12};
constexpr std::array<double, 7> kExtension{11.0 / 420,  36.0 / 245, 125.0 / 588, 8.0 / 35,
                                           125.0 / 588, 36.0 / 245, 11.0 / 420};

double PowerAt(const PowerQuadrature::Powers& powers, std::size_t k) {
  return k < powers.size() ? powers[k] : 0;
}

}  // namespace

PowerQuadrature::Stretch PowerQuadrature::Measure(double begin, double end, Powers first, Powers last,
                                                  const Look& look) {
  Stretch stretch{.begin = begin, .end = end};
  stretch.at[0] = std::move(first);
  stretch.at[6] = std::move(last);
  for (const std::size_t i : {2U, 4U}) stretch.at[i] = look(begin + (end - begin) * (1 + kPlaces[i]) / 2);
  return stretch;
}

double PowerQuadrature::ToleranceOf(const Stretch& whole, const Scale& scale) {
  const double h = whole.end - whole.begin;
  double most = scale.size;
  std::size_t count = 0;
  for (const Powers& powers : whole.at) count = std::max(count, powers.size());
  for (std::size_t k = 0; k < count; ++k) {
    double size = 0;
    for (const std::size_t i : {0U, 2U, 4U, 6U}) size += h * kLobatto[i] * std::abs(PowerAt(whole.at[i], k));
    most = std::max(most, size);
  }
  return std::max(kTolerance * most, scale.least);
}

void PowerQuadrature::Estimate(Stretch& stretch, double tolerance, const Look& look) {
  const double h = stretch.end - stretch.begin;
  std::size_t count = 0;
  for (const Powers& powers : stretch.at) count = std::max(count, powers.size());
  double crude = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const auto at = [&](std::size_t i) { return PowerAt(stretch.at[i], k); };
    const double even = at(0) + at(6) - at(2) - at(4), odd = at(6) - at(0) - (at(4) - at(2)) * std::sqrt(5.0);
    crude = std::max(crude, h * 5 / 12 * (std::abs(even) + std::abs(odd)));
  }
  if (crude <= tolerance) return;
  stretch.is_extended = true;
  for (const std::size_t i : {1U, 3U, 5U}) stretch.at[i] = look(stretch.begin + h * (1 + kPlaces[i]) / 2);
  for (const Powers& powers : stretch.at) count = std::max(count, powers.size());
  stretch.errors.resize(count);
  for (std::size_t k = 0; k < count; ++k) {
    double difference = 0;
    for (std::size_t i = 0; i < kNodes; ++i)
      difference += (kExtension[i] - kLobatto[i]) * PowerAt(stretch.at[i], k);
    stretch.errors[k] = h * std::abs(difference);
    stretch.largest = std::max(stretch.largest, stretch.errors[k]);
  }
}

void PowerQuadrature::Integrate(double begin, double end, const Ends& ends, const Scale& scale,
                                const Look& look, const Add& add) {
  std::vector<Stretch> stretches{Measure(begin, end, ends.first, ends.last, look)};
  const double tolerance = ToleranceOf(stretches.front(), scale);
  Estimate(stretches.front(), tolerance, look);
  const auto is_good = [&] {
    std::vector<double> sums;
    for (const Stretch& stretch : stretches) {
      sums.resize(std::max(sums.size(), stretch.errors.size()));
      for (std::size_t k = 0; k < stretch.errors.size(); ++k) sums[k] += stretch.errors[k];
    }
    return std::ranges::all_of(sums, [&](double sum) { return sum <= tolerance; });
  };
  const double finest =
      64 * std::numeric_limits<double>::epsilon() * std::max(std::abs(begin), std::abs(end));
  for (std::size_t halving = 0; halving < kMostHalvings && !is_good(); ++halving) {
    const auto worst = std::ranges::max_element(stretches, {}, &Stretch::largest);
    if (worst->end - worst->begin < finest) break;
    const double middle = worst->begin + (worst->end - worst->begin) / 2;
    Stretch left = Measure(worst->begin, middle, worst->at[0], worst->at[3], look);
    Stretch right = Measure(middle, worst->end, worst->at[3], worst->at[6], look);
    Estimate(left, tolerance, look);
    Estimate(right, tolerance, look);
    *worst = std::move(left);
    stretches.push_back(std::move(right));
  }
  for (const Stretch& stretch : stretches) {
    const auto& weights = stretch.is_extended ? kExtension : kLobatto;
    for (std::size_t i = 0; i < kNodes; ++i) {
      if (weights[i] > 0) add(stretch.at[i], weights[i] * (stretch.end - stretch.begin));
    }
  }
}

}  // namespace davit
