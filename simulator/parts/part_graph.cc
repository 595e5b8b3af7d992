#include "simulator/parts/part_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "simulator/charts/statechart.h"
#include "simulator/islands/island.h"
#include "simulator/network/network.h"
#include "simulator/passes/component_traits.h"
#include "simulator/passes/disjoint_sets.h"
#include "simulator/passes/evaluation_contexts.h"
#include "simulator/passes/partition.h"
#include "simulator/passes/pure_components.h"
#include "simulator/passes/solver_choice.h"
#include "simulator/passes/system_index.h"
#include "simulator/passes/time_step_plan.h"

namespace davit {
namespace {

/// Evaluations that an island takes in a step, as a guess: nothing of it is measured yet.
constexpr double kIslandWeight = 10;

class GraphMaker {
 public:
  GraphMaker(System& system, const Network& network)
      : system_(system), network_(network), index_(system), joined_(index_.size()), is_split_(index_.size()) {
    Diagnostics known;  // all of it was reported when the network was built
    const SolverTypes solvers = ChooseSolvers(index_, known);
    const TimeStepPlan steps = PlanTimeSteps(index_, network.rates.front()->h, known);
    is_pure_ = FindPureComponents(index_, solvers);
    partition_ = MakePartition(index_, solvers, is_pure_, steps, known);
    contexts_ = MakeEvaluationContexts(index_, partition_, is_pure_, steps);
    for (std::uint32_t i = 0; i < index_.size(); ++i) number_.emplace(&index_.component(i), i);
  }

  PartGraph Make() {
    FindFaults();
    if (!graph_.faults.empty()) return std::move(graph_);
    FindUsedItems();
    FindLines();
    JoinIslands();
    JoinConnections();
    JoinRoutes();
    MakeAtoms();
    AddIslands();
    AddLines();
    AddSources();
    AddSamples();
    return std::move(graph_);
  }

 private:
  static constexpr std::uint32_t kNone = PartGraph::kNone;

  void Refuse(const Component& component, std::string_view text) {
    graph_.faults.push_back(fmt::format("{}: {}", component.DisplayPath(), text));
  }

  // Everything that acts between parts otherwise than by waves and sampled signals.
  void FindFaults() {
    if (network_.rates.size() > 1 || network_.ticks != 1)
      graph_.faults.emplace_back(
          "several TimeSteps cannot be kept in step over processes; give all components that of the manager");
    for (const Route& route : system_.sampled_routes())
      Refuse(*route.to_owner,
             "a route to a parameter or to operators is not dealt out to processes; compute "
             "the value with signal components, routed to an input");
    if (!network_.operators.is_empty())
      graph_.faults.emplace_back(
          "<Operators> are not dealt out to processes; put signal components in their place");
    for (const System::HandedDown& one : system_.handed_down()) {
      const bool is_routed = std::ranges::any_of(
          system_.routes(), [&](const Route& route) { return route.to_owner == one.provider; });
      if (!HasStates(*one.provider) && !is_routed) continue;
      Refuse(*one.provider,
             "its handed-down values depend on its states or inputs, which only one process "
             "has; give the values at the components");
      break;
    }
    for (const Component* component : system_.components()) CheckComponent(*component);
    for (const Command& command : system_.schedule()) CheckCommand(command);
  }

  void CheckComponent(const Component& component) {
    const ModelEntry& entry = component.entry();
    const auto* chart = dynamic_cast<const Statechart*>(&component);
    if (chart != nullptr && !chart->chart().is_default())
      Refuse(component, "a chart sees the whole system at each communication point; leave the chart out");
    if (entry.is_stepped_by_another)
      Refuse(component, "it is stepped by another component; convert the model to components of davit");
    const auto* dynamic = dynamic_cast<const DynamicSimComponent*>(&component);
    if (dynamic == nullptr) return;
    if (entry.has_process) Refuse(component, "it has a Process, which may act on anything; leave it out");
    if (HasActiveGuards(*dynamic))
      Refuse(component,
             "its events lie inside a step, where other processes have no rows; choose a level or aspect "
             "without events");
  }

  void CheckCommand(const Command& command) {
    const Assignment* write = command.write();
    if (write == nullptr) {
      graph_.faults.push_back(
          fmt::format("<At> at {:.9g} s: messages and events are not dealt out to processes; leave it out",
                      command.time));
      return;
    }
    const Item& item = write->item;
    const bool is_value = item.kind() == Item::Kind::kParameter || item.kind() == Item::Kind::kInput ||
                          item.kind() == Item::Kind::kInputElement;
    if (is_value && number_.contains(&item.owner())) return;
    Refuse(item.owner(),
           fmt::format("<At> at {:.9g} s: a switch or a write to {} needs the values of other "
                       "parts at that time; only parameters and inputs of components may be written",
                       command.time, item.name()));
  }

  /// Components whose items somebody reads besides their connections.
  void FindUsedItems() {
    for (const Item& item : system_.record_plan().columns) used_.insert(&item.owner());
    for (const Route& route : system_.routes()) {
      used_.insert(&route.from.owner());
      routed_into_.insert(route.to_owner);
    }
  }

  void FindLines() {
    for (std::uint32_t i = 0; i < index_.size(); ++i) {
      auto* const line = dynamic_cast<SplitLine*>(&index_.component(i));
      if (line == nullptr || !partition_.IsTlm(i) || line->steps_ahead() < 1) continue;
      const Component* component = &index_.component(i);
      if (used_.contains(component) || routed_into_.contains(component)) continue;
      is_split_[i] = index_.ConnectionsOf(i).size() == 2;
    }
  }

  bool IsIdle(std::uint32_t i) const { return index_.HasPorts(i) && IsConstant(index_.component(i)); }
  bool HasAtom(std::uint32_t i) const { return !is_pure_[i] && !is_split_[i] && !IsSilent(i); }
  /// Evaluated nowhere, and nobody looks at it.
  bool IsSilent(std::uint32_t i) const { return IsIdle(i) && !used_.contains(&index_.component(i)); }

  void JoinIslands() {
    for (std::uint32_t c = contexts_.schedule_count; c < contexts_.size(); ++c) {
      std::uint32_t first = kNone;
      for (const ContextMember& member : contexts_.members[c]) {
        if (is_pure_[member.number]) continue;
        if (first == kNone) first = member.number;
        joined_.Join(first, member.number);
      }
    }
  }

  void JoinConnections() {
    for (std::uint32_t c = 0; c < index_.connection_count(); ++c) {
      const std::uint32_t one = index_.CSide(c), other = index_.QSide(c);
      if (HasAtom(one) && HasAtom(other)) joined_.Join(one, other);
    }
  }

  /// Whether what a route carries is read in the step in which it is computed, or is of a kind that is not
  /// sent.
  bool IsWithinStep(std::uint32_t r) const {
    const std::uint32_t from = index_.From(r), to = index_.To(r);
    const bool is_same_schedule = partition_.IsTlm(from) && partition_.IsTlm(to);
    const bool is_fresh = is_same_schedule && !index_.HasPorts(from) && index_.route(r).hold != Hold::kStep;
    if (is_fresh) return true;
    switch (index_.route(r).from.kind()) {
      case Item::Kind::kOutput:
      case Item::Kind::kState:
      case Item::Kind::kDerivative:
      case Item::Kind::kPortField:
      case Item::Kind::kPortEffort: return false;
      default: return true;
    }
  }

  void JoinRoutes() {
    for (std::uint32_t r = 0; r < index_.route_count(); ++r) {
      const std::uint32_t from = index_.From(r), to = index_.To(r);
      if (from == kNoNumber || SourceOf(index_.route(r)) == RouteSource::kParameter) continue;
      if (HasAtom(from) && HasAtom(to) && IsWithinStep(r)) joined_.Join(from, to);
    }
  }

  void MakeAtoms() {
    atom_.assign(index_.size(), kNone);
    std::unordered_map<std::uint32_t, std::uint32_t> atoms;
    for (std::uint32_t i = 0; i < index_.size(); ++i) {
      if (!HasAtom(i)) continue;
      const auto [it, is_new] =
          atoms.emplace(joined_.Find(i), static_cast<std::uint32_t>(graph_.weights.size()));
      if (is_new) {
        graph_.weights.push_back(0);
        graph_.members.emplace_back();
        graph_.islands.emplace_back();
      }
      atom_[i] = it->second;
      graph_.members[it->second].push_back(&index_.component(i));
      graph_.weights[it->second] += partition_.IsTlm(i) ? 1 : IsIdle(i) ? 0 : kIslandWeight;
    }
  }

  void AddIslands() {
    for (std::uint32_t k = 0; k < network_.islands.size(); ++k) {
      const std::vector<ContextMember>& members = contexts_.members[contexts_.schedule_count + k];
      std::uint32_t atom = kNone;
      for (const ContextMember& member : members) {
        // A source may have gone with another island that reads it; this one evaluates a copy.
        if (!is_pure_[member.number]) atom = std::min(atom, atom_[member.number]);
      }
      if (atom == kNone) {  // sources that nobody reads
        atom = static_cast<std::uint32_t>(graph_.weights.size());
        graph_.weights.push_back(static_cast<double>(members.size()));
        graph_.members.emplace_back();
        graph_.islands.emplace_back();
      }
      graph_.islands[atom].push_back(k);
      const auto& actual = network_.islands[k]->members();
      for (std::size_t m = 0; m < members.size(); ++m) {
        const std::uint32_t i = members[m].number;
        if (!is_pure_[i]) continue;
        graph_.members[atom].push_back(actual[m]);  // itself or a copy
        if (!members[m].is_copy) atom_[i] = atom;
      }
    }
  }

  void AddLines() {
    for (std::uint32_t i = 0; i < index_.size(); ++i) {
      if (!is_split_[i]) continue;
      PartGraph::Line line;
      line.component = &index_.component(i);
      line.line = dynamic_cast<SplitLine*>(line.component);
      for (const std::uint32_t c : index_.ConnectionsOf(i)) {
        const PortBase* port = index_.connection(c).c.port->port;
        const std::size_t end = port == &line.line->PortOf(SplitLine::End::kA) ? 0 : 1;
        line.atoms[end] = atom_[index_.Partner(c, i)];
      }
      graph_.lines.push_back(line);
    }
  }

  /// Of the schedule; those of islands are members of these.
  void AddSources() {
    std::unordered_map<std::uint32_t, std::set<std::uint32_t>> readers;
    std::vector<std::vector<std::uint32_t>> writers(index_.size());
    for (const std::uint32_t r : contexts_.routes_into.front()) {
      const std::uint32_t from = index_.From(r);
      if (from != kNoNumber && is_pure_[from] && contexts_.FindMember(from, 0) != kNoNumber)
        writers[index_.To(r)].push_back(from);
    }
    for (const ContextMember& member : contexts_.members.front()) {
      if (is_pure_[member.number] || atom_[member.number] == kNone) continue;
      std::vector<std::uint32_t> open = writers[member.number];
      while (!open.empty()) {
        const std::uint32_t writer = open.back();
        open.pop_back();
        if (!readers[writer].insert(atom_[member.number]).second) continue;
        open.insert(open.end(), writers[writer].begin(), writers[writer].end());
      }
    }
    std::unordered_map<const Component*, DynamicSimComponent*> copies;  // of the schedule
    const std::unordered_set<const Component*> own = ScheduleMembers();
    for (const auto& [copy, original] : network_.shadows) {
      if (own.contains(copy)) copies.emplace(original, static_cast<DynamicSimComponent*>(copy));
    }
    for (const ContextMember& member : contexts_.members.front()) {
      if (!is_pure_[member.number]) continue;
      DynamicSimComponent* component = &index_.component(member.number);
      if (member.is_copy) component = copies.at(component);
      const auto& read_by = readers[member.number];
      graph_.sources.push_back({component, {read_by.begin(), read_by.end()}});
      if (!member.is_copy && !read_by.empty()) atom_[member.number] = *read_by.begin();
    }
  }

  std::unordered_set<const Component*> ScheduleMembers() const {
    std::unordered_set<const Component*> members;
    const TlmSchedule& tlm = network_.rates.front()->tlm;
    for (const TlmSchedule::Phase* phase : {&tlm.signal_phase(), &tlm.c_phase(), &tlm.q_phase()})
      members.insert(phase->components.begin(), phase->components.end());
    return members;
  }

  void AddSamples() {
    for (std::uint32_t r = 0; r < index_.route_count(); ++r) {
      const std::uint32_t from = index_.From(r), to = index_.To(r);
      if (from == kNoNumber || SourceOf(index_.route(r)) == RouteSource::kParameter) continue;
      if (IsCopied(r) || atom_[from] == kNone || atom_[to] == kNone || atom_[from] == atom_[to]) continue;
      graph_.samples.push_back({atom_[from], atom_[to], index_.route(r).from});
    }
  }
  /// Whether each reader of a pure component evaluates its own.
  bool IsCopied(std::uint32_t r) const {
    return is_pure_[index_.From(r)] && index_.route(r).hold != Hold::kStep;
  }

  System& system_;
  const Network& network_;
  const SystemIndex index_;
  DisjointSets joined_;
  std::vector<bool> is_split_, is_pure_;
  Partition partition_;
  EvaluationContexts contexts_;
  std::unordered_map<const Component*, std::uint32_t> number_;
  std::unordered_set<const Component*> used_, routed_into_;
  std::vector<std::uint32_t> atom_;  ///< by component
  PartGraph graph_;
};

}  // namespace

PartGraph MakePartGraph(System& system, const Network& network) { return GraphMaker(system, network).Make(); }

}  // namespace davit
