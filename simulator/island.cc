#include "simulator/island.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "simulator/integration_error.h"

namespace davit {
namespace {

/// Times closer than this count as equal: a break on a step point, whatever rounding says. Late in a run the
/// step points themselves are only as good as their last digits.
double SameTime(double t0, double t1) {
  return std::max(1e-9 * (t1 - t0), 4 * std::numeric_limits<double>::epsilon() * std::abs(t1));
}

}  // namespace

void Island::Evaluate(const double* y, double* ddt, double t) {
  states_.memory.y = const_cast<double*>(y);  // evaluations never write states
  states_.memory.ddt = ddt;
  if (!waves_.empty()) {
    const double share = t >= step_end_ ? 1.0 : (t - step_begin_) / (step_end_ - step_begin_);
    for (const Wave& wave : waves_) *wave.c = (1 - share) * wave.at_begin + share * wave.at_end;
  }
  const double seen = std::min(std::max(t, t_floor_), t_ceiling_);
  for (const Copy& copy : copied_states_) *copy.to = y[copy.offset];
  std::size_t derivative = 0;
  for (const Batch& batch : batches_) {
    batch.evaluate(&evaluated_[batch.begin], batch.count, seen);
    for (; derivative < batch.derivatives_end; ++derivative) {
      const Copy& copy = copied_derivatives_[derivative];
      *copy.to = ddt[copy.offset];
    }
  }
}

void Island::LookForBreak(double t) {
  next_break_ = std::numeric_limits<double>::infinity();
  for (const DynamicSimComponent* component : timed_) {
    const double next = component->NextBreakTime(t);
    assert(next > t);
    next_break_ = std::min(next_break_, next);
  }
  t_ceiling_ = std::nextafter(next_break_, t);
}

void Island::Start(double t) {
  const auto list = [](std::deque<Published>& published, std::vector<Copy>& copies) {
    copies.clear();
    for (Published& p : published) copies.push_back({p.slot->offset, &p.value});
  };
  list(published_states_, copied_states_);
  list(published_derivatives_, copied_derivatives_);
  problem_.size = states_.y.size();
  problem_.context = this;
  problem_.evaluate = [](void* context, const double* y, double* ddt, double time) {
    static_cast<Island*>(context)->Evaluate(y, ddt, time);
  };
  problem_.nominal.clear();
  for (std::size_t i = 0; i < states_.size(); ++i) problem_.nominal.push_back(states_.Declaration(i).nominal);
  integrator_ = MakeIntegrator(problem_, options_);
  states_.memory.is_overridden = false;
  needs_restart_ = true;
  is_slope_known_ = false;
  for (Latch& latch : latches_) latch.value = 0;
  t_floor_ = t;
  step_begin_ = step_end_ = t;
  LookForBreak(t);
}

void Island::TakeWaves() {
  for (Wave& wave : waves_) wave.at_begin = wave.at_end = *wave.c;
}

void Island::HoldWaves() {
  for (Wave& wave : waves_) wave.at_begin = *wave.c;
}

void Island::UpdateLatches() {
  has_new_latch_ = false;
  for (Latch& latch : latches_) {
    const double value = latch.from.Read();
    has_new_latch_ = has_new_latch_ || value != latch.value;
    latch.value = value;
  }
}

void Island::Advance(double t0, double t1, double horizon) {
  try {
    Integrate(t0, t1, horizon);
  } catch (IntegrationError& error) {
    error.set_island(*this);
    // The states are those of the last step point again, not what the solver tried.
    states_.memory.y = states_.y.data();
    states_.memory.ddt = states_.ddt.data();
    throw;
  }
  EvaluateAt(t1);
  is_slope_known_ = true;
}

void Island::Integrate(double t0, double t1, double horizon) {
  const double same = SameTime(t0, t1);
  if (needs_restart_ || states_.memory.is_overridden) {
    LookForBreak(std::max(t0, t_floor_));  // a parameter may have moved it
    integrator_->Restart(t0, states_.y, Integrator::RestartKind::kNewProblem);
  } else if (has_new_latch_) {
    integrator_->Restart(t0, states_.y, Integrator::RestartKind::kSameScale);
  } else if (is_slope_known_ && waves_.empty()) {
    integrator_->GiveSlope(states_.ddt);
  }
  needs_restart_ = false;
  is_slope_known_ = false;
  states_.memory.is_overridden = false;
  // Where signals from outside change all the time, running ahead would be thrown away.
  const double stop = has_new_latch_ || !waves_.empty() ? t1 : std::max(horizon, t1);
  step_begin_ = t0;
  step_end_ = t1;
  for (Wave& wave : waves_) wave.at_end = *wave.c;

  while (next_break_ < t1 + same) {
    const bool is_at_end = next_break_ > t1 - same;
    const double t = is_at_end ? t1 : next_break_;
    if (t > t0 + same) integrator_->AdvanceTo(t, t, states_.y);
    t_floor_ = next_break_;
    LookForBreak(next_break_);
    if (is_at_end) {
      needs_restart_ = true;
      t0 = t1;
    } else {
      integrator_->Restart(t, states_.y, Integrator::RestartKind::kNewProblem);
    }
  }
  if (t0 < t1) {
    const double until = next_break_ <= stop - same ? next_break_ : stop;
    integrator_->AdvanceTo(t1, until, states_.y);
  }
}

}  // namespace davit
