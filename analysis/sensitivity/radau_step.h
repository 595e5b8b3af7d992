#pragma once

#include <Eigen/Core>
#include <array>

namespace davit {

/// One step of the Radau IIA method with three stages (order 5, stiffly accurate: E. Hairer, G. Wanner,
/// Solving Ordinary Differential Equations II, 1996, section IV.5) for linear equations of index 0 or 1:
///
///     M(t) S' + K(t) S + P(t) = 0
///
/// S has a column for each right-hand side.
class RadauStep {
 public:
  /// Where in the step the stages are, as shares of it; the last one is its end.
  static const std::array<double, 3>& Nodes();

  /// The matrices at one stage.
  struct Stage {
    Eigen::MatrixXd M, K;  ///< n x n
    Eigen::MatrixXd P;     ///< n x columns
  };

  /// `scale`: typical sizes of the n unknowns, > 0, for the pivots. `S` becomes that of the end of the step,
  /// of length `h` > 0, and `slope` S' there. Values that are not finite mean a singular matrix.
  static void Advance(const std::array<Stage, 3>& stages, double h, const Eigen::VectorXd& scale,
                      Eigen::MatrixXd& S, Eigen::MatrixXd& slope);
};

}  // namespace davit
