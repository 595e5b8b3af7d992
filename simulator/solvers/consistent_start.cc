#include "simulator/solvers/consistent_start.h"

#include <Eigen/Core>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "simulator/solvers/ida_integrator.h"

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
  const double root = std::sqrt(std::numeric_limits<double>::epsilon());

  Result result;
  if (!evaluate(t, y.data(), ddt.data(), residual.data())) return result;
  Array row_scale(n);
  for (int iteration = 0; iteration < kMostNewtonSteps; ++iteration) {
    for (Index j = 0; j < n; ++j) {
      const double before = unknown(j);
      unknown(j) = before + root * scale(j);
      const double shift = unknown(j) - before;
      const bool is_good = evaluate(t, y.data(), ddt.data(), shifted.data());
      unknown(j) = before;
      if (!is_good) return result;
      jacobian.col(j) = (shifted - residual) * (scale(j) / shift);
    }
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
    double share = 1;
    bool is_better = false;
    for (int halving = 0; halving < kMostHalvings && !is_better; ++halving, share /= 2) {
      for (Index j = 0; j < n; ++j) unknown(j) = before[j] + share * scales[j] * step[j];
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
