#include "components/mechanism/dynamics/loop_derivatives.h"

namespace davit::multibody {
namespace {

std::span<double> RowOf(TreeDerivatives::Matrix& matrix, std::size_t i) {
  return {matrix.data() + i * static_cast<std::size_t>(matrix.cols()),
          static_cast<std::size_t>(matrix.cols())};
}

}  // namespace

LoopDerivatives::LoopDerivatives(LoopDynamics* closed)
    : closed_(closed), tree_(closed->dynamics()), unit_(closed->dynamics().tree().speeds()) {
  const auto n = static_cast<Eigen::Index>(unit_.size());
  const auto equations = static_cast<Eigen::Index>(closed->size());
  const auto loops = static_cast<Eigen::Index>(closed->loop_equations());
  for (Matrix* matrix : {&rate_by_place_, &second_by_place_, &second_by_speed_})
    matrix->setZero(equations, n);
  path_rows_.setZero(equations - loops, n);
  by_path_force_.setZero(n, equations - loops);
  for (Matrix* matrix : {&by_place_, &by_speed_, &by_force_}) matrix->setZero(n, n);
  for (auto* matrix : {&all_.J, &all_.free, &all_.bound}) matrix->setZero(equations, n);
  if (loops == 0) return;
  for (auto* matrix : {&loops_.J, &loops_.free, &loops_.bound}) matrix->setZero(loops, n);
  for (Matrix* matrix : {&projector_, &speed_by_place_}) matrix->setZero(n, n);
  product_.setZero(loops, n);
}

TreeDerivatives::EquationRows LoopDerivatives::RowsOf(std::size_t k) {
  return {RowOf(rate_by_place_, k), RowOf(second_by_place_, k), RowOf(second_by_speed_, k)};
}

void LoopDerivatives::AddEquations(std::span<const PathLoad> loads) {
  for (Matrix* matrix : {&rate_by_place_, &second_by_place_, &second_by_speed_}) matrix->setZero();
  closed_->ForEachEquation(
      [&](std::size_t k, const Anchor& a, const Anchor& b, const LoopEquation& equation) {
        tree_.AddEquation(a, b, equation, closed_->force(k), RowsOf(k));
      });
  const LoopEquation distance{.form = LoopEquation::Form::kDistance};
  path_rows_.setZero();
  for (std::size_t i = 0; i < loads.size(); ++i) {
    const std::size_t k = closed_->loop_equations() + i;
    const Path& path = closed_->path(i);
    const double force = loads[i].force + (closed_->path_mass(i) > 0 ? closed_->force(k) : 0);
    for (std::size_t n = 0; n + 1 < path.size(); ++n)
      tree_.AddEquation(path[n], path[n + 1], distance, force, RowsOf(k));
    AddPathRow(closed_->dynamics(), path, RowOf(path_rows_, i));
    if (loads[i].mass > 0) tree_.AddMass(loads[i].mass, RowOf(path_rows_, i), RowsOf(k));
  }
}

void LoopDerivatives::Solve() {
  for (std::size_t k = 0; k < unit_.size(); ++k) {
    unit_[k] = 1;
    closed_->dynamics().SolveMass(unit_, RowOf(by_force_, k));
    unit_[k] = 0;
  }
  const bool are_bound = has_loops() || closed_->has_path_mass();
  if (are_bound) {
    closed_->FillAllResponses(all_);
    by_force_.noalias() -= all_.free.transpose() * all_.bound;
  }
  by_place_.noalias() = -by_force_ * tree_.by_place();
  by_speed_.noalias() = -by_force_ * tree_.by_speed();
  if (are_bound) {
    by_place_.noalias() -= all_.bound.transpose() * second_by_place_;
    by_speed_.noalias() -= all_.bound.transpose() * second_by_speed_;
  }
  by_path_force_.noalias() = by_force_ * path_rows_.transpose();
  if (!has_loops()) return;
  closed_->FillLoopResponses(loops_);
  const auto loops = static_cast<Eigen::Index>(closed_->loop_equations());
  projector_.setIdentity();
  projector_.noalias() -= loops_.bound.transpose() * loops_.J;
  product_.noalias() = rate_by_place_.topRows(loops) * projector_;
  speed_by_place_.noalias() = -loops_.bound.transpose() * product_;
}

}  // namespace davit::multibody
