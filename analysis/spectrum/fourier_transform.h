#pragma once

#include <complex>
#include <span>
#include <vector>

namespace davit {

/// X_k = sum_n x_n exp(-2 pi i k n/N), k = 0 .. N - 1, of any length N in O(N log N): by KissFFT (in Eigen)
/// where the factors of N are small, else as a convolution of a length that is a power of 2 (L. I. Bluestein,
/// A linear filtering approach to the computation of discrete Fourier transform, IEEE Trans. AU 18, 1970).
std::vector<std::complex<double>> FourierTransform(std::span<const std::complex<double>> x);

/// Of real numbers: k = 0 .. N/2.
std::vector<std::complex<double>> FourierTransform(std::span<const double> x);

}  // namespace davit
