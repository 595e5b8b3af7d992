#include "analysis/spectrum/fourier_transform.h"

#include <cstdint>
#include <numbers>
#include <unsupported/Eigen/FFT>

namespace davit {
namespace {

using ComplexNumbers = std::vector<std::complex<double>>;

std::size_t LargestFactor(std::size_t n) {
  std::size_t largest = 1;
  for (std::size_t p = 2; p * p <= n; ++p) {
    while (n % p == 0) {
      largest = p;
      n /= p;
    }
  }
  return n > 1 ? n : largest;
}

ComplexNumbers Forward(const ComplexNumbers& x) {
  Eigen::FFT<double> fft;
  ComplexNumbers X;
  fft.fwd(X, x);
  return X;
}

ComplexNumbers Bluestein(std::span<const std::complex<double>> x) {
  const std::size_t n = x.size();
  std::size_t m = 1;
  while (m < 2 * n - 1) m *= 2;
  // exp(-pi i k^2/n); k^2 modulo 2 n, so that the angle keeps its digits.
  ComplexNumbers chirp(n);
  for (std::size_t k = 0; k < n; ++k) {
    const auto square = static_cast<std::uint64_t>(k) * k % (2 * n);
    chirp[k] = std::polar(1.0, -std::numbers::pi * static_cast<double>(square) / static_cast<double>(n));
  }
  ComplexNumbers a(m), b(m);
  for (std::size_t k = 0; k < n; ++k) {
    a[k] = x[k] * chirp[k];
    b[k] = std::conj(chirp[k]);
    if (k > 0) b[m - k] = b[k];
  }
  ComplexNumbers A = Forward(a);
  const ComplexNumbers B = Forward(b);
  for (std::size_t k = 0; k < m; ++k) A[k] *= B[k];
  Eigen::FFT<double> fft;
  ComplexNumbers product;
  fft.inv(product, A);
  product.resize(n);
  for (std::size_t k = 0; k < n; ++k) product[k] *= chirp[k];
  return product;
}

}  // namespace

std::vector<std::complex<double>> FourierTransform(std::span<const std::complex<double>> x) {
  constexpr std::size_t kLargestDirect = 31;
  if (x.size() < 2) return {x.begin(), x.end()};
  if (LargestFactor(x.size()) > kLargestDirect) return Bluestein(x);
  return Forward({x.begin(), x.end()});
}

std::vector<std::complex<double>> FourierTransform(std::span<const double> x) {
  const ComplexNumbers whole(x.begin(), x.end());
  ComplexNumbers X = FourierTransform(std::span<const std::complex<double>>(whole));
  X.resize(x.empty() ? 0 : x.size() / 2 + 1);
  return X;
}

}  // namespace davit
