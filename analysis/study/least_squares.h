#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
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

/// How residuals r count: the sum of s^2 rho(z), z = (r/s)^2, with the scale s is smallest, as in
/// scipy.optimize.least_squares.
enum class Loss : std::uint8_t {
  kLinear,  ///< rho = z: the sum of squares
  kSoftL1,  ///< rho = 2 (sqrt(1 + z) - 1)
  kHuber,   ///< rho = z up to 1, from there on 2 sqrt(z) - 1
  kCauchy,  ///< rho = ln(1 + z)
  kArctan,  ///< rho = atan(z)
};

/// Their names in options and study files, in this order.
inline constexpr std::array<std::string_view, 5> kLosses{"linear", "soft_l1", "huber", "cauchy", "arctan"};

/// How a fit is searched.
struct LeastSquaresOptions {
  int most_rounds = 50;  ///< steps
  Loss loss = Loss::kLinear;
  /// The residual from which on the loss damps it; nothing: twice the median of the absolute residuals after
  /// each step, which is 1.35 standard deviations of normal errors.
  std::optional<double> scale = {};
};

/// What a fit has found.
struct LeastSquaresResult {
  bool is_converged = false;
  std::vector<double> u;  ///< in the unit cube
  double sum_of_squares = 0;
  double scale = 0;  ///< of the loss
  std::size_t residuals = 0;
  std::vector<double> errors;       ///< standard errors of u; NaN where the data do not determine it
  std::vector<double> correlation;  ///< row after row; NaN there
  std::vector<Ambiguity> ambiguities;

  /// Root mean square of the residuals.
  double rms() const { return std::sqrt(sum_of_squares / static_cast<double>(residuals)); }
};

/// Minimises the sum of squares, or of another loss, by the method of Levenberg and Marquardt (Marquardt,
/// Journal of SIAM 11, 1963) with central differences, in the unit cube: an unknown that would leave it stays
/// at its bound. Standard errors are those of the linearised model, from the covariance v (J^T J)^-1: of the
/// sum of squares v is that sum / (residuals - unknowns), of another loss, with psi = r rho', it is sum of
/// psi^2 / (residuals
/// - unknowns) / (mean of dpsi/dr)^2 (P. J. Huber, Robust Statistics, 1981, equation 7.6.5). Unknowns cannot
/// be told apart where a singular value of J, its columns scaled to length 1, is below 1e-4 of the largest.
///
/// Returns an empty `u` where the start has failed. Throws what `residuals`
/// throws.
LeastSquaresResult FitLeastSquares(const ResidualFunction& residuals, std::vector<double> start,
                                   const LeastSquaresOptions& options);

}  // namespace davit
