#include "simulator/solvers/consistent_start.h"

#include <Eigen/Core>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "simulator/solvers/difference_quotients.h"
#include "simulator/solvers/integrator.h"

namespace davit {
namespace {

constexpr int kMostNewtonSteps = 50;
constexpr int kMostHalvings = 20;
/// Change of the unknowns, in their nominal values, at which the iteration has converged.
constexpr double kConverged = 1e-12;

}  // namespace

ConsistentStart::Result ConsistentStart::Find(double t, std::span<double> y, std::span<double> ddt,
                                              const Evaluation& evaluate) const {
  using Array = Eigen::VectorXd;
  using Eigen::Index;
  const auto n = static_cast<Index>(problem_.size);
  Array residual(n);
  Array shifted(n);
  Eigen::MatrixXd jacobian(n, n);
  const auto is_algebraic = [&](Index j) {
    return !problem_.is_algebraic.empty() && problem_.is_algebraic[static_cast<std::size_t>(j)];
  };
  const auto unknown = [&](Index j) -> double& {
    return is_algebraic(j) ? y[static_cast<std::size_t>(j)] : ddt[static_cast<std::size_t>(j)];
  };
  const auto scale = [&](Index j) {
    return std::max(std::abs(unknown(j)), problem_.nominal[static_cast<std::size_t>(j)]);
  };
  const std::size_t size = problem_.size;
  const JacobianPattern pattern =
      problem_.pattern.size() == size ? problem_.pattern : JacobianPattern::Full(size);
  DifferenceQuotients quotients(size);
  std::vector<double> unknowns(size), increments(size), entries(pattern.nonzeros());
  const auto residual_with = [&](const std::vector<double>& moved, std::vector<double>& values) {
    for (Index j = 0; j < n; ++j) unknown(j) = moved[static_cast<std::size_t>(j)];
    if (evaluate(t, y.data(), ddt.data(), values.data())) return;
    std::fill(values.begin(), values.end(), std::numeric_limits<double>::quiet_NaN());
  };

  Result result;
  if (!evaluate(t, y.data(), ddt.data(), residual.data())) return result;
  Array row_scale(n);
  for (int iteration = 0; iteration < kMostNewtonSteps; ++iteration) {
    for (Index j = 0; j < n; ++j) {
      const auto k = static_cast<std::size_t>(j);
      unknowns[k] = unknown(j);
      increments[k] = IncrementOfUnknown(unknowns[k], problem_.nominal[k]);
    }
    quotients.Fill(pattern, unknowns, {residual.data(), size}, increments, entries, residual_with);
    for (Index j = 0; j < n; ++j) unknown(j) = unknowns[static_cast<std::size_t>(j)];
    CopyEntries(pattern, entries, jacobian);
    if (!jacobian.allFinite()) return result;
    for (Index j = 0; j < n; ++j) jacobian.col(j) *= scale(j);
    for (Index i = 0; i < n; ++i) {
      const double largest = jacobian.row(i).cwiseAbs().maxCoeff();
      row_scale[i] = largest > 0 ? 1 / largest : 1.0;
    }
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
    decomposition.setThreshold(1e-10);
    decomposition.compute(row_scale.asDiagonal() * jacobian);
    const Array step = decomposition.solve(row_scale.cwiseProduct(-residual));
    const double norm = row_scale.cwiseProduct(residual).norm();
    Array before(n);
    Array scales(n);
    for (Index j = 0; j < n; ++j) {
      before[j] = unknown(j);
      scales[j] = scale(j);
    }
    Eigen::MatrixXd of_derivatives = row_scale.asDiagonal() * jacobian;
    for (Index j = 0; j < n; ++j) {
      if (is_algebraic(j)) of_derivatives.col(j).setZero();
    }
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> derivatives;
    derivatives.setThreshold(1e-10);
    derivatives.compute(of_derivatives);
    double share = 1;
    bool is_better = false;
    for (int halving = 0; halving < kMostHalvings && !is_better; ++halving, share /= 2) {
      for (Index j = 0; j < n; ++j) unknown(j) = before[j] + share * scales[j] * step[j];
      if (!evaluate(t, y.data(), ddt.data(), shifted.data())) continue;
      const Array follow = derivatives.solve(row_scale.cwiseProduct(-shifted));
      for (Index j = 0; j < n; ++j) {
        if (!is_algebraic(j)) unknown(j) += scales[j] * follow[j];
      }
      is_better = evaluate(t, y.data(), ddt.data(), shifted.data()) &&
                  (row_scale.cwiseProduct(shifted).norm() < norm || step.cwiseAbs().maxCoeff() < kConverged);
    }
    if (!is_better) {
      for (Index j = 0; j < n; ++j) unknown(j) = before[j];
    } else {
      residual = shifted;
    }
    const Array scaled = row_scale.cwiseProduct(residual).cwiseAbs();
    Index worst = 0;
    const double largest = scaled.maxCoeff(&worst);
    result.worst = static_cast<std::size_t>(worst);
    result.residual = residual[worst];
    // Rounding of the residual is of the order of its largest term.
    result.is_found = largest <= 1e-9;
    if (!is_better || step.cwiseAbs().maxCoeff() < kConverged || largest == 0) return result;
  }
  return result;
}

}  // namespace davit
