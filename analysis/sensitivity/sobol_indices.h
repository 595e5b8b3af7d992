#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace davit {

/// Shares of the variance of a value.
struct SobolIndices {
  std::vector<double> first;                     ///< by input: that which it makes alone
  std::vector<double> total;                     ///< the same and that of all its interactions
  std::vector<double> first_error, total_error;  ///< standard errors, from the blocks of the samples
  double mean = 0, variance = 0;
  std::size_t used = 0;  ///< samples all of whose values are finite
};

/// The points of the design of A. Saltelli: two independent samples A and B of `samples` points, and for each
/// input A with the coordinate of B, in the unit cube; (inputs + 2) points after each other for each sample,
/// A, B, AB_1 ... . The coordinates come from one Sobol sequence of 2 `inputs` coordinates.
std::vector<std::vector<double>> SobolDesign(std::size_t samples, std::size_t inputs, std::uint64_t seed);

/// The indices from the values at those points:
///
///     S_i = mean(f(B) (f(AB_i) - f(A))) / V     (A. Saltelli et al., Computer Physics Communications 181,
///     2010) T_i = mean((f(A) - f(AB_i))^2) / (2 V)    (M. J. W. Jansen, Computer Physics Communications 117,
///     1999)
///
/// with f less its mean, which makes S_i less noisy. Samples with a value that is not finite are left out.
/// Without variance all are NaN.
SobolIndices ComputeSobolIndices(std::span<const double> values, std::size_t inputs);

}  // namespace davit
