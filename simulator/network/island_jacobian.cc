#include "simulator/network/island_jacobian.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "simulator/evaluation_failure.h"
#include "simulator/solvers/difference_quotients.h"

namespace davit {
namespace {

/// Places of y, ascending.
using Places = std::vector<std::uint32_t>;
using CouplingOrigin = Couplings::Source;

void Join(Places& to, const Places& more) {
  Places all;
  all.reserve(to.size() + more.size());
  std::set_union(to.begin(), to.end(), more.begin(), more.end(), std::back_inserter(all));
  to = std::move(all);
}

/// Second differences that are larger than this share of the first are not taken for a curvature, but for a
/// kink between the points, ...
constexpr double kLargestBend = 0.3;
/// ... and points nearer by this factor, ...
constexpr double kRefinement = 0.125;
constexpr int kMostRefinements = 4;
/// ... where second differences fall to this share, are better ones.
constexpr double kBetter = 0.7;
constexpr double kRounding = 1e-14;

bool IsEfforts(const Couplings::Evaluation& evaluation) {
  return evaluation.evaluate == evaluation.owner->entry().evaluate_efforts;
}

}  // namespace

IslandJacobian::IslandJacobian(Couplings couplings, Surroundings surroundings)
    : couplings_(std::move(couplings)), of_(std::move(surroundings)) {
  const std::size_t n = of_.owners.size();
  const std::uint32_t members = n == 0 ? 0 : *std::max_element(of_.owners.begin(), of_.owners.end()) + 1;
  first_state_.assign(members, 0);
  last_state_.assign(members, 0);
  const std::size_t state_count = n - of_.solved.size();
  for (std::uint32_t place = 0; place < state_count; ++place) {
    const std::uint32_t owner = of_.owners[place];
    if (last_state_[owner] == 0) first_state_[owner] = place;
    last_state_[owner] = place + 1;
  }
  is_explicit_.assign(n, !of_.is_dae);
  for (const std::uint32_t place : of_.explicit_states) is_explicit_[place] = true;
  FindRows();
  MakeVisits();
  base_.resize(couplings_.all.size());
  moves_.resize(couplings_.all.size());
  for (std::vector<double>* v : {&y_, &ddt_, &residual_, &least_}) v->reserve(n);
  Arrange();
}

void IslandJacobian::FindRows() {
  const std::size_t n = of_.owners.size();
  const auto own_states = [&](std::uint32_t member) {
    Places places;
    if (member >= first_state_.size()) return places;
    for (std::uint32_t place = first_state_[member]; place < last_state_[member]; ++place)
      places.push_back(place);
    return places;
  };
  std::uint32_t next = 0;
  for (const Couplings::Coupling& coupling : couplings_.all) {
    const bool is_equation =
        coupling.source == CouplingOrigin::kDerivative && is_explicit_[of_.derivative_of[coupling.number]];
    row_of_.push_back(is_equation ? kAbsent : next++);
  }
  first_equation_ = next;
  std::vector<Places> rows(first_equation_ + n);
  for (std::uint32_t c = 0; c < couplings_.all.size(); ++c) {
    const Couplings::Coupling& coupling = couplings_.all[c];
    switch (coupling.source) {
      case CouplingOrigin::kEvaluation: break;
      case CouplingOrigin::kState: rows[row_of_[c]] = {of_.state_of[coupling.number]}; break;
      case CouplingOrigin::kSolved: rows[row_of_[c]] = {of_.solved[coupling.number]}; break;
      case CouplingOrigin::kDerivative:
        if (row_of_[c] == kAbsent) {
          row_of_[c] = RowOfEquation(of_.derivative_of[coupling.number]);
        } else {
          rows[row_of_[c]] = {of_.derivative_of[coupling.number]};
        }
    }
  }
  for (const Couplings::Evaluation& evaluation : couplings_.evaluations) {
    Places reads = own_states(evaluation.member);
    const auto add_reads = [&](const Couplings::Evaluation& of) {
      for (const std::uint32_t c : of.reads) Join(reads, rows[row_of_[c]]);
    };
    add_reads(evaluation);
    if (evaluation.efforts != kNoNumber) add_reads(couplings_.evaluations[evaluation.efforts]);
    for (const std::uint32_t c : evaluation.writes) {
      const Couplings::Coupling& coupling = couplings_.all[c];
      const bool is_solved = coupling.source == CouplingOrigin::kSolved;
      rows[is_solved ? RowOfEquation(of_.solved[coupling.number]) : row_of_[c]] = reads;
    }
    if (IsEfforts(evaluation)) continue;
    for (const std::uint32_t place : own_states(evaluation.member)) rows[RowOfEquation(place)] = reads;
  }

  for (const Places& row : rows) {
    rows_.push_back({static_cast<std::uint32_t>(places_.size()), static_cast<std::uint32_t>(row.size())});
    places_.insert(places_.end(), row.begin(), row.end());
  }
  values_.assign(places_.size(), 0.0);
  pattern_ = JacobianPattern(std::vector<Places>(rows.begin() + first_equation_, rows.end()));
  const auto entry = [this](std::uint32_t i, std::uint32_t j) {
    const auto column = pattern_.Rows(j);
    const auto at = std::lower_bound(column.begin(), column.end(), i);
    return static_cast<std::uint32_t>(pattern_.Begin(j) + static_cast<std::size_t>(at - column.begin()));
  };
  entry_of_.assign(places_.size(), kAbsent);
  for (std::uint32_t i = 0; i < n; ++i) {
    const Row& row = rows_[RowOfEquation(i)];
    for (std::uint32_t k = row.begin; k < row.begin + row.size; ++k) entry_of_[k] = entry(i, places_[k]);
    diagonal_.push_back(entry(i, i));
  }
}

void IslandJacobian::MakeVisits() {
  std::size_t most_sinks = 0;
  std::vector<std::vector<std::uint32_t>> derivatives;  // published ones, by member
  for (const Couplings::Evaluation& evaluation : couplings_.evaluations) {
    derivatives.resize(std::max<std::size_t>(derivatives.size(), evaluation.member + 1));
  }
  for (std::uint32_t c = 0; c < couplings_.all.size(); ++c) {
    const Couplings::Coupling& coupling = couplings_.all[c];
    if (coupling.source != CouplingOrigin::kDerivative) continue;
    const std::uint32_t place = of_.derivative_of[coupling.number];
    if (is_explicit_[place]) derivatives[of_.owners[place]].push_back(c);
  }
  for (const Couplings::Evaluation& evaluation : couplings_.evaluations) {
    Visit& visit = visits_.emplace_back();
    const bool is_first = evaluation.efforts == kNoNumber;
    (IsEfforts(evaluation) ? visit.efforts : visit.flows) = &evaluation;
    if (evaluation.flows != kNoNumber) visit.flows = &couplings_.evaluations[evaluation.flows];
    for (const Couplings::Evaluation* part : {visit.efforts, visit.flows}) {
      if (part == nullptr) continue;
      AddSinks(*part, visit);
      visit.disturbed.insert(visit.disturbed.end(), part->writes.begin(), part->writes.end());
    }
    for (const std::uint32_t c : evaluation.writes) {
      if (couplings_.all[c].source == CouplingOrigin::kEvaluation) visit.finished.push_back(c);
    }
    if (!IsEfforts(evaluation)) {
      const std::vector<std::uint32_t>& known = derivatives[evaluation.member];
      visit.finished.insert(visit.finished.end(), known.begin(), known.end());
    }
    if (is_first && evaluation.member < first_state_.size()) {
      for (std::uint32_t place = first_state_[evaluation.member]; place < last_state_[evaluation.member];
           ++place) {
        AddInput(true, place, visit);
      }
    }
    for (const std::uint32_t c : evaluation.reads) {
      const auto& early =
          is_first ? std::vector<std::uint32_t>{} : couplings_.evaluations[evaluation.efforts].reads;
      if (std::find(early.begin(), early.end(), c) == early.end()) AddInput(false, c, visit);
    }
    most_sinks = std::max(most_sinks, visit.sinks.size());
  }
  for (std::vector<double>* v : {&above_, &below_, &kept_above_, &kept_below_}) v->resize(most_sinks);
}

void IslandJacobian::AddSinks(const Couplings::Evaluation& evaluation, Visit& visit) const {
  for (const std::uint32_t c : evaluation.writes) {
    const Couplings::Coupling& coupling = couplings_.all[c];
    const bool is_solved = coupling.source == CouplingOrigin::kSolved;
    visit.sinks.push_back({.kind = Sink::Kind::kPlace,
                           .coupling = c,
                           .row = is_solved ? RowOfEquation(of_.solved[coupling.number]) : row_of_[c]});
  }
  if (IsEfforts(evaluation) || evaluation.member >= first_state_.size()) return;
  for (std::uint32_t place = first_state_[evaluation.member]; place < last_state_[evaluation.member];
       ++place) {
    visit.sinks.push_back({.kind = is_explicit_[place] ? Sink::Kind::kSlope : Sink::Kind::kResidual,
                           .place = place,
                           .row = RowOfEquation(place)});
  }
}

void IslandJacobian::AddInput(bool is_state, std::uint32_t number, Visit& visit) {
  InputRef input{is_state, number, static_cast<std::uint32_t>(visit.touches.size()), 0};
  const std::span<const std::uint32_t> moved_by =
      is_state ? std::span(&number, 1) : PlacesOf(row_of_[number]);
  for (std::uint32_t s = 0; s < visit.sinks.size(); ++s) {
    const Row& row = rows_[visit.sinks[s].row];
    const auto places = PlacesOf(visit.sinks[s].row);
    visit.touches.push_back({s, static_cast<std::uint32_t>(scatter_.size())});
    for (const std::uint32_t place : moved_by) {
      const auto at = std::lower_bound(places.begin(), places.end(), place);
      scatter_.push_back(row.begin + static_cast<std::uint32_t>(at - places.begin()));
    }
  }
  input.last_touch = static_cast<std::uint32_t>(visit.touches.size());
  visit.inputs.push_back(input);
}

void IslandJacobian::Arrange() {
  const std::vector<std::uint32_t>& offsets = of_.states->offsets();
  is_idle_.assign(offsets.size(), false);
  for (std::size_t place = 0; place < offsets.size(); ++place) is_idle_[place] = offsets[place] == kAbsent;
  for (const std::uint32_t offset : of_.states->idle()) {
    const auto at = std::find(offsets.begin(), offsets.end(), offset);
    is_idle_[static_cast<std::size_t>(at - offsets.begin())] = true;
  }
  least_.resize(of_.states->size());
  for (std::size_t i = 0; i < least_.size(); ++i)
    least_[i] = Increment(0, of_.states->Declaration(i).nominal);
  present_.assign(pattern_.nonzeros(), kAbsent);
  entry_count_ = 0;
  for (std::size_t j = 0; j < offsets.size(); ++j) {
    if (offsets[j] == kAbsent) continue;
    std::size_t entry = pattern_.Begin(j);
    for (const std::uint32_t i : pattern_.Rows(j)) {
      if (offsets[i] != kAbsent) present_[entry] = entry_count_++;
      ++entry;
    }
  }
}

double IslandJacobian::Evaluate(const LinearizationPoint& point, double t, const double* ddt,
                                const double* residual, CallWatch* watch, double* entries) {
  const std::size_t n = of_.states->size();
  y_.assign(point.y, point.y + n);
  ddt_.assign(point.ddt, point.ddt + n);
  residual_.resize(n);
  base_ddt_ = ddt;
  base_residual_ = residual;
  watch_ = watch;
  t_ = t;
  runs_ = 0;
  StateMemory& memory = of_.states->memory;
  const StateMemory before = memory;
  memory.y = y_.data();
  memory.ddt = ddt_.data();
  memory.residual = residual_.data();
  ActivateCouplings(point);
  for (const Visit& visit : visits_) Linearize(visit, point);
  memory.y = before.y;
  memory.ddt = before.ddt;
  memory.residual = before.residual;
  WriteEntries(point, entries);
  return static_cast<double>(runs_) /
         static_cast<double>(std::max<std::size_t>(1, couplings_.evaluations.size()));
}

double* IslandJacobian::PlaceOf(const Couplings::Coupling& coupling) const {
  switch (coupling.source) {
    case CouplingOrigin::kState: return of_.state_places[coupling.number];
    case CouplingOrigin::kDerivative: return of_.derivative_places[coupling.number];
    default: return coupling.place;
  }
}

void IslandJacobian::ActivateCouplings(const LinearizationPoint& point) {
  std::fill(values_.begin(), values_.end(), 0.0);
  for (std::uint32_t c = 0; c < couplings_.all.size(); ++c) {
    const Couplings::Coupling& coupling = couplings_.all[c];
    base_[c] = *PlaceOf(coupling);
    moves_[c] = 0;
    const bool is_derivative = coupling.source == CouplingOrigin::kDerivative;
    if (coupling.source == CouplingOrigin::kEvaluation || (is_derivative && row_of_[c] >= first_equation_))
      continue;
    const Row& row = rows_[row_of_[c]];
    if (!is_idle_[places_[row.begin]]) values_[row.begin] = is_derivative ? point.cj : 1;
    Activate(c, point);
  }
}

void IslandJacobian::Activate(std::uint32_t coupling, const LinearizationPoint& point) {
  const std::vector<std::uint32_t>& offsets = of_.states->offsets();
  const Row& row = rows_[row_of_[coupling]];
  double move = 0, least = 0;
  for (std::uint32_t k = row.begin; k < row.begin + row.size; ++k) {
    if (values_[k] == 0) continue;
    const std::uint32_t offset = offsets[places_[k]];
    move += std::abs(values_[k]) * point.increments[offset];
    least += std::abs(values_[k]) * least_[offset];
  }
  // By its own size, as a state is: a pressure near zero has a law that is bent near zero.
  moves_[coupling] = std::min(std::max(least, Increment(base_[coupling], 0)), move);
}

void IslandJacobian::Linearize(const Visit& visit, const LinearizationPoint& point) {
  bool has_run = false;
  for (const InputRef& input : visit.inputs) {
    if (input.is_state ? is_idle_[input.number] : moves_[input.number] == 0) continue;
    Secant(visit, input, point);
    has_run = true;
  }
  if (has_run) {
    if (visit.efforts != nullptr && visit.flows != nullptr)
      Run(*visit.efforts);  // what it keeps for its flows
    for (const std::uint32_t c : visit.disturbed) *PlaceOf(couplings_.all[c]) = base_[c];
  }
  for (const std::uint32_t c : visit.finished) Activate(c, point);
}

void IslandJacobian::Secant(const Visit& visit, const InputRef& input, const LinearizationPoint& point) {
  double share = 1;
  double up = Shift(input, share, point);
  Run(visit, above_);
  double down = -Shift(input, -share, point);
  Run(visit, below_);
  double bend = Bend(visit, input);
  for (int i = 0; i < kMostRefinements && bend > kLargestBend; ++i) {
    share *= kRefinement;
    kept_above_.swap(above_);
    kept_below_.swap(below_);
    const double finer_up = Shift(input, share, point);
    Run(visit, above_);
    const double finer_down = -Shift(input, -share, point);
    Run(visit, below_);
    const double finer_bend = Bend(visit, input);
    if (!(finer_bend < kBetter * bend)) {  // rounding, or a kink just here
      kept_above_.swap(above_);
      kept_below_.swap(below_);
      break;
    }
    bend = finer_bend;
    up = finer_up;
    down = finer_down;
  }
  Shift(input, 0, point);
  Accumulate(visit, input, up, down);
}

double IslandJacobian::Bend(const Visit& visit, const InputRef& input) const {
  double most = 0;
  for (std::uint32_t i = input.first_touch; i < input.last_touch; ++i) {
    const std::uint32_t s = visit.touches[i].sink;
    const double base = ReadBase(visit.sinks[s]);
    const double bend = std::abs(above_[s] - 2 * base + below_[s]);
    if (!(bend > kRounding * (std::abs(base) + std::abs(above_[s])))) continue;
    most = std::max(most, bend / std::abs(above_[s] - below_[s]));
  }
  return most;
}

double IslandJacobian::Shift(const InputRef& input, double direction, const LinearizationPoint& point) {
  if (!input.is_state) {
    double& value = *PlaceOf(couplings_.all[input.number]);
    value = base_[input.number] + direction * moves_[input.number];
    return value - base_[input.number];
  }
  const std::uint32_t offset = of_.states->offsets()[input.number];
  y_[offset] = point.y[offset] + direction * point.increments[offset];
  const double shift = y_[offset] - point.y[offset];
  if (!is_explicit_[input.number]) ddt_[offset] = point.ddt[offset] + point.cj * shift;
  return shift;
}

void IslandJacobian::Run(const Visit& visit, std::vector<double>& results) {
  try {
    if (visit.efforts != nullptr) Run(*visit.efforts);
    if (visit.flows != nullptr) Run(*visit.flows);
  } catch (const EvaluationFailure&) {  // no solution on this side
    std::fill(results.begin(), results.end(), std::numeric_limits<double>::quiet_NaN());
    return;
  }
  for (std::size_t s = 0; s < visit.sinks.size(); ++s) results[s] = Read(visit.sinks[s]);
}

void IslandJacobian::Run(const Couplings::Evaluation& evaluation) {
  Component* const owner = evaluation.owner;
  RunBatch(evaluation.evaluate, &owner, 1, t_, watch_);
  ++runs_;
}

double IslandJacobian::Read(const Sink& sink) const {
  if (sink.kind == Sink::Kind::kPlace) return *couplings_.all[sink.coupling].place;
  if (is_idle_[sink.place]) return 0;
  const std::uint32_t offset = of_.states->offsets()[sink.place];
  return sink.kind == Sink::Kind::kSlope ? ddt_[offset] : residual_[offset];
}

double IslandJacobian::ReadBase(const Sink& sink) const {
  if (sink.kind == Sink::Kind::kPlace) {
    const bool is_solved = couplings_.all[sink.coupling].source == CouplingOrigin::kSolved;
    return is_solved ? std::numeric_limits<double>::quiet_NaN() : base_[sink.coupling];
  }
  if (is_idle_[sink.place]) return 0;
  const std::uint32_t offset = of_.states->offsets()[sink.place];
  return sink.kind == Sink::Kind::kSlope ? base_ddt_[offset] : base_residual_[offset];
}

void IslandJacobian::Accumulate(const Visit& visit, const InputRef& input, double up, double down) {
  for (std::uint32_t i = input.first_touch; i < input.last_touch; ++i) {
    const Touch& touch = visit.touches[i];
    const double above = above_[touch.sink], below = below_[touch.sink];
    if (above == below) continue;
    const double derivative = std::isfinite(above - below)
                                  ? (above - below) / (up + down)
                                  : Quotient(above, below, ReadBase(visit.sinks[touch.sink]), up, down);
    if (input.is_state) {
      values_[scatter_[touch.begin]] += derivative;
      continue;
    }
    const Row& row = rows_[row_of_[input.number]];
    for (std::uint32_t k = 0; k < row.size; ++k) {
      values_[scatter_[touch.begin + k]] += derivative * values_[row.begin + k];
    }
  }
}

void IslandJacobian::WriteEntries(const LinearizationPoint& point, double* entries) const {
  std::fill_n(entries, entry_count_, 0.0);
  for (std::uint32_t i = 0; i < of_.owners.size(); ++i) {
    if (of_.states->offsets()[i] == kAbsent) continue;
    double& diagonal = entries[present_[diagonal_[i]]];
    if (is_idle_[i]) {  // see Island::EvaluateResidual
      if (of_.is_dae)
        diagonal = of_.states->Declaration(of_.states->offsets()[i]).is_algebraic ? 1 : point.cj;
      continue;
    }
    const bool is_solved = i >= of_.owners.size() - of_.solved.size();
    const double sign = of_.is_dae && (is_explicit_[i] || is_solved) ? -1 : 1;
    const Row& row = rows_[RowOfEquation(i)];
    for (std::uint32_t k = row.begin; k < row.begin + row.size; ++k) {
      const std::uint32_t entry = present_[entry_of_[k]];
      if (entry != kAbsent) entries[entry] = sign * values_[k];
    }
    if (sign < 0) diagonal += is_solved ? 1 : point.cj;
  }
}

}  // namespace davit
