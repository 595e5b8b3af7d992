#include "simulator/island_builder.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <set>
#include <unordered_map>
#include <utility>

#include "simulator/evaluation_order.h"
#include "simulator/integration.h"

namespace davit {
namespace {

/// Sets that only grow together.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0U); }
  std::uint32_t Find(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  /// The smaller representative stays, so that results do not depend on the order of joining.
  void Join(std::uint32_t a, std::uint32_t b) {
    a = Find(a);
    b = Find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

bool HasStates(const Component& component) {
  const auto& states = component.declarations().states;
  return std::any_of(states.begin(), states.end(), [](const StateDeclaration& s) { return s.is_active && s.count > 0; });
}

bool ReadsInEfforts(const Component& component, const void* item) {
  const auto& reads = component.declarations().effort_reads;
  return !reads || std::find(reads->begin(), reads->end(), item) != reads->end();
}

}  // namespace

class IslandBuilder {
 public:
  IslandBuilder(System& system, const IntegratorOptions& defaults, double time_step, Diagnostics& diagnostics)
      : system_(system), defaults_(defaults), time_step_(time_step), diagnostics_(diagnostics), sets_(0) {
    for (Component* component : system.components()) {
      auto* dynamic = dynamic_cast<DynamicSimComponent*>(component);
      if (dynamic == nullptr) continue;
      index_.emplace(component, static_cast<std::uint32_t>(components_.size()));
      components_.push_back(dynamic);
    }
    routes_from_.resize(components_.size());
    for (std::uint32_t r = 0; r < system.routes().size(); ++r) {
      routes_from_[index_.at(system.routes()[r].from.owner)].push_back(r);
    }
    sets_ = DisjointSets(components_.size());
  }

  std::vector<std::unique_ptr<Island>> Build() {
    CheckSolvers();
    FindPure();
    JoinImpure();
    FindIslandsOfPure();
    MakeIslands();
    for (std::uint32_t i = 0; i < islands_.size(); ++i) {
      Sort(i);
      ChooseIntegration(*islands_[i]);
    }
    for (auto& island : islands_) AllocateStates(*island);
    BindRoutes();
    return std::move(islands_);
  }

 private:
  const Route& RouteAt(std::uint32_t r) const { return system_.routes()[r]; }
  std::uint32_t To(std::uint32_t r) const { return index_.at(RouteAt(r).to_owner); }
  bool HasPorts(std::uint32_t i) const { return !components_[i]->declarations().ports.empty(); }

  void CheckSolvers() {
    for (const DynamicSimComponent* component : components_) {
      if (component->GetSolverType() == SolverType::kDifferential) continue;
      diagnostics_.Error(component->location(), component->DisplayPath(),
                         component->GetSolverType() == SolverType::kAlgebraic
                             ? "algebraic components are not there yet; use solver=\"Differential\""
                             : "Tlm components are not there yet; use solver=\"Differential\"");
    }
  }

  /// Pure: without states and ports, and fed by pure components only: a function of time and parameters.
  void FindPure() {
    is_pure_.resize(components_.size());
    std::vector<std::uint32_t> impure;
    for (std::uint32_t i = 0; i < components_.size(); ++i) {
      is_pure_[i] = !HasPorts(i) && !HasStates(*components_[i]);
      if (!is_pure_[i]) impure.push_back(i);
    }
    while (!impure.empty()) {
      const std::uint32_t i = impure.back();
      impure.pop_back();
      for (const std::uint32_t r : routes_from_[i]) {
        if (RouteAt(r).from.kind == Variable::Kind::kParameter || !is_pure_[To(r)]) continue;
        is_pure_[To(r)] = false;
        impure.push_back(To(r));
      }
    }
  }

  void JoinImpure() {
    for (const Connection& connection : system_.connections()) {
      sets_.Join(index_.at(connection.c.owner), index_.at(connection.q.owner));
    }
    DisjointSets signal_groups(components_.size());
    for (std::uint32_t i = 0; i < components_.size(); ++i) {
      for (const std::uint32_t r : routes_from_[i]) {
        if (is_pure_[i] || is_pure_[To(r)]) continue;
        if (RouteAt(r).hold == Hold::kNone) sets_.Join(i, To(r));
        if (RouteAt(r).hold != Hold::kStep && !HasPorts(i) && !HasPorts(To(r))) signal_groups.Join(i, To(r));
      }
    }
    // Islands with ports that each group of signal components touches.
    std::unordered_map<std::uint32_t, std::set<std::uint32_t>> touched;
    for (std::uint32_t i = 0; i < components_.size(); ++i) {
      for (const std::uint32_t r : routes_from_[i]) {
        const std::uint32_t to = To(r);
        if (is_pure_[i] || is_pure_[to] || RouteAt(r).hold == Hold::kStep || HasPorts(i) == HasPorts(to)) continue;
        const std::uint32_t signal = HasPorts(i) ? to : i;
        const std::uint32_t power = HasPorts(i) ? i : to;
        touched[signal_groups.Find(signal)].insert(sets_.Find(power));
      }
    }
    for (std::uint32_t i = 0; i < components_.size(); ++i) {
      if (is_pure_[i] || HasPorts(i)) continue;
      const std::uint32_t group = signal_groups.Find(i);
      sets_.Join(i, group);
      const auto it = touched.find(group);
      if (it != touched.end() && it->second.size() == 1) sets_.Join(group, *it->second.begin());
    }
  }

  /// The sets that read a pure component, directly or through other pure ones.
  void FindIslandsOfPure() {
    pure_readers_.resize(components_.size());
    // Walk from every reader back along pure writers.
    std::vector<std::vector<std::uint32_t>> writers(components_.size());
    for (std::uint32_t i = 0; i < components_.size(); ++i) {
      if (!is_pure_[i]) continue;
      for (const std::uint32_t r : routes_from_[i]) {
        if (RouteAt(r).hold != Hold::kStep) writers[To(r)].push_back(i);
      }
    }
    for (std::uint32_t i = 0; i < components_.size(); ++i) {
      if (is_pure_[i]) continue;
      std::vector<std::uint32_t> open = writers[i];
      while (!open.empty()) {
        const std::uint32_t writer = open.back();
        open.pop_back();
        if (!pure_readers_[writer].insert(sets_.Find(i)).second) continue;
        open.insert(open.end(), writers[writer].begin(), writers[writer].end());
      }
    }
    for (std::uint32_t i = 0; i < components_.size(); ++i) {
      if (!is_pure_[i] || !pure_readers_[i].empty()) continue;
      for (const std::uint32_t r : routes_from_[i]) {
        if (is_pure_[To(r)] && pure_readers_[To(r)].empty()) sets_.Join(i, To(r));
      }
    }
  }

  void MakeIslands() {
    std::unordered_map<std::uint32_t, std::uint32_t> island_of_set;
    islands_of_.resize(components_.size());
    const auto add = [&](std::uint32_t i, std::uint32_t set) {
      const auto [it, is_new] = island_of_set.emplace(set, static_cast<std::uint32_t>(islands_.size()));
      if (is_new) islands_.push_back(std::make_unique<Island>());
      islands_of_[i].push_back(it->second);
      islands_[it->second]->members_.push_back(components_[i]);
      if (components_[i]->entry().has_break_times) islands_[it->second]->timed_.push_back(components_[i]);
    };
    for (std::uint32_t i = 0; i < components_.size(); ++i) {
      if (is_pure_[i] && !pure_readers_[i].empty()) {
        for (const std::uint32_t set : pure_readers_[i]) add(i, sets_.Find(set));
      } else {
        add(i, sets_.Find(i));
      }
    }
  }

  /// Whether the reader of a route sees the writer's value inside the step.
  bool IsContinuous(const Route& route, std::uint32_t island) const {
    if (route.hold == Hold::kStep) return false;
    const auto& of = islands_of_[index_.at(route.from.owner)];
    return std::find(of.begin(), of.end(), island) != of.end();
  }

  /// The evaluations of one island, its edges, and what each edge carries.
  struct Graph {
    std::vector<std::uint32_t> types;
    std::vector<Component*> owners;
    std::vector<BatchEvaluation> evaluations;
    std::vector<EvaluationEdge> edges;
    std::vector<std::string> carried;  ///< by edge; empty for "efforts before flows" of one component
  };
  static constexpr std::uint32_t kNone = ~0U;

  void Sort(std::uint32_t island_index) {
    Island& island = *islands_[island_index];
    Graph graph;
    std::unordered_map<const Component*, std::pair<std::uint32_t, std::uint32_t>> nodes;  // efforts, flows
    std::unordered_map<const ModelEntry*, std::uint32_t> type_numbers;
    for (DynamicSimComponent* member : island.members_) {
      const ModelEntry& entry = member->entry();
      const auto type = type_numbers.emplace(&entry, static_cast<std::uint32_t>(2 * type_numbers.size())).first->second;
      const auto add = [&](BatchEvaluation evaluation, std::uint32_t number) {
        if (evaluation == nullptr) return kNone;
        graph.types.push_back(number);
        graph.owners.push_back(member);
        graph.evaluations.push_back(evaluation);
        return static_cast<std::uint32_t>(graph.types.size() - 1);
      };
      const std::uint32_t efforts = add(entry.evaluate_efforts, type);
      const std::uint32_t flows = add(entry.evaluate_flows, type + 1);
      nodes.emplace(member, std::pair(efforts, flows));
      if (efforts != kNone && flows != kNone) {
        graph.edges.push_back({efforts, flows});
        graph.carried.emplace_back();
      }
    }
    const auto carry = [&](std::uint32_t writer, std::uint32_t reader, const std::string& what) {
      if (writer == kNone || reader == kNone) return;
      graph.edges.push_back({writer, reader});
      graph.carried.push_back(what);
    };
    for (const std::uint32_t c : connections_of(island_index)) {
      const Connection& connection = system_.connections()[c];
      const auto [c_efforts, c_flows] = nodes.at(connection.c.owner);
      const auto [q_efforts, q_flows] = nodes.at(connection.q.owner);
      const bool c_reads = ReadsInEfforts(*connection.c.owner, connection.c.port->port);
      const bool q_reads = ReadsInEfforts(*connection.q.owner, connection.q.port->port);
      const bool is_hydraulic = connection.c.port->domain == Domain::kHydraulic;
      const std::string effort = connection.c.path + (is_hydraulic ? ".p" : ".F");
      carry(c_efforts, q_flows, effort);
      if (q_reads) carry(c_efforts, q_efforts, effort);
      // A mechanical Q side owns its motion and shows it early; a hydraulic one computes its flow late.
      const std::uint32_t writer = is_hydraulic ? q_flows : q_efforts;
      const std::string flow = connection.q.path + (is_hydraulic ? ".q" : ".v");
      carry(writer, c_flows, flow);
      if (c_reads) carry(writer, c_efforts, flow);
    }
    for (const std::uint32_t r : routes_into(island_index)) {
      const Route& route = RouteAt(r);
      if (!IsContinuous(route, island_index)) continue;
      std::uint32_t writer = kNone;
      const auto [from_efforts, from_flows] = nodes.at(route.from.owner);
      if (route.from.kind == Variable::Kind::kStateDdt) {
        writer = from_flows;
      } else if (route.from.kind == Variable::Kind::kOutput) {
        const auto& outputs = route.from.owner->declarations().outputs;
        const auto it = std::find_if(outputs.begin(), outputs.end(),
                                     [&](const OutputDeclaration& o) { return o.value == route.from.value; });
        writer = it->written_by == WrittenBy::kEfforts ? from_efforts : from_flows;
      }
      const auto [to_efforts, to_flows] = nodes.at(route.to_owner);
      carry(writer, to_flows, route.from.path);
      const void* input = route.to->is_array ? static_cast<const void*>(route.to->sources) : route.to->source;
      if (ReadsInEfforts(*route.to_owner, input)) carry(writer, to_efforts, route.from.path);
    }

    const EvaluationOrder order = SortEvaluations(graph.types, graph.edges);
    if (!order.loop.empty()) {
      ReportLoop(graph, order.loop);
      return;
    }
    for (const std::uint32_t node : order.order) {
      if (island.batches_.empty() || island.batches_.back().evaluate != graph.evaluations[node]) {
        island.batches_.push_back({graph.evaluations[node], island.evaluated_.size(), 0, 0});
      }
      island.evaluated_.push_back(graph.owners[node]);
      ++island.batches_.back().count;
    }
  }

  void ReportLoop(const Graph& graph, const std::vector<std::uint32_t>& loop) {
    std::string path;
    std::string first;
    for (const std::uint32_t e : loop) {
      if (graph.carried[e].empty()) continue;
      if (first.empty()) first = graph.carried[e];
      path += graph.carried[e] + " -> ";
    }
    const Component& owner = *graph.owners[graph.edges[loop.front()].writer];
    diagnostics_.Error(owner.location(), owner.DisplayPath(),
                       "loop without delay: " + path + first +
                           "; make a member Algebraic, or put a volume, a line or a signal.LowPass into it");
  }

  void ChooseIntegration(Island& island) {
    island.options_ = defaults_;
    const Integration* chosen = nullptr;
    for (const DynamicSimComponent* member : island.members_) {
      for (const Component* child : member->children()) {
        const auto* integration = dynamic_cast<const Integration*>(child);
        if (integration == nullptr || integration->kind() != Integration::Kind::kOde) continue;
        if (chosen != nullptr && integration->Options(time_step_) != chosen->Options(time_step_)) {
          diagnostics_.Error(integration->location(), member->DisplayPath(),
                             "two different integrations in one island: here and in " +
                                 chosen->parent()->DisplayPath() + "; keep one of them");
          continue;
        }
        chosen = integration;
        island.options_ = integration->Options(time_step_);
      }
    }
  }

  /// Offsets follow the order of evaluation, so that a batch walks through the vectors.
  static void AllocateStates(Island& island) {
    std::set<const Component*> done;
    const auto allocate = [&](Component* component) {
      if (!done.insert(component).second) return;
      for (StateDeclaration& state : component->mutable_declarations().states) {
        if (!state.is_active) continue;
        for (std::uint32_t i = 0; i < state.count; ++i) {
          state.slots[i] = {&island.memory_, static_cast<std::uint32_t>(island.y_.size())};
          island.y_.push_back(state.start[i]);
          island.state_owners_.push_back(component);
          island.state_declarations_.push_back(&state);
          island.state_elements_.push_back(i);
        }
      }
    };
    for (Component* component : island.evaluated_) allocate(component);
    for (DynamicSimComponent* component : island.members_) allocate(component);
    island.ddt_.assign(island.y_.size(), 0);
    island.residual_.assign(island.y_.size(), 0);
    island.memory_ = {island.y_.data(), island.ddt_.data(), island.residual_.data(), false};
  }

  void BindRoutes() {
    for (const Route& route : system_.routes()) {
      if (route.from.kind == Variable::Kind::kParameter) {
        *route.slot() = route.from.value;
        continue;
      }
      const std::uint32_t island_index = islands_of_[index_.at(route.to_owner)].front();
      Island& island = *islands_[island_index];
      if (!IsContinuous(route, island_index)) {
        *route.slot() = &island.latches_.emplace_back(Island::Latch{route.from, 0}).value;
      } else if (route.from.kind == Variable::Kind::kState) {
        *route.slot() = &Publish(island.published_states_, *route.from.slot).value;
      } else if (route.from.kind == Variable::Kind::kStateDdt) {
        *route.slot() = &Publish(island.published_derivatives_, *route.from.slot).value;
      } else {
        assert(route.from.kind == Variable::Kind::kOutput);
        *route.slot() = route.from.value;
      }
    }
    for (auto& island : islands_) OrderDerivatives(*island);
  }

  static Island::Published& Publish(std::deque<Island::Published>& list, const StateSlot& slot) {
    const auto it = std::find_if(list.begin(), list.end(), [&](const Island::Published& p) { return p.slot == &slot; });
    return it == list.end() ? list.emplace_back(Island::Published{&slot, 0}) : *it;
  }

  /// Tells each batch which published derivatives are known after it.
  static void OrderDerivatives(Island& island) {
    if (island.published_derivatives_.empty()) return;
    // Published values are read through pointers, so they stay in place: a batch makes known the longest run of
    // derivatives whose owners have all been evaluated.
    std::set<const Component*> evaluated;
    std::size_t known = 0;
    for (Island::Batch& batch : island.batches_) {
      for (std::size_t i = 0; i < batch.count; ++i) {
        Component* component = island.evaluated_[batch.begin + i];
        if (component->entry().evaluate_flows == batch.evaluate) evaluated.insert(component);
      }
      while (known < island.published_derivatives_.size()) {
        const StateSlot& slot = *island.published_derivatives_[known].slot;
        if (!evaluated.contains(island.state_owners_[slot.offset])) break;
        ++known;
      }
      batch.derivatives_end = known;
    }
  }

  std::vector<std::uint32_t> connections_of(std::uint32_t island) {
    if (connections_by_island_.empty()) {
      connections_by_island_.resize(islands_.size());
      for (std::uint32_t c = 0; c < system_.connections().size(); ++c) {
        connections_by_island_[islands_of_[index_.at(system_.connections()[c].c.owner)].front()].push_back(c);
      }
    }
    return connections_by_island_[island];
  }

  std::vector<std::uint32_t> routes_into(std::uint32_t island) {
    if (routes_by_island_.empty()) {
      routes_by_island_.resize(islands_.size());
      for (std::uint32_t r = 0; r < system_.routes().size(); ++r) {
        for (const std::uint32_t i : islands_of_[To(r)]) routes_by_island_[i].push_back(r);
      }
    }
    return routes_by_island_[island];
  }

  System& system_;
  IntegratorOptions defaults_;
  double time_step_;
  Diagnostics& diagnostics_;
  std::vector<DynamicSimComponent*> components_;
  std::unordered_map<const Component*, std::uint32_t> index_;
  std::vector<std::vector<std::uint32_t>> routes_from_;
  std::vector<bool> is_pure_;
  std::vector<std::set<std::uint32_t>> pure_readers_;
  DisjointSets sets_;
  std::vector<std::vector<std::uint32_t>> islands_of_;  ///< by component
  std::vector<std::vector<std::uint32_t>> connections_by_island_, routes_by_island_;
  std::vector<std::unique_ptr<Island>> islands_;
};

std::vector<std::unique_ptr<Island>> BuildIslands(System& system, const IntegratorOptions& defaults, double time_step,
                                                  Diagnostics& diagnostics) {
  return IslandBuilder(system, defaults, time_step, diagnostics).Build();
}

}  // namespace davit
