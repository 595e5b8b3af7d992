#include "simulator/islands/island_stepper.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <iterator>
#include <limits>
#include <utility>

#include "framework/symptom.h"
#include "simulator/evaluation_failure.h"
#include "simulator/islands/island_equations.h"
#include "simulator/islands/island_solver.h"
#include "simulator/solvers/algebraic_steps.h"
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

/// A TimeStep has as many solver steps at least, where a source is faster still.
constexpr int kMostMarks = 10'000;

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

IslandStepper::IslandStepper(IslandEquations& equations, IslandSolver& solver)
    : equations_(equations), solver_(solver), breaks_(equations.members()) {
  for (DynamicSimComponent* member : equations_.members()) {
    auto* const reaction = dynamic_cast<StepReaction*>(member);
    if (reaction == nullptr) continue;
    reactions_.push_back(reaction);
    tells_steps_ = tells_steps_ || reaction->wants_solver_steps();
  }
}

void IslandStepper::Start(double t) {
  std::vector<Guard*> guards;
  for (const DynamicSimComponent* member : equations_.members()) {
    std::copy_if(member->guards().begin(), member->guards().end(), std::back_inserter(guards),
                 [](const Guard* guard) { return guard->is_active(); });
  }
  locator_ = EventLocator(guards);
  locator_.set_watch(equations_.watch());
  modes_ = {};
  for (const DynamicSimComponent* member : equations_.members()) modes_.Add(*member);
  has_watched_ = false;
  completed_ = -std::numeric_limits<double>::infinity();
  event_log_ = {};
  for (std::vector<double>* v : {&inside_y_, &inside_ddt_}) {
    v->assign(states().capacity(), 0);
    v->resize(states().size());
  }
  next_event_ = std::numeric_limits<double>::infinity();
  needs_restart_ = true;
  has_new_input_ = false;
  is_slope_known_ = false;
  solver_time_ = solver_begin_ = mode_time_ = shown_ = t;
  is_shown_anew_ = true;
  breaks_.Start();
  LookForBreak(t);
}

void IslandStepper::SolverReplaced() {
  inside_y_.resize(states().size());
  inside_ddt_.resize(states().size());
  is_slope_known_ = false;
  needs_restart_ = true;
}

void IslandStepper::RearrangeStates() {
  equations_.Arrange(solver_.is_packed());
  solver_.StatesArranged();
  needs_restart_ = true;
  if (!solver_.is_packed()) return;
  inside_y_.resize(states().size());
  inside_ddt_.resize(states().size());
}

void IslandStepper::ArchiveMemory(Archive& archive) {
  archive(window().begin, window().end, locator_, has_watched_, solver_time_, solver_begin_, next_event_);
  archive(mode_time_, may_change_mode_);
  archive(needs_restart_, has_new_latch_, has_new_input_, is_slope_known_, breaks_, window().floor,
          window().ceiling);
}

void IslandStepper::Advance(double t0, double t1, double horizon) {
  const WatchedPart part(equations_.watch(), StepPart::kIsland);
  try {
    try {
      Integrate(t0, t1, horizon);
    } catch (const CheckedJacobian::Wrong&) {  // nothing has happened in this step yet
      equations_.ShowStepPoint();
      DropJacobian();
      Integrate(t0, t1, horizon);
    }
  } catch (IntegrationError& error) {
    if (error.symptom() == Symptom::kNoProgress)
      solver_.BlameFastestMode(error, window().length(), inside_y_);
    const std::exception_ptr reason = FindStateFailure(equations_.members(), error.time());
    equations_.ShowStepPoint();
    if (reason != nullptr) std::rethrow_exception(reason);
    throw;
  } catch (const StepInterrupted&) {
    equations_.ShowStepPoint();
    throw;
  }
  integrator().CopySlope(states().ddt);
  equations_.EvaluateAt(t1);
  is_slope_known_ = true;
  if (modes_.is_empty()) return;
  if (!integrator().has_values_inside()) {
    modes_.LookAt(t1);
  } else if (modes_.Look(std::max(mode_time_, solver_begin_), t1, [this](double t) { EvaluateInside(t); })) {
    integrator().CopySlope(states().ddt);
    equations_.EvaluateAt(t1);
    may_change_mode_ = true;  // at the end of the solver's step it may be another again
  }
  mode_time_ = t1;
}

void IslandStepper::DropJacobian() {
  solver_.DropJacobian();
  needs_restart_ = true;
}

void IslandStepper::LookForBreak(double t) {
  breaks_.Find(t);
  window().ceiling = std::nextafter(breaks_.next(), t);
}

void IslandStepper::RestartSolver(double t, Integrator::RestartKind kind) {
  integrator().Restart(t, states().y, kind);
  solver_time_ = solver_begin_ = t;
  is_shown_anew_ = true;
  may_change_mode_ = false;
  if (locator_.is_empty()) return;
  next_event_ = std::numeric_limits<double>::infinity();
  integrator().MakeConsistent(t + window().length(), states().y, states().ddt);
  equations_.EvaluateAt(t);
  if (std::exchange(has_watched_, true)) {
    locator_.Resume();
  } else {
    locator_.Start();
  }
}

void IslandStepper::EvaluateInside(double t) {
  integrator().ValueAt(t, inside_y_);
  integrator().CopySlope(inside_ddt_);
  equations_.Show(inside_y_.data(), inside_ddt_.data(), t);
}

bool IslandStepper::HasMovedBreak(double t) {
  if (!breaks_.has_reactions() || !(t < breaks_.next())) return false;  // at a break it is looked for anyway
  const double before = breaks_.next();
  LookForBreak(std::max(t, window().floor));
  return breaks_.next() != before;
}

bool IslandStepper::CompleteSolverStep() {
  if (!tells_steps_ || !(solver_begin_ < solver_time_) || completed_ == solver_time_) return false;
  const double t = completed_ = solver_time_;
  EvaluateInside(t);
  std::vector<StepReaction*> wanting;
  for (StepReaction* reaction : reactions_) {
    if (reaction->wants_solver_steps() && reaction->CompleteSolverStep(t)) wanting.push_back(reaction);
  }
  if (wanting.empty()) return false;
  if (!modes_.is_empty()) LookAtModes(t);
  integrator().ValueAt(t, states().y);
  integrator().CopySlope(states().ddt);
  equations_.EvaluateAt(t);
  LogEventRow(t);
  for (StepReaction* reaction : wanting) reaction->ReactAfterSolverStep(t);
  RestartAfterEvent(t);
  LogEventRow(t);
  locator_.Resume();
  return true;
}

double IslandStepper::TryStep(double t_stop) {
  const IslandEquations::Trials trials(equations_);
  return integrator().StepTowards(t_stop);
}

double IslandStepper::AdvanceSolver(double t_end, double t_stop) {
  solver_.progress().Begin(window().begin, t_end);
  if (!LooksInside()) {
    if (solution_watch_ == nullptr) {
      const IslandEquations::Trials trials(equations_);
      integrator().AdvanceTo(t_end, t_stop, states().y);
    } else {
      AdvanceShown(t_end, t_stop);
    }
    return t_end;
  }
  if (states().size() == 0) t_stop = t_end;  // no solver whose steps could be looked at
  while (true) {
    if (solution_watch_ != nullptr) ShowSolution(std::min({solver_time_, next_event_, t_end}));
    if (next_event_ <= t_end) {
      const double event = next_event_;
      RunEvents(event);
      if (HasMovedBreak(event) && event < t_end) return event;
      solver_.progress().Begin(window().begin, t_end);
      continue;
    }
    const double reached = solver_time_;
    if (reached <= t_end && CompleteSolverStep() && HasMovedBreak(reached) && reached < t_end) return reached;
    if (solver_time_ < t_end) {
      if (std::exchange(may_change_mode_, false)) LookAtModes(solver_time_);
      const auto* const steps = dynamic_cast<const AlgebraicSteps*>(&integrator());
      const bool ends_here = steps != nullptr && steps->ends_steps_at_values();
      solver_begin_ = std::exchange(solver_time_, TryStep(ends_here ? t_end : t_stop));
      if (!locator_.is_empty()) {
        next_event_ = locator_.Find(solver_begin_, solver_time_, [this](double t) { EvaluateInside(t); });
      }
      may_change_mode_ = SeesModeChange();
    } else {
      break;
    }
  }
  integrator().ValueAt(t_end, states().y);
  return t_end;
}

void IslandStepper::ShowSolution(double t) {
  if (!(shown_ < t)) return;
  const double begin = std::exchange(shown_, t);
  auto* const steps = dynamic_cast<AlgebraicSteps*>(&integrator());
  solution_watch_->OnPiece(begin, t, std::exchange(is_shown_anew_, false), [&](double inside) {
    integrator().ValueAt(inside, inside_y_);
    integrator().CopySlope(inside_ddt_);
    if (steps != nullptr) steps->SolveInside(inside, inside_y_);
    equations_.Show(inside_y_.data(), inside_ddt_.data(), inside);
  });
}

void IslandStepper::AdvanceShown(double t_end, double t_stop) {
  const double t_begin = shown_, h = t_end - t_begin;
  std::vector<double> y0 = states().y, ddt0(states().ddt.size()), ddt1(states().ddt.size());
  equations_.Show(y0.data(), ddt0.data(), t_begin);
  {
    const IslandEquations::Trials trials(equations_);
    integrator().AdvanceTo(t_end, t_stop, states().y);
  }
  shown_ = t_end;
  const std::vector<double> y1 = states().y;
  equations_.Show(states().y.data(), ddt1.data(), t_end);
  solution_watch_->OnPiece(t_begin, t_end, std::exchange(is_shown_anew_, false), [&](double t) {
    const double s = (t - t_begin) / h;
    const double of_y1 = s * s * (3 - 2 * s), of_ddt0 = h * s * (1 - s) * (1 - s),
                 of_ddt1 = h * s * s * (s - 1);
    for (std::size_t i = 0; i < y1.size(); ++i)
      inside_y_[i] = (1 - of_y1) * y0[i] + of_y1 * y1[i] + of_ddt0 * ddt0[i] + of_ddt1 * ddt1[i];
    equations_.Show(inside_y_.data(), inside_ddt_.data(), t);
  });
  equations_.ShowStepPoint();
}

bool IslandStepper::SeesModeChange() {
  if (modes_.is_empty()) return false;
  integrator().ValueAt(solver_time_, inside_y_);
  states().memory.y = inside_y_.data();
  return modes_.SeesChange();
}

void IslandStepper::LookAtModes(double t) {
  EvaluateInside(t);
  modes_.Look(std::max(mode_time_, solver_begin_), t, [this](double inside) { EvaluateInside(inside); });
  mode_time_ = t;
}

void IslandStepper::RunEvents(double t) {
  integrator().ValueAt(t, states().y);
  if (!modes_.is_empty()) LookAtModes(t);
  integrator().CopySlope(states().ddt);
  equations_.EvaluateAt(t);
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

void IslandStepper::RestartAfterEvent(double t) {
  if (states().memory.is_outdated) {
    const bool needed_restart = needs_restart_;
    RearrangeStates();
    needs_restart_ = needed_restart;  // else this is it
  }
  states().memory.is_overridden = false;
  equations_.EvaluateAt(t);
  integrator().Restart(t, states().y, Integrator::RestartKind::kNewProblem);
  if (integrator().MakeConsistent(t + window().length(), states().y, states().ddt)) equations_.EvaluateAt(t);
  modes_.LookAt(t);
  may_change_mode_ = false;
  solver_time_ = solver_begin_ = t;
  is_shown_anew_ = true;
  next_event_ = std::numeric_limits<double>::infinity();
}

void IslandStepper::LogEventRow(double t) {
  event_log_.times.push_back(t);
  for (EventLog::Watcher& watcher : event_log_.watchers) {
    for (const Item& variable : watcher.variables) watcher.values.push_back(variable.Read());
  }
}

void IslandStepper::Integrate(double t0, double t1, double horizon) {
  if (solver_.jacobian().is_due_to_go()) DropJacobian();
  solver_.jacobian().set_can_repeat(!LooksInside());
  const double same = SameTime(t0, t1);
  window().begin = t0;
  window().end = t1;
  equations_.EndWaves();
  if (states().memory.is_outdated) RearrangeStates();
  for (StepReaction* reaction : reactions_) needs_restart_ = reaction->TakeChange() || needs_restart_;
  if (needs_restart_ || states().memory.is_overridden) {
    LookForBreak(std::max(t0, window().floor));  // a parameter may have moved it
    RestartSolver(t0, Integrator::RestartKind::kNewProblem);
  } else if (has_new_latch_ || has_new_input_) {
    if (has_new_input_) LookForBreak(std::max(t0, window().floor));
    RestartSolver(t0, Integrator::RestartKind::kSameScale);
  } else if (is_slope_known_ && !equations_.has_waves() && (!LooksInside() || solver_time_ == t0)) {
    integrator().GiveSlope(states().ddt);
  }
  needs_restart_ = false;
  is_slope_known_ = false;
  states().memory.is_overridden = false;
  // Where signals from outside change all the time, running ahead would be thrown away.
  const double limit = t0 < steps_end_ ? std::min(horizon, steps_end_) : horizon;
  const double stop = has_new_latch_ || has_new_input_ || equations_.has_waves() ? t1 : std::max(limit, t1);
  has_new_input_ = false;

  while (true) {
    if (!(breaks_.next() < t1 + same)) {
      if (!(t0 < t1)) return;
      const double until = breaks_.next() <= stop - same ? breaks_.next() : stop;
      t0 = AdvanceInSteps(t0, t1, until);
      continue;
    }
    const bool is_at_end = breaks_.next() > t1 - same;
    const double t = is_at_end ? t1 : breaks_.next();
    if (t > t0 + same) {
      const double expected = breaks_.next();
      const double reached = AdvanceInSteps(t0, t, t);
      if (breaks_.next() != expected) {  // an event has moved it
        t0 = reached;
        continue;
      }
      solver_.jacobian().set_can_repeat(false);
      if (!is_at_end && LooksInside()) LookAtModes(t);
    }
    if (is_at_end && !left_limits_.empty()) TakeLeftLimits(t);
    const bool restarts = ReactAtBreak(t);
    LookForBreak(window().floor);
    const bool has_other_states = states().memory.is_outdated;
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

void IslandStepper::TakeLeftLimits(double t) {
  integrator().CopySlope(states().ddt);
  equations_.EvaluateAt(t);  // which sees a time before the break
  for (LeftLimit& limit : left_limits_) {
    limit.t = t;
    limit.value = limit.read();
  }
}

bool IslandStepper::ReactAtBreak(double t) {
  const double before = window().ceiling;
  window().floor = breaks_.next();
  if (!breaks_.has_reactions()) return true;
  const bool is_of_other = breaks_.IsOfOther(before);
  window().ceiling = std::numeric_limits<double>::infinity();
  integrator().CopySlope(states().ddt);
  equations_.EvaluateAt(t);
  const bool has_reacted = breaks_.React(window().floor);
  const bool has_changed = std::exchange(states().memory.is_overridden, false) || has_reacted;
  return has_changed || is_of_other;
}

double IslandStepper::AdvanceInSteps(double t_begin, double t_end, double t_stop) {
  const double longest = LongestStep(t_begin);
  if (std::isinf(longest)) return AdvanceSolver(t_end, t_stop);
  // Steps end at multiples of the longest one: the same steps for any partition of the time.
  const double same = SameTime(t_begin, t_end);
  double number = std::floor((t_begin + same) / longest) + 1;
  for (; number * longest < t_end - same; ++number) {
    const double expected = breaks_.next();
    const double reached = AdvanceSolver(number * longest, number * longest);
    if (breaks_.next() != expected) return reached;
    solver_.jacobian().set_can_repeat(false);
  }
  const double mark = number * longest;
  return AdvanceSolver(t_end, mark > t_end + same ? std::min(mark, t_stop) : t_end);
}

double IslandStepper::LongestStep(double t) const {
  if (!solver_.is_adaptive()) return std::numeric_limits<double>::infinity();
  return std::max(breaks_.LongestStep(t), window().length() / kMostMarks);
}

}  // namespace davit
