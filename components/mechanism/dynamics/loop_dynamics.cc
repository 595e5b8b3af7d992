#include "components/mechanism/dynamics/loop_dynamics.h"

#include <algorithm>
#include <cmath>

namespace davit::multibody {

LoopDynamics::LoopDynamics(TreeDynamics* dynamics, std::span<const Loop> loops, std::size_t distance_masses)
    : dynamics_(dynamics), masses_(distance_masses) {
  for (std::size_t l = 0; l < loops.size(); ++l) {
    for (const LoopEquation& equation : loops[l].equations())
      rows_.push_back({.loop = l, .a = loops[l].a(), .b = loops[l].b(), .equation = equation, .on_b = {}});
  }
  errors_.resize(rows_.size());
  for (std::size_t i = 0; i < distance_masses; ++i) {
    rows_.push_back({.loop = loops.size() + i,
                     .a = {},
                     .b = {},
                     .equation = {.form = LoopEquation::Form::kDistance},
                     .on_b = {}});
  }
  const auto n = static_cast<Eigen::Index>(rows_.size());
  J_.resize(n, static_cast<Eigen::Index>(dynamics->tree().speeds()));
  response_.resizeLike(J_);
  G_.resize(n, n);
  for (Eigen::VectorXd* vector : {&right_, &lambda_, &scale_, &rest_}) vector->resize(n);
  factors_ = Eigen::LLT<Eigen::MatrixXd>(n);
}

void LoopDynamics::FillRow(std::size_t k) {
  Row& row = rows_[k];
  const auto i = static_cast<Eigen::Index>(k);
  const LoopValue value(row.equation, AnchorMotion(*dynamics_, row.a), AnchorMotion(*dynamics_, row.b));
  row.on_b = value.on_b;
  right_[i] = -value.second_rate;
  if (k < errors_.size()) {
    errors_[k] = value.phi;
    right_[i] -= kappa_ * (2 * value.rate + kappa_ * value.phi);
  }
  const auto speeds = static_cast<std::size_t>(J_.cols());
  const std::span<double> of_row(&J_(i, 0), speeds);
  AddBodyRow(*dynamics_, row.b.body, value.on_b, 1, of_row);
  AddBodyRow(*dynamics_, row.a.body, value.on_b, -1, of_row);
  dynamics_->SolveMass(of_row, {&response_(i, 0), speeds});
}

void LoopDynamics::FillRows() {
  J_.setZero();
  response_.setZero();
  right_.setZero();
  for (std::size_t k = 0; k < errors_.size(); ++k) FillRow(k);
  for (std::size_t i = 0; i < masses_.size(); ++i) {
    Row& row = rows_[errors_.size() + i];
    row.a = masses_[i].a;
    row.b = masses_[i].b;
    if (masses_[i].mass > 0) FillRow(errors_.size() + i);
  }
  G_.noalias() = J_ * response_.transpose();
  for (std::size_t i = 0; i < masses_.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(errors_.size() + i);
    G_(k, k) += masses_[i].mass > 0 ? 1 / masses_[i].mass : 1;  // without a mass there is no force
  }
}

void LoopDynamics::SolveForces() {
  constexpr double kNothing = 1e-20;  // what rounding leaves of an equation that no speed can change
  constexpr double kShare = 1e-12;    // of the unit matrix: far above rounding, far below what binds
  const double least = kNothing * G_.diagonal().maxCoeff();
  for (Eigen::Index i = 0; i < G_.rows(); ++i) scale_[i] = G_(i, i) > least ? 1 / std::sqrt(G_(i, i)) : 0;
  G_ = scale_.asDiagonal() * G_ * scale_.asDiagonal();
  right_ = scale_.cwiseProduct(right_);
  G_.diagonal().array() += kShare;
  factors_.compute(G_);
  lambda_ = factors_.solve(right_);
  // One correction takes out what the share of the unit matrix has changed.
  rest_ = right_ + kShare * lambda_;
  rest_.noalias() -= G_ * lambda_;
  factors_.solveInPlace(rest_);
  lambda_ = scale_.cwiseProduct(lambda_ + rest_);
}

void LoopDynamics::Accelerate(std::span<const Wrench> wrenches, std::span<const double> tau,
                              std::span<double> u_rate) {
  dynamics_->Accelerate(wrenches, tau, u_rate);
  const bool has_mass = std::ranges::any_of(masses_, [](const DistanceMass& each) { return each.mass > 0; });
  if (errors_.empty() && !has_mass) {
    for (Row& row : rows_) row.lambda = 0;
    return;
  }
  FillRows();
  SolveForces();
  for (std::size_t k = 0; k < rows_.size(); ++k) rows_[k].lambda = lambda_[static_cast<Eigen::Index>(k)];
  Eigen::Map<Eigen::VectorXd>(u_rate.data(), J_.cols()).noalias() += response_.transpose() * lambda_;
  dynamics_->SetAccelerations(u_rate);
}

void LoopDynamics::AddLoopWrenches(std::span<Wrench> wrenches) const {
  for (const Row& row : rows_) {
    const Wrench on_b{row.lambda * row.on_b.moment, row.lambda * row.on_b.force};
    if (row.b.body != BodyTree::kBase)
      wrenches[row.b.body] += SeenFromBody(on_b, dynamics_->PoseOf(row.b.body));
    if (row.a.body != BodyTree::kBase) {
      Wrench& on_a = wrenches[row.a.body];
      on_a = on_a - SeenFromBody(on_b, dynamics_->PoseOf(row.a.body));
    }
  }
}

Wrench LoopDynamics::LoopWrench(std::size_t l) const {
  Wrench sum;
  for (const Row& row : rows_) {
    if (row.loop == l) sum += {row.lambda * row.on_b.moment, row.lambda * row.on_b.force};
  }
  return sum;
}

}  // namespace davit::multibody
