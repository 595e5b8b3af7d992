#include "analysis/sensitivity/radau_step.h"

#include <Eigen/LU>
#include <cmath>

namespace davit {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

const double kRoot6 = std::sqrt(6.0);

}  // namespace

const std::array<double, 3>& RadauStep::Nodes() {
  static const std::array<double, 3> kNodes{(4 - kRoot6) / 10, (4 + kRoot6) / 10, 1};
  return kNodes;
}

void RadauStep::Advance(const std::array<Stage, 3>& stages, double h, const VectorXd& scale, MatrixXd& S,
                        MatrixXd& slope) {
  const double r = kRoot6;
  const std::array<std::array<double, 3>, 3> a{
      {{(88 - 7 * r) / 360, (296 - 169 * r) / 1800, (-2 + 3 * r) / 225},
       {(296 + 169 * r) / 1800, (88 + 7 * r) / 360, (-2 - 3 * r) / 225},
       {(16 - r) / 36, (16 + r) / 36, 1.0 / 9}}};
  const Eigen::Index n = S.rows();
  // M_i V_i + h sum_j a_ij K_i V_j = -(K_i S + P_i), V = S' of the stages.
  MatrixXd matrix(3 * n, 3 * n);
  MatrixXd right(3 * n, S.cols());
  for (Eigen::Index i = 0; i < 3; ++i) {
    const Stage& stage = stages[static_cast<std::size_t>(i)];
    for (Eigen::Index j = 0; j < 3; ++j) {
      const double weight = h * a[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
      matrix.block(i * n, j * n, n, n) = weight * stage.K;
      if (i == j) matrix.block(i * n, j * n, n, n) += stage.M;
    }
    right.middleRows(i * n, n) = -(stage.K * S + stage.P);
  }
  const VectorXd columns = scale.replicate(3, 1) / h;
  matrix = matrix * columns.asDiagonal();
  const VectorXd rows = matrix.cwiseAbs().rowwise().maxCoeff().cwiseMax(1e-300).cwiseInverse();
  matrix = rows.asDiagonal() * matrix;
  const MatrixXd V = columns.asDiagonal() * matrix.partialPivLu().solve(rows.asDiagonal() * right);
  for (Eigen::Index j = 0; j < 3; ++j) S += h * a[2][static_cast<std::size_t>(j)] * V.middleRows(j * n, n);
  slope = V.bottomRows(n);
}

}  // namespace davit
