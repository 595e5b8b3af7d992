#pragma once

#include <cmath>
#include <random>

namespace davit {

/// A peak of a spectrum of waves, without the factor that follows from the height:
/// w^-tail exp(-tail/4 (peak/w)^4) peakedness^exp(-(w/peak - 1)^2/(2 sigma^2)), sigma = 0.07 below the peak
/// and 0.09 above. A tail of 5 is Jonswap [Hasselmann 1973].
inline double WaveShape(double w, double peak, double peakedness, double tail) {
  const double sigma = w < peak ? 0.07 : 0.09;
  const double off = (w / peak - 1) / sigma;
  return std::pow(w, -tail) * std::exp(-tail / 4 * std::pow(peak / w, 4)) *
         std::pow(peakedness, std::exp(-off * off / 2));
}

/// From 0 to below 1; the same on every machine, unlike the distributions of the standard library.
inline double UniformNumber(std::mt19937_64& random) {
  return std::ldexp(static_cast<double>(random() >> 11U), -53);
}

}  // namespace davit
