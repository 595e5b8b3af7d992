#include "analysis/linear/reduced_model.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "analysis/linear/modes.h"

namespace davit {
namespace {

using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;
using Complex = std::complex<double>;

constexpr double kGainEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kRoundings = 8;  // in a solution, of the size of its matrix

/// Complex numbers whose parts are apart, so that loops over them are vectors.
struct Parts {
  std::vector<double> re, im;

  explicit Parts(Index n) : re(static_cast<std::size_t>(n)), im(static_cast<std::size_t>(n)) {}
  Complex operator[](Index i) const {
    return {re[static_cast<std::size_t>(i)], im[static_cast<std::size_t>(i)]};
  }
  void Set(Index i, Complex value) {
    re[static_cast<std::size_t>(i)] = value.real();
    im[static_cast<std::size_t>(i)] = value.imag();
  }
};

/// x of (s I - H) x = b for an upper Hessenberg H: from the last column on, each is added to the one before
/// it so that what is below the diagonal vanishes; the larger of both is the pivot. A column is used for the
/// substitution as soon as it is final, so that none is kept.
VectorXcd SolveHessenberg(const MatrixXd& H, Complex s, const VectorXd& b) {
  const Index n = H.rows();
  VectorXcd x(n);
  if (n == 0) return x;
  Parts column(n), right(n);
  for (Index i = 0; i < n; ++i) {
    column.Set(i, -H(i, n - 1));
    right.Set(i, b[i]);
  }
  column.Set(n - 1, s - H(n - 1, n - 1));
  std::vector<Complex> factors(static_cast<std::size_t>(n));
  std::vector<bool> are_exchanged(static_cast<std::size_t>(n), false);
  double *v = column.re.data(), *w = column.im.data(), *r = right.re.data(), *q = right.im.data();
  for (Index k = n - 1; k > 0; --k) {
    const double* const h = H.data() + (k - 1) * n;
    const Complex last = column[k];
    const double below = -h[k];
    const bool is_exchanged = std::abs(below) > std::abs(last);
    const Complex y = right[k] / (is_exchanged ? Complex(below) : last);
    const Complex m = is_exchanged ? last / below : below / last;
    const double yr = y.real(), yi = y.imag(), mr = m.real(), mi = m.imag();
    const Complex diagonal = s - h[k - 1], carried = column[k - 1], rest = right[k - 1];
    if (is_exchanged) {
      for (Index i = 0; i < k; ++i) {
        r[i] += yr * h[i];
        q[i] += yi * h[i];
        v[i] += mr * h[i];
        w[i] += mi * h[i];
      }
      right.Set(k - 1, rest - y * diagonal);
      column.Set(k - 1, carried - m * diagonal);
    } else {
      for (Index i = 0; i < k; ++i) {
        const double a = v[i], c = w[i];
        r[i] -= yr * a - yi * c;
        q[i] -= yr * c + yi * a;
        v[i] = -h[i] - (mr * a - mi * c);
        w[i] = -(mr * c + mi * a);
      }
      column.Set(k - 1, diagonal - m * carried);
    }
    x[k] = y;
    factors[static_cast<std::size_t>(k)] = m;
    are_exchanged[static_cast<std::size_t>(k)] = is_exchanged;
  }
  x[0] = right[0] / column[0];
  for (Index k = 1; k < n; ++k) {
    const auto i = static_cast<std::size_t>(k);
    x[k] -= factors[i] * x[k - 1];
    if (are_exchanged[i]) std::swap(x[k], x[k - 1]);
  }
  return x;
}

}  // namespace

ReducedModel::ReducedModel(LinearModel model) : model_(std::move(model)) {
  if (!model_.delays.empty() || model_.A.rows() == 0 || model_.D.size() == 0) return;
  const VectorXd factors = BalanceFactors(model_.A);
  const MatrixXd balanced = factors.cwiseInverse().asDiagonal() * model_.A * factors.asDiagonal();
  const Eigen::HessenbergDecomposition<MatrixXd> reduction(balanced);
  H_ = reduction.matrixH();
  H_left_ = H_.transpose().reverse();
  B_ = reduction.matrixQ().adjoint() * (factors.cwiseInverse().asDiagonal() * model_.B);
  const MatrixXd outputs = (model_.C * factors.asDiagonal()).transpose();
  C_ = (reduction.matrixQ().adjoint() * outputs).transpose();
  size_of_H_ = H_.norm();
}

Complex ReducedModel::GainAt(std::size_t input, std::size_t output, Complex s) const {
  const auto u = static_cast<Index>(input), y = static_cast<Index>(output);
  if (!model_.delays.empty()) return TransferAt(model_, s)(y, u);
  if (model_.A.rows() == 0) return model_.D(y, u);
  return C_.row(y).transpose().cast<Complex>().dot(SolveHessenberg(H_, s, B_.col(u))) + model_.D(y, u);
}

double ReducedModel::RoundingAt(std::size_t input, std::size_t output, Complex s) const {
  const auto u = static_cast<Index>(input), y = static_cast<Index>(output);
  if (!model_.delays.empty()) return TransferRoundingAt(model_, s)(y, u);
  if (model_.A.rows() == 0) return 0;
  const VectorXcd x = SolveHessenberg(H_, s, B_.col(u));
  const VectorXcd z = SolveHessenberg(H_left_, s, C_.row(y).transpose().reverse());
  const double added = C_.row(y).cwiseAbs().dot(x.cwiseAbs());
  return kRoundings * kGainEpsilon * ((size_of_H_ + std::abs(s)) * x.norm() * z.norm() + added);
}

}  // namespace davit
