#pragma once

#include <Eigen/Core>
#include <complex>
#include <cstddef>
#include <vector>

namespace davit {

/// A motion e^(lambda t) of x' = A x; a conjugate pair is one mode.
struct LinearMode {
  std::complex<double> eigenvalue;  ///< [1/s], imaginary part not negative
  /// |lambda|/(2 pi) [Hz]: the natural frequency; of a real one the corner.
  double frequency() const;
  /// -Re(lambda)/|lambda|; 1 for a real one that decays, NaN for 0.
  double damping() const;
  /// -1/Re(lambda) [s]; negative for one that grows, infinite for one that keeps.
  double time_constant() const;

  struct Share {
    std::size_t state;
    double participation;  ///< |v_k w_k| of right and left eigenvector, as a share of their sum
  };
  std::vector<Share> states = {};  ///< largest first
};

/// By natural frequency, ascending. The matrix is balanced first (B. N. Parlett, C. Reinsch, Balancing a
/// matrix for calculation of eigenvalues and eigenvectors, Numer. Math. 13, 1969), so that units do not
/// matter. Eigenvalues that are rounding beside the others are 0. Participation: I. J. Perez-Arriaga, G. C.
/// Verghese, F. C. Schweppe, Selective modal analysis, IEEE Trans. PAS 101, 1982; where eigenvectors are not
/// a basis, of the right ones only.
std::vector<LinearMode> ComputeModes(const Eigen::MatrixXd& A);

/// The eigenvalues, both of each pair, in the order of the modes.
std::vector<std::complex<double>> EigenvaluesOf(const std::vector<LinearMode>& modes);

/// Powers of 2 by which states are divided so that rows and columns of A are of one size.
Eigen::VectorXd BalanceFactors(const Eigen::MatrixXd& A);

/// The finite zeros of C (s I - A)^-1 B + D for one input and one output: where the gain is 0
/// (A. Emami-Naeini, P. Van Dooren, Computation of zeros of linear multivariable systems, Automatica 18,
/// 1982). Modes that the input does not reach or the output does not show are no zeros: what is an eigenvalue
/// of A, too, is left out; `poles` are these. Sorted by size; empty where the gain is 0 everywhere.
std::vector<std::complex<double>> ComputeZeros(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                                               const Eigen::RowVectorXd& c, double d,
                                               const std::vector<std::complex<double>>& poles);

}  // namespace davit
