#include "analysis/linear/modes.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace davit {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kModeEpsilon = std::numeric_limits<double>::epsilon();

/// A part of the system whose zeros are looked for: x' = A x + B u, y = C x + D u.
struct ZeroPencil {
  MatrixXd A, B, C, D;

  ZeroPencil Transposed() const { return {A.transpose(), C.transpose(), B.transpose(), D.transpose()}; }
};

/// An orthogonal matrix whose first columns, as many as the rank, span those of `matrix`.
MatrixXd ColumnSpace(const MatrixXd& matrix, double tolerance, Index* rank) {
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(matrix);
  *rank = (qr.matrixQR().diagonal().array().abs() > tolerance).count();
  return qr.householderQ() * MatrixXd::Identity(matrix.rows(), matrix.rows());
}

/// Takes out what the outputs see of the states at once, until D has full row rank.
ZeroPencil WithFullRows(ZeroPencil part, double tolerance) {
  while (true) {
    const Index n = part.A.rows(), p = part.D.rows(), m = part.D.cols();
    if (p == 0 || n == 0) return part;
    Index rank = 0;
    MatrixXd U = MatrixXd::Identity(p, p);
    if (m > 0) U = ColumnSpace(part.D, tolerance, &rank);
    const Index rest = p - rank;
    if (rest == 0) return part;
    const MatrixXd C = U.transpose() * part.C, D = U.transpose() * part.D;
    Index seen = 0;
    const MatrixXd directions = ColumnSpace(C.bottomRows(rest).transpose(), tolerance, &seen);
    if (seen == 0) {  // outputs that are always 0
      part.C = C.topRows(rank);
      part.D = D.topRows(rank);
      return part;
    }
    MatrixXd V(n, n);  // those that are seen last
    V << directions.rightCols(n - seen), directions.leftCols(seen);
    const MatrixXd A = V.transpose() * part.A * V, B = V.transpose() * part.B;
    const MatrixXd C_moved = C.topRows(rank) * V;
    const Index left = n - seen;
    part.A = A.topLeftCorner(left, left);
    part.B = B.topRows(left);
    part.C.resize(rank + seen, left);
    part.C << C_moved.leftCols(left), A.bottomLeftCorner(seen, left);
    part.D.resize(rank + seen, m);
    part.D << D.topRows(rank), B.bottomRows(seen);
  }
}

void SortBySize(std::vector<std::complex<double>>& values) {
  std::ranges::sort(values, [](const auto& a, const auto& b) {
    return std::abs(a) != std::abs(b) ? std::abs(a) < std::abs(b) : a.imag() > b.imag();
  });
}

/// Each pole takes away one zero at its place.
void LeaveOutPoles(const Eigen::VectorXcd& poles, std::vector<std::complex<double>>& zeros) {
  constexpr double kSamePlace = 1e-6;  // of its size
  const double least = 1e-11 * poles.cwiseAbs().maxCoeff();
  for (const std::complex<double>& pole : poles) {
    const auto is_here = [&](const std::complex<double>& zero) {
      return std::abs(zero - pole) <= kSamePlace * std::abs(pole) + least;
    };
    if (const auto zero = std::ranges::find_if(zeros, is_here); zero != zeros.end()) zeros.erase(zero);
  }
}

}  // namespace

double LinearMode::frequency() const { return std::abs(eigenvalue) / (2 * std::numbers::pi); }

double LinearMode::damping() const { return -eigenvalue.real() / std::abs(eigenvalue); }

double LinearMode::time_constant() const { return -1 / eigenvalue.real(); }

VectorXd BalanceFactors(const MatrixXd& A) {
  const Index n = A.rows();
  VectorXd factors = VectorXd::Ones(n);
  MatrixXd balanced = A;
  balanced.diagonal().setZero();
  constexpr int kMostSweeps = 100;
  bool has_changed = true;
  for (int sweep = 0; has_changed && sweep < kMostSweeps; ++sweep) {
    has_changed = false;
    for (Index i = 0; i < n; ++i) {
      const double column = balanced.col(i).cwiseAbs().sum(), row = balanced.row(i).cwiseAbs().sum();
      if (column == 0 || row == 0) continue;
      const double factor = std::exp2(std::round(std::log2(std::sqrt(row / column))));
      if (column * factor + row / factor >= 0.95 * (column + row)) continue;
      factors[i] *= factor;
      balanced.col(i) *= factor;
      balanced.row(i) /= factor;
      has_changed = true;
    }
  }
  return factors;
}

std::vector<LinearMode> ComputeModes(const MatrixXd& A) {
  const Index n = A.rows();
  std::vector<LinearMode> modes;
  if (n == 0) return modes;
  const VectorXd factors = BalanceFactors(A);
  const MatrixXd balanced = factors.cwiseInverse().asDiagonal() * A * factors.asDiagonal();
  const Eigen::EigenSolver<MatrixXd> solver(balanced);
  const Eigen::MatrixXcd right = solver.eigenvectors();
  const Eigen::PartialPivLU<Eigen::MatrixXcd> lu(right);
  const bool is_basis = lu.rcond() > 1e-10;
  const Eigen::MatrixXcd left = is_basis ? Eigen::MatrixXcd(lu.inverse()) : right.adjoint();
  const double rounding = 8 * kModeEpsilon * static_cast<double>(n) * balanced.cwiseAbs().maxCoeff();
  for (Index k = 0; k < n; ++k) {
    std::complex<double> lambda = solver.eigenvalues()[k];
    if (lambda.imag() < 0) continue;
    if (std::abs(lambda) <= rounding) lambda = 0;
    LinearMode mode{.eigenvalue = lambda};
    double sum = 0;
    for (Index i = 0; i < n; ++i) {
      const double share = std::abs(right(i, k) * left(k, i));
      sum += share;
      mode.states.push_back({static_cast<std::size_t>(i), share});
    }
    for (LinearMode::Share& share : mode.states) share.participation /= sum;
    std::ranges::stable_sort(mode.states, std::ranges::greater{}, &LinearMode::Share::participation);
    modes.push_back(std::move(mode));
  }
  std::ranges::stable_sort(modes, std::ranges::less{}, &LinearMode::frequency);
  return modes;
}

std::vector<std::complex<double>> EigenvaluesOf(const std::vector<LinearMode>& modes) {
  std::vector<std::complex<double>> all;
  for (const LinearMode& mode : modes) {
    all.push_back(mode.eigenvalue);
    if (mode.eigenvalue.imag() > 0) all.push_back(std::conj(mode.eigenvalue));
  }
  return all;
}

std::vector<std::complex<double>> ComputeZeros(const MatrixXd& A, const VectorXd& b,
                                               const Eigen::RowVectorXd& c, double d) {
  const VectorXd factors = BalanceFactors(A);
  ZeroPencil whole;
  whole.A = factors.cwiseInverse().asDiagonal() * A * factors.asDiagonal();
  const MatrixXd rebalanced = whole.A;
  VectorXd input = factors.cwiseInverse().asDiagonal() * b;
  Eigen::RowVectorXd output = c * factors.asDiagonal();
  double direct = d;
  // Units of input and output, so that b and c are of the size of A.
  const double size = A.rows() > 0 ? std::max(whole.A.cwiseAbs().maxCoeff(), 1e-300) : 1;
  const double of_input = std::max(input.size() > 0 ? input.cwiseAbs().maxCoeff() : 0, 1e-300) / size;
  const double of_output = std::max(output.size() > 0 ? output.cwiseAbs().maxCoeff() : 0, 1e-300) / size;
  input /= of_input;
  output /= of_output;
  direct /= of_input * of_output;
  if (A.rows() == 0) return {};
  if (input.cwiseAbs().maxCoeff() < size / 2 || output.cwiseAbs().maxCoeff() < size / 2) return {};
  whole.B = input;
  whole.C = output;
  whole.D = MatrixXd::Constant(1, 1, direct);
  const double tolerance = 1e3 * kModeEpsilon * static_cast<double>(A.rows()) * size;
  const ZeroPencil rows = WithFullRows(std::move(whole), tolerance);
  if (rows.D.rows() == 0) return {};
  const ZeroPencil part = WithFullRows(rows.Transposed(), tolerance).Transposed();
  std::vector<std::complex<double>> zeros;
  if (part.A.rows() == 0 || part.D.rows() != part.D.cols() || part.D.rows() == 0) return zeros;
  const MatrixXd inner = part.A - part.B * Eigen::FullPivLU<MatrixXd>(part.D).solve(part.C);
  const Eigen::EigenSolver<MatrixXd> solver(inner, false);
  for (Index i = 0; i < inner.rows(); ++i) {
    const std::complex<double> zero = solver.eigenvalues()[i];
    zeros.push_back(std::abs(zero) <= tolerance ? 0 : zero);
  }
  SortBySize(zeros);
  LeaveOutPoles(Eigen::EigenSolver<MatrixXd>(rebalanced, false).eigenvalues(), zeros);
  return zeros;
}

}  // namespace davit
