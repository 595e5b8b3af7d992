#include "analysis/spectrum/spectrum.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/spectrum/fourier_transform.h"

namespace davit {
namespace {

/// The transform of a stretch, weighted, without its mean.
std::vector<std::complex<double>> TransformStretch(std::span<const double> x,
                                                   const std::vector<double>& weights) {
  double mean = 0;
  for (const double value : x) mean += value;
  mean /= static_cast<double>(x.size());
  std::vector<double> weighted(x.size());
  for (std::size_t n = 0; n < x.size(); ++n) weighted[n] = (x[n] - mean) * weights[n];
  return FourierTransform(weighted);
}

/// Whether the line k of n points has a mirror image at a negative frequency.
bool IsMirrored(std::size_t k, std::size_t n) { return k > 0 && 2 * k != n; }

}  // namespace

std::vector<double> SpectrumFrequencies(std::size_t points, double dt) {
  std::vector<double> frequencies(points / 2 + 1);
  for (std::size_t k = 0; k < frequencies.size(); ++k)
    frequencies[k] = static_cast<double>(k) / (static_cast<double>(points) * dt);
  return frequencies;
}

std::vector<double> AmplitudeSpectrum(std::span<const double> x, SpectrumWindow window) {
  const std::vector<double> weights = WindowWeights(window, x.size());
  // The mean apart: the window would spread it over the first lines.
  double mean = 0;
  for (const double value : x) mean += value;
  mean /= static_cast<double>(x.size());
  const std::vector<std::complex<double>> X = TransformStretch(x, weights);
  const double scale = 1 / (static_cast<double>(x.size()) * CoherentGain(weights));
  std::vector<double> amplitudes(X.size());
  for (std::size_t k = 0; k < X.size(); ++k)
    amplitudes[k] = (IsMirrored(k, x.size()) ? 2 : 1) * scale * std::abs(X[k]);
  if (!amplitudes.empty()) amplitudes[0] = std::abs(mean);
  return amplitudes;
}

std::size_t WelchSegment(const WelchOptions& options, std::size_t points) {
  if (options.segment > 0) return options.segment;
  // 8 stretches that overlap by half take 4.5 times the length of one.
  std::size_t segment = 1;
  while (2 * segment <= points / 4) segment *= 2;
  return std::clamp<std::size_t>(segment, std::min<std::size_t>(points, 16), points);
}

std::vector<std::complex<double>> CrossSpectrum::Transfer() const {
  std::vector<std::complex<double>> transfer(of_u.size());
  for (std::size_t k = 0; k < transfer.size(); ++k) {
    transfer[k] = of_u[k] > 0 ? of_both[k] / of_u[k]
                              : std::complex<double>(std::numeric_limits<double>::quiet_NaN(), 0);
  }
  return transfer;
}

std::vector<double> CrossSpectrum::Coherence() const {
  std::vector<double> coherence(of_u.size());
  for (std::size_t k = 0; k < coherence.size(); ++k) {
    const double both = of_u[k] * of_y[k];
    coherence[k] = both > 0 ? std::norm(of_both[k]) / both : std::numeric_limits<double>::quiet_NaN();
  }
  return coherence;
}

CrossSpectrum EstimateSpectrum(std::span<const double> u, std::span<const double> y, double dt,
                               const WelchOptions& options) {
  const std::size_t n = WelchSegment(options, u.size());
  const auto advance = static_cast<std::size_t>(
      std::max(1.0, std::round(static_cast<double>(n) * (1 - std::clamp(options.overlap, 0.0, 0.95)))));
  const std::vector<double> weights = WindowWeights(options.window, n);
  double squares = 0;
  for (const double w : weights) squares += w * w;
  CrossSpectrum spectrum{.frequencies = SpectrumFrequencies(n, dt)};
  const std::size_t lines = spectrum.frequencies.size();
  spectrum.of_u.assign(lines, 0);
  spectrum.of_y.assign(lines, 0);
  spectrum.of_both.assign(lines, 0);
  for (std::size_t begin = 0; begin + n <= u.size(); begin += advance) {
    const auto U = TransformStretch(u.subspan(begin, n), weights);
    const auto Y = TransformStretch(y.subspan(begin, n), weights);
    for (std::size_t k = 0; k < lines; ++k) {
      spectrum.of_u[k] += std::norm(U[k]);
      spectrum.of_y[k] += std::norm(Y[k]);
      spectrum.of_both[k] += std::conj(U[k]) * Y[k];
    }
    ++spectrum.stretches;
  }
  for (std::size_t k = 0; k < lines; ++k) {
    const double scale =
        (IsMirrored(k, n) ? 2 : 1) * dt / (squares * static_cast<double>(spectrum.stretches));
    spectrum.of_u[k] *= scale;
    spectrum.of_y[k] *= scale;
    spectrum.of_both[k] *= scale;
  }
  return spectrum;
}

}  // namespace davit
