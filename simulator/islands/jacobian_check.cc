#include "simulator/islands/jacobian_check.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace davit {
namespace {

/// Of the sum of all terms of a row: more is not rounding or curvature.
constexpr double kTolerance = 0.1;

}  // namespace

std::optional<JacobianCheck::Fault> JacobianCheck::Look(const LinearizationPoint& point,
                                                        const JacobianPattern& pattern, const double* entries,
                                                        const Equations& equations, double& cost) {
  const std::size_t n = pattern.size();
  for (std::vector<double>* v : {&above_, &below_, &product_, &terms_}) v->assign(n, 0.0);
  shifted_.assign(point.y, point.y + n);
  for (std::size_t j = 0; j < n; ++j) {
    // Shares that nothing in a machine repeats.
    const double v =
        (1 + std::fmod(static_cast<double>(j + 1) * 0.6180339887498949, 1.0)) * point.increments[j];
    shifted_[j] = point.y[j] + v;
    std::size_t entry = pattern.Begin(j);
    for (const std::uint32_t i : pattern.Rows(j)) {
      const double term = entries[entry++] * (shifted_[j] - point.y[j]);
      product_[i] += term;
      terms_[i] += std::abs(term);
    }
  }
  equations(shifted_.data(), above_.data());
  for (std::size_t j = 0; j < n; ++j) shifted_[j] = point.y[j] - (shifted_[j] - point.y[j]);
  equations(shifted_.data(), below_.data());
  cost += 2;
  for (std::size_t i = 0; i < n; ++i) {
    const double difference = (above_[i] - below_[i]) / 2;
    const double rounding =
        1e3 * std::numeric_limits<double>::epsilon() * (std::abs(above_[i]) + std::abs(below_[i]));
    if (!std::isfinite(difference) || std::abs(difference - product_[i]) <= kTolerance * terms_[i] + rounding)
      continue;
    return FindOutside(point, pattern, equations, cost);
  }
  return {};
}

std::optional<JacobianCheck::Fault> JacobianCheck::FindOutside(const LinearizationPoint& point,
                                                               const JacobianPattern& pattern,
                                                               const Equations& equations, double& cost) {
  const std::size_t n = pattern.size();
  shifted_.assign(point.y, point.y + n);
  for (std::size_t j = 0; j < n; ++j) {
    shifted_[j] = point.y[j] + point.increments[j];
    equations(shifted_.data(), above_.data());
    shifted_[j] = point.y[j] - point.increments[j];
    equations(shifted_.data(), below_.data());
    shifted_[j] = point.y[j];
    cost += 2;
    const auto rows = pattern.Rows(j);
    for (std::uint32_t i = 0; i < n; ++i) {
      if (above_[i] != below_[i] && !std::ranges::binary_search(rows, i)) return Fault{i, j};
    }
  }
  return {};
}

}  // namespace davit
