#include "analysis/spectrum/window.h"

#include <cmath>
#include <numbers>

namespace davit {
namespace {

/// w = a_0 - a_1 cos(x) + a_2 cos(2 x) - ...
std::array<double, 5> Coefficients(SpectrumWindow window) {
  switch (window) {
    case SpectrumWindow::kHann: return {0.5, 0.5};
    case SpectrumWindow::kHamming: return {0.54, 0.46};
    case SpectrumWindow::kBlackman: return {0.42, 0.5, 0.08};
    case SpectrumWindow::kFlatTop: return {0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368};
    default: return {1};
  }
}

}  // namespace

std::vector<double> WindowWeights(SpectrumWindow window, std::size_t size) {
  const std::array<double, 5> a = Coefficients(window);
  std::vector<double> weights(size);
  for (std::size_t n = 0; n < size; ++n) {
    const double x = 2 * std::numbers::pi * static_cast<double>(n) / static_cast<double>(size);
    double sign = 1;
    for (std::size_t k = 0; k < a.size(); ++k, sign = -sign)
      weights[n] += sign * a[k] * std::cos(static_cast<double>(k) * x);
  }
  return weights;
}

double CoherentGain(const std::vector<double>& weights) {
  double sum = 0;
  for (const double w : weights) sum += w;
  return sum / static_cast<double>(weights.size());
}

double NoiseBandwidth(const std::vector<double>& weights) {
  double squares = 0;
  for (const double w : weights) squares += w * w;
  const double gain = CoherentGain(weights);
  return squares / static_cast<double>(weights.size()) / (gain * gain);
}

}  // namespace davit
