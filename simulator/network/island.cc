#include "simulator/network/island.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <iterator>
#include <map>
#include <utility>

#include "simulator/component_fault.h"
#include "simulator/evaluation_failure.h"
#include "simulator/network/component_traits.h"
#include "simulator/network/unwritten.h"
#include "simulator/solvers/difference_quotients.h"
#include "simulator/solvers/solver_profile.h"
#include "simulator/solvers/switching_integrator.h"

namespace davit {

Island::Island(Plan plan)
    : members_(std::move(plan.members)),
      evaluated_(std::move(plan.evaluated)),
      options_(std::move(plan.options)),
      is_dae_(plan.is_dae) {
  std::copy_if(members_.begin(), members_.end(), std::back_inserter(timed_),
               [](const DynamicSimComponent* member) { return member->entry().has_break_times; });
  for (DynamicSimComponent* member : timed_) {
    if (auto* const reaction = dynamic_cast<BreakReaction*>(member)) break_reactions_.push_back(reaction);
  }
  for (DynamicSimComponent* member : members_) {
    if (auto* const shown = dynamic_cast<ShownOutputs*>(member)) shown_outputs_.push_back(shown);
    auto* const reaction = dynamic_cast<StepReaction*>(member);
    if (reaction == nullptr) continue;
    reactions_.push_back(reaction);
    tells_steps_ = tells_steps_ || reaction->wants_solver_steps();
  }
  TakeStates(plan.layout);
  TakeBatches(plan);
  derivative_order_ = std::move(plan.derivatives.order);
  BindInputs(plan.signals);
  for (double* c : plan.waves) waves_.push_back({c, 0, 0});
  PrepareJacobian(plan);
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
  latches_.reserve(signals.held.size());
  published_states_.reserve(signals.states.size());
  published_derivatives_.reserve(signals.derivatives.size());
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
  dae_problem_.linearize = [](void* context, const LinearizationPoint& point, double* entries) {
    return static_cast<Island*>(context)->Linearize(point, entries);
  };
}

void Island::PrepareJacobian(Plan& plan) {
  couplings_ = std::move(plan.couplings);
  surroundings_.states = &states_;
  surroundings_.is_dae = is_dae_;
  surroundings_.owners = std::move(plan.layout.owners);
  surroundings_.explicit_states = std::move(plan.layout.explicit_states);
  for (const SolvedOutput& output : solved_) surroundings_.solved.push_back(output.offset);
  for (Published& state : published_states_) {
    surroundings_.state_places.push_back(&state.value);
    surroundings_.state_of.push_back(state.slot->offset);
  }
  for (Published& derivative : published_derivatives_) {
    surroundings_.derivative_places.push_back(&derivative.value);
    surroundings_.derivative_of.push_back(derivative.slot->offset);
  }
}

bool Island::HasLargeBlock() const {
  std::map<std::uint32_t, std::size_t> states_of;
  for (const std::uint32_t owner : surroundings_.owners) ++states_of[owner];
  return std::ranges::any_of(couplings_.evaluations, [&](const Couplings::Evaluation& evaluation) {
    const auto states = states_of.find(evaluation.member);
    return states != states_of.end() && states->second > SwitchingIntegrator::kMostDense &&
           evaluation.owner->declarations().reaches.empty();
  });
}

void Island::MakeJacobian() {
  if (has_wrong_pattern_ || states_.capacity() == 0) return;
  const bool is_wanted = is_dae_ || is_solved_outside_;
  if (!is_wanted && !FindOdeMethod(options_.method)->needs_jacobian) return;
  if (!is_wanted && options_.method == SwitchingIntegrator::kMethod && HasLargeBlock()) return;
  if (jacobian_ == nullptr) {
    jacobian_ = std::make_unique<IslandJacobian>(std::move(couplings_), std::move(surroundings_));
    for (std::vector<double>* v : {&base_ddt_, &moved_ddt_}) v->reserve(states_.capacity());
    jacobian_check_.Reserve(states_.capacity());
  } else {
    jacobian_->Arrange();
  }
}

double Island::Linearize(const LinearizationPoint& point, double* entries) {
  double cost = 0;
  base_ddt_.resize(states_.size());
  if (is_dae_) {
    base_residual_.resize(states_.size());
    EvaluateResidual(point.t, point.y, point.ddt, base_residual_.data());
    cost = 1;
  } else if (!point.is_evaluated) {
    Evaluate(point.y, base_ddt_.data(), point.t);
    cost = 1;
  }
  const double* ddt = is_dae_ ? slopes_.data() : cost > 0 ? base_ddt_.data() : point.ddt;
  CallWatch* const watch = watch_ == nullptr ? nullptr : watch_->ForJacobian();
  const bool is_checked = jacobian_check_.IsDue();
  cost +=
      jacobian_->Evaluate(point, TimeSeenAt(point.t), ddt, base_residual_.data(), is_checked, watch, entries);
  if (is_checked) CheckJacobian(point, entries, cost);
  return cost;
}

void Island::EvaluateJacobian(double t, const double* y, std::span<double> entries) {
  base_ddt_.resize(states_.size());
  Evaluate(y, base_ddt_.data(), t);
  std::vector<double> increments(states_.size());
  for (std::size_t i = 0; i < increments.size(); ++i)
    increments[i] = IncrementOfUnknown(y[i], states_.Declaration(i).nominal);
  const LinearizationPoint point{.t = t, .y = y, .increments = increments.data(), .is_evaluated = true};
  jacobian_->Evaluate(point, TimeSeenAt(t), base_ddt_.data(), nullptr, false, nullptr, entries.data());
}

void Island::CheckJacobian(const LinearizationPoint& point, const double* entries, double& cost) {
  if (const Component* wrong = jacobian_->TakeWrongMember(); wrong != nullptr) {
    jacobian_fault_ = fmt::format(
        "{}: WritePartials of {} does not agree with differences of its equations; from now on differences "
        "replace it",
        wrong->DisplayPath(), wrong->model().name);
  }
  if (has_wrong_pattern_) return;
  const JacobianPattern& pattern = is_dae_ ? dae_problem_.pattern : problem_.pattern;
  const auto equations = [this, &point](const double* y, double* values) {
    if (!is_dae_) return Evaluate(y, values, point.t);
    moved_ddt_.resize(states_.size());
    for (std::size_t i = 0; i < moved_ddt_.size(); ++i) {
      moved_ddt_[i] = point.ddt[i] + point.cj * (y[i] - point.y[i]);
    }
    EvaluateResidual(point.t, y, moved_ddt_.data(), values);
  };
  const auto fault = jacobian_check_.Look(point, pattern, entries, equations, cost);
  if (!fault) return;
  has_wrong_pattern_ = true;
  jacobian_fault_ = fmt::format(
      "the equation of {} reads {}, which is not declared (DynamicSimComponent::Reads, or a port, input or "
      "route): the Jacobian lacks it; from now on all its entries are found by differences of all equations",
      states_.Name(fault->equation), states_.Name(fault->unknown));
  if (can_repeat_) throw WrongJacobian{};
}

void Island::DropJacobian() {
  jacobian_.reset();
  problem_.pattern = {};
  problem_.linearize = nullptr;
  dae_problem_.pattern = {};
  dae_problem_.linearize = nullptr;
  past_counters_ = past_counters_ + integrator_->counters();
  MakeSolver();
  needs_restart_ = true;
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
  ClearIdle(ddt);
  EvaluateMembers(y, ddt, t);
}

void Island::ClearIdle(double* ddt) const {
  if (states_.idle().empty()) return;
  if (is_dae_) {
    for (const std::uint32_t i : states_.idle()) ddt[i] = 0;
  } else {
    std::memset(ddt, 0, states_.size() * sizeof(double));  // members write all others
  }
}

void Island::EvaluateMembers(const double* y, double* ddt, double t) {
  states_.memory.y = const_cast<double*>(y);  // evaluations never write states
  states_.memory.ddt = ddt;
  if (!waves_.empty()) {
    const double share = t >= step_end_ ? 1.0 : (t - step_begin_) / (step_end_ - step_begin_);
    for (const Wave& wave : waves_) *wave.c = (1 - share) * wave.at_begin + share * wave.at_end;
  }
  for (const InputRamp& ramp : ramps_) *ramp.value = ramp.At(t);
  const double seen = TimeSeenAt(t);
  for (const Copy& copy : copied_states_) *copy.to = y[copy.offset];
  for (Published* shown : shown_states_) shown->value = shown->slot->memory->y[shown->slot->offset];
  std::size_t derivative = 0;
  std::size_t solved = 0;
  CallWatch* const watch = watch_ == nullptr ? nullptr : watch_->ForEvaluation();
  for (const Batch& batch : batches_) {
    RunBatch(batch.evaluate, &evaluated_[batch.begin], batch.count, seen, watch);
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

std::vector<std::size_t> Island::FindUnwrittenDerivatives(double t) {
  std::vector<std::size_t> unwritten;
  if (is_dae()) return unwritten;  // DaeCheck asks for equations
  std::vector<double> slopes(states_.size(), kUnwritten);
  for (const std::uint32_t i : states_.idle()) slopes[i] = 0;
  EvaluateMembers(states_.y.data(), slopes.data(), t);
  for (std::size_t i = 0; i < states_.size(); ++i) {
    if (IsUnwritten(slopes[i])) unwritten.push_back(i);
  }
  EvaluateAt(t);
  return unwritten;
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
  if (jacobian_ == nullptr) return;
  if (is_packed()) {
    problem_.pattern.Restrict(jacobian_->pattern(), states_.offsets(), StateVectors::kAbsent);
  } else {
    problem_.pattern = jacobian_->pattern();
  }
}

void Island::MakeOdeIntegrator() {
  problem_.smallest = problem_.largest = 0;
  problem_.size = states_.capacity();
  problem_.nominal.assign(problem_.size, 1.0);
  if (jacobian_ != nullptr) {
    problem_.pattern = jacobian_->pattern();
    problem_.linearize = [](void* context, const LinearizationPoint& point, double* entries) {
      return static_cast<Island*>(context)->Linearize(point, entries);
    };
  }
  if (is_packed() && states_.smallest() < states_.capacity()) {
    problem_.smallest = states_.smallest();
    problem_.largest = states_.capacity();
  }
  if (problem_.largest == 0) FillProblem();
  if (is_solved_outside_) {
    auto outside = std::make_unique<OutsideIntegrator>(problem_, options_);
    outside_ = outside.get();
    integrator_ = std::move(outside);
  } else {
    integrator_ = MakeIntegrator(problem_, options_);
  }
  if (problem_.largest == 0) return;
  FillProblem();
  integrator_->Resize(problem_);
}

void Island::RearrangeStates() {
  states_.Arrange(is_packed());
  if (jacobian_ != nullptr) jacobian_->Arrange();
  ListCopies();
  needs_restart_ = true;
  if (!is_packed()) return;
  FillProblem();
  integrator_->Resize(problem_);
  progress_.Resize(problem_.nominal);
  inside_y_.resize(states_.size());
  inside_ddt_.resize(states_.size());
  if (profile_ != nullptr) ShowSolver();
}

void Island::MakeSolver() {
  if (is_dae_) {
    if (jacobian_ != nullptr) dae_problem_.pattern = jacobian_->pattern();
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
  progress_.Reserve(states_.capacity());
  progress_.Resize(is_dae_ ? dae_problem_.nominal : problem_.nominal);
  integrator_->set_progress_watch(&progress_);
  ShowSolver();
}

void Island::ShowSolver() {
  integrator_->set_profile(profile_);
  if (profile_ == nullptr) return;
  std::vector<std::string> names;
  names.reserve(states_.size());
  for (std::size_t i = 0; i < states_.size(); ++i) names.push_back(states_.Name(i));
  profile_->SetStates(std::move(names));
}

void Island::Start(double t) {
  if (states_.memory.is_outdated) ArrangeStates();
  ListCopies();
  states_.ResetOutputs();
  past_counters_ = {};
  MakeJacobian();
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
  completed_ = -std::numeric_limits<double>::infinity();
  event_log_ = {};
  for (std::vector<double>* v : {&inside_y_, &inside_ddt_}) {
    v->assign(states_.capacity(), 0);
    v->resize(states_.size());
  }
  next_event_ = std::numeric_limits<double>::infinity();
  states_.memory.is_overridden = false;
  needs_restart_ = true;
  has_new_input_ = false;
  is_slope_known_ = false;
  for (Latch& latch : latches_) latch.value = 0;
  t_floor_ = t;
  step_begin_ = step_end_ = solver_time_ = solver_begin_ = mode_time_ = t;
  quick_breaks_ = 0;
  LookForBreak(t);
}

bool Island::CanUse(const OdeMethod& method) const {
  return !is_dae_ && (method.has_values_inside ||
                      std::ranges::none_of(members_, [](const auto* one) { return HasActiveGuards(*one); }));
}

void Island::ChangeMethod(std::string_view method) {
  past_counters_ = past_counters_ + integrator_->counters();
  options_.method = method;
  states_.Arrange(is_packed());
  ListCopies();
  MakeJacobian();
  MakeSolver();
  inside_y_.resize(states_.size());
  inside_ddt_.resize(states_.size());
  is_slope_known_ = false;
  needs_restart_ = true;
}

void Island::MakeRestartPoint() {
  if (states_.memory.is_outdated) RearrangeStates();
  if (has_wrong_pattern_ && jacobian_ != nullptr) DropJacobian();  // as the next step would
  if (integrator_->can_be_archived()) return;
  past_counters_ = past_counters_ + integrator_->counters();
  MakeSolver();
  integrator_->GiveSlope(states_.ddt);
  needs_restart_ = true;
}

void Island::ArchiveMemory(Archive& archive) {
  if (archive.is_loading() && states_.memory.is_outdated) RearrangeStates();
  archive(jacobian_check_, has_wrong_pattern_);
  if (archive.is_loading() && has_wrong_pattern_ && jacobian_ != nullptr) DropJacobian();
  ArchiveShown(archive);
  archive(step_begin_, step_end_, locator_, has_watched_, solver_time_, solver_begin_, next_event_);
  archive(mode_time_, may_change_mode_);
  archive(needs_restart_, has_new_latch_, has_new_input_, is_slope_known_, next_break_, t_floor_, t_ceiling_);
  if (integrator_->can_be_archived()) {
    integrator_->ArchiveMemory(archive);
  } else if (archive.is_loading()) {
    integrator_->GiveSlope(states_.ddt);
  }
}

}  // namespace davit
