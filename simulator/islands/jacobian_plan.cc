#include "simulator/islands/jacobian_plan.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <numeric>
#include <utility>

#include "framework/component.h"
#include "framework/registry.h"
#include "simulator/passes/component_pattern.h"

namespace davit {
namespace {

/// Places of y, or numbers of inputs and sinks, ascending.
using Places = std::vector<std::uint32_t>;

void Join(Places& to, const Places& more) {
  Places all;
  all.reserve(to.size() + more.size());
  std::set_union(to.begin(), to.end(), more.begin(), more.end(), std::back_inserter(all));
  to = std::move(all);
}

bool IsEfforts(const Couplings::Evaluation& evaluation) {
  return evaluation.evaluate == evaluation.owner->entry().evaluate_efforts;
}

/// What the evaluations of one member read of itself and of its couplings, by what its component declares.
class MemberReach {
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

class JacobianPlanner {
 public:
  explicit JacobianPlanner(JacobianSource source) : source_(std::move(source)) {}

  JacobianPlan Plan();

 private:
  using Row = JacobianPlan::Row;
  using Sink = JacobianPlan::Sink;
  using Input = JacobianPlan::Input;
  using Group = JacobianPlan::Group;
  using Visit = JacobianPlan::Visit;
  static constexpr std::uint32_t kAbsent = JacobianPlan::kAbsent;

  void ListReaches();
  void FindRows();
  void FindRowsOf(const Couplings::Evaluation& evaluation, const MemberReach& reach,
                  std::vector<Places>& rows) const;
  void MakePattern();
  void MakeVisits();
  void AddInputs(const Couplings::Evaluation& evaluation, const MemberReach& reach, Visit& visit);
  /// Returns the numbers that the inputs had before they were ordered by groups.
  static Places GroupInputs(const std::vector<Places>& sinks_of, bool is_declared, Visit& visit);
  /// `order` is what GroupInputs returns.
  void AddTouches(const std::vector<Places>& sinks_of, const Places& order, Visit& visit);
  /// The row of what is computed for a coupling.
  std::uint32_t RowWritten(std::uint32_t coupling) const;
  double* PlaceOf(const Couplings::Coupling& coupling) const;

  JacobianSource source_;
  std::vector<std::unique_ptr<MemberReach>> reaches_;  ///< by member
  JacobianPlan plan_;
};

JacobianPlan JacobianPlanner::Plan() {
  const std::size_t n = source_.owners.size();
  plan_.couplings = std::move(source_.couplings);
  plan_.is_implicit = source_.is_implicit;
  plan_.first_solved = static_cast<std::uint32_t>(n - source_.solved.size());
  plan_.is_explicit.assign(n, !source_.is_implicit);
  for (const std::uint32_t place : source_.explicit_states) plan_.is_explicit[place] = true;
  for (const Couplings::Coupling& coupling : plan_.couplings.all) plan_.place_of.push_back(PlaceOf(coupling));
  ListReaches();
  FindRows();
  MakePattern();
  MakeVisits();
  return std::move(plan_);
}

double* JacobianPlanner::PlaceOf(const Couplings::Coupling& coupling) const {
  switch (coupling.source) {
    case Couplings::Source::kState: return source_.state_places[coupling.number];
    case Couplings::Source::kDerivative: return source_.derivative_places[coupling.number];
    default: return coupling.place;
  }
}

void JacobianPlanner::ListReaches() {
  Places first;  // place of the first state, by member
  for (std::uint32_t place = plan_.first_solved; place-- > 0;) {
    const std::uint32_t owner = source_.owners[place];
    first.resize(std::max<std::size_t>(first.size(), owner + 1));
    first[owner] = place;
  }
  for (const Couplings::Evaluation& evaluation : plan_.couplings.evaluations) {
    reaches_.resize(std::max<std::size_t>(reaches_.size(), evaluation.member + 1));
    if (reaches_[evaluation.member] != nullptr) continue;
    const std::uint32_t begin = evaluation.member < first.size() ? first[evaluation.member] : 0;
    reaches_[evaluation.member] = std::make_unique<MemberReach>(*evaluation.owner, begin);
  }
}

std::uint32_t JacobianPlanner::RowWritten(std::uint32_t coupling) const {
  const Couplings::Coupling& c = plan_.couplings.all[coupling];
  return c.source == Couplings::Source::kSolved ? plan_.RowOfEquation(source_.solved[c.number])
                                                : plan_.row_of[coupling];
}

void JacobianPlanner::FindRows() {
  std::uint32_t next = 0;
  for (const Couplings::Coupling& coupling : plan_.couplings.all) {
    const bool is_equation = coupling.source == Couplings::Source::kDerivative &&
                             plan_.is_explicit[source_.derivative_of[coupling.number]];
    plan_.row_of.push_back(is_equation ? kAbsent : next++);
  }
  plan_.first_equation = next;
  std::vector<Places> rows(plan_.first_equation + source_.owners.size());
  for (std::uint32_t c = 0; c < plan_.couplings.all.size(); ++c) {
    const Couplings::Coupling& coupling = plan_.couplings.all[c];
    switch (coupling.source) {
      case Couplings::Source::kEvaluation: break;
      case Couplings::Source::kState: rows[plan_.row_of[c]] = {source_.state_of[coupling.number]}; break;
      case Couplings::Source::kSolved: rows[plan_.row_of[c]] = {source_.solved[coupling.number]}; break;
      case Couplings::Source::kDerivative:
        if (plan_.row_of[c] == kAbsent) {
          plan_.row_of[c] = plan_.RowOfEquation(source_.derivative_of[coupling.number]);
        } else {
          rows[plan_.row_of[c]] = {source_.derivative_of[coupling.number]};
        }
    }
  }
  for (const Couplings::Evaluation& evaluation : plan_.couplings.evaluations) {
    FindRowsOf(evaluation, *reaches_[evaluation.member], rows);
  }
  for (const Places& row : rows) {
    plan_.rows.push_back(
        {static_cast<std::uint32_t>(plan_.places.size()), static_cast<std::uint32_t>(row.size())});
    plan_.places.insert(plan_.places.end(), row.begin(), row.end());
  }
}

void JacobianPlanner::FindRowsOf(const Couplings::Evaluation& evaluation, const MemberReach& reach,
                                 std::vector<Places>& rows) const {
  std::vector<Couplings::End> reads = evaluation.reads;
  if (evaluation.efforts != kNoNumber) {
    const auto& early = plan_.couplings.evaluations[evaluation.efforts].reads;
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
      if (reach.Reads(written.item, read.item)) Join(row, rows[plan_.row_of[read.coupling]]);
    }
    rows[RowWritten(written.coupling)] = std::move(row);
  }
  if (IsEfforts(evaluation)) return;
  std::vector<Places> equations(reach.size());
  for (std::uint32_t i = 0; i < reach.size(); ++i) equations[i] = places_of(reach.StatesReadBy(i));
  for (const Couplings::End& read : reads) {
    for (const std::uint32_t i : reach.StatesReading(read.item))
      Join(equations[i], rows[plan_.row_of[read.coupling]]);
  }
  for (std::uint32_t i = 0; i < reach.size(); ++i) {
    rows[plan_.RowOfEquation(reach.first() + i)] = std::move(equations[i]);
  }
}

void JacobianPlanner::MakePattern() {
  const std::size_t n = source_.owners.size();
  std::vector<Places> equations;
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto places = plan_.PlacesOf(plan_.RowOfEquation(i));
    equations.emplace_back(places.begin(), places.end());
  }
  plan_.pattern = JacobianPattern(std::move(equations));
  const auto entry = [this](std::uint32_t i, std::uint32_t j) {
    const auto column = plan_.pattern.Rows(j);
    const auto at = std::lower_bound(column.begin(), column.end(), i);
    return static_cast<std::uint32_t>(plan_.pattern.Begin(j) + static_cast<std::size_t>(at - column.begin()));
  };
  plan_.entry_of.assign(plan_.places.size(), kAbsent);
  for (std::uint32_t i = 0; i < n; ++i) {
    const Row& row = plan_.rows[plan_.RowOfEquation(i)];
    for (std::uint32_t k = row.begin; k < row.begin + row.size; ++k)
      plan_.entry_of[k] = entry(i, plan_.places[k]);
    plan_.diagonal.push_back(entry(i, i));
  }
}

void JacobianPlanner::MakeVisits() {
  std::vector<std::vector<std::uint32_t>> derivatives(reaches_.size());  // published ones, by member
  for (std::uint32_t c = 0; c < plan_.couplings.all.size(); ++c) {
    const Couplings::Coupling& coupling = plan_.couplings.all[c];
    if (coupling.source != Couplings::Source::kDerivative) continue;
    const std::uint32_t place = source_.derivative_of[coupling.number];
    if (plan_.is_explicit[place]) derivatives[source_.owners[place]].push_back(c);
  }
  for (const Couplings::Evaluation& evaluation : plan_.couplings.evaluations) {
    Visit& visit = plan_.visits.emplace_back();
    visit.member = evaluation.member;
    (IsEfforts(evaluation) ? visit.efforts : visit.flows) = &evaluation;
    if (evaluation.flows != kNoNumber) visit.flows = &plan_.couplings.evaluations[evaluation.flows];
    for (const Couplings::End& written : evaluation.writes) {
      if (plan_.couplings.all[written.coupling].source == Couplings::Source::kEvaluation) {
        visit.finished.push_back(written.coupling);
      }
    }
    if (!IsEfforts(evaluation)) {
      const std::vector<std::uint32_t>& known = derivatives[evaluation.member];
      visit.finished.insert(visit.finished.end(), known.begin(), known.end());
    }
    AddInputs(evaluation, *reaches_[evaluation.member], visit);
  }
}

void JacobianPlanner::AddInputs(const Couplings::Evaluation& evaluation, const MemberReach& reach,
                                Visit& visit) {
  // What its efforts read was shifted when these had their turn, as the states were.
  const bool is_first = evaluation.efforts == kNoNumber;
  std::vector<Couplings::End> reads = evaluation.reads;
  if (!is_first) {
    const auto& early = plan_.couplings.evaluations[evaluation.efforts].reads;
    std::erase_if(reads, [&](const Couplings::End& read) {
      return std::ranges::any_of(early, [&](const auto& end) { return end.coupling == read.coupling; });
    });
  }
  if (is_first) {
    for (std::uint32_t state = 0; state < reach.size(); ++state) {
      Input& input = visit.inputs.emplace_back();
      input.is_state = true;
      input.number = reach.first() + state;
      input.is_explicit = plan_.is_explicit[input.number];
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
      visit.sinks.push_back({.number = written.coupling, .row = RowWritten(written.coupling)});
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
      visit.sinks.push_back({.is_equation = true, .number = place, .row = plan_.RowOfEquation(place)});
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

void JacobianPlanner::AddTouches(const std::vector<Places>& sinks_of, const Places& order, Visit& visit) {
  for (std::size_t k = 0; k < visit.inputs.size(); ++k) {
    Input& input = visit.inputs[k];
    input.first_touch = static_cast<std::uint32_t>(visit.touches.size());
    const std::span<const std::uint32_t> moved_by =
        input.is_state ? std::span(&input.number, 1) : plan_.PlacesOf(plan_.row_of[input.number]);
    for (const std::uint32_t s : sinks_of[order[k]]) {
      const Row& row = plan_.rows[visit.sinks[s].row];
      const auto places = plan_.PlacesOf(visit.sinks[s].row);
      visit.touches.push_back({nullptr, s, static_cast<std::uint32_t>(plan_.scatter.size())});
      for (const std::uint32_t place : moved_by) {
        const auto at = std::lower_bound(places.begin(), places.end(), place);
        plan_.scatter.push_back(row.begin + static_cast<std::uint32_t>(at - places.begin()));
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
        !sink.is_equation && plan_.couplings.all[sink.number].source == Couplings::Source::kSolved;
    if (is_solved) visit.solved.push_back(i);
  }
}

Places JacobianPlanner::GroupInputs(const std::vector<Places>& sinks_of, bool is_declared, Visit& visit) {
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
  std::vector<Input> inputs;
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

}  // namespace

JacobianPlan PlanJacobian(JacobianSource source) { return JacobianPlanner(std::move(source)).Plan(); }

}  // namespace davit
