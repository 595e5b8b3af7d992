#include "analysis/linear/matrix_exponential.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace davit {

Eigen::MatrixXd MatrixExponential(const Eigen::MatrixXd& M) {
  constexpr int kDegree = 6;
  constexpr double kLargestNorm = 0.5;
  const double norm = M.size() == 0 ? 0 : M.cwiseAbs().rowwise().sum().maxCoeff();
  const int squarings =
      std::max(0, static_cast<int>(std::ceil(std::log2(std::max(norm, 1e-300) / kLargestNorm))));
  const Eigen::MatrixXd small = M * std::exp2(-squarings);
  const Eigen::Index n = M.rows();
  Eigen::MatrixXd power = Eigen::MatrixXd::Identity(n, n), above = power, below = power;
  double c = 1;
  for (int k = 1; k <= kDegree; ++k) {
    c *= (kDegree - k + 1.0) / (k * (2.0 * kDegree - k + 1));
    power = (power * small).eval();
    above += c * power;
    below += (k % 2 == 0 ? c : -c) * power;
  }
  Eigen::MatrixXd result = Eigen::FullPivLU<Eigen::MatrixXd>(below).solve(above);
  for (int i = 0; i < squarings; ++i) result = (result * result).eval();
  return result;
}

}  // namespace davit
