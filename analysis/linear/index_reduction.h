#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <string>
#include <vector>

namespace davit {

/// Which combinations of the unknowns xi of  E xi' = K xi  have a memory.
struct DifferentialPart {
  Eigen::MatrixXd T;                 ///< r x N: the states are T xi; its row echelon form, E = H T
  Eigen::MatrixXd H;                 ///< N x r, of full rank
  std::vector<Eigen::Index> pivots;  ///< by state: the unknown that it begins with
};

/// Splits E, of rank r, as H T with T in reduced row echelon form, so that a state is an unknown itself where
/// that is possible, and else a difference such as the voltage of a capacitor. `scale`: typical sizes of the
/// unknowns. Earlier unknowns become pivots first where both are as good.
DifferentialPart FindDifferentialPart(const Eigen::MatrixXd& E, const Eigen::VectorXd& scale);

/// The name of a state: `u1`, or `u1 - u2`, or `u1 - 0.5*u2`.
std::string NameCombination(const Eigen::VectorXd& row, const std::vector<std::string>& names);

}  // namespace davit
