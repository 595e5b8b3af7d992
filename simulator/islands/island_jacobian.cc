#include "simulator/islands/island_jacobian.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "simulator/component_fault.h"
#include "simulator/evaluation_failure.h"
#include "simulator/passes/component_pattern.h"
#include "simulator/solvers/difference_quotients.h"

namespace davit {
namespace {

using CouplingOrigin = Couplings::Source;

void Join(std::vector<std::uint32_t>& to, const std::vector<std::uint32_t>& more) {
  std::vector<std::uint32_t> all;
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
/// At a root of an odd law second differences vanish; there secants that change by less are good ones.
constexpr double kLargestChange = 0.1;
constexpr double kRounding = 1e-14;
/// Of the sum of all terms: what partial derivatives may be wrong by, as JacobianCheck has it.
constexpr double kDisagreement = 0.1;

bool IsEfforts(const Couplings::Evaluation& evaluation) {
  return evaluation.evaluate == evaluation.owner->entry().evaluate_efforts;
}

}  // namespace

/// What the evaluations of one member read of itself and of its couplings, by what its component declares.
class IslandJacobian::MemberReach {
 public:
  MemberReach(const Component& component, std::uint32_t first) : pattern_(component), first_(first) {
    is_declared_ = !component.declarations().reaches.empty();
  }

  bool is_declared() const { return is_declared_; }
  std::uint32_t first() const { return first_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(pattern_.size()); }
  /// Numbers of states.
  std::span<const std::uint32_t> StatesReadBy(std::uint32_t state) const {
    return pattern_.StatesReadBy(state);
  }
  Places StatesReadAt(const void* written) const {
    return written == nullptr || !is_declared_ ? All() : pattern_.StatesReadAt(written);
  }
  Places StatesReading(const void* item) const {
    return item == nullptr || !is_declared_ ? All() : pattern_.StatesReading(item);
  }
  bool Reads(const void* written, const void* item) const {
    return written == nullptr || item == nullptr || pattern_.Reads(written, item);
  }

 private:
  Places All() const {
    Places all(size());
    std::iota(all.begin(), all.end(), 0U);
    return all;
  }

  ComponentPattern pattern_;
  std::uint32_t first_;  ///< place of its first state
  bool is_declared_ = false;
};

IslandJacobian::IslandJacobian(Couplings couplings, Surroundings surroundings)
    : couplings_(std::move(couplings)), of_(std::move(surroundings)) {
  const std::size_t n = of_.owners.size();
  is_explicit_.assign(n, !of_.is_dae);
  for (const std::uint32_t place : of_.explicit_states) is_explicit_[place] = true;
  std::vector<std::unique_ptr<MemberReach>> reaches = ListMembers();
  FindRows(reaches);
  MakePattern();
  MakeVisits(reaches);
  ListKnowledge();
  for (const Couplings::Coupling& coupling : couplings_.all) {
    place_of_.push_back(coupling.source == CouplingOrigin::kState ? of_.state_places[coupling.number]
                        : coupling.source == CouplingOrigin::kDerivative
                            ? of_.derivative_places[coupling.number]
                            : coupling.place);
  }
  base_.resize(couplings_.all.size());
  moves_.resize(couplings_.all.size());
  is_shifted_.resize(couplings_.all.size());
  for (std::vector<double>* v : {&y_, &ddt_, &residual_}) v->resize(n);  // they stay where they are
  Arrange();
}

std::vector<std::unique_ptr<IslandJacobian::MemberReach>> IslandJacobian::ListMembers() const {
  std::vector<std::uint32_t> first;  // place of the first state, by member
  for (std::size_t place = of_.owners.size() - of_.solved.size(); place-- > 0;) {
    const std::uint32_t owner = of_.owners[place];
    first.resize(std::max<std::size_t>(first.size(), owner + 1));
    first[owner] = static_cast<std::uint32_t>(place);
  }
  std::vector<std::unique_ptr<MemberReach>> reaches;
  for (const Couplings::Evaluation& evaluation : couplings_.evaluations) {
    reaches.resize(std::max<std::size_t>(reaches.size(), evaluation.member + 1));
    if (reaches[evaluation.member] != nullptr) continue;
    const std::uint32_t begin = evaluation.member < first.size() ? first[evaluation.member] : 0;
    reaches[evaluation.member] = std::make_unique<MemberReach>(*evaluation.owner, begin);
  }
  return reaches;
}

std::uint32_t IslandJacobian::RowWritten(std::uint32_t coupling) const {
  const Couplings::Coupling& c = couplings_.all[coupling];
  return c.source == CouplingOrigin::kSolved ? RowOfEquation(of_.solved[c.number]) : row_of_[coupling];
}

void IslandJacobian::FindRows(const std::vector<std::unique_ptr<MemberReach>>& reaches) {
  std::uint32_t next = 0;
  for (const Couplings::Coupling& coupling : couplings_.all) {
    const bool is_equation =
        coupling.source == CouplingOrigin::kDerivative && is_explicit_[of_.derivative_of[coupling.number]];
    row_of_.push_back(is_equation ? kAbsent : next++);
  }
  first_equation_ = next;
  std::vector<Places> rows(first_equation_ + of_.owners.size());
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
    FindRowsOf(evaluation, *reaches[evaluation.member], rows);
  }
  for (const Places& row : rows) {
    rows_.push_back({static_cast<std::uint32_t>(places_.size()), static_cast<std::uint32_t>(row.size())});
    places_.insert(places_.end(), row.begin(), row.end());
  }
  values_.assign(places_.size(), 0.0);
}

void IslandJacobian::FindRowsOf(const Couplings::Evaluation& evaluation, const MemberReach& reach,
                                std::vector<Places>& rows) const {
  std::vector<Couplings::End> reads = evaluation.reads;
  if (evaluation.efforts != kNoNumber) {
    const auto& early = couplings_.evaluations[evaluation.efforts].reads;
    reads.insert(reads.end(), early.begin(), early.end());
  }
  const auto places_of = [&](auto&& states) {
    Places places;
    for (const std::uint32_t state : states) places.push_back(reach.first() + state);
    return places;
  };
  for (const Couplings::End& written : evaluation.writes) {
    Places row = places_of(reach.StatesReadAt(written.item));
    for (const Couplings::End& read : reads) {
      if (reach.Reads(written.item, read.item)) Join(row, rows[row_of_[read.coupling]]);
    }
    rows[RowWritten(written.coupling)] = std::move(row);
  }
  if (IsEfforts(evaluation)) return;
  std::vector<Places> equations(reach.size());
  for (std::uint32_t i = 0; i < reach.size(); ++i) equations[i] = places_of(reach.StatesReadBy(i));
  for (const Couplings::End& read : reads) {
    for (const std::uint32_t i : reach.StatesReading(read.item))
      Join(equations[i], rows[row_of_[read.coupling]]);
  }
  for (std::uint32_t i = 0; i < reach.size(); ++i) {
    rows[RowOfEquation(reach.first() + i)] = std::move(equations[i]);
  }
}

void IslandJacobian::MakePattern() {
  const std::size_t n = of_.owners.size();
  std::vector<Places> equations;
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto places = PlacesOf(RowOfEquation(i));
    equations.emplace_back(places.begin(), places.end());
  }
  pattern_ = JacobianPattern(std::move(equations));
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

void IslandJacobian::MakeVisits(const std::vector<std::unique_ptr<MemberReach>>& reaches) {
  std::size_t most_sinks = 0, most_touches = 0, most_inputs = 0;
  std::vector<std::vector<std::uint32_t>> derivatives(reaches.size());  // published ones, by member
  for (std::uint32_t c = 0; c < couplings_.all.size(); ++c) {
    const Couplings::Coupling& coupling = couplings_.all[c];
    if (coupling.source != CouplingOrigin::kDerivative) continue;
    const std::uint32_t place = of_.derivative_of[coupling.number];
    if (is_explicit_[place]) derivatives[of_.owners[place]].push_back(c);
  }
  for (const Couplings::Evaluation& evaluation : couplings_.evaluations) {
    Visit& visit = visits_.emplace_back();
    visit.member = evaluation.member;
    (IsEfforts(evaluation) ? visit.efforts : visit.flows) = &evaluation;
    if (evaluation.flows != kNoNumber) visit.flows = &couplings_.evaluations[evaluation.flows];
    for (const Couplings::End& written : evaluation.writes) {
      if (couplings_.all[written.coupling].source == CouplingOrigin::kEvaluation) {
        visit.finished.push_back(written.coupling);
      }
    }
    if (!IsEfforts(evaluation)) {
      const std::vector<std::uint32_t>& known = derivatives[evaluation.member];
      visit.finished.insert(visit.finished.end(), known.begin(), known.end());
    }
    AddInputs(evaluation, *reaches[evaluation.member], visit);
    most_touches = std::max(most_touches, visit.touches.size());
    most_sinks = std::max(most_sinks, visit.sinks.size());
    most_inputs = std::max(most_inputs, visit.inputs.size());
  }
  for (std::vector<double>* v : {&above_, &below_, &between_, &kept_above_, &kept_below_})
    v->resize(most_touches);
  unshifted_.resize(most_sinks);
  for (std::vector<double>* v : {&up_, &down_}) v->resize(most_inputs);
}

void IslandJacobian::AddInputs(const Couplings::Evaluation& evaluation, const MemberReach& reach,
                               Visit& visit) {
  // What its efforts read was shifted when these had their turn, as the states were.
  const bool is_first = evaluation.efforts == kNoNumber;
  std::vector<Couplings::End> reads = evaluation.reads;
  if (!is_first) {
    const auto& early = couplings_.evaluations[evaluation.efforts].reads;
    std::erase_if(reads, [&](const Couplings::End& read) {
      return std::ranges::any_of(early, [&](const auto& end) { return end.coupling == read.coupling; });
    });
  }
  if (is_first) {
    for (std::uint32_t state = 0; state < reach.size(); ++state) {
      InputRef& input = visit.inputs.emplace_back();
      input.is_state = true;
      input.number = reach.first() + state;
      input.is_explicit = is_explicit_[input.number];
    }
  }
  const auto first_coupling = static_cast<std::uint32_t>(visit.inputs.size());
  std::vector<std::uint32_t> input_of;  // by element of `reads`
  for (const Couplings::End& read : reads) {
    const bool is_new = visit.inputs.size() == first_coupling || visit.inputs.back().number != read.coupling;
    if (is_new) visit.inputs.emplace_back().number = read.coupling;
    input_of.push_back(static_cast<std::uint32_t>(visit.inputs.size() - 1));
  }

  std::vector<Places> sinks_of(visit.inputs.size());
  const auto touch = [&](std::uint32_t input, std::uint32_t sink) {
    if (sinks_of[input].empty() || sinks_of[input].back() != sink) sinks_of[input].push_back(sink);
  };
  for (const Couplings::Evaluation* part : {visit.efforts, visit.flows}) {
    if (part == nullptr) continue;
    for (const Couplings::End& written : part->writes) {
      const auto sink = static_cast<std::uint32_t>(visit.sinks.size());
      visit.sinks.push_back({Sink::Kind::kPlace, written.coupling, 0, RowWritten(written.coupling)});
      if (is_first) {
        for (const std::uint32_t state : reach.StatesReadAt(written.item)) touch(state, sink);
      }
      for (std::size_t r = 0; r < reads.size(); ++r) {
        if (reach.Reads(written.item, reads[r].item)) touch(input_of[r], sink);
      }
    }
    if (IsEfforts(*part)) continue;
    const auto first_equation = static_cast<std::uint32_t>(visit.sinks.size());
    for (std::uint32_t i = 0; i < reach.size(); ++i) {
      const std::uint32_t place = reach.first() + i;
      visit.sinks.push_back({Sink::Kind::kEquation, 0, place, RowOfEquation(place)});
      if (!is_first) continue;
      for (const std::uint32_t state : reach.StatesReadBy(i)) touch(state, first_equation + i);
    }
    for (std::size_t r = 0; r < reads.size(); ++r) {
      for (const std::uint32_t i : reach.StatesReading(reads[r].item)) touch(input_of[r], first_equation + i);
    }
  }
  for (Places& sinks : sinks_of) {
    std::ranges::sort(sinks);
    sinks.erase(std::unique(sinks.begin(), sinks.end()), sinks.end());
  }
  AddTouches(sinks_of, GroupInputs(sinks_of, reach.is_declared(), visit), visit);
}

void IslandJacobian::AddTouches(const std::vector<Places>& sinks_of, const Places& order, Visit& visit) {
  for (std::size_t k = 0; k < visit.inputs.size(); ++k) {
    InputRef& input = visit.inputs[k];
    input.first_touch = static_cast<std::uint32_t>(visit.touches.size());
    const std::span<const std::uint32_t> moved_by =
        input.is_state ? std::span(&input.number, 1) : PlacesOf(row_of_[input.number]);
    for (const std::uint32_t s : sinks_of[order[k]]) {
      const Row& row = rows_[visit.sinks[s].row];
      const auto places = PlacesOf(visit.sinks[s].row);
      visit.touches.push_back({nullptr, s, static_cast<std::uint32_t>(scatter_.size())});
      for (const std::uint32_t place : moved_by) {
        const auto at = std::lower_bound(places.begin(), places.end(), place);
        scatter_.push_back(row.begin + static_cast<std::uint32_t>(at - places.begin()));
      }
    }
    input.last_touch = static_cast<std::uint32_t>(visit.touches.size());
  }
  for (Group& group : visit.groups) {
    group.first_touch = visit.inputs[group.first].first_touch;
    group.last_touch = visit.inputs[group.last - 1].last_touch;
  }
  for (std::uint32_t i = 0; i < visit.touches.size(); ++i) {
    const Sink& sink = visit.sinks[visit.touches[i].sink];
    const bool is_solved =
        sink.kind == Sink::Kind::kPlace && couplings_.all[sink.number].source == CouplingOrigin::kSolved;
    if (is_solved) visit.solved.push_back(i);
  }
}

void IslandJacobian::ListKnowledge() {
  for (std::uint32_t i = 0; i < visits_.size(); ++i) {
    Visit& visit = visits_[i];
    visit.partials.assign(visit.touches.size(), 0.0);
    knowledge_.resize(std::max<std::size_t>(knowledge_.size(), visit.member + 1));
    knowledge_[visit.member].visits.push_back(i);
  }
  for (Knowledge& knowledge : knowledge_) {
    bool is_asked = !knowledge.visits.empty();
    for (const std::uint32_t i : knowledge.visits) {
      const Visit& visit = visits_[i];
      for (const Couplings::Evaluation* part : {visit.efforts, visit.flows}) {
        if (part == nullptr) continue;
        const ModelEntry& entry = part->owner->entry();
        is_asked = is_asked && entry.has_partials && entry.prepare_batch == nullptr &&
                   part->evaluate != entry.evaluate_algebraic;
      }
      is_asked = is_asked && std::ranges::all_of(visit.inputs, &InputRef::is_explicit);
    }
    if (!is_asked) continue;
    const Visit& visit = visits_[knowledge.visits.front()];
    const Component* owner = (visit.efforts != nullptr ? visit.efforts : visit.flows)->owner;
    knowledge.member = dynamic_cast<const DynamicSimComponent*>(owner);
  }
  compared_.resize(rows_.size());
}

IslandJacobian::Places IslandJacobian::GroupInputs(const std::vector<Places>& sinks_of, bool is_declared,
                                                   Visit& visit) {
  const auto count = static_cast<std::uint32_t>(visit.inputs.size());
  std::vector<Places> groups;
  if (!is_declared) {
    for (std::uint32_t i = 0; i < count; ++i) groups.push_back({i});
  } else {
    // Greedily in their order, as JacobianPattern does it for equations.
    std::vector<Places> inputs_of(visit.sinks.size());
    std::vector<std::uint32_t> group_of(count);
    std::vector<std::uint32_t> taken_by;  // by group: the last input that cannot be in it
    for (std::uint32_t i = 0; i < count; ++i) {
      for (const std::uint32_t s : sinks_of[i]) {
        for (const std::uint32_t other : inputs_of[s]) taken_by[group_of[other]] = i;
        inputs_of[s].push_back(i);
      }
      std::uint32_t g = 0;
      while (g < groups.size() && taken_by[g] == i) ++g;
      if (g == groups.size()) {
        groups.emplace_back();
        taken_by.push_back(kAbsent);
      }
      group_of[i] = g;
      groups[g].push_back(i);
    }
  }
  std::vector<InputRef> inputs;
  Places order;
  for (const Places& group : groups) {
    const auto first = static_cast<std::uint32_t>(inputs.size());
    for (const std::uint32_t i : group) inputs.push_back(visit.inputs[i]);
    order.insert(order.end(), group.begin(), group.end());
    visit.groups.push_back({.first = first, .last = static_cast<std::uint32_t>(inputs.size())});
  }
  visit.inputs = std::move(inputs);
  return order;
}

void IslandJacobian::Arrange() {
  const std::vector<std::uint32_t>& offsets = of_.states->offsets();
  is_idle_.assign(offsets.size(), false);
  for (std::size_t place = 0; place < offsets.size(); ++place) is_idle_[place] = offsets[place] == kAbsent;
  for (const std::uint32_t offset : of_.states->idle()) {
    const auto at = std::find(offsets.begin(), offsets.end(), offset);
    is_idle_[static_cast<std::size_t>(at - offsets.begin())] = true;
  }
  for (Visit& visit : visits_) {
    for (InputRef& input : visit.inputs) {
      if (input.is_state) input.offset = is_idle_[input.number] ? kAbsent : offsets[input.number];
    }
    for (Sink& sink : visit.sinks) sink.at = PlaceOf(sink);
    for (Touch& touch : visit.touches) touch.from = visit.sinks[touch.sink].at;
  }
  ShowWantedPartials();
  least_at_.assign(offsets.size(), 0.0);
  increment_at_.assign(offsets.size(), 0.0);
  for (std::size_t place = 0; place < offsets.size(); ++place) {
    if (is_idle_[place]) continue;
    least_at_[place] = Increment(0, of_.states->Declaration(offsets[place]).nominal);
  }
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

void IslandJacobian::ShowWantedPartials() {
  using Variable = PartialDerivatives::Variable;
  const auto state_at = [this](std::uint32_t offset) {
    return Variable(StateSlot{&of_.states->memory, offset});
  };
  for (Knowledge& knowledge : knowledge_) {
    knowledge.partials.Forget();
    if (knowledge.member == nullptr) continue;
    for (const std::uint32_t v : knowledge.visits) {
      Visit& visit = visits_[v];
      for (const InputRef& input : visit.inputs) {
        if (input.is_state && input.offset == kAbsent) continue;
        const Variable read = input.is_state ? state_at(input.offset) : Variable(place_of_[input.number]);
        for (std::uint32_t i = input.first_touch; i < input.last_touch; ++i) {
          const Sink& sink = visit.sinks[visit.touches[i].sink];
          const bool is_place = sink.kind == Sink::Kind::kPlace;
          if (!is_place && is_idle_[sink.place]) continue;
          const Variable written =
              is_place ? Variable(place_of_[sink.number]) : state_at(of_.states->offsets()[sink.place]);
          knowledge.partials.Want(written, read, &visit.partials[i]);
        }
      }
    }
  }
}

double* IslandJacobian::PlaceOf(const Sink& sink) {
  if (sink.kind == Sink::Kind::kPlace) return place_of_[sink.number];
  if (is_idle_[sink.place]) return &nothing_;
  return (is_explicit_[sink.place] ? ddt_.data() : residual_.data()) + of_.states->offsets()[sink.place];
}

double IslandJacobian::Evaluate(const LinearizationPoint& point, double t, const double* ddt,
                                const double* residual, bool checks_partials, CallWatch* watch,
                                double* entries) {
  const std::size_t n = of_.states->size();
  std::copy_n(point.y, n, y_.begin());
  std::copy_n(ddt, n, ddt_.begin());
  if (of_.is_dae) std::copy_n(residual, n, residual_.begin());
  const std::vector<std::uint32_t>& offsets = of_.states->offsets();
  for (std::size_t place = 0; place < offsets.size(); ++place) {
    if (!is_idle_[place]) increment_at_[place] = point.increments[offsets[place]];
  }
  watch_ = watch;
  t_ = t;
  runs_ = 0;
  StateMemory& memory = of_.states->memory;
  const StateMemory before = memory;
  memory.y = y_.data();
  memory.ddt = ddt_.data();
  memory.residual = residual_.data();
  AskForPartials();
  FindShifted(checks_partials);
  LinearizeAll(point);
  const double pass = static_cast<double>(std::max<std::size_t>(1, couplings_.evaluations.size()));
  const double cost = static_cast<double>(runs_) / pass;
  if (checks_partials && FindWrongMembers(point)) LinearizeAll(point);
  memory.y = before.y;
  memory.ddt = before.ddt;
  memory.residual = before.residual;
  WriteEntries(point, entries);
  // In whole numbers: a run that restarts here checks at other times, and must count the same parts.
  return cost + std::ceil(static_cast<double>(runs_) / pass - cost);
}

bool IslandJacobian::IsMoved(const InputRef& input) const {
  return input.is_state ? input.offset != kAbsent : moves_[input.number] > 0;
}

void IslandJacobian::ActivateCouplings(const LinearizationPoint& point) {
  std::fill(values_.begin(), values_.end(), 0.0);
  for (std::uint32_t c = 0; c < couplings_.all.size(); ++c) {
    const Couplings::Coupling& coupling = couplings_.all[c];
    base_[c] = *place_of_[c];
    moves_[c] = 0;
    const bool is_derivative = coupling.source == CouplingOrigin::kDerivative;
    if (coupling.source == CouplingOrigin::kEvaluation || (is_derivative && row_of_[c] >= first_equation_))
      continue;
    const Row& row = rows_[row_of_[c]];
    if (!is_idle_[places_[row.begin]]) values_[row.begin] = is_derivative ? point.cj : 1;
    Activate(c);
  }
}

void IslandJacobian::Activate(std::uint32_t coupling) {
  if (!is_shifted_[coupling]) return;
  const Row& row = rows_[row_of_[coupling]];
  double move = 0, least = 0;
  for (std::uint32_t k = row.begin; k < row.begin + row.size; ++k) {
    const double slope = std::abs(values_[k]);
    move += slope * increment_at_[places_[k]];
    least += slope * least_at_[places_[k]];
  }
  // By its own size, as a state is: a pressure near zero has a law that is bent near zero.
  moves_[coupling] = std::min(std::max(least, Increment(base_[coupling], 0)), move);
}

void IslandJacobian::AskForPartials() {
  for (Knowledge& knowledge : knowledge_) {
    if (knowledge.member == nullptr) continue;
    for (const std::uint32_t v : knowledge.visits) std::ranges::fill(visits_[v].partials, 0.0);
    knowledge.partials.Begin();
    knowledge.is_known = knowledge.member->WritePartials(knowledge.partials);
  }
}

void IslandJacobian::FindShifted(bool are_all) {
  std::fill(is_shifted_.begin(), is_shifted_.end(), are_all);
  if (are_all) return;
  for (const Visit& visit : visits_) {
    if (knowledge_[visit.member].is_known) continue;
    for (const InputRef& input : visit.inputs) {
      if (!input.is_state) is_shifted_[input.number] = true;
    }
  }
}

void IslandJacobian::LinearizeAll(const LinearizationPoint& point) {
  ActivateCouplings(point);
  for (const Visit& visit : visits_) Linearize(visit, point);
}

void IslandJacobian::Linearize(const Visit& visit, const LinearizationPoint& point) {
  if (knowledge_[visit.member].is_known) {
    for (const InputRef& input : visit.inputs) AccumulateKnown(visit, input);
  } else {
    LinearizeByDifferences(visit, point);
  }
  for (const std::uint32_t c : visit.finished) Activate(c);
}

bool IslandJacobian::FindWrongMembers(const LinearizationPoint& point) {
  bool has_suspects = false;
  for (Knowledge& knowledge : knowledge_) {
    knowledge.is_suspect = knowledge.is_known;
    has_suspects = has_suspects || knowledge.is_known;
  }
  // A law that is bent more than the shifts are wide shows its derivative to smaller ones only.
  double share = 1;
  for (int i = 0; i < kMostRefinements && has_suspects; ++i, share *= kRefinement) {
    for (Comparison& row : compared_) row = {.is_suspect = i > 0 && row.is_suspect};
    for (const Visit& visit : visits_) {
      if (knowledge_[visit.member].is_suspect) Compare(visit, share, point);
    }
    for (Comparison& row : compared_) row.Judge(i == 0);
    has_suspects = false;
    for (Knowledge& knowledge : knowledge_) {
      knowledge.is_suspect = knowledge.is_suspect && Disagrees(knowledge);
      has_suspects = has_suspects || knowledge.is_suspect;
    }
  }
  for (Knowledge& knowledge : knowledge_) {
    if (!knowledge.is_suspect) continue;
    wrong_member_ = knowledge.member;
    knowledge.member = nullptr;
    knowledge.is_known = false;
  }
  return has_suspects;
}

void IslandJacobian::Comparison::Judge(bool is_first) {
  const bool disagrees = worst > kDisagreement * terms + rounding;
  const bool is_drowned = rounding > kDisagreement * terms;
  is_suspect = is_first ? disagrees : is_suspect && (disagrees || is_drowned);
}

bool IslandJacobian::Disagrees(const Knowledge& knowledge) const {
  return std::ranges::any_of(knowledge.visits, [&](std::uint32_t v) {
    return std::ranges::any_of(visits_[v].sinks,
                               [&](const Sink& sink) { return compared_[sink.row].is_suspect; });
  });
}

void IslandJacobian::Compare(const Visit& visit, double share, const LinearizationPoint& point) {
  ReadBase(visit);
  for (const Group& group : visit.groups) {
    const auto inputs = std::span(visit.inputs).subspan(group.first, group.last - group.first);
    if (std::ranges::none_of(inputs, [&](const InputRef& input) { return IsMoved(input); })) continue;
    RunShifted(visit, group, share, point, above_, up_);
    RunShifted(visit, group, -share, point, below_, down_);
    Compare(visit, group);
    for (const InputRef& input : inputs) Shift(input, 0, point);
  }
  if (visit.efforts != nullptr) Run(*visit.efforts);
  if (visit.flows != nullptr) Run(*visit.flows);
  Restore(visit);
}

void IslandJacobian::Compare(const Visit& visit, const Group& group) {
  for (std::uint32_t k = group.first; k < group.last; ++k) {
    const InputRef& input = visit.inputs[k];
    if (!IsMoved(input)) continue;
    for (std::uint32_t i = input.first_touch; i < input.last_touch; ++i) {
      const double up = above_[i] - between_[i], down = between_[i] - below_[i];
      if (!std::isfinite(up) || !std::isfinite(down)) continue;  // nothing to compare with
      Comparison& row = compared_[visit.sinks[visit.touches[i].sink].row];
      const double known = visit.partials[i] * up_[k];
      // At a kink the derivative is that of one side or the other.
      const double beyond = std::max({std::min(up, down) - known, known - std::max(up, down), 0.0});
      const double rounding =
          64 * std::numeric_limits<double>::epsilon() * (std::abs(above_[i]) + std::abs(below_[i]));
      row.terms += std::max(std::abs(up), std::abs(down));
      row.worst = std::max(row.worst, std::isfinite(known) ? beyond : std::numeric_limits<double>::max());
      row.rounding = std::max(row.rounding, rounding);
    }
  }
}

void IslandJacobian::LinearizeByDifferences(const Visit& visit, const LinearizationPoint& point) {
  bool has_run = false;
  for (const Group& group : visit.groups) {
    std::uint32_t i = group.first;
    while (i < group.last && !IsMoved(visit.inputs[i])) ++i;
    if (i == group.last) continue;
    if (!std::exchange(has_run, true)) ReadBase(visit);
    FindSecants(visit, group, point);
  }
  if (has_run) {
    if (visit.efforts != nullptr && visit.flows != nullptr)
      Run(*visit.efforts);  // what it keeps for its flows
    Restore(visit);
  }
}

void IslandJacobian::FindSecants(const Visit& visit, const Group& group, const LinearizationPoint& point) {
  RunShifted(visit, group, 1, point, above_, up_);
  RunShifted(visit, group, -1, point, below_, down_);
  // Where couplings move what a member writes through zero, such as the flow of a restriction by its
  // pressures, laws like q ~ sqrt(dp) are steepest, and odd: the second difference is zero however long the
  // secant is.
  const auto passes_root = [&](const Touch& touch) {
    const auto i = static_cast<std::size_t>(&touch - visit.touches.data());
    return visit.sinks[touch.sink].kind == Sink::Kind::kPlace && above_[i] * below_[i] < 0;
  };
  const auto touches =
      std::span(visit.touches).subspan(group.first_touch, group.last_touch - group.first_touch);
  if (IsBent(group, kLargestBend)) {
    Refine(visit, group, point);
  } else if (!visit.inputs[group.first].is_state && std::ranges::any_of(touches, passes_root)) {
    double share = 1, change = 1;
    for (int i = 0; i < kMostRefinements && change > kLargestChange; ++i) {
      kept_above_.swap(above_);
      kept_below_.swap(below_);
      share *= kRefinement;
      RunShifted(visit, group, share, point, above_, up_);
      RunShifted(visit, group, -share, point, below_, down_);
      change = 0;
      for (std::uint32_t k = group.first_touch; k < group.last_touch; ++k) {
        const double finer = above_[k] - below_[k];
        const double coarse = kRefinement * (kept_above_[k] - kept_below_[k]);
        if (std::abs(finer) > kRounding * std::abs(above_[k]))
          change = std::max(change, std::abs(finer - coarse) / std::abs(finer));
      }
    }
  }
  for (std::uint32_t i = group.first; i < group.last; ++i) {
    const InputRef& input = visit.inputs[i];
    Shift(input, 0, point);
    if (IsMoved(input)) Accumulate(visit, input, up_[i], -down_[i]);
  }
}

void IslandJacobian::Refine(const Visit& visit, const Group& group, const LinearizationPoint& point) {
  double share = 1;
  double bend = Bend(group);
  for (int i = 0; i < kMostRefinements && bend > kLargestBend; ++i) {
    kept_above_.swap(above_);
    kept_below_.swap(below_);
    const double finer = share * kRefinement;
    RunShifted(visit, group, finer, point, above_, up_);
    RunShifted(visit, group, -finer, point, below_, down_);
    const double finer_bend = Bend(group);
    if (!(finer_bend < kBetter * bend)) {  // rounding, or a kink just here
      kept_above_.swap(above_);
      kept_below_.swap(below_);
      for (std::uint32_t k = group.first; k < group.last; ++k) {
        up_[k] = Shift(visit.inputs[k], share, point);
        down_[k] = Shift(visit.inputs[k], -share, point);
      }
      return;
    }
    bend = finer_bend;
    share = finer;
  }
}

void IslandJacobian::RunShifted(const Visit& visit, const Group& group, double share,
                                const LinearizationPoint& point, std::vector<double>& results,
                                std::vector<double>& shifts) {
  for (std::uint32_t i = group.first; i < group.last; ++i) {
    shifts[i] = Shift(visit.inputs[i], share, point);
  }
  Run(visit, group, results);
}

bool IslandJacobian::IsBent(const Group& group, double share) const {
  for (std::uint32_t i = group.first_touch; i < group.last_touch; ++i) {
    const double bend = std::abs(above_[i] - 2 * between_[i] + below_[i]);
    if (!(bend <= share * std::abs(above_[i] - below_[i])) &&
        bend > kRounding * (std::abs(between_[i]) + std::abs(above_[i])))
      return true;
  }
  return false;
}

double IslandJacobian::Bend(const Group& group) const {
  double most = 0;
  for (std::uint32_t i = group.first_touch; i < group.last_touch; ++i) {
    const double bend = std::abs(above_[i] - 2 * between_[i] + below_[i]);
    if (!(bend > kRounding * (std::abs(between_[i]) + std::abs(above_[i])))) continue;
    most = std::max(most, bend / std::abs(above_[i] - below_[i]));
  }
  return most;
}

double IslandJacobian::Shift(const InputRef& input, double direction, const LinearizationPoint& point) {
  if (!input.is_state) {
    double& value = *place_of_[input.number];
    value = base_[input.number] + direction * moves_[input.number];
    return value - base_[input.number];
  }
  const std::uint32_t offset = input.offset;
  if (offset == kAbsent) return 0;
  y_[offset] = point.y[offset] + direction * point.increments[offset];
  const double shift = y_[offset] - point.y[offset];
  if (!input.is_explicit) ddt_[offset] = point.ddt[offset] + point.cj * shift;
  return shift;
}

void IslandJacobian::Run(const Visit& visit, const Group& group, std::vector<double>& results) {
  try {
    if (visit.efforts != nullptr) Run(*visit.efforts);
    if (visit.flows != nullptr) Run(*visit.flows);
  } catch (const EvaluationFailure&) {  // no solution on this side
    std::fill(results.begin() + group.first_touch, results.begin() + group.last_touch,
              std::numeric_limits<double>::quiet_NaN());
    return;
  }
  const Touch* touch = visit.touches.data();
  for (std::uint32_t i = group.first_touch; i < group.last_touch; ++i) results[i] = *touch[i].from;
}

void IslandJacobian::Run(const Couplings::Evaluation& evaluation) {
  Component* const owner = evaluation.owner;
  RunBatch(evaluation.evaluate, &owner, 1, t_, watch_);
  ++runs_;
}

void IslandJacobian::ReadBase(const Visit& visit) {
  for (std::size_t s = 0; s < visit.sinks.size(); ++s) unshifted_[s] = *visit.sinks[s].at;
  for (std::size_t i = 0; i < visit.touches.size(); ++i) between_[i] = unshifted_[visit.touches[i].sink];
  // Of an output that is solved for readers see the unknown, not what was computed.
  for (const std::uint32_t i : visit.solved) between_[i] = std::numeric_limits<double>::quiet_NaN();
}

void IslandJacobian::Restore(const Visit& visit) {
  for (std::size_t s = 0; s < visit.sinks.size(); ++s) *visit.sinks[s].at = unshifted_[s];
}

void IslandJacobian::Accumulate(const Visit& visit, const InputRef& input, double up, double down) {
  const double span = up + down;
  for (std::uint32_t i = input.first_touch; i < input.last_touch; ++i) {
    const double above = above_[i], below = below_[i];
    if (above == below) continue;
    const double difference = above - below;
    const double derivative =
        std::isfinite(difference) ? difference / span : Quotient(above, below, between_[i], up, down);
    Chain(input, visit.touches[i], derivative);
  }
}

void IslandJacobian::AccumulateKnown(const Visit& visit, const InputRef& input) {
  for (std::uint32_t i = input.first_touch; i < input.last_touch; ++i) {
    const double derivative = visit.partials[i];
    if (derivative != 0) Chain(input, visit.touches[i], derivative);
  }
}

void IslandJacobian::Chain(const InputRef& input, const Touch& touch, double derivative) {
  const std::uint32_t* to = &scatter_[touch.begin];
  if (input.is_state) {
    values_[*to] += derivative;
    return;
  }
  const Row& row = rows_[row_of_[input.number]];
  const double* values = &values_[row.begin];
  for (std::uint32_t k = 0; k < row.size; ++k) values_[to[k]] += derivative * values[k];
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
