#include "analysis/linear/extrapolated_difference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace davit {
namespace {

constexpr std::size_t kLevels = 9;  // of steps: the smallest is 1.5e-5 of the first
constexpr double kShrink = 4;
/// Slopes to both sides that differ by more than this share of the larger one at the smallest step, and by
/// about the same at one that is 16 times as long, belong to a kink: with a smooth law the difference shrinks
/// with the step.
constexpr double kKink = 1e-3;

}  // namespace

DirectionalDerivative Differentiate(double at, double step,
                                    const std::function<Eigen::VectorXd(double x)>& values) {
  const Eigen::VectorXd base = values(at);
  const Eigen::Index n = base.size();
  std::array<Eigen::VectorXd, kLevels> above, below;
  std::array<double, kLevels> up{}, down{};
  double h = step;
  for (std::size_t k = 0; k < kLevels; ++k, h /= kShrink) {
    const double high = at + h, low = at - h;
    up[k] = high - at;
    down[k] = at - low;
    above[k] = values(high);
    below[k] = values(low);
  }
  DirectionalDerivative result{.slope = Eigen::VectorXd(n),
                               .error = Eigen::VectorXd::Constant(n, std::numeric_limits<double>::infinity()),
                               .has_kink = Eigen::Array<bool, Eigen::Dynamic, 1>::Constant(n, false)};
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  for (Eigen::Index i = 0; i < n; ++i) {
    result.slope[i] = std::numeric_limits<double>::quiet_NaN();
    std::array<std::array<double, kLevels>, kLevels> tableau{};
    for (std::size_t k = 0; k < kLevels; ++k) {
      const double span = up[k] + down[k];
      const double size = std::max({std::abs(above[k][i]), std::abs(below[k][i]), std::abs(base[i])});
      const double rounding = 2 * kEpsilon * size / span;
      tableau[k][0] = (above[k][i] - below[k][i]) / span;
      double weight = kShrink * kShrink;
      for (std::size_t j = 1; j <= k; ++j, weight *= kShrink * kShrink) {
        const double finer = tableau[k][j - 1], coarser = tableau[k - 1][j - 1];
        tableau[k][j] = (weight * finer - coarser) / (weight - 1);
        const double error =
            std::max(std::abs(tableau[k][j] - finer), std::abs(tableau[k][j] - coarser)) + rounding;
        if (error < result.error[i]) {
          result.error[i] = error;
          result.slope[i] = tableau[k][j];
        }
      }
    }
    // Of both sides apart.
    const auto side = [&](std::size_t k) {
      return std::pair{(above[k][i] - base[i]) / up[k], (base[i] - below[k][i]) / down[k]};
    };
    const std::size_t last = kLevels - 1;
    const auto [right, left] = side(last);
    const auto [right_before, left_before] = side(last - 2);
    const double larger = std::max(std::abs(right), std::abs(left));
    const double jump = std::abs(right - left), jump_before = std::abs(right_before - left_before);
    const double noise = 16 * kEpsilon * std::abs(base[i]) / up[last];
    result.has_kink[i] = jump > kKink * larger + noise && jump > jump_before / 2;
  }
  return result;
}

}  // namespace davit
