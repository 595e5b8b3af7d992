#pragma once

#include <Eigen/Core>
#include <complex>
#include <cstddef>

#include "analysis/linear/linear_model.h"

namespace davit {

/// A linear model made ready to be asked for its gain at many frequencies.
///
/// Without delays A is balanced and brought to upper Hessenberg form once, so that a gain costs O(n^2) (A. J.
/// Laub, Efficient multivariable frequency response computations, IEEE Trans. AC 26, 1981), and memory O(n)
/// (G. Henry, The shifted Hessenberg system solve computation, Cornell 1994). With delays a gain is that of
/// TransferAt, O(n^3).
class ReducedModel {
 public:
  explicit ReducedModel(LinearModel model);

  const LinearModel& model() const { return model_; }
  /// The gain of one pair, as TransferAt has it. Not finite at a pole.
  std::complex<double> GainAt(std::size_t input, std::size_t output, std::complex<double> s) const;
  /// How far rounding may have moved that gain: it is 0, for all that is known, where it is not larger. Costs
  /// as much as two gains.
  double RoundingAt(std::size_t input, std::size_t output, std::complex<double> s) const;

 private:
  LinearModel model_;
  Eigen::MatrixXd H_;       ///< Q^T A Q
  Eigen::MatrixXd H_left_;  ///< H transposed, and rows and columns in the reverse order: Hessenberg again
  Eigen::MatrixXd B_, C_;   ///< Q^T B and C Q
  double size_of_H_ = 0;    ///< Frobenius norm
};

}  // namespace davit
