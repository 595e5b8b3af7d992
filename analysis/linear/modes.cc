#include "analysis/linear/modes.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
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

void SortBySize(std::vector<std::complex<double>>& values) {
  std::ranges::sort(values, [](const auto& a, const auto& b) {
    return std::abs(a) != std::abs(b) ? std::abs(a) < std::abs(b) : a.imag() > b.imag();
  });
}

/// Each pole takes away one zero at its place.
void LeaveOutPoles(const std::vector<std::complex<double>>& poles, std::vector<std::complex<double>>& zeros) {
  constexpr double kSamePlace = 1e-6;  // of its size
  double largest = 0;
  for (const std::complex<double>& pole : poles) largest = std::max(largest, std::abs(pole));
  const double least = 1e-11 * largest;
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
                                               const Eigen::RowVectorXd& c, double d,
                                               const std::vector<std::complex<double>>& poles) {
  Index n = A.rows();
  if (n == 0) return {};
  const VectorXd factors = BalanceFactors(A);
  MatrixXd inner = factors.cwiseInverse().asDiagonal() * A * factors.asDiagonal();
  VectorXd input = factors.cwiseInverse().asDiagonal() * b;
  VectorXd output = factors.asDiagonal() * c.transpose();
  double direct = d;
  // Units of input and output, so that b and c are of the size of A.
  const double size = std::max(inner.cwiseAbs().maxCoeff(), 1e-300);
  const double of_input = std::max(input.cwiseAbs().maxCoeff(), 1e-300) / size;
  const double of_output = std::max(output.cwiseAbs().maxCoeff(), 1e-300) / size;
  input /= of_input;
  output /= of_output;
  direct /= of_input * of_output;
  if (input.cwiseAbs().maxCoeff() < size / 2 || output.cwiseAbs().maxCoeff() < size / 2) return {};
  const double tolerance = 1e3 * kModeEpsilon * static_cast<double>(n) * size;
  // While the output does not see the input at once: y = 0 says that one direction of the states is 0, which
  // a reflection makes the last one; so its derivative is 0, too, and takes the place of the output.
  while (std::abs(direct) <= tolerance) {
    const double length = output.norm();
    if (length <= tolerance) return {};  // an output that is always 0
    VectorXd v = output;
    v[n - 1] += v[n - 1] < 0 ? -length : length;
    if (const double norm = v.head(n - 1).norm(); norm > 0) {
      v.normalize();
      auto block = inner.topLeftCorner(n, n);
      const Eigen::RowVectorXd rows = 2 * (v.transpose() * block);
      block.noalias() -= v * rows;
      const VectorXd columns = 2 * (block * v);
      block.noalias() -= columns * v.transpose();
      input -= 2 * v.dot(input) * v;
    }
    --n;
    direct = input[n];
    output = inner.row(n).head(n).transpose();
    input = VectorXd(input.head(n));
    if (n == 0) return {};
  }
  const MatrixXd rest = inner.topLeftCorner(n, n) - input * (output.transpose() / direct);
  const Eigen::EigenSolver<MatrixXd> solver(rest, false);
  std::vector<std::complex<double>> zeros;
  for (Index i = 0; i < n; ++i) {
    const std::complex<double> zero = solver.eigenvalues()[i];
    zeros.push_back(std::abs(zero) <= tolerance ? 0 : zero);
  }
  SortBySize(zeros);
  LeaveOutPoles(poles, zeros);
  return zeros;
}

}  // namespace davit
