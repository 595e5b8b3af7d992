#include "components/mechanism/dynamics/loop_dynamics.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <utility>

namespace davit::multibody {

LoopDynamics::LoopDynamics(TreeDynamics* dynamics, std::vector<Loop> loops, double kappa,
                           std::size_t distance_masses)
    : dynamics_(dynamics), loops_(std::move(loops)), masses_(distance_masses), kappa_(kappa) {
  for (const Loop& loop : loops_) {
    for (const LoopEquation& equation : loop.equations()) {
      rows_.push_back({.loop = &loop, .a = loop.a(), .b = loop.b(), .equation = equation, .on_b = {}});
    }
  }
  errors_.resize(rows_.size());
  for (std::size_t i = 0; i < distance_masses; ++i) {
    rows_.push_back({.a = {}, .b = {}, .equation = {.form = LoopEquation::Form::kDistance}, .on_b = {}});
  }
  const auto n = static_cast<Eigen::Index>(rows_.size());
  J_.resize(n, static_cast<Eigen::Index>(dynamics->tree().speeds()));
  response_.resizeLike(J_);
  G_.resize(n, n);
  right_.resize(n);
  lambda_.resize(n);
  scale_.resize(n);
  factors_ = Eigen::LDLT<Eigen::MatrixXd>(n);
}

void LoopDynamics::FillRow(std::size_t k) {
  Row& row = rows_[k];
  const auto i = static_cast<Eigen::Index>(k);
  const LoopValue value(row.equation, AnchorMotion(*dynamics_, row.a), AnchorMotion(*dynamics_, row.b));
  row.on_b = value.on_b;
  right_[i] = -value.second_rate;
  if (row.loop != nullptr) {
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
  // Shares of the largest pivot: below the first the position is nearly singular, below the second an
  // equation repeats others.
  constexpr double kNearlySingular = 1e-8;
  constexpr double kRedundant = 1e-12;
  constexpr double kNothing = 1e-20;  // what rounding leaves of an equation that no speed can change
  const double least = kNothing * G_.diagonal().maxCoeff();
  for (Eigen::Index i = 0; i < G_.rows(); ++i) scale_[i] = G_(i, i) > least ? 1 / std::sqrt(G_(i, i)) : 0;
  G_ = scale_.asDiagonal() * G_ * scale_.asDiagonal();
  right_ = scale_.cwiseProduct(right_);
  factors_.compute(G_);
  const auto pivots = factors_.vectorD();
  if (pivots.minCoeff() > kNearlySingular * pivots.maxCoeff()) {
    lambda_ = factors_.solve(right_);
  } else {
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> all(G_.rows(), G_.cols());
    all.setThreshold(kRedundant);
    all.compute(G_);
    lambda_ = all.solve(right_);
  }
  lambda_ = scale_.cwiseProduct(lambda_);
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

Wrench LoopDynamics::LoopForce(std::size_t l) const {
  Wrench sum;
  for (const Row& row : rows_) {
    if (row.loop != &loops_[l]) continue;
    sum += Wrench{row.lambda * row.on_b.moment, row.lambda * row.on_b.force};
  }
  const Vector3 p = (dynamics_->PoseOf(loops_[l].b().body) * loops_[l].b().at).p;
  return {sum.moment - p.cross(sum.force), sum.force};
}

}  // namespace davit::multibody
