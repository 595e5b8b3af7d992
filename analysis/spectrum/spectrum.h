#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "analysis/spectrum/window.h"

namespace davit {

/// Lines at k/(N dt), k = 0 .. N/2.
std::vector<double> SpectrumFrequencies(std::size_t points, double dt);

/// The amplitudes (peak values) of the sines that x consists of: 2 |X_k|/(N g) with the coherent gain g of
/// the window; at 0 the mean, at half the sampling rate |X|/(N g). A sine in the middle between two lines is
/// shown too small by the loss of the window: 3.92 dB rectangular, 1.42 Hann, 1.75 Hamming, 1.10 Blackman,
/// 0.01 flat top.
std::vector<double> AmplitudeSpectrum(std::span<const double> x, SpectrumWindow window);

/// How Welch's method cuts a signal into stretches.
struct WelchOptions {
  std::size_t segment = 0;  ///< points in each; 0: a signal of N points in about 8, overlapping by half
  double overlap = 0.5;     ///< share of a stretch that the next one has, too, in 0 .. 0.95
  SpectrumWindow window = SpectrumWindow::kHann;
};

/// The points of a stretch that WelchOptions mean for a signal of `points`.
std::size_t WelchSegment(const WelchOptions& options, std::size_t points);

/// Averages over the stretches of a signal, without the mean of each (P. D. Welch, The use of fast Fourier
/// transform for the estimation of power spectra, IEEE Trans. AU 15, 1967).
struct CrossSpectrum {
  std::vector<double> frequencies;
  std::vector<double> of_u = {},
                      of_y = {};  ///< one-sided densities [unit^2/Hz]; their integral is the variance
  std::vector<std::complex<double>> of_both = {};  ///< of conj(U) Y
  std::size_t stretches = 0;

  /// Y/U (the estimate H1 = S_uy/S_uu, which noise on y does not bias); NaN where u has nothing.
  std::vector<std::complex<double>> Transfer() const;
  /// |S_uy|^2/(S_uu S_yy): the share of y that is linear in u. 1 with a single stretch, whatever the signals.
  std::vector<double> Coherence() const;
};

/// Pre: u and y have as many points, at least 2; the segment is not longer.
CrossSpectrum EstimateSpectrum(std::span<const double> u, std::span<const double> y, double dt,
                               const WelchOptions& options);

}  // namespace davit
