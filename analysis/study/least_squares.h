#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace davit {

/// Residuals at points of the unit cube, all points at the same time. A point without residuals has failed.
using ResidualFunction =
    std::function<std::vector<std::vector<double>>(const std::vector<std::vector<double>>& points)>;

/// Unknowns that data do not determine alone: a change of all of them, each by its share, changes no
/// residual.
struct Ambiguity {
  std::vector<std::size_t> unknowns;  ///< one: it has no influence
};

/// What a fit has found.
struct LeastSquaresResult {
  bool is_converged = false;
  std::vector<double> u;  ///< in the unit cube
  double sum_of_squares = 0;
  std::size_t residuals = 0;
  std::vector<double> errors;       ///< standard errors of u; NaN where the data do not determine it
  std::vector<double> correlation;  ///< row after row; NaN there
  std::vector<Ambiguity> ambiguities;
};

/// Minimises the sum of squares by the method of Levenberg and Marquardt (Marquardt, Journal of SIAM 11,
/// 1963) with central differences, in the unit cube: an unknown that would leave it stays at its bound.
/// Standard errors are those of the linearised model, from the covariance s^2 (J^T J)^-1 with s^2 = sum of
/// squares / (residuals - unknowns). Unknowns cannot be told apart where a singular value of J, its columns
/// scaled to length 1, is below 1e-4 of the largest.
///
/// `most_rounds` limits the steps. Returns an empty `u` where the start has failed. Throws what `residuals`
/// throws.
LeastSquaresResult FitLeastSquares(const ResidualFunction& residuals, std::vector<double> start,
                                   int most_rounds);

}  // namespace davit
