#include "simulator/solvers/outside_integrator.h"

#include <algorithm>

namespace davit {
namespace {

/// The first moment of a step: this long [s], and not more than this share of the step.
constexpr double kFirstMoment = 1e-6;
constexpr double kFirstShare = 1e-3;

}  // namespace

OutsideIntegrator::OutsideIntegrator(const SolverProblem& problem, IntegratorOptions options)
    : problem_(problem) {
  if (!FindOdeMethod(options.method)->has_values_inside) options.method = "runge_kutta_dopri5";
  own_ = MakeIntegrator(problem_, options);
  for (std::vector<double>* v : {&y_old_, &y_given_, &slope_, &middle_}) v->resize(problem.size);
}

void OutsideIntegrator::Give(double t, std::span<const double> y) {
  ValueAt(t_new_, y_old_);
  t_old_ = t_new_;
  is_own_active_ = false;
  t_given_ = t;
  std::ranges::copy(y, y_given_.begin());
}

void OutsideIntegrator::Restart(double t, std::span<const double> y, RestartKind /*kind*/) {
  const bool is_same = t == t_old_ && t == t_new_ && std::ranges::equal(y, y_old_);
  t_old_ = t_new_ = t;
  std::ranges::copy(y, y_old_.begin());
  if (is_same) return;  // the equations have changed, which the solver outside knows
  is_own_active_ = t < t_given_;
  if (is_own_active_) own_->Restart(t, y, RestartKind::kNewProblem);
}

void OutsideIntegrator::AdvanceTo(double t_end, double t_stop, std::span<double> y) {
  while (t_new_ < t_end) StepTowards(t_stop);
  ValueAt(t_end, y);
}

double OutsideIntegrator::StepTowards(double t_stop) {
  if (!is_own_active_ && t_new_ >= t_given_) {  // nothing was given
    ValueAt(t_new_, y_old_);
    t_old_ = t_new_;
    own_->Restart(t_old_, y_old_, RestartKind::kNewProblem);
    is_own_active_ = true;
  }
  // Its own solver must not pass the given time: the solver outside continues there.
  const double limit = t_new_ < t_given_ ? std::min(t_stop, t_given_) : t_stop;
  t_new_ = is_own_active_ ? own_->StepTowards(limit) : limit;
  return t_new_;
}

void OutsideIntegrator::ValueAt(double t, std::span<double> y) {
  if (is_own_active_ && t > t_old_) return own_->ValueAt(t, y);
  if (!is_own_active_ && t >= t_given_ && t > t_old_) {
    std::ranges::copy(y_given_, y.begin());
    return;
  }
  std::ranges::copy(y_old_, y.begin());
  const double moment = t - t_old_;
  if (!(moment > 0)) return;
  Evaluate(t_old_, y_old_, slope_);
  const double first = std::min(kFirstMoment, kFirstShare * (t_given_ - t_old_));
  if (moment > first) {
    // What is there is not known, but to which side an indicator that was zero has gone.
    for (std::size_t i = 0; i < middle_.size(); ++i) y[i] = y_old_[i] + first * slope_[i];
    return;
  }
  for (std::size_t i = 0; i < middle_.size(); ++i) middle_[i] = y_old_[i] + moment / 2 * slope_[i];
  Evaluate(t_old_ + moment / 2, middle_, slope_);
  for (std::size_t i = 0; i < middle_.size(); ++i) y[i] = y_old_[i] + moment * slope_[i];
}

void OutsideIntegrator::Evaluate(double t, const std::vector<double>& y, std::vector<double>& ddt) {
  ++counters_.evaluations;
  problem_.evaluate(problem_.context, y.data(), ddt.data(), t);
}

void OutsideIntegrator::ArchiveMemory(Archive& archive) {
  if (!archive.is_loading()) {
    ValueAt(t_new_, y_old_);
    t_old_ = t_given_ = t_new_;
    is_own_active_ = false;
  }
  archive(t_old_, t_new_, t_given_, y_old_);
}

}  // namespace davit
