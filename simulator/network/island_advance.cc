// The part of Island that advances it in time: the solver, breaks, events and modes.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <utility>

#include "simulator/evaluation_failure.h"
#include "simulator/network/island.h"
#include "simulator/solvers/fastest_mode.h"
#include "simulator/solvers/integration_error.h"
#include "simulator/state_failure.h"
#include "simulator/step_interrupted.h"

namespace davit {
namespace {

/// Times closer than this count as equal: a break on a step point, whatever rounding says. Late in a run the
/// step points themselves are only as good as their last digits.
double SameTime(double t0, double t1) {
  return std::max(1e-9 * (t1 - t0), 4 * std::numeric_limits<double>::epsilon() * std::abs(t1));
}

/// Break times closer than this [s] ...
constexpr double kQuickBreak = 1e-9;
/// ... and as many in a row are taken for a sequence without end.
constexpr int kMostQuickBreaks = 1000;

/// A TimeStep has as many solver steps at least, where a source is faster still.
constexpr int kMostMarks = 10'000;

/// Share of its size by which an unknown must move to be worth telling.
constexpr double kMoved = 1e-6;

/// Time constants below this share of a TimeStep are named as the reason why a solver does not get on.
constexpr double kFarFaster = 1e8;

/// What a member says of the state that the solver has seen last, inside of a step: that its equations do not
/// hold there. Null: nothing.
std::exception_ptr FindStateFailure(const std::vector<DynamicSimComponent*>& members, double t) {
  for (DynamicSimComponent* member : members) {
    if (!member->entry().has_pre_integrate) continue;
    try {
      member->PreIntegrate();
    } catch (const StateFailure& failure) {
      return std::make_exception_ptr(EvaluationFailure(*member, t, failure.what()));
    }
  }
  return nullptr;
}

}  // namespace

std::vector<Island::Moved> Island::MakeConsistent(double t, double t_next) {
  std::vector<Moved> moved;
  if (!is_dae_) return moved;
  const std::vector<double> before = states_.y;
  try {
    ida_->Restart(t, states_.y, Integrator::RestartKind::kNewProblem);
    ida_->MakeConsistent(t_next, states_.y, states_.ddt);
  } catch (IntegrationError& error) {
    error.set_island(*this);
    EvaluateAt(t);
    throw;
  }
  EvaluateAt(t);
  for (std::size_t i = 0; i < before.size(); ++i) {
    const double size = std::max(std::abs(before[i]), states_.Declaration(i).nominal);
    if (std::abs(states_.y[i] - before[i]) > kMoved * size) moved.push_back({i, before[i], states_.y[i]});
  }
  return moved;
}

void Island::ShowPresent(double t, double h, bool is_step_point) {
  if (is_step_point) {
    for (Latch& latch : latches_) latch.value = latch.from.Read();
    TakeWaves();
  }
  if (is_dae_) {
    // With a solver of its own, as that of the run goes on from what it remembers. Differences make the
    // Jacobian: that of the run counts how often it is made.
    DaeProblem problem = dae_problem_;
    problem.linearize = nullptr;
    const auto solver = IdaIntegrator::Make(problem, options_);
    try {
      solver->Restart(t, states_.y, Integrator::RestartKind::kNewProblem);
      solver->GiveSlope(states_.ddt);
      solver->MakeConsistent(t + h, states_.y, states_.ddt);
    } catch (IntegrationError& error) {
      error.set_island(*this);
      ShowStepPoint();
      throw;
    }
  }
  EvaluateAt(t);
}

void Island::LookForBreak(double t) {
  next_break_ = std::numeric_limits<double>::infinity();
  const DynamicSimComponent* first = nullptr;
  for (const DynamicSimComponent* component : timed_) {
    const double next = component->NextBreakTime(t);
    if (!(next > t)) {
      throw EvaluationFailure(
          *component, t,
          fmt::format("NextBreakTime({:.17g}) returned {:.17g}, which is not later; compare with <, "
                      "and return infinity when no time event (break time) follows",
                      t, next));
    }
    if (next >= next_break_) continue;
    next_break_ = next;
    first = component;
  }
  quick_breaks_ = next_break_ - t < kQuickBreak ? quick_breaks_ + 1 : 0;
  if (quick_breaks_ > kMostQuickBreaks) {
    throw EvaluationFailure(
        *first, t,
        fmt::format(
            "its time events (break times) follow each other within {:g} s without end (Zeno behaviour); "
            "leave more time between them",
            kQuickBreak));
  }
  t_ceiling_ = std::nextafter(next_break_, t);
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
  const WatchedPart part(watch_, StepPart::kIsland);
  try {
    try {
      Integrate(t0, t1, horizon);
    } catch (const WrongJacobian&) {  // nothing has happened in this step yet
      states_.memory.y = states_.y.data();
      states_.memory.ddt = states_.ddt.data();
      DropJacobian();
      Integrate(t0, t1, horizon);
    }
  } catch (IntegrationError& error) {
    error.set_island(*this);
    if (error.kind() == IntegrationError::Kind::kNoProgress) BlameFastestMode(error);
    const std::exception_ptr reason = FindStateFailure(members_, error.time());
    ShowStepPoint();
    if (reason != nullptr) std::rethrow_exception(reason);
    throw;
  } catch (const StepInterrupted&) {
    ShowStepPoint();
    throw;
  }
  if (is_dae_) ida_->CopySlope(states_.ddt);
  EvaluateAt(t1);
  is_slope_known_ = true;
  if (modes_.is_empty()) return;
  if (!HasValuesInside()) {
    modes_.LookAt(t1);
  } else if (modes_.Look(std::max(mode_time_, solver_begin_), t1, [this](double t) { EvaluateInside(t); })) {
    if (is_dae_) ida_->CopySlope(states_.ddt);
    EvaluateAt(t1);
    may_change_mode_ = true;  // at the end of the solver's step it may be another again
  }
  mode_time_ = t1;
}

void Island::BlameFastestMode(IntegrationError& error) {
  if (is_dae_) return;
  integrator_->ValueAt(error.time(), inside_y_);
  const FastestMode mode = FindFastestMode(problem_, error.time(), inside_y_);
  if (!(mode.rate * (step_end_ - step_begin_) > kFarFaster)) return;
  error.Blame(
      mode.state,
      fmt::format("it answers within {:.2g} s (time constant): look for a parameter of it, or of what is "
                  "connected to it, that is out of proportion",
                  1 / mode.rate));
}

void Island::ShowStepPoint() {
  states_.memory.y = states_.y.data();
  states_.memory.ddt = states_.ddt.data();
}

void Island::RestartSolver(double t, Integrator::RestartKind kind) {
  integrator_->Restart(t, states_.y, kind);
  solver_time_ = solver_begin_ = t;
  may_change_mode_ = false;
  if (locator_.is_empty()) return;
  next_event_ = std::numeric_limits<double>::infinity();
  if (is_dae_) ida_->MakeConsistent(t + (step_end_ - step_begin_), states_.y, states_.ddt);
  EvaluateAt(t);
  if (std::exchange(has_watched_, true)) {
    locator_.Resume();
  } else {
    locator_.Start();
  }
}

void Island::EvaluateInside(double t) {
  integrator_->ValueAt(t, inside_y_);
  if (is_dae_) {
    ida_->CopySlope(inside_ddt_);
    states_.memory.residual = states_.residual.data();
    ShowSolvedOutputs(inside_y_.data());
  }
  Evaluate(inside_y_.data(), inside_ddt_.data(), t);
}

bool Island::HasMovedBreak(double t) {
  if (break_reactions_.empty() || !(t < next_break_)) return false;  // at a break it is looked for anyway
  const double before = next_break_;
  LookForBreak(std::max(t, t_floor_));
  return next_break_ != before;
}

bool Island::CompleteSolverStep() {
  if (!tells_steps_ || !(solver_begin_ < solver_time_) || completed_ == solver_time_) return false;
  const double t = completed_ = solver_time_;
  EvaluateInside(t);
  std::vector<StepReaction*> wanting;
  for (StepReaction* reaction : reactions_) {
    if (reaction->wants_solver_steps() && reaction->CompleteSolverStep(t)) wanting.push_back(reaction);
  }
  if (wanting.empty()) return false;
  if (!modes_.is_empty()) LookAtModes(t);
  integrator_->ValueAt(t, states_.y);
  if (is_dae_) ida_->CopySlope(states_.ddt);
  EvaluateAt(t);
  LogEventRow(t);
  for (StepReaction* reaction : wanting) reaction->ReactAfterSolverStep(t);
  RestartAfterEvent(t);
  LogEventRow(t);
  locator_.Resume();
  return true;
}

double Island::AdvanceSolver(double t_end, double t_stop) {
  progress_.Begin(step_begin_, t_end);
  if (!LooksInside()) {
    integrator_->AdvanceTo(t_end, t_stop, states_.y);
    return t_end;
  }
  if (states_.size() == 0) t_stop = t_end;  // no solver whose steps could be looked at
  while (true) {
    if (next_event_ <= t_end) {
      const double event = next_event_;
      RunEvents(event);
      if (HasMovedBreak(event) && event < t_end) return event;
      progress_.Begin(step_begin_, t_end);
      continue;
    }
    const double reached = solver_time_;
    if (reached <= t_end && CompleteSolverStep() && HasMovedBreak(reached) && reached < t_end) return reached;
    if (solver_time_ < t_end) {
      if (std::exchange(may_change_mode_, false)) LookAtModes(solver_time_);
      solver_begin_ = std::exchange(solver_time_, integrator_->StepTowards(t_stop));
      if (!locator_.is_empty()) {
        next_event_ = locator_.Find(solver_begin_, solver_time_, [this](double t) { EvaluateInside(t); });
      }
      may_change_mode_ = SeesModeChange();
    } else {
      break;
    }
  }
  integrator_->ValueAt(t_end, states_.y);
  return t_end;
}

bool Island::SeesModeChange() {
  if (modes_.is_empty()) return false;
  integrator_->ValueAt(solver_time_, inside_y_);
  states_.memory.y = inside_y_.data();
  return modes_.SeesChange();
}

void Island::LookAtModes(double t) {
  EvaluateInside(t);
  modes_.Look(std::max(mode_time_, solver_begin_), t, [this](double inside) { EvaluateInside(inside); });
  mode_time_ = t;
}

void Island::RunEvents(double t) {
  integrator_->ValueAt(t, states_.y);
  if (!modes_.is_empty()) LookAtModes(t);
  if (is_dae_) ida_->CopySlope(states_.ddt);
  EvaluateAt(t);
  LogEventRow(t);
  if (tells_steps_ && solver_begin_ < t && completed_ != t) {
    completed_ = t;
    for (StepReaction* reaction : reactions_) {
      if (reaction->wants_solver_steps() && reaction->CompleteSolverStep(t))
        reaction->ReactAfterSolverStep(t);
    }
  }
  for (const EventLocator::Happened& happened : locator_.React(t)) {
    event_log_.entries.push_back({happened.guard, t, happened.rests});
  }
  RestartAfterEvent(t);
  LogEventRow(t);
  locator_.Settle();
}

void Island::RestartAfterEvent(double t) {
  if (states_.memory.is_outdated) {
    const bool needed_restart = needs_restart_;
    RearrangeStates();
    needs_restart_ = needed_restart;  // else this is it
  }
  states_.memory.is_overridden = false;
  EvaluateAt(t);
  integrator_->Restart(t, states_.y, Integrator::RestartKind::kNewProblem);
  if (is_dae_) {
    ida_->MakeConsistent(t + (step_end_ - step_begin_), states_.y, states_.ddt);
    EvaluateAt(t);
  }
  modes_.LookAt(t);
  may_change_mode_ = false;
  solver_time_ = solver_begin_ = t;
  next_event_ = std::numeric_limits<double>::infinity();
}

void Island::LogEventRow(double t) {
  event_log_.times.push_back(t);
  for (EventLog::Watcher& watcher : event_log_.watchers) {
    for (const Item& variable : watcher.variables) watcher.values.push_back(variable.Read());
  }
}

void Island::Integrate(double t0, double t1, double horizon) {
  if (has_wrong_pattern_ && jacobian_ != nullptr) DropJacobian();
  can_repeat_ = !LooksInside();
  const double same = SameTime(t0, t1);
  step_begin_ = t0;
  step_end_ = t1;
  for (Wave& wave : waves_) wave.at_end = *wave.c;  // an evaluation writes it
  if (states_.memory.is_outdated) RearrangeStates();
  for (StepReaction* reaction : reactions_) needs_restart_ = reaction->TakeChange() || needs_restart_;
  if (needs_restart_ || states_.memory.is_overridden) {
    LookForBreak(std::max(t0, t_floor_));  // a parameter may have moved it
    RestartSolver(t0, Integrator::RestartKind::kNewProblem);
  } else if (has_new_latch_ || has_new_input_) {
    if (has_new_input_) LookForBreak(std::max(t0, t_floor_));
    RestartSolver(t0, Integrator::RestartKind::kSameScale);
  } else if (is_slope_known_ && waves_.empty() && (!LooksInside() || solver_time_ == t0)) {
    integrator_->GiveSlope(states_.ddt);
  }
  needs_restart_ = false;
  is_slope_known_ = false;
  states_.memory.is_overridden = false;
  // Where signals from outside change all the time, running ahead would be thrown away.
  const double limit = t0 < steps_end_ ? std::min(horizon, steps_end_) : horizon;
  const double stop = has_new_latch_ || has_new_input_ || !waves_.empty() ? t1 : std::max(limit, t1);
  has_new_input_ = false;

  while (true) {
    if (!(next_break_ < t1 + same)) {
      if (!(t0 < t1)) return;
      const double until = next_break_ <= stop - same ? next_break_ : stop;
      t0 = AdvanceInSteps(t0, t1, until);
      continue;
    }
    const bool is_at_end = next_break_ > t1 - same;
    const double t = is_at_end ? t1 : next_break_;
    if (t > t0 + same) {
      const double expected = next_break_;
      const double reached = AdvanceInSteps(t0, t, t);
      if (next_break_ != expected) {  // an event has moved it
        t0 = reached;
        continue;
      }
      can_repeat_ = false;
      if (!is_at_end && LooksInside()) LookAtModes(t);
    }
    if (is_at_end && !left_limits_.empty()) TakeLeftLimits(t);
    const bool restarts = ReactAtBreak(t);
    LookForBreak(t_floor_);
    const bool has_other_states = states_.memory.is_outdated;
    if (has_other_states) RearrangeStates();
    if (!restarts && !has_other_states) {
      t0 = t;
      continue;
    }
    needs_restart_ = is_at_end;
    if (is_at_end) t0 = t1;
    if (!is_at_end || has_other_states) RestartSolver(t, Integrator::RestartKind::kNewProblem);
  }
}

void Island::TakeLeftLimits(double t) {
  if (is_dae_) ida_->CopySlope(states_.ddt);
  EvaluateAt(t);  // which sees a time before the break
  for (LeftLimit& limit : left_limits_) {
    limit.t = t;
    limit.value = limit.read();
  }
}

bool Island::ReactAtBreak(double t) {
  const double before = t_ceiling_;
  t_floor_ = next_break_;
  if (break_reactions_.empty()) return true;
  const bool is_of_other = std::ranges::any_of(timed_, [&](const DynamicSimComponent* member) {
    return dynamic_cast<const BreakReaction*>(member) == nullptr &&
           member->NextBreakTime(before) <= next_break_;
  });
  t_ceiling_ = std::numeric_limits<double>::infinity();
  if (is_dae_) ida_->CopySlope(states_.ddt);
  EvaluateAt(t);
  bool has_changed = false;
  for (BreakReaction* reaction : break_reactions_) {
    const bool is_changed = reaction->ReactAtBreak(t_floor_);
    has_changed = has_changed || is_changed;
  }
  has_changed = std::exchange(states_.memory.is_overridden, false) || has_changed;
  return has_changed || is_of_other;
}

double Island::AdvanceInSteps(double t_begin, double t_end, double t_stop) {
  const double longest = LongestStep(t_begin);
  if (std::isinf(longest)) return AdvanceSolver(t_end, t_stop);
  // Steps end at multiples of the longest one: the same steps for any partition of the time.
  const double same = SameTime(t_begin, t_end);
  double number = std::floor((t_begin + same) / longest) + 1;
  for (; number * longest < t_end - same; ++number) {
    const double expected = next_break_;
    const double reached = AdvanceSolver(number * longest, number * longest);
    if (next_break_ != expected) return reached;
    can_repeat_ = false;
  }
  const double mark = number * longest;
  return AdvanceSolver(t_end, mark > t_end + same ? std::min(mark, t_stop) : t_end);
}

double Island::LongestStep(double t) const {
  double longest = std::numeric_limits<double>::infinity();
  if (is_solved_outside_ || (!is_dae_ && !FindOdeMethod(options_.method)->is_adaptive)) return longest;
  for (const DynamicSimComponent* component : timed_) longest = std::min(longest, component->LongestStep(t));
  return std::max(longest, (step_end_ - step_begin_) / kMostMarks);
}

}  // namespace davit
