#pragma once

#include <cmath>
#include <complex>

namespace davit::building_blocks {

/// The s that the bilinear transform puts in place of j w:  j 2/h tan(w h/2).
inline std::complex<double> Prewarped(double w, double h) { return {0, 2 / h * std::tan(0.5 * w * h)}; }

/// The answer of a linear block of step h to exp(j w t), relative to it, after `steps` steps; two copies of
/// the block carry the real and the imaginary part. `update(block, u)` gives the output at t_n, n = 1, 2, ...
template <class Block, class UpdateOf>
std::complex<double> FrequencyResponse(const Block& block, const UpdateOf& update, double w, double h,
                                       int steps) {
  Block real = block;
  Block imaginary = block;
  std::complex<double> response;
  for (int n = 1; n <= steps; ++n) {
    const std::complex<double> u = std::polar(1.0, w * h * n);
    response = std::complex<double>(update(real, u.real()), update(imaginary, u.imag())) / u;
  }
  return response;
}

}  // namespace davit::building_blocks
