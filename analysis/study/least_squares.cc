#include "analysis/study/least_squares.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace davit {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd ToVector(const std::vector<double>& values) {
  return Eigen::Map<const VectorXd>(values.data(), static_cast<Index>(values.size()));
}

/// rho(z) and its derivatives.
struct LossAt {
  double rho, slope, curvature;
};

LossAt LossOf(Loss loss, double z) {
  switch (loss) {
    case Loss::kLinear: break;
    case Loss::kSoftL1: {
      const double root = std::sqrt(1 + z);
      return {2 * (root - 1), 1 / root, -0.5 / (root * (1 + z))};
    }
    case Loss::kHuber:
      if (z <= 1) break;
      return {2 * std::sqrt(z) - 1, 1 / std::sqrt(z), -0.5 / (z * std::sqrt(z))};
    case Loss::kCauchy: return {std::log1p(z), 1 / (1 + z), -1 / ((1 + z) * (1 + z))};
    case Loss::kArctan: {
      const double slope = 1 / (1 + z * z);
      return {std::atan(z), slope, -2 * z * slope * slope};
    }
  }
  return {z, 1, 0};
}

double MedianOfSizes(const VectorXd& r) {
  std::vector<double> sizes(r.begin(), r.end());
  for (double& x : sizes) x = std::abs(x);
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::ranges::nth_element(sizes, middle);
  return *middle;
}

/// A loss with its scale.
class ScaledLoss {
 public:
  /// `first`: the residuals at the start.
  ScaledLoss(const LeastSquaresOptions& options, const VectorXd& first)
      : loss_(options.loss), is_own_(!options.scale && loss_ != Loss::kLinear) {
    if (!is_own_) {
      scale_ = loss_ == Loss::kLinear ? 1 : *options.scale;
      return;
    }
    constexpr double kOfExactData = 1e-10;  // of the size of the first residuals
    least_ = std::max(kOfExactData * first.lpNorm<Eigen::Infinity>(), std::numeric_limits<double>::min());
    Update(first);
  }

  double scale() const { return scale_; }
  /// To the residuals after a step. Returns whether the scale stays.
  bool Update(const VectorXd& r) {
    if (!is_own_) return true;
    constexpr double kSameScale = 1e-6;
    const double before = std::exchange(scale_, std::max(2 * MedianOfSizes(r), least_));
    return std::abs(scale_ - before) <= kSameScale * before;
  }
  double Sum(const VectorXd& r) const {
    double sum = 0;
    for (const double x : r) sum += scale_ * scale_ * At(x).rho;
    return sum;
  }
  /// rho' of each residual.
  VectorXd Weights(const VectorXd& r) const {
    return r.unaryExpr([this](double x) { return At(x).slope; });
  }
  /// Of a residual, as the standard errors need it.
  double Variance(const VectorXd& r, Index unknowns) const {
    double squares = 0, slopes = 0;
    for (const double x : r) {
      const LossAt at = At(x);
      const double z = x / scale_ * (x / scale_);
      squares += x * at.slope * x * at.slope;
      slopes += at.slope + 2 * z * at.curvature;
    }
    const double mean = slopes / static_cast<double>(r.size());
    const auto freedom = static_cast<double>(std::max<Index>(r.size() - unknowns, 1));
    return mean > 0 ? squares / freedom / (mean * mean) : std::numeric_limits<double>::quiet_NaN();
  }

 private:
  LossAt At(double x) const { return LossOf(loss_, x / scale_ * (x / scale_)); }

  Loss loss_;
  bool is_own_;  ///< the scale follows the residuals
  double scale_ = 1, least_ = 0;
};

/// Central differences, at a bound one-sided. The step is large beside the errors of a solver.
MatrixXd DifferentiateResiduals(const ResidualFunction& residuals, const std::vector<double>& u,
                                const VectorXd& r) {
  constexpr double kStep = 1e-3;
  std::vector<std::vector<double>> points;
  for (std::size_t i = 0; i < u.size(); ++i) {
    for (const double sign : {-1.0, 1.0}) {
      points.push_back(u);
      points.back()[i] = std::clamp(u[i] + sign * kStep, 0.0, 1.0);
    }
  }
  const std::vector<std::vector<double>> around = residuals(points);
  MatrixXd jacobian = MatrixXd::Zero(r.size(), static_cast<Index>(u.size()));
  for (std::size_t i = 0; i < u.size(); ++i) {
    const bool has_low = !around[2 * i].empty(), has_high = !around[2 * i + 1].empty();
    const VectorXd low = has_low ? ToVector(around[2 * i]) : r;
    const VectorXd high = has_high ? ToVector(around[2 * i + 1]) : r;
    const double width = (has_high ? points[2 * i + 1][i] : u[i]) - (has_low ? points[2 * i][i] : u[i]);
    if (width > 0) jacobian.col(static_cast<Index>(i)) = (high - low) / width;
  }
  return jacobian;
}

/// Standard errors, correlations, and what cannot be told apart.
void Judge(const MatrixXd& jacobian, double variance, LeastSquaresResult& result) {
  constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
  constexpr double kSingular = 1e-4;
  const Index n = jacobian.cols();
  const VectorXd lengths = jacobian.colwise().norm();
  const double longest = lengths.maxCoeff();
  std::vector<bool> is_open(static_cast<std::size_t>(n), false);
  MatrixXd scaled = jacobian;
  for (Index i = 0; i < n; ++i) {
    if (lengths[i] > 1e-9 * longest && longest > 0) {
      scaled.col(i) /= lengths[i];
      continue;
    }
    scaled.col(i).setZero();
    is_open[static_cast<std::size_t>(i)] = true;
    result.ambiguities.push_back({{static_cast<std::size_t>(i)}});
  }
  const Eigen::JacobiSVD<MatrixXd> svd(scaled, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const VectorXd& singular = svd.singularValues();
  MatrixXd covariance = MatrixXd::Zero(n, n);  // of the scaled unknowns
  for (Index k = 0; k < singular.size(); ++k) {
    const VectorXd direction = svd.matrixV().col(k);
    if (singular[k] > kSingular * singular[0]) {
      covariance += direction * direction.transpose() / (singular[k] * singular[k]);
      continue;
    }
    Ambiguity ambiguity;
    constexpr double kTakesPart = 1e-3;  // above the errors of the differences
    for (Index i = 0; i < n; ++i) {
      const auto place = static_cast<std::size_t>(i);
      if (std::abs(direction[i]) < kTakesPart || lengths[i] <= 1e-9 * longest) continue;
      ambiguity.unknowns.push_back(place);
      is_open[place] = true;
    }
    if (!ambiguity.unknowns.empty()) result.ambiguities.push_back(std::move(ambiguity));
  }
  result.errors.assign(static_cast<std::size_t>(n), kNothing);
  result.correlation.assign(static_cast<std::size_t>(n * n), kNothing);
  for (Index i = 0; i < n; ++i) {
    if (is_open[static_cast<std::size_t>(i)]) continue;
    result.errors[static_cast<std::size_t>(i)] = std::sqrt(variance * covariance(i, i)) / lengths[i];
    for (Index k = 0; k < n; ++k) {
      if (is_open[static_cast<std::size_t>(k)]) continue;
      result.correlation[static_cast<std::size_t>(i * n + k)] =
          covariance(i, k) / std::sqrt(covariance(i, i) * covariance(k, k));
    }
  }
}

}  // namespace

LeastSquaresResult FitLeastSquares(const ResidualFunction& residuals, std::vector<double> start,
                                   const LeastSquaresOptions& options) {
  constexpr double kFirstDamping = 1e-3, kLeastDamping = 1e-12, kMostDamping = 1e10;
  constexpr double kSmallStep = 1e-8, kSmallGain = 1e-10;
  LeastSquaresResult result;
  const auto n = static_cast<Index>(start.size());
  std::vector<double> u = std::move(start);
  const std::vector<double> first = residuals({u}).front();
  if (first.empty()) return result;
  VectorXd r = ToVector(first);
  ScaledLoss loss(options, r);
  double damping = kFirstDamping;
  MatrixXd jacobian;
  for (int round = 0; round < options.most_rounds && !result.is_converged; ++round) {
    jacobian = DifferentiateResiduals(residuals, u, r);
    const MatrixXd weighted = loss.Weights(r).asDiagonal() * jacobian;
    VectorXd slope = weighted.transpose() * r;
    MatrixXd normal = weighted.transpose() * jacobian;
    for (Index i = 0; i < n; ++i) {
      const double x = u[static_cast<std::size_t>(i)];
      const bool is_held = (x <= 0 && slope[i] > 0) || (x >= 1 && slope[i] < 0);
      if (!is_held && normal(i, i) > 0) continue;
      normal.row(i).setZero();
      normal.col(i).setZero();
      normal(i, i) = 1;
      slope[i] = 0;
    }
    bool has_moved = false;
    while (!has_moved && damping < kMostDamping) {
      MatrixXd damped = normal;
      damped.diagonal() *= 1 + damping;
      const VectorXd step = damped.ldlt().solve(-slope);
      std::vector<double> next = u;
      double moved = 0;
      for (std::size_t i = 0; i < next.size(); ++i) {
        next[i] = std::clamp(u[i] + step[static_cast<Index>(i)], 0.0, 1.0);
        moved = std::max(moved, std::abs(next[i] - u[i]));
      }
      if (moved < kSmallStep) {
        result.is_converged = true;
        break;
      }
      const std::vector<double> values = residuals({next}).front();
      const double before = loss.Sum(r);
      if (!values.empty() && loss.Sum(ToVector(values)) < before) {
        r = ToVector(values);
        u = std::move(next);
        has_moved = true;
        damping = std::max(damping / 10, kLeastDamping);
        const bool is_small = before - loss.Sum(r) <= kSmallGain * before;
        result.is_converged = loss.Update(r) && is_small;
      } else {
        damping *= 10;
      }
    }
    result.is_converged = result.is_converged || !has_moved;
  }
  if (jacobian.size() == 0) jacobian = DifferentiateResiduals(residuals, u, r);
  result.u = u;
  result.sum_of_squares = r.squaredNorm();
  result.residuals = static_cast<std::size_t>(r.size());
  result.scale = loss.scale();
  Judge(jacobian, loss.Variance(r, n), result);
  return result;
}

}  // namespace davit
