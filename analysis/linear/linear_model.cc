#include "analysis/linear/linear_model.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace davit {
namespace {

using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;

/// c_k of sum c_k x^k = sum (zeros + poles - k)! poles!/((zeros + poles)! k! (poles - k)!) x^k: the
/// denominator of the approximant of exp(-x) with so many zeros and poles; its numerator in -x with both
/// exchanged.
std::vector<double> PadeCoefficients(int poles, int zeros) {
  std::vector<double> c{1};
  for (int k = 1; k <= poles; ++k) c.push_back(c.back() * (poles - k + 1) / (k * (poles + zeros - k + 1.0)));
  return c;
}

/// w = C x + d z of one delay of T: controllable canonical form in the time scale T.
struct PadeRealisation {
  MatrixXd A, B, C;
  double d = 0;
};

PadeRealisation RealisePade(int poles, int zeros, double T) {
  std::vector<double> numerator = PadeCoefficients(zeros, poles);
  numerator.resize(static_cast<std::size_t>(poles) + 1, 0);
  const std::vector<double> denominator = PadeCoefficients(poles, zeros);
  const auto n = static_cast<Index>(poles);
  const double lead = denominator.back();
  PadeRealisation pade{.A = MatrixXd::Zero(n, n), .B = MatrixXd::Zero(n, 1), .C = MatrixXd::Zero(1, n)};
  pade.d = (poles % 2 == 0 ? 1 : -1) * numerator.back() / lead;
  for (Index k = 0; k < n; ++k) {
    const auto i = static_cast<std::size_t>(k);
    if (k + 1 < n) pade.A(k, k + 1) = 1 / T;
    pade.A(n - 1, k) = -denominator[i] / lead / T;
    pade.C(0, k) = ((k % 2 == 0 ? 1 : -1) * numerator[i] - pade.d * denominator[i]) / lead;
  }
  pade.B(n - 1, 0) = 1 / T;
  return pade;
}

/// All delays of a model: xp' = A xp + B z, w = C xp + D z.
PadeRealisation RealiseDelays(const LinearModel& model, int poles, int zeros, MatrixXd* direct) {
  const Index d = model.D_wave.rows(), added = d * poles;
  PadeRealisation all{
      .A = MatrixXd::Zero(added, added), .B = MatrixXd::Zero(added, d), .C = MatrixXd::Zero(d, added)};
  *direct = MatrixXd::Zero(d, d);
  for (Index i = 0; i < d; ++i) {
    const PadeRealisation pade = RealisePade(poles, zeros, model.delays[static_cast<std::size_t>(i)].time);
    all.A.block(i * poles, i * poles, poles, poles) = pade.A;
    all.B.block(i * poles, i, poles, 1) = pade.B;
    all.C.block(i, i * poles, 1, poles) = pade.C;
    (*direct)(i, i) = pade.d;
  }
  return all;
}

}  // namespace

void LinearModel::SetZero() {
  const auto n = static_cast<Index>(states.size());
  const auto m = static_cast<Index>(inputs.size());
  const auto p = static_cast<Index>(outputs.size());
  const auto d = static_cast<Index>(delays.size());
  A = MatrixXd::Zero(n, n);
  B = MatrixXd::Zero(n, m);
  C = MatrixXd::Zero(p, n);
  D = MatrixXd::Zero(p, m);
  B_delay = MatrixXd::Zero(n, d);
  D_delay = MatrixXd::Zero(p, d);
  C_delay = MatrixXd::Zero(d, n);
  D_input = MatrixXd::Zero(d, m);
  D_wave = MatrixXd::Zero(d, d);
}

LinearModel CloseDelays(const LinearModel& model, int order) {
  if (order < 1 || order > kLargestPadeOrder) {
    throw std::invalid_argument(
        fmt::format("a Pade order of {} is not in 1 .. {}", order, kLargestPadeOrder));
  }
  LinearModel closed;
  closed.states = model.states;
  closed.inputs = model.inputs;
  closed.outputs = model.outputs;
  for (const LinearDelay& delay : model.delays) {
    for (int k = 1; k <= order; ++k)
      closed.states.push_back({fmt::format("{}[pade {}]", delay.name, k), "", 0});
  }
  closed.SetZero();
  const Index n = model.A.rows(), d = model.D_wave.rows(), added = d * order;
  // w = Cp xp + Dp z,  z = C_delay x + D_input u + D_wave w.
  MatrixXd Dp;
  PadeRealisation pade = RealiseDelays(model, order, order, &Dp);
  Eigen::FullPivLU<MatrixXd> lu(MatrixXd::Identity(d, d) - Dp * model.D_wave);
  if (d > 0 && !lu.isInvertible()) {
    pade = RealiseDelays(model, order, order - 1, &Dp);
    lu.compute(MatrixXd::Identity(d, d) - Dp * model.D_wave);
  }
  const MatrixXd &Ap = pade.A, &Bp = pade.B, &Cp = pade.C;
  const MatrixXd wx = d > 0 ? MatrixXd(lu.solve(Dp * model.C_delay)) : MatrixXd::Zero(0, n);
  const MatrixXd wp = d > 0 ? MatrixXd(lu.solve(Cp)) : MatrixXd::Zero(0, added);
  const MatrixXd wu = d > 0 ? MatrixXd(lu.solve(Dp * model.D_input)) : MatrixXd::Zero(0, model.B.cols());
  closed.A.topLeftCorner(n, n) = model.A + model.B_delay * wx;
  closed.A.topRightCorner(n, added) = model.B_delay * wp;
  closed.A.bottomLeftCorner(added, n) = Bp * (model.C_delay + model.D_wave * wx);
  closed.A.bottomRightCorner(added, added) = Ap + Bp * model.D_wave * wp;
  closed.B.topRows(n) = model.B + model.B_delay * wu;
  closed.B.bottomRows(added) = Bp * (model.D_input + model.D_wave * wu);
  closed.C.leftCols(n) = model.C + model.D_delay * wx;
  closed.C.rightCols(added) = model.D_delay * wp;
  closed.D = model.D + model.D_delay * wu;
  return closed;
}

namespace {

/// The transfer function is D + left matrix^-1 right. Unknowns are x and w; the rows of w: w - E z = 0 with
/// E = exp(-s T).
template <class Scalar>
struct TransferEquations {
  using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

  TransferEquations(const LinearModel& model, Scalar s)
      : direct(model.D.cast<Scalar>()), share(kRoundingsOfSolution) {
    const Index n = model.A.rows(), d = model.D_wave.rows();
    matrix = Matrix::Zero(n + d, n + d);
    matrix.topLeftCorner(n, n) = -model.A.cast<Scalar>();
    matrix.topLeftCorner(n, n).diagonal().array() += s;
    matrix.topRightCorner(n, d) = -model.B_delay.cast<Scalar>();
    right.resize(n + d, model.B.cols());
    right.topRows(n) = model.B.cast<Scalar>();
    Eigen::Vector<Scalar, Eigen::Dynamic> e(d);
    for (Index i = 0; i < d; ++i) {
      const double time = model.delays[static_cast<std::size_t>(i)].time;
      e(i) = std::exp(-s * time);
      share = std::max(share, kRoundingsOfSolution + std::abs(s) * time);
    }
    matrix.bottomLeftCorner(d, n) = (-e).asDiagonal() * model.C_delay.cast<Scalar>();
    matrix.bottomRightCorner(d, d) = (-e).asDiagonal() * model.D_wave.cast<Scalar>();
    matrix.bottomRightCorner(d, d).diagonal().array() += Scalar(1);
    right.bottomRows(d) = e.asDiagonal() * model.D_input.cast<Scalar>();
    left.resize(model.C.rows(), n + d);
    left.leftCols(n) = model.C.cast<Scalar>();
    left.rightCols(d) = model.D_delay.cast<Scalar>();
    if (n + d == 0) return;
    // Each unknown in a unit of its own, so that pascals beside metres do not cost digits.
    const Eigen::VectorXd rows = matrix.cwiseAbs().rowwise().maxCoeff().cwiseMax(1e-300);
    matrix = rows.cwiseInverse().asDiagonal() * matrix;
    right = rows.cwiseInverse().asDiagonal() * right;
  }
  Matrix Solve() {
    if (matrix.rows() == 0) return direct;
    x = Eigen::PartialPivLU<Matrix>(matrix).solve(right);
    return direct + left * x;
  }
  /// After Solve: by how much the sums in it are right only.
  MatrixXd Rounding() const {
    if (matrix.rows() == 0) return MatrixXd::Zero(direct.rows(), direct.cols());
    const Matrix transposed = matrix.transpose();
    const MatrixXd z = Eigen::PartialPivLU<Matrix>(transposed).solve(left.transpose()).cwiseAbs();
    const MatrixXd sizes = x.cwiseAbs();
    return share * std::numeric_limits<double>::epsilon() *
           (z.transpose() * (matrix.cwiseAbs() * sizes + right.cwiseAbs()) + left.cwiseAbs() * sizes);
  }

  static constexpr double kRoundingsOfSolution = 8;

  Matrix direct, matrix, left, right, x;
  double share;  ///< a phase s T of an entry exp(-s T) has the rounding of its size
};

}  // namespace

MatrixXcd TransferAt(const LinearModel& model, std::complex<double> s) {
  return TransferEquations<std::complex<double>>(model, s).Solve();
}

MatrixXd TransferRoundingAt(const LinearModel& model, std::complex<double> s) {
  TransferEquations<std::complex<double>> equations(model, s);
  equations.Solve();
  return equations.Rounding();
}

MatrixXd RealTransferAt(const LinearModel& model, double s) {
  TransferEquations<double> equations(model, s);
  const MatrixXd gains = equations.Solve();
  return (gains.array().abs() <= equations.Rounding().array()).select(0.0, gains);
}

}  // namespace davit
