#include "simulator/network/island.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <iterator>
#include <utility>

#include "simulator/component_fault.h"
#include "simulator/evaluation_failure.h"
#include "simulator/solvers/integration_error.h"

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

/// Share of its size by which an unknown must move to be worth telling.
constexpr double kMoved = 1e-6;

}  // namespace

Island::Island(Plan plan)
    : members_(std::move(plan.members)),
      evaluated_(std::move(plan.evaluated)),
      pattern_(std::move(plan.pattern)),
      options_(std::move(plan.options)),
      is_dae_(plan.is_dae) {
  std::copy_if(members_.begin(), members_.end(), std::back_inserter(timed_),
               [](const DynamicSimComponent* member) { return member->entry().has_break_times; });
  TakeStates(plan.layout);
  TakeBatches(plan);
  derivative_order_ = std::move(plan.derivatives.order);
  BindInputs(plan.signals);
  for (double* c : plan.waves) waves_.push_back({c, 0, 0});
  if (is_dae_) MakeDaeProblem();
}

void Island::TakeStates(const StateLayout& layout) {
  for (const std::uint32_t member : layout.members) states_.Add(*members_[member]);
  for (const StateLayout::SolvedOutput& output : layout.outputs) {
    solved_.push_back({output.value, states_.AddOutput(*output.owner, output.name, output.nominal), 0});
  }
  states_.Bind();
  if (is_dae_) explicit_ = layout.explicit_states;
}

void Island::TakeBatches(const Plan& plan) {
  for (std::size_t i = 0; i < plan.batches.size(); ++i) {
    const EvaluationBatch& batch = plan.batches[i];
    batches_.push_back(
        {batch.evaluate, batch.begin, batch.count, plan.derivatives.ends[i], plan.layout.outputs_end[i]});
  }
}

void Island::BindInputs(const SignalBinding& signals) {
  for (const Item& from : signals.held) latches_.push_back({from, 0});
  for (const StateSlot* slot : signals.states) published_states_.push_back({slot, 0});
  for (const StateSlot* slot : signals.derivatives) published_derivatives_.push_back({slot, 0});
  for (const SignalBinding::BoundInput& input : signals.inputs) {
    switch (input.source) {
      case SignalBinding::Source::kValue: *input.slot = signals.values[input.number]; break;
      case SignalBinding::Source::kHeld: *input.slot = &latches_[input.number].value; break;
      case SignalBinding::Source::kState: *input.slot = &published_states_[input.number].value; break;
      case SignalBinding::Source::kDerivative:
        *input.slot = &published_derivatives_[input.number].value;
        break;
      case SignalBinding::Source::kExtrapolated: assert(false); break;  // of schedules only
    }
  }
}

void Island::MakeDaeProblem() {
  slopes_.assign(states_.size(), 0);
  dae_problem_.size = states_.size();
  dae_problem_.context = this;
  dae_problem_.evaluate = [](void* context, double t, const double* y, const double* ddt, double* residual) {
    static_cast<Island*>(context)->EvaluateResidual(t, y, ddt, residual);
  };
  for (std::size_t i = 0; i < states_.size(); ++i) {
    dae_problem_.is_algebraic.push_back(states_.Declaration(i).is_algebraic);
    dae_problem_.nominal.push_back(states_.Declaration(i).nominal);
  }
  dae_problem_.pattern = pattern_;
}

void Island::PrepareBatches() {
  for (const Batch& batch : batches_) {
    Component* const* const components = &evaluated_[batch.begin];
    const ModelEntry& entry = components[0]->entry();
    // By their flows: there is most in them.
    if (entry.prepare_batch == nullptr || batch.evaluate != entry.evaluate_flows) continue;
    entry.prepare_batch(components, batch.count);
  }
}

void Island::Evaluate(const double* y, double* ddt, double t) {
  states_.memory.y = const_cast<double*>(y);  // evaluations never write states
  states_.memory.ddt = ddt;
  if (!waves_.empty()) {
    const double share = t >= step_end_ ? 1.0 : (t - step_begin_) / (step_end_ - step_begin_);
    for (const Wave& wave : waves_) *wave.c = (1 - share) * wave.at_begin + share * wave.at_end;
  }
  const double seen = std::min(std::max(t, t_floor_), t_ceiling_);
  for (const Copy& copy : copied_states_) *copy.to = y[copy.offset];
  for (Published* shown : shown_states_) shown->value = shown->slot->memory->y[shown->slot->offset];
  for (const std::uint32_t i : states_.idle()) ddt[i] = 0;
  std::size_t derivative = 0;
  std::size_t solved = 0;
  for (const Batch& batch : batches_) {
    RunBatch(batch.evaluate, &evaluated_[batch.begin], batch.count, seen, watch_);
    for (; derivative < batch.derivatives_end; ++derivative) {
      const Copy& copy = copied_derivatives_[derivative];
      if (copy.offset != StateVectors::kAbsent) *copy.to = ddt[copy.offset];
    }
    for (; solved < batch.solved_end; ++solved) {
      SolvedOutput& output = solved_[solved];
      output.computed = std::exchange(*output.value, y[output.offset]);
    }
  }
}

void Island::EvaluateResidual(double t, const double* y, const double* ddt, double* residual) {
  // Members that state residuals read y' there; those that compute derivatives write theirs over it.
  std::copy_n(ddt, slopes_.size(), slopes_.begin());
  states_.memory.residual = residual;
  ShowSolvedOutputs(y);
  Evaluate(y, slopes_.data(), t);
  for (const std::uint32_t i : explicit_) residual[i] = ddt[i] - slopes_[i];
  for (const std::uint32_t i : states_.idle())
    residual[i] = states_.Declaration(i).is_algebraic ? y[i] : ddt[i];
  for (const SolvedOutput& output : solved_) residual[output.offset] = y[output.offset] - output.computed;
}

void Island::CheckDerivatives(double t) {
  if (is_dae()) return;  // DaeCheck asks for equations
  // A pattern that no arithmetic makes.
  const auto untouched = std::bit_cast<double>(std::uint64_t{0x7ff4dead0000beefULL});
  std::vector<double> slopes(states_.size(), untouched);
  Evaluate(states_.y.data(), slopes.data(), t);
  for (std::size_t i = 0; i < states_.size(); ++i) {
    if (std::bit_cast<std::uint64_t>(slopes[i]) != std::bit_cast<std::uint64_t>(untouched)) continue;
    const Component& owner = states_.Owner(i);
    throw EvaluationFailure(owner, t,
                            fmt::format("no derivative of {}: EvaluateDiffEquations of {} must write its ddt "
                                        "(an override of that name, public)",
                                        states_.Name(i), owner.model().name));
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
          fmt::format("NextBreakTime({:.17g}) gave {:.17g}, which is not after it; compare "
                      "with <, and answer infinity where no break follows",
                      t, next));
    }
    if (next >= next_break_) continue;
    next_break_ = next;
    first = component;
  }
  quick_breaks_ = next_break_ - t < kQuickBreak ? quick_breaks_ + 1 : 0;
  if (quick_breaks_ > kMostQuickBreaks) {
    throw EvaluationFailure(*first, t,
                            fmt::format("its break times follow each other within {:g} s without end; leave "
                                        "more time between them",
                                        kQuickBreak));
  }
  t_ceiling_ = std::nextafter(next_break_, t);
}

void Island::ListCopies() {
  copied_states_.clear();
  copied_derivatives_.clear();
  shown_states_.clear();
  for (Published& p : published_states_) {
    if (p.slot->memory == &states_.memory) {
      copied_states_.push_back({p.slot->offset, &p.value});
    } else {
      shown_states_.push_back(&p);
    }
  }
  for (const std::size_t i : derivative_order_) {
    // Each batch makes a number of them known. One that is not in use reads nothing new.
    Published& p = published_derivatives_[i];
    const bool is_in_use = p.slot->memory == &states_.memory;
    copied_derivatives_.push_back({is_in_use ? p.slot->offset : StateVectors::kAbsent, &p.value});
    if (!is_in_use) p.value = 0;
  }
}

void Island::FillProblem() {
  problem_.size = states_.size();
  problem_.nominal.clear();
  for (std::size_t i = 0; i < states_.size(); ++i) problem_.nominal.push_back(states_.Declaration(i).nominal);
  if (pattern_.size() == 0) return;
  if (is_packed()) {
    problem_.pattern.Restrict(pattern_, states_.offsets(), StateVectors::kAbsent);
  } else {
    problem_.pattern = pattern_;
  }
}

void Island::MakeOdeIntegrator() {
  problem_.smallest = problem_.largest = 0;
  problem_.size = states_.capacity();
  problem_.nominal.assign(problem_.size, 1.0);
  problem_.pattern = pattern_;
  if (is_packed() && states_.smallest() < states_.capacity()) {
    problem_.smallest = states_.smallest();
    problem_.largest = states_.capacity();
  }
  if (problem_.largest == 0) FillProblem();
  integrator_ = MakeIntegrator(problem_, options_);
  if (problem_.largest == 0) return;
  FillProblem();
  integrator_->Resize(problem_);
}

void Island::RearrangeStates() {
  states_.Arrange(is_packed());
  ListCopies();
  needs_restart_ = true;
  if (!is_packed()) return;
  FillProblem();
  integrator_->Resize(problem_);
  inside_y_.resize(states_.size());
  inside_ddt_.resize(states_.size());
}

void Island::MakeSolver() {
  if (is_dae_) {
    auto ida = IdaIntegrator::Make(dae_problem_, options_);
    ida_ = ida.get();
    integrator_ = std::move(ida);
  } else {
    problem_.context = this;
    problem_.evaluate = [](void* context, const double* y, double* ddt, double time) {
      static_cast<Island*>(context)->Evaluate(y, ddt, time);
    };
    MakeOdeIntegrator();
  }
}

void Island::Start(double t) {
  ListCopies();
  states_.ResetOutputs();
  past_counters_ = {};
  MakeSolver();
  std::vector<Guard*> guards;
  for (const DynamicSimComponent* member : members_) {
    std::copy_if(member->guards().begin(), member->guards().end(), std::back_inserter(guards),
                 [](const Guard* guard) { return guard->is_active(); });
  }
  locator_ = EventLocator(guards);
  locator_.set_watch(watch_);
  modes_ = {};
  for (const DynamicSimComponent* member : members_) modes_.Add(*member);
  has_watched_ = false;
  event_log_ = {};
  for (std::vector<double>* v : {&inside_y_, &inside_ddt_}) {
    v->assign(states_.capacity(), 0);
    v->resize(states_.size());
  }
  next_event_ = std::numeric_limits<double>::infinity();
  states_.memory.is_overridden = false;
  needs_restart_ = true;
  is_slope_known_ = false;
  for (Latch& latch : latches_) latch.value = 0;
  t_floor_ = t;
  step_begin_ = step_end_ = solver_time_ = solver_begin_ = mode_time_ = t;
  quick_breaks_ = 0;
  LookForBreak(t);
}

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

void Island::MakeRestartPoint() {
  if (integrator_->can_be_archived()) return;
  past_counters_ = past_counters_ + integrator_->counters();
  MakeSolver();
  integrator_->GiveSlope(states_.ddt);
  needs_restart_ = true;
}

void Island::ArchiveMemory(Archive& archive) {
  archive(states_, published_states_, published_derivatives_, latches_, waves_, solved_);
  archive(step_begin_, step_end_, locator_, has_watched_, solver_time_, solver_begin_, next_event_);
  archive(mode_time_, may_change_mode_);
  archive(needs_restart_, has_new_latch_, is_slope_known_, next_break_, t_floor_, t_ceiling_);
  if (integrator_->can_be_archived()) {
    integrator_->ArchiveMemory(archive);
  } else if (archive.is_loading()) {
    integrator_->GiveSlope(states_.ddt);
  }
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

void Island::AdvanceSolver(double t_end, double t_stop) {
  if (!LooksInside()) {
    integrator_->AdvanceTo(t_end, t_stop, states_.y);
    return;
  }
  if (states_.size() == 0) t_stop = t_end;  // no solver whose steps could be looked at
  while (true) {
    if (next_event_ <= t_end) {
      RunEvents(next_event_);
    } else if (solver_time_ < t_end) {
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
  for (const EventLocator::Happened& happened : locator_.React(t)) {
    event_log_.entries.push_back({happened.guard, t, happened.rests});
  }
  states_.memory.is_overridden = false;
  EvaluateAt(t);
  integrator_->Restart(t, states_.y, Integrator::RestartKind::kNewProblem);
  if (is_dae_) {
    ida_->MakeConsistent(t + (step_end_ - step_begin_), states_.y, states_.ddt);
    EvaluateAt(t);
  }
  LogEventRow(t);
  locator_.Settle();
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
  const double same = SameTime(t0, t1);
  step_begin_ = t0;
  step_end_ = t1;
  for (Wave& wave : waves_) wave.at_end = *wave.c;  // an evaluation writes it
  if (needs_restart_ || states_.memory.is_overridden) {
    LookForBreak(std::max(t0, t_floor_));  // a parameter may have moved it
    RestartSolver(t0, Integrator::RestartKind::kNewProblem);
  } else if (has_new_latch_) {
    RestartSolver(t0, Integrator::RestartKind::kSameScale);
  } else if (is_slope_known_ && waves_.empty() && (!LooksInside() || solver_time_ == t0)) {
    integrator_->GiveSlope(states_.ddt);
  }
  needs_restart_ = false;
  is_slope_known_ = false;
  states_.memory.is_overridden = false;
  // Where signals from outside change all the time, running ahead would be thrown away.
  const double stop = has_new_latch_ || !waves_.empty() ? t1 : std::max(horizon, t1);

  while (next_break_ < t1 + same) {
    const bool is_at_end = next_break_ > t1 - same;
    const double t = is_at_end ? t1 : next_break_;
    if (t > t0 + same) {
      AdvanceSolver(t, t);
      if (!is_at_end && LooksInside()) LookAtModes(t);
    }
    t_floor_ = next_break_;
    LookForBreak(next_break_);
    if (is_at_end) {
      needs_restart_ = true;
      t0 = t1;
    } else {
      RestartSolver(t, Integrator::RestartKind::kNewProblem);
    }
  }
  if (t0 < t1) {
    const double until = next_break_ <= stop - same ? next_break_ : stop;
    AdvanceSolver(t1, until);
  }
}

}  // namespace davit
