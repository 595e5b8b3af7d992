#pragma once

#include <Eigen/Core>
#include <complex>
#include <limits>
#include <vector>

namespace davit {

/// Sums of harmonic terms over time, s_j = Re(sum_i A_ij exp(i w_i t)), with their first two derivatives.
///
/// In an interval with |w_i (t - t0)| <= 1 about its middle t0 the sums are polynomials of Taylor, whose
/// remainder is below the rounding of the terms (1/19! in the second derivative). So a value costs the same
/// for any number of terms; they are summed once in each interval. The intervals are a fixed grid: a value
/// depends on t alone, whichever was asked for before.
class HarmonicSum {
 public:
  HarmonicSum() = default;
  /// Frequencies w_i [rad/s] of the terms; all amplitudes are 0. Only this takes memory from the heap.
  HarmonicSum(const std::vector<double>& frequencies, std::size_t sums);

  /// `amplitude` is A of this term and sum.
  void SetAmplitude(std::size_t term, std::size_t sum, std::complex<double> amplitude);
  /// All sums at t, below.
  void Evaluate(double t);
  double value(std::size_t sum) const { return value_[static_cast<Eigen::Index>(sum)]; }
  double rate(std::size_t sum) const { return rate_[static_cast<Eigen::Index>(sum)]; }
  double acceleration(std::size_t sum) const { return acceleration_[static_cast<Eigen::Index>(sum)]; }

 private:
  static constexpr Eigen::Index kDegree = 20;
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  void SumTerms(double middle);

  Eigen::VectorXd frequencies_;
  double interval_ = 1;                             ///< [s]
  Eigen::MatrixXd real_, imaginary_;                ///< of A, a row for each sum
  Eigen::MatrixXd real_powers_, imaginary_powers_;  ///< (i w)^m/m! exp(i w t0), a row for each term
  Eigen::MatrixXd coefficients_;                    ///< of (t - t0)^m, a row for each sum
  double cell_ = kNone;                             ///< number of the interval that has been summed
  double t_ = kNone;
  Eigen::ArrayXd value_, rate_, acceleration_;
};

}  // namespace davit
