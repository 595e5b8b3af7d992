#include "components/marine/laws/wave_spectrum.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "components/signal/wave_shape.h"

namespace davit {
namespace {

/// Simpson's rule; `function` is smooth between its kinks, which a fine step leaves without weight.
template <class Function>
double Integral(double low, double high, Function&& function) {
  constexpr int kParts = 4000;  // even
  const double step = (high - low) / kParts;
  double sum = function(low) + function(high);
  for (int i = 1; i < kParts; ++i) sum += (i % 2 == 1 ? 4 : 2) * function(low + i * step);
  return sum * step / 3;
}

constexpr double kLow = 0.4;   // of a peak frequency: exp(-1/0.4^4) is 1e-17
constexpr double kHigh = 6.0;  // 1e-3 of the energy is above for a tail of -5, 5e-3 for one of -4
constexpr double kJonswapTail = 5, kTorsethaugenTail = 4;

/// gamma of a wind sea of this height and period [Torsethaugen 2004].
double WindPeakedness(double height, double period) {
  return 35 * std::pow(2 * std::numbers::pi * height / (9.81 * period * period), 6.0 / 7);
}

}  // namespace

WaveSpectrum::WaveSpectrum(const Given& given) : points_(given.points) {
  switch (given.kind) {
    case SpectrumKind::kTable: break;
    case SpectrumKind::kPiersonMoskowitz:
      peaks_.push_back(MakePeak(given.height, given.peak_period, 1, kJonswapTail));
      break;
    case SpectrumKind::kJonswap:
      peaks_.push_back(MakePeak(given.height, given.peak_period, given.peakedness, kJonswapTail));
      break;
    case SpectrumKind::kTorsethaugen: AddWindSeaAndSwell(given.height, given.peak_period); break;
  }
  std::erase_if(peaks_, [](const Peak& peak) { return !(peak.scale > 0); });
  if (!points_.empty()) {
    lowest_ = points_.front().frequency;
    highest_ = points_.back().frequency;
  } else if (!peaks_.empty()) {
    const auto [first, last] = std::ranges::minmax_element(peaks_, {}, &Peak::w);
    lowest_ = kLow * first->w;
    highest_ = kHigh * last->w;
  }
}

WaveSpectrum::Peak WaveSpectrum::MakePeak(double height, double period, double peakedness, double tail) {
  if (!(height > 0)) return {};
  const double w = 2 * std::numbers::pi / period;
  const double energy =
      Integral(kLow * w, kHigh * w, [&](double at) { return WaveShape(at, w, peakedness, tail); });
  return {w, peakedness, tail, height * height / 16 / energy};
}

void WaveSpectrum::AddWindSeaAndSwell(double height, double period) {
  const double developed = 6.6 * std::cbrt(height);  // period of a fully developed wind sea [s]
  if (period <= developed) {
    const double e = (developed - period) / (developed - 2 * std::sqrt(height));
    const double share = 0.7 + 0.3 * std::exp(-std::pow(e / 0.5, 2));
    const double wind = share * height, swell = std::sqrt(1 - share * share) * height;
    peaks_.push_back(MakePeak(wind, period, std::max(1.0, WindPeakedness(wind, period)), kTorsethaugenTail));
    peaks_.push_back(MakePeak(swell, developed + 2, 1, kTorsethaugenTail));
  } else {
    const double e = (period - developed) / (25 - developed);
    const double share = 0.6 + 0.4 * std::exp(-std::pow(e / 0.3, 2));
    const double wind = std::sqrt(1 - share * share) * height;
    const double peakedness = std::max(1.0, WindPeakedness(height, developed) * (1 + 6 * e));
    peaks_.push_back(MakePeak(share * height, period, peakedness, kTorsethaugenTail));
    peaks_.push_back(MakePeak(wind, 6.6 * std::cbrt(wind), 1, kTorsethaugenTail));
  }
}

double WaveSpectrum::Density(double w) const {
  double sum = 0;
  for (const Peak& peak : peaks_) sum += peak.scale * WaveShape(w, peak.w, peak.peakedness, peak.tail);
  if (points_.empty() || w < lowest_ || w > highest_) return sum;
  const auto after = std::ranges::upper_bound(points_, w, {}, &SpectrumPoint::frequency);
  if (after == points_.end()) return points_.back().density;
  const SpectrumPoint &a = *(after - 1), &b = *after;
  return a.density + (b.density - a.density) * (w - a.frequency) / (b.frequency - a.frequency);
}

double WaveSpectrum::Moment(int n) const {
  if (!(highest_ > lowest_)) return 0;
  return Integral(lowest_, highest_, [&](double w) { return std::pow(w, n) * Density(w); });
}

}  // namespace davit
