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
                                   int most_rounds) {
  constexpr double kFirstDamping = 1e-3, kLeastDamping = 1e-12, kMostDamping = 1e10;
  constexpr double kSmallStep = 1e-8, kSmallGain = 1e-10;
  LeastSquaresResult result;
  const auto n = static_cast<Index>(start.size());
  std::vector<double> u = std::move(start);
  const std::vector<double> first = residuals({u}).front();
  if (first.empty()) return result;
  VectorXd r = ToVector(first);
  double damping = kFirstDamping;
  MatrixXd jacobian;
  for (int round = 0; round < most_rounds && !result.is_converged; ++round) {
    jacobian = DifferentiateResiduals(residuals, u, r);
    VectorXd slope = jacobian.transpose() * r;
    MatrixXd normal = jacobian.transpose() * jacobian;
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
      const double before = r.squaredNorm();
      if (!values.empty() && ToVector(values).squaredNorm() < before) {
        r = ToVector(values);
        u = std::move(next);
        has_moved = true;
        damping = std::max(damping / 10, kLeastDamping);
        result.is_converged = before - r.squaredNorm() <= kSmallGain * before;
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
  const double freedom = static_cast<double>(std::max<Index>(r.size() - n, 1));
  Judge(jacobian, result.sum_of_squares / freedom, result);
  return result;
}

}  // namespace davit
