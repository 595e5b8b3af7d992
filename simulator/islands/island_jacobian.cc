#include "simulator/islands/island_jacobian.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "simulator/solvers/difference_quotients.h"

namespace davit {

IslandJacobian::IslandJacobian(StateVectors& states, JacobianSource source)
    : states_(states),
      plan_(PlanJacobian(std::move(source))),
      secants_(states, plan_),
      partials_(plan_),
      values_(plan_.places.size()),
      is_shifted_(plan_.couplings.all.size()) {
  Arrange();
}

void IslandJacobian::Arrange() {
  const std::vector<std::uint32_t>& offsets = states_.offsets();
  is_idle_.assign(offsets.size(), false);
  for (std::size_t place = 0; place < offsets.size(); ++place) is_idle_[place] = offsets[place] == kAbsent;
  for (const std::uint32_t offset : states_.idle()) {
    const auto at = std::find(offsets.begin(), offsets.end(), offset);
    is_idle_[static_cast<std::size_t>(at - offsets.begin())] = true;
  }
  const auto offset_in_use = [&](std::uint32_t place) { return is_idle_[place] ? kAbsent : offsets[place]; };
  for (JacobianPlan::Visit& visit : plan_.visits) {
    for (JacobianPlan::Input& input : visit.inputs) {
      if (input.is_state) input.offset = offset_in_use(input.number);
    }
    for (JacobianPlan::Sink& sink : visit.sinks) {
      if (sink.is_equation) sink.offset = offset_in_use(sink.number);
      sink.at = secants_.PlaceOf(sink);
    }
    for (JacobianPlan::Touch& touch : visit.touches) touch.from = visit.sinks[touch.sink].at;
  }
  partials_.Arrange(states_);
  least_at_.assign(offsets.size(), 0.0);
  increment_at_.assign(offsets.size(), 0.0);
  for (std::size_t place = 0; place < offsets.size(); ++place) {
    if (is_idle_[place]) continue;
    least_at_[place] = Increment(0, states_.Declaration(offsets[place]).nominal);
  }
  present_.assign(plan_.pattern.nonzeros(), kAbsent);
  entry_count_ = 0;
  for (std::size_t j = 0; j < offsets.size(); ++j) {
    if (offsets[j] == kAbsent) continue;
    std::size_t entry = plan_.pattern.Begin(j);
    for (const std::uint32_t i : plan_.pattern.Rows(j)) {
      if (offsets[i] != kAbsent) present_[entry] = entry_count_++;
      ++entry;
    }
  }
}

double IslandJacobian::Evaluate(const LinearizationPoint& point, double t, const double* ddt,
                                const double* residual, bool checks_partials, CallWatch* watch,
                                double* entries) {
  const std::vector<std::uint32_t>& offsets = states_.offsets();
  for (std::size_t place = 0; place < offsets.size(); ++place) {
    if (!is_idle_[place]) increment_at_[place] = point.increments[offsets[place]];
  }
  secants_.Begin(point, t, ddt, residual, watch);
  partials_.Ask();
  FindShifted(checks_partials);
  LinearizeAll(point);
  const double pass = static_cast<double>(std::max<std::size_t>(1, plan_.couplings.evaluations.size()));
  const double cost = static_cast<double>(secants_.runs()) / pass;
  if (checks_partials && partials_.FindWrong(secants_)) LinearizeAll(point);
  secants_.End();
  WriteEntries(point, entries);
  // In whole numbers: a run that restarts here checks at other times, and must count the same parts.
  return cost + std::ceil(static_cast<double>(secants_.runs()) / pass - cost);
}

void IslandJacobian::FindShifted(bool are_all) {
  std::fill(is_shifted_.begin(), is_shifted_.end(), are_all);
  if (are_all) return;
  for (const JacobianPlan::Visit& visit : plan_.visits) {
    if (partials_.AreKnown(visit)) continue;
    for (const JacobianPlan::Input& input : visit.inputs) {
      if (!input.is_state) is_shifted_[input.number] = true;
    }
  }
}

void IslandJacobian::ActivateCouplings(const LinearizationPoint& point) {
  std::fill(values_.begin(), values_.end(), 0.0);
  for (std::uint32_t c = 0; c < plan_.couplings.all.size(); ++c) {
    const Couplings::Source source = plan_.couplings.all[c].source;
    secants_.Hold(c);
    const bool is_derivative = source == Couplings::Source::kDerivative;
    if (source == Couplings::Source::kEvaluation ||
        (is_derivative && plan_.row_of[c] >= plan_.first_equation))
      continue;
    const JacobianPlan::Row& row = plan_.rows[plan_.row_of[c]];
    if (!is_idle_[plan_.places[row.begin]]) values_[row.begin] = is_derivative ? point.cj : 1;
    Activate(c);
  }
}

void IslandJacobian::Activate(std::uint32_t coupling) {
  if (!is_shifted_[coupling]) return;
  const JacobianPlan::Row& row = plan_.rows[plan_.row_of[coupling]];
  double move = 0, least = 0;
  for (std::uint32_t k = row.begin; k < row.begin + row.size; ++k) {
    const double slope = std::abs(values_[k]);
    move += slope * increment_at_[plan_.places[k]];
    least += slope * least_at_[plan_.places[k]];
  }
  // By its own size, as a state is: a pressure near zero has a law that is bent near zero.
  secants_.set_move(coupling, std::min(std::max(least, Increment(secants_.held(coupling), 0)), move));
}

void IslandJacobian::LinearizeAll(const LinearizationPoint& point) {
  ActivateCouplings(point);
  for (std::size_t v = 0; v < plan_.visits.size(); ++v) {
    const JacobianPlan::Visit& visit = plan_.visits[v];
    if (partials_.AreKnown(visit)) {
      for (const JacobianPlan::Input& input : visit.inputs) Accumulate(visit, input, partials_.Of(v));
    } else {
      LinearizeByDifferences(visit);
    }
    for (const std::uint32_t c : visit.finished) Activate(c);
  }
}

void IslandJacobian::LinearizeByDifferences(const JacobianPlan::Visit& visit) {
  bool has_run = false;
  for (const JacobianPlan::Group& group : visit.groups) {
    if (!secants_.MovesAny(visit, group)) continue;
    if (!std::exchange(has_run, true)) secants_.ReadBase(visit);
    secants_.FindSlopes(visit, group);
    for (const JacobianPlan::Input& input : visit.InputsOf(group)) {
      if (secants_.IsMoved(input)) Accumulate(visit, input, secants_.slopes());
    }
  }
  if (!has_run) return;
  if (visit.flows != nullptr) secants_.RunEfforts(visit);  // what they keep for the flows
  secants_.Restore(visit);
}

void IslandJacobian::Accumulate(const JacobianPlan::Visit& visit, const JacobianPlan::Input& input,
                                const std::vector<double>& derivatives) {
  for (std::uint32_t i = input.first_touch; i < input.last_touch; ++i) {
    const double derivative = derivatives[i];
    if (derivative == 0) continue;
    const std::uint32_t* to = &plan_.scatter[visit.touches[i].begin];
    if (input.is_state) {
      values_[*to] += derivative;
      continue;
    }
    const JacobianPlan::Row& row = plan_.rows[plan_.row_of[input.number]];
    const double* values = values_.data() + row.begin;
    for (std::uint32_t k = 0; k < row.size; ++k) values_[to[k]] += derivative * values[k];
  }
}

void IslandJacobian::WriteEntries(const LinearizationPoint& point, double* entries) const {
  std::fill_n(entries, entry_count_, 0.0);
  const std::vector<std::uint32_t>& offsets = states_.offsets();
  for (std::uint32_t i = 0; i < offsets.size(); ++i) {
    if (offsets[i] == kAbsent) continue;
    double& diagonal = entries[present_[plan_.diagonal[i]]];
    if (is_idle_[i]) {  // see IslandEquations::EvaluateResidual
      if (plan_.is_implicit) diagonal = states_.Declaration(offsets[i]).is_algebraic ? 1 : point.cj;
      continue;
    }
    const bool is_solved = plan_.IsSolved(i);
    const double sign = plan_.is_implicit && (plan_.is_explicit[i] || is_solved) ? -1 : 1;
    const JacobianPlan::Row& row = plan_.rows[plan_.RowOfEquation(i)];
    for (std::uint32_t k = row.begin; k < row.begin + row.size; ++k) {
      const std::uint32_t entry = present_[plan_.entry_of[k]];
      if (entry != kAbsent) entries[entry] = sign * values_[k];
    }
    if (sign < 0) diagonal += is_solved ? 1 : point.cj;
  }
}

}  // namespace davit
