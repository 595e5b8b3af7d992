#pragma once

#include <Eigen/Core>

namespace davit {

/// exp(M) by scaling and squaring with the Pade approximant of degree 6 (C. Moler, C. Van Loan, Nineteen
/// dubious ways to compute the exponential of a matrix, SIAM Review 45, 2003, method 3): to about 1e-15 of
/// the norm, where the entries of M are of one size.
Eigen::MatrixXd MatrixExponential(const Eigen::MatrixXd& M);

}  // namespace davit
