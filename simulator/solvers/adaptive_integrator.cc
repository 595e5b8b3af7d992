#include "simulator/solvers/adaptive_integrator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "framework/symptom.h"
#include "simulator/solvers/integration_error.h"
#include "simulator/solvers/solver_profile.h"

namespace davit {
namespace {

std::vector<double> Nominal(const SolverProblem& problem) {
  return problem.nominal.empty() ? std::vector<double>(problem.size, 1.0) : problem.nominal;
}

/// From t to the next number: a smaller step ends where it began.
double SpacingAfter(double t) { return std::nextafter(t, std::numeric_limits<double>::infinity()) - t; }

}  // namespace

AdaptiveIntegrator::AdaptiveIntegrator(const SolverProblem& problem, const IntegratorOptions& options,
                                       int order)
    : rhs_(problem, counters_),
      nominal_(Nominal(problem)),
      min_step_(options.min_step),
      max_step_(options.max_step),
      order_(order),
      absolute_tolerance_(options.absolute_tolerance),
      absolute_(nominal_),
      y_old_(problem.size),
      y_new_(problem.size),
      ddt_old_(problem.size),
      ddt_new_(problem.size) {
  fastest_.Resize(problem.size);
  for (double& a : absolute_) a *= absolute_tolerance_;
  norm_ = ErrorNorm(options.relative_tolerance, absolute_);
}

void AdaptiveIntegrator::Resize(const SolverProblem& problem) {
  nominal_ = problem.nominal;
  absolute_.resize(problem.size);
  for (std::size_t i = 0; i < problem.size; ++i) absolute_[i] = nominal_[i] * absolute_tolerance_;
  for (State* v : {&y_old_, &y_new_, &ddt_old_, &ddt_new_}) v->assign(problem.size, 0.0);
  fastest_.Resize(problem.size);
  ResizeMethod(problem);
}

void AdaptiveIntegrator::Restart(double t, std::span<const double> y, RestartKind kind) {
  t_old_ = t_new_ = t;
  std::copy(y.begin(), y.end(), y_new_.begin());
  has_slope_ = false;
  if (kind == RestartKind::kNewProblem) dt_ = 0;
  ForgetHistory();
}

void AdaptiveIntegrator::ValueAt(double t, std::span<double> y) {
  if (t == t_new_) {
    std::copy(y_new_.begin(), y_new_.end(), y.begin());
  } else if (t == t_old_) {
    std::copy(y_old_.begin(), y_old_.end(), y.begin());
  } else {
    Interpolate(t, y);
  }
}

std::size_t AdaptiveIntegrator::FindFastest() const {
  std::size_t fastest = 0;
  double most = 0;
  for (std::size_t i = 0; i < y_old_.size(); ++i) {
    const double speed = std::abs(ddt_old_[i]) / (absolute_[i] + std::abs(y_old_[i]));
    if (speed <= most) continue;
    most = speed;
    fastest = i;
  }
  return fastest;
}

void AdaptiveIntegrator::Step(double t_stop) {
  std::swap(y_old_, y_new_);
  std::swap(ddt_old_, ddt_new_);
  t_old_ = t_new_;
  t_limit_ = t_stop;
  if (y_old_.empty()) {  // no state is in use
    t_new_ = t_stop;
    return;
  }
  is_evaluated_ = !has_slope_;
  if (!has_slope_) {
    rhs_(y_old_, ddt_old_, t_old_);
    if (const std::size_t bad = FindNotFinite(ddt_old_); bad < ddt_old_.size()) {
      std::swap(y_old_, y_new_);
      throw IntegrationError("the derivative is not finite", t_old_, bad);
    }
  }
  if (dt_ == 0) {
    dt_ = EstimateFirstStep(t_stop - t_old_);
    is_evaluated_ = false;
  }
  const double smallest = std::max(min_step_, SpacingAfter(t_old_));
  double dt = std::min(std::max(dt_, smallest), max_step_);
  const double rest = t_stop - t_old_;
  bool is_last = dt >= rest * (1 - 1e-12);
  if (is_last) dt = rest;
  const double proposed = dt_;
  double tried = dt;
  bool is_rejected = false;
  while (!TryStep(dt)) {
    ++counters_.rejected;
    is_rejected = true;
    if (profile_ != nullptr) profile_->Reject(FindWorstError());
    if (progress_ != nullptr) progress_->Reject(1, FindWorstError());
    if (!(dt < tried))
      dt = tried / 2;  // an extrapolation method may ask for a larger step: never twice the same
    if (dt < smallest && dt < rest) Fail(tried, dt);
    tried = dt;
    is_last = false;
  }
  t_new_ = is_last ? t_stop : t_old_ + tried;
  // A step cut at t_stop says nothing against the size that was wanted.
  dt_ = is_last && !is_rejected ? std::max(proposed, dt) : dt;
  has_slope_ = gives_slope();
  ++counters_.steps;
  if (profile_ != nullptr) profile_->Limit(FindWorstError());
  if (progress_ != nullptr) progress_->Accept(t_new_, y_new_);
  if (++steps_since_look_ < kLookEvery) return;
  steps_since_look_ = 0;
  if (stability_limit() > 0) LookAtStability(tried);
}

void AdaptiveIntegrator::LookAtStability(double h) {
  const double rate = fastest_.Estimate(rhs_, y_old_, ddt_old_, t_old_, nominal_);
  if (rate == 0) return;
  ++counters_.looked_at;
  // With rounding noise the step size settles at about half the limit instead of oscillating about it.
  if (h * rate > 0.5 * stability_limit()) ++counters_.at_limit;
}

/// First step size after Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, section
/// II.4.
double AdaptiveIntegrator::EstimateFirstStep(double longest) {
  const double d0 = norm_.Compute(y_old_, y_old_);
  const double d1 = norm_.Compute(y_old_, ddt_old_);
  const double h0 = std::min(d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1, longest);
  for (std::size_t i = 0; i < y_old_.size(); ++i) y_new_[i] = y_old_[i] + h0 * ddt_old_[i];
  rhs_(y_new_, ddt_new_, std::min(t_old_ + h0, t_limit_));
  for (std::size_t i = 0; i < y_old_.size(); ++i) ddt_new_[i] -= ddt_old_[i];
  const double d2 = norm_.Compute(y_old_, ddt_new_) / h0;
  const double steepest = std::max(d1, d2);
  const double h1 =
      steepest <= 1e-15 ? std::max(1e-6, h0 * 1e-3) : std::pow(0.01 / steepest, 1.0 / (order_ + 1));
  const double h = std::min({100 * h0, h1, longest});
  return std::isfinite(h) && h > 0 ? h : std::min(1e-9, longest);
}

std::size_t AdaptiveIntegrator::FindOriginAhead(double tried, std::size_t otherwise) {
  const double furthest = std::max(tried, 1e-6 * std::abs(t_old_));
  for (double ahead = tried; ahead > 0 && ahead <= furthest; ahead *= 10) {
    const double t = std::min(t_old_ + ahead, t_limit_);
    const std::size_t origin = rhs_.FindOrigin(y_old_, ddt_new_, t, y_old_.size());
    if (origin < y_old_.size()) return origin;
    if (t >= t_limit_) break;
  }
  return otherwise;
}

void AdaptiveIntegrator::Fail(double tried, double dt) {
  std::size_t worst = FindNotFinite(y_new_);
  const bool is_finite = worst == y_new_.size();
  if (is_finite) {
    worst = FindFastest();
  } else {
    worst = FindOriginAhead(tried, worst);
  }
  std::swap(y_old_, y_new_);
  t_new_ = t_old_;
  throw IntegrationError(
      !is_finite       ? std::string("the value is not finite")
      : dt < min_step_ ? fmt::format("a step of {:.3g} s is needed, min_step is {:.3g} s", dt, min_step_)
                       : fmt::format("the step size collapsed to {:.3g} s", dt),
      t_old_, worst, {}, is_finite ? Symptom::kStepSize : Symptom::kDiverged);
}

}  // namespace davit
