#include "simulator/passes/partition.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "simulator/passes/component_traits.h"
#include "simulator/passes/disjoint_sets.h"
#include "simulator/passes/evaluation_order.h"

namespace davit {
namespace {

/// Signal components with routes between them, and what these routes lead to besides.
struct SignalGroup {
  std::vector<std::uint32_t> members;
  std::set<std::uint32_t> islands;  ///< sets of power components
  bool touches_tlm = false;
};

class Partitioner {
 public:
  Partitioner(const SystemIndex& index, const SolverTypes& solvers, const std::vector<bool>& is_pure,
              const TimeStepPlan& steps, Diagnostics& diagnostics)
      : index_(index), is_pure_(is_pure), steps_(steps), diagnostics_(diagnostics), sets_(index.size()) {
    result_.solvers = solvers;
  }

  Partition Make() {
    for (std::uint32_t c = 0; c < index_.connection_count(); ++c) JoinConnection(c);
    for (std::uint32_t r = 0; r < index_.route_count(); ++r) JoinContinuousRoute(r);
    for (const auto& [first, group] : FindSignalGroups()) JoinGroup(group);
    for (std::uint32_t i = 0; i < index_.size(); ++i) result_.set.push_back(sets_.Find(i));
    CheckTimeSteps();
    return std::move(result_);
  }

 private:
  bool IsTlm(std::uint32_t i) const { return result_.IsTlm(i); }
  bool IsSignal(std::uint32_t i) const { return !is_pure_[i] && !index_.HasPorts(i); }
  /// Whether a route joins components that are simulated and not pure.
  bool IsBetweenImpure(std::uint32_t r) const {
    const std::uint32_t from = index_.From(r);
    return from != kNoNumber && !is_pure_[from] && !is_pure_[index_.To(r)];
  }
  bool IsSampled(std::uint32_t r) const { return steps_.ticks[index_.From(r)] != steps_.ticks[index_.To(r)]; }

  void JoinConnection(std::uint32_t connection) {
    const std::uint32_t c = index_.CSide(connection);
    const std::uint32_t q = index_.QSide(connection);
    const Component& c_side = index_.component(c);
    if (!IsTlm(c) && !IsTlm(q)) {
      if (!IsConstant(c_side)) sets_.Join(c, q);
    } else if (!IsTlm(c) && !IsConstant(c_side) && !IsSource(c_side)) {
      index_.Refuse(q,
                    std::string(index_.component(q).model().name) +
                        " supports fixed-step (TLM) integration only, but " +
                        index_.connection(connection).c.path +
                        " has no transmission delay (Zc = 0); put a TLM component there, such as "
                        "hydraulic.Line, hydraulic.VolumeC or mechanical.SpringC",
                    diagnostics_);
    }
  }

  void JoinContinuousRoute(std::uint32_t r) {
    if (index_.route(r).hold != Hold::kNone || !IsBetweenImpure(r)) return;
    const std::uint32_t from = index_.From(r);
    const std::uint32_t to = index_.To(r);
    if (!IsTlm(from) && !IsTlm(to)) sets_.Join(from, to);
  }

  /// By their first members.
  std::map<std::uint32_t, SignalGroup> FindSignalGroups() {
    DisjointSets joined(index_.size());
    for (std::uint32_t r = 0; r < index_.route_count(); ++r) {
      if (!IsBetweenImpure(r) || IsSampled(r) || index_.route(r).hold == Hold::kStep) continue;
      if (IsSignal(index_.From(r)) && IsSignal(index_.To(r))) joined.Join(index_.From(r), index_.To(r));
    }
    std::map<std::uint32_t, SignalGroup> groups;
    for (std::uint32_t i = 0; i < index_.size(); ++i) {
      if (IsSignal(i)) groups[joined.Find(i)].members.push_back(i);
    }
    for (std::uint32_t r = 0; r < index_.route_count(); ++r) {
      if (!IsBetweenImpure(r) || IsSampled(r)) continue;
      const std::uint32_t from = index_.From(r);
      const std::uint32_t to = index_.To(r);
      if (IsSignal(from) == IsSignal(to)) continue;
      const std::uint32_t power = IsSignal(from) ? to : from;
      SignalGroup& group = groups.at(joined.Find(IsSignal(from) ? from : to));
      if (IsTlm(power)) {
        group.touches_tlm = true;
      } else if (index_.route(r).hold != Hold::kStep) {
        group.islands.insert(sets_.Find(power));
      }
    }
    return groups;
  }

  void JoinGroup(const SignalGroup& group) {
    if (IsWhollyTlm(group) || MayBecomeTlm(group)) {
      for (const std::uint32_t i : group.members) {
        result_.solvers[i] = SolverInUse(index_.component(i), SolverType::kTlm);
      }
      return;
    }
    for (const std::uint32_t i : group.members) {
      if (IsTlm(i)) continue;
      sets_.Join(i, group.members.front());
      if (group.islands.size() == 1) sets_.Join(i, *group.islands.begin());
    }
  }

  bool IsWhollyTlm(const SignalGroup& group) const {
    return std::all_of(group.members.begin(), group.members.end(), [&](std::uint32_t i) {
      const DynamicSimComponent& component = index_.component(i);
      return component.entry().is_tlm || component.requested_solver() == SolverType::kTlm;
    });
  }

  bool MayBecomeTlm(const SignalGroup& group) const {
    const bool has_algebraic = std::any_of(group.members.begin(), group.members.end(), [&](std::uint32_t i) {
      return result_.solvers[i] == SolverType::kAlgebraic;
    });
    return group.touches_tlm && group.islands.empty() && !has_algebraic && !HasLoop(group.members);
  }

  /// Whether there is a loop of signals among `members`, through states or not.
  bool HasLoop(const std::vector<std::uint32_t>& members) const {
    std::unordered_map<std::uint32_t, std::uint32_t> number;
    for (const std::uint32_t i : members) number.emplace(i, static_cast<std::uint32_t>(number.size()));
    std::vector<EvaluationEdge> edges;
    for (const std::uint32_t i : members) {
      for (const std::uint32_t r : index_.RoutesFrom(i)) {
        const auto to = number.find(index_.To(r));
        if (to != number.end() && index_.route(r).hold != Hold::kStep) {
          edges.push_back({number.at(i), to->second});
        }
      }
    }
    const std::vector<std::uint32_t> types(members.size(), 0);
    return !SortEvaluations(types, edges).loop.empty();
  }

  /// Members of a set have one TimeStep, except for constants, which are evaluated nowhere, and pure
  /// components, of which every reader evaluates its own.
  void CheckTimeSteps() const {
    std::unordered_map<std::uint32_t, std::uint32_t> first;  // component, by set
    for (std::uint32_t i = 0; i < index_.size(); ++i) {
      const Component& component = index_.component(i);
      if (IsTlm(i) || is_pure_[i] || (index_.HasPorts(i) && IsConstant(component))) continue;
      const std::uint32_t other = first.emplace(result_.set[i], i).first->second;
      if (steps_.ticks[other] == steps_.ticks[i]) continue;
      index_.Refuse(
          i,
          fmt::format("is in the same island as {}, which has another TimeStep; give both the same, "
                      "or separate them with a line",
                      index_.component(other).DisplayPath()),
          diagnostics_);
    }
  }

  const SystemIndex& index_;
  const std::vector<bool>& is_pure_;
  const TimeStepPlan& steps_;
  Diagnostics& diagnostics_;
  DisjointSets sets_;
  Partition result_;
};

}  // namespace

Partition MakePartition(const SystemIndex& index, const SolverTypes& solvers,
                        const std::vector<bool>& is_pure, const TimeStepPlan& steps,
                        Diagnostics& diagnostics) {
  return Partitioner(index, solvers, is_pure, steps, diagnostics).Make();
}

}  // namespace davit
