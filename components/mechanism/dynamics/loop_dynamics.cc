#include "components/mechanism/dynamics/loop_dynamics.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace davit::multibody {

LoopDynamics::LoopDynamics(TreeDynamics* dynamics, std::span<const Loop> loops, std::vector<Path> paths)
    : dynamics_(dynamics), paths_(std::move(paths)), masses_(paths_.size()) {
  for (std::size_t l = 0; l < loops.size(); ++l) {
    for (const LoopEquation& equation : loops[l].equations())
      rows_.push_back({.loop = l, .a = loops[l].a(), .b = loops[l].b(), .equation = equation, .on_b = {}});
  }
  errors_.resize(rows_.size());
  const auto n = static_cast<Eigen::Index>(rows_.size() + paths_.size());
  J_.resize(n, static_cast<Eigen::Index>(dynamics->tree().speeds()));
  response_.resizeLike(J_);
  G_.resize(n, n);
  for (Eigen::VectorXd* vector : {&right_, &lambda_, &scale_, &rest_}) vector->setZero(n);
  factors_ = Eigen::LLT<Eigen::MatrixXd>(n);
}

void LoopDynamics::FillLoopRow(std::size_t k) {
  Row& row = rows_[k];
  const auto i = static_cast<Eigen::Index>(k);
  const LoopValue value(row.equation, AnchorMotion(*dynamics_, row.a), AnchorMotion(*dynamics_, row.b));
  row.on_b = value.on_b;
  errors_[k] = value.phi;
  right_[i] = -value.second_rate - kappa_ * (2 * value.rate + kappa_ * value.phi);
  AddBodyRow(*dynamics_, row.b.body, value.on_b, 1, RowOf(J_, i));
  AddBodyRow(*dynamics_, row.a.body, value.on_b, -1, RowOf(J_, i));
}

void LoopDynamics::FillPathRow(std::size_t i) {
  const auto k = static_cast<Eigen::Index>(rows_.size() + i);
  right_[k] = -PathValue(*dynamics_, paths_[i]).second_rate;
  AddPathRow(*dynamics_, paths_[i], RowOf(J_, k));
}

void LoopDynamics::FillRows() {
  J_.setZero();
  right_.setZero();
  for (std::size_t k = 0; k < rows_.size(); ++k) FillLoopRow(k);
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    if (masses_[i] > 0) FillPathRow(i);
  }
  for (Eigen::Index k = 0; k < J_.rows(); ++k) dynamics_->SolveMass(RowOf(J_, k), RowOf(response_, k));
  G_.noalias() = J_ * response_.transpose();
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(rows_.size() + i);
    G_(k, k) += masses_[i] > 0 ? 1 / masses_[i] : 1;  // without a mass there is no force
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
  const bool has_mass = std::ranges::any_of(masses_, [](double mass) { return mass > 0; });
  if (rows_.empty() && !has_mass) {
    lambda_.setZero();
    return;
  }
  FillRows();
  SolveForces();
  Eigen::Map<Eigen::VectorXd>(u_rate.data(), J_.cols()).noalias() += response_.transpose() * lambda_;
  dynamics_->SetAccelerations(u_rate);
}

Wrench LoopDynamics::ForceOf(std::size_t k) const {
  const double lambda = lambda_[static_cast<Eigen::Index>(k)];
  return {lambda * rows_[k].on_b.moment, lambda * rows_[k].on_b.force};
}

void LoopDynamics::AddLoopWrenches(std::span<Wrench> wrenches) const {
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const Wrench on_b = ForceOf(k);
    const std::size_t a = rows_[k].a.body, b = rows_[k].b.body;
    if (b != BodyTree::kBase) wrenches[b] += SeenFromBody(on_b, dynamics_->PoseOf(b));
    if (a != BodyTree::kBase) wrenches[a] = wrenches[a] - SeenFromBody(on_b, dynamics_->PoseOf(a));
  }
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    if (masses_[i] > 0)
      AddPathForce(*dynamics_, paths_[i], lambda_[static_cast<Eigen::Index>(rows_.size() + i)], wrenches);
  }
}

Wrench LoopDynamics::LoopWrench(std::size_t l) const {
  Wrench sum;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    if (rows_[k].loop == l) sum += ForceOf(k);
  }
  return sum;
}

}  // namespace davit::multibody
