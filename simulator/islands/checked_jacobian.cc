#include "simulator/islands/checked_jacobian.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>

#include "simulator/islands/island_equations.h"
#include "simulator/islands/island_plan.h"
#include "simulator/solvers/difference_quotients.h"
#include "simulator/solvers/switching_integrator.h"

namespace davit {

CheckedJacobian::CheckedJacobian(IslandEquations& equations, IslandPlan& plan) : equations_(equations) {
  source_.couplings = std::move(plan.couplings);
  source_.is_implicit = equations_.is_implicit();
  source_.owners = std::move(plan.layout.owners);
  source_.explicit_states = std::move(plan.layout.explicit_states);
  for (const IslandEquations::SolvedOutput& output : equations_.solved())
    source_.solved.push_back(output.offset);
  for (IslandEquations::Published& state : equations_.published_states()) {
    source_.state_places.push_back(&state.value);
    source_.state_of.push_back(state.slot->offset);
  }
  for (IslandEquations::Published& derivative : equations_.published_derivatives()) {
    source_.derivative_places.push_back(&derivative.value);
    source_.derivative_of.push_back(derivative.slot->offset);
  }
}

void CheckedJacobian::Make() {
  const std::size_t most = equations_.states().capacity();
  if (has_wrong_pattern_ || most == 0) return;
  if (jacobian_ != nullptr) return jacobian_->Arrange();
  jacobian_ = std::make_unique<IslandJacobian>(equations_.states(), std::move(source_));
  for (std::vector<double>* v : {&base_ddt_, &moved_ddt_}) v->reserve(most);
  check_.Reserve(most);
}

void CheckedJacobian::Begin() {
  check_.Begin();
  if (is_made()) jacobian_->SetWrongMembers({});
}

void CheckedJacobian::ArchiveMemory(Archive& archive) {
  archive(check_, has_wrong_pattern_);
  std::vector<std::uint8_t> wrong_members;
  if (is_made()) wrong_members = jacobian_->WrongMembers();
  archive.List(wrong_members);
  if (archive.is_loading() && is_made()) jacobian_->SetWrongMembers(wrong_members);
}

bool CheckedJacobian::HasLargeBlock() const {
  std::map<std::uint32_t, std::size_t> states_of;
  for (const std::uint32_t owner : source_.owners) ++states_of[owner];
  return std::ranges::any_of(source_.couplings.evaluations, [&](const Couplings::Evaluation& evaluation) {
    const auto states = states_of.find(evaluation.member);
    return states != states_of.end() && states->second > SwitchingIntegrator::kMostDense &&
           evaluation.owner->declarations().reaches.empty();
  });
}

double CheckedJacobian::Linearize(const LinearizationPoint& point, const JacobianPattern& pattern,
                                  double* entries) {
  double cost = 0;
  base_ddt_.resize(equations_.states().size());
  if (equations_.is_implicit()) {
    base_residual_.resize(equations_.states().size());
    equations_.EvaluateResidual(point.t, point.y, point.ddt, base_residual_.data());
    cost = 1;
  } else if (!point.is_evaluated) {
    equations_.Evaluate(point.y, base_ddt_.data(), point.t);
    cost = 1;
  }
  const double* ddt = equations_.is_implicit() ? equations_.slopes()
                      : cost > 0               ? base_ddt_.data()
                                               : point.ddt;
  CallWatch* const watch = equations_.watch() == nullptr ? nullptr : equations_.watch()->ForJacobian();
  const bool is_checked = check_.IsDue();
  cost += jacobian_->Evaluate(point, equations_.TimeSeenAt(point.t), ddt, base_residual_.data(), is_checked,
                              watch, entries);
  if (is_checked) Check(point, pattern, entries, cost);
  return cost;
}

void CheckedJacobian::Evaluate(double t, const double* y, std::span<double> entries) {
  const StateVectors& states = equations_.states();
  base_ddt_.resize(states.size());
  equations_.Evaluate(y, base_ddt_.data(), t);
  std::vector<double> increments(states.size());
  for (std::size_t i = 0; i < increments.size(); ++i)
    increments[i] = IncrementOfUnknown(y[i], states.Declaration(i).nominal);
  const LinearizationPoint point{.t = t, .y = y, .increments = increments.data(), .is_evaluated = true};
  jacobian_->Evaluate(point, equations_.TimeSeenAt(t), base_ddt_.data(), nullptr, false, nullptr,
                      entries.data());
}

void CheckedJacobian::Check(const LinearizationPoint& point, const JacobianPattern& pattern,
                            const double* entries, double& cost) {
  if (const Component* wrong = jacobian_->TakeWrongMember(); wrong != nullptr) {
    fault_ = fmt::format(
        "{}: WritePartials of {} does not agree with differences of its equations; from now on differences "
        "replace it",
        wrong->DisplayPath(), wrong->model().name);
  }
  if (has_wrong_pattern_) return;
  const auto equations = [this, &point](const double* y, double* values) {
    if (!equations_.is_implicit()) return equations_.Evaluate(y, values, point.t);
    moved_ddt_.resize(equations_.states().size());
    for (std::size_t i = 0; i < moved_ddt_.size(); ++i) {
      moved_ddt_[i] = point.ddt[i] + point.cj * (y[i] - point.y[i]);
    }
    equations_.EvaluateResidual(point.t, y, moved_ddt_.data(), values);
  };
  const auto fault = check_.Look(point, pattern, entries, equations, cost);
  if (!fault) return;
  has_wrong_pattern_ = true;
  fault_ = fmt::format(
      "the equation of {} reads {}, which is not declared (DynamicSimComponent::Reads, or a port, input or "
      "route): the Jacobian lacks it; from now on all its entries are found by differences of all equations",
      equations_.states().Name(fault->equation), equations_.states().Name(fault->unknown));
  if (can_repeat_) throw Wrong{};
}

}  // namespace davit
