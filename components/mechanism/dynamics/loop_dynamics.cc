#include "components/mechanism/dynamics/loop_dynamics.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace davit::multibody {
namespace {

constexpr double kShare = 1e-12;  // of the unit matrix: far above rounding, far below what binds
constexpr int kCorrections = 1;   // each takes out most of what that share has changed

}  // namespace

LoopDynamics::LoopDynamics(TreeDynamics* dynamics, std::span<const Loop> loops, std::vector<Path> paths)
    : dynamics_(dynamics), paths_(std::move(paths)), masses_(paths_.size()) {
  for (std::size_t l = 0; l < loops.size(); ++l) {
    for (const LoopEquation& equation : loops[l].equations())
      rows_.push_back({.loop = l, .a = loops[l].a(), .b = loops[l].b(), .equation = equation, .on_b = {}});
  }
  const auto loop_rows = static_cast<Eigen::Index>(rows_.size());
  const auto n = static_cast<Eigen::Index>(rows_.size() + paths_.size());
  J_.resize(n, static_cast<Eigen::Index>(dynamics->tree().speeds()));
  response_.resizeLike(J_);
  G_.resize(n, n);
  for (Eigen::VectorXd* vector : {&phi_, &rate_}) vector->setZero(loop_rows);
  for (Eigen::VectorXd* vector : {&right_, &lambda_, &forces_, &scale_, &rest_}) vector->setZero(n);
  change_.resize(J_.cols());
  q_change_.resize(static_cast<Eigen::Index>(dynamics->tree().positions()));
  loop_factors_.compute(Eigen::MatrixXd::Identity(loop_rows, loop_rows));  // takes its memory
  factors_.compute(Eigen::MatrixXd::Identity(n, n));
}

void LoopDynamics::FillLoopRow(std::size_t k) {
  Row& row = rows_[k];
  const auto i = static_cast<Eigen::Index>(k);
  const LoopValue value(row.equation, AnchorMotion(*dynamics_, row.a), AnchorMotion(*dynamics_, row.b));
  row.on_b = value.on_b;
  phi_[i] = value.phi;
  rate_[i] = value.rate;
  right_[i] = -value.second_rate;
  J_.row(i).setZero();
  AddBodyRow(*dynamics_, row.b.body, value.on_b, 1, RowOf(J_, i));
  AddBodyRow(*dynamics_, row.a.body, value.on_b, -1, RowOf(J_, i));
}

void LoopDynamics::FillPathRow(std::size_t i) {
  const auto k = static_cast<Eigen::Index>(rows_.size() + i);
  J_.row(k).setZero();
  right_[k] = 0;
  if (!(masses_[i] > 0)) return;
  right_[k] = -PathValue(*dynamics_, paths_[i]).second_rate;
  AddPathRow(*dynamics_, paths_[i], RowOf(J_, k));
}

void LoopDynamics::FillProducts(Eigen::Index count) {
  for (Eigen::Index k = 0; k < count; ++k) dynamics_->SolveMass(RowOf(J_, k), RowOf(response_, k));
  G_.topLeftCorner(count, count).noalias() = J_.topRows(count) * response_.topRows(count).transpose();
}

void LoopDynamics::Factor(Eigen::Index count, Eigen::LLT<Eigen::MatrixXd>& factors) {
  constexpr double kNothing = 1e-20;  // what rounding leaves of an equation that no speed can change
  auto G = G_.topLeftCorner(count, count);
  const double least = kNothing * G.diagonal().maxCoeff();
  for (Eigen::Index i = 0; i < count; ++i) scale_[i] = G(i, i) > least ? 1 / std::sqrt(G(i, i)) : 0;
  for (Eigen::Index i = 0; i < count; ++i) G.col(i).array() *= scale_.head(count).array() * scale_[i];
  G.diagonal().array() += kShare;
  factors.compute(G);
}

void LoopDynamics::Solve(Eigen::Index count, const Eigen::LLT<Eigen::MatrixXd>& factors) {
  const auto G = G_.topLeftCorner(count, count);
  auto x = lambda_.head(count), right = right_.head(count), rest = rest_.head(count);
  right.array() *= scale_.head(count).array();
  x = right;
  factors.solveInPlace(x);
  for (int i = 0; i < kCorrections; ++i) {
    rest = right + kShare * x;
    rest.noalias() -= G * x;
    factors.solveInPlace(rest);
    x += rest;
  }
  x.array() *= scale_.head(count).array();
}

std::optional<double> LoopDynamics::Project(const MovingBase& base, std::span<const double> rotor_inertia,
                                            std::span<double> q, std::span<double> u) {
  constexpr int kMostSteps = 4;        // from errors of a stage, two are enough
  constexpr double kLastMove = 1e-9;   // [m] or [rad]: its square is below rounding
  constexpr double kRounding = 1e-15;  // [m/s]
  const auto n = static_cast<Eigen::Index>(rows_.size());
  double before = 0;
  const auto move = [&](const Eigen::VectorXd& error) {
    FillProducts(n);
    Factor(n, loop_factors_);
    right_.head(n) = -error;
    Solve(n, loop_factors_);
    change_.noalias() = response_.topRows(n).transpose() * lambda_.head(n);
  };
  bool is_closed = false;
  for (int step = 0;; ++step) {
    dynamics_->MoveTo(base, q, u);
    if (dynamics_->FactorInertia(rotor_inertia)) return std::nullopt;
    if (n == 0) return before;
    for (std::size_t k = 0; k < rows_.size(); ++k) FillLoopRow(k);
    if (step == 0) before = phi_.cwiseAbs().maxCoeff();
    if (is_closed || step == kMostSteps) break;
    move(phi_);
    // In singular positions an error says little of the distance: the square of it.
    is_closed = change_.cwiseAbs().maxCoeff() <= kLastMove;
    dynamics_->tree().FillRates(q, {change_.data(), u.size()}, {q_change_.data(), q.size()});
    Eigen::Map<Eigen::VectorXd>(q.data(), q_change_.size()) += q_change_;
  }
  // Only where the loops are closed do redundant equations agree about the speeds. The second time takes out
  // what rounding has left of the first near singular positions.
  for (int time = 0; time < 2 && rate_.cwiseAbs().maxCoeff() > kRounding; ++time) {
    move(rate_);
    Eigen::Map<Eigen::VectorXd>(u.data(), change_.size()) += change_;
    dynamics_->MoveTo(base, q, u);
    for (std::size_t k = 0; k < rows_.size(); ++k) FillLoopRow(k);
  }
  return before;
}

void LoopDynamics::Accelerate(std::span<const Wrench> wrenches, std::span<const double> tau,
                              std::span<double> u_rate) {
  dynamics_->Accelerate(wrenches, tau, u_rate);
  if (rows_.empty() && !has_path_mass()) {
    forces_.setZero();
    return;
  }
  for (std::size_t k = 0; k < rows_.size(); ++k) FillLoopRow(k);
  for (std::size_t i = 0; i < paths_.size(); ++i) FillPathRow(i);
  FillProducts(J_.rows());
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(rows_.size() + i);
    G_(k, k) += masses_[i] > 0 ? 1 / masses_[i] : 1;  // without a mass there is no force
  }
  Factor(J_.rows(), factors_);
  forces_.setZero();
  // The second time takes out what rounding has left of the first near singular positions.
  for (int time = 0; time < 2; ++time) {
    Solve(J_.rows(), factors_);
    forces_ += lambda_;
    Eigen::Map<Eigen::VectorXd>(u_rate.data(), J_.cols()).noalias() += response_.transpose() * lambda_;
    dynamics_->SetAccelerations(u_rate);
    if (time == 0) FillRest();
  }
}

void LoopDynamics::FillRest() {
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const Row& row = rows_[k];
    const LoopValue value(row.equation, AnchorMotion(*dynamics_, row.a), AnchorMotion(*dynamics_, row.b));
    right_[static_cast<Eigen::Index>(k)] = -value.second_rate;
  }
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    if (!(masses_[i] > 0)) continue;
    const auto k = static_cast<Eigen::Index>(rows_.size() + i);
    right_[k] = -PathValue(*dynamics_, paths_[i]).second_rate - forces_[k] / masses_[i];
  }
}

void LoopDynamics::FillResponses(Eigen::Index count, const Eigen::LLT<Eigen::MatrixXd>& factors,
                                 Responses& responses) {
  responses.J.topRows(count) = J_.topRows(count);
  responses.free.topRows(count) = response_.topRows(count);
  for (Eigen::Index k = 0; k < J_.cols(); ++k) {
    right_.head(count) = response_.col(k).head(count);
    Solve(count, factors);
    responses.bound.col(k).head(count) = lambda_.head(count);
  }
}

void LoopDynamics::FillAllResponses(Responses& responses) { FillResponses(J_.rows(), factors_, responses); }

void LoopDynamics::FillLoopResponses(Responses& responses) {
  const auto n = static_cast<Eigen::Index>(rows_.size());
  G_.topLeftCorner(n, n).noalias() = J_.topRows(n) * response_.topRows(n).transpose();
  Factor(n, loop_factors_);
  FillResponses(n, loop_factors_, responses);
}

Wrench LoopDynamics::ForceOf(std::size_t k) const {
  const double lambda = forces_[static_cast<Eigen::Index>(k)];
  return {lambda * rows_[k].on_b.moment, lambda * rows_[k].on_b.force};
}

void LoopDynamics::AddLoopWrenches(std::span<Wrench> wrenches) const {
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const Wrench on_b = ForceOf(k);
    const std::size_t a = rows_[k].a.body, b = rows_[k].b.body;
    if (b != BodyTree::kBase) wrenches[b] += AboutBody(on_b, dynamics_->PoseOf(b));
    if (a != BodyTree::kBase) wrenches[a] = wrenches[a] - AboutBody(on_b, dynamics_->PoseOf(a));
  }
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    if (masses_[i] > 0)
      AddPathForce(*dynamics_, paths_[i], forces_[static_cast<Eigen::Index>(rows_.size() + i)], wrenches);
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
