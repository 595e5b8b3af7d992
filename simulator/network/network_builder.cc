#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>
#include <utility>

#include "framework/tree/subsystem.h"
#include "simulator/network/disjoint_sets.h"
#include "simulator/network/evaluation_order.h"
#include "simulator/network/network.h"
#include "simulator/solvers/integration.h"

namespace davit {
namespace {

constexpr std::uint32_t kNone = ~0U;
constexpr double kSameRatio = 1e-9;
constexpr double kLargestRatio = 1e6;
constexpr std::uint64_t kMostTicks = 1'000'000;  // in a TimeStep of the manager

bool HasStates(const Component& component) {
  const auto& states = component.declarations().states;
  return std::any_of(states.begin(), states.end(),
                     [](const StateDeclaration& s) { return s.is_active && s.count > 0; });
}

bool ReadsInEfforts(const Component& component, const void* item) {
  const auto& reads = component.declarations().effort_reads;
  return !reads || std::find(reads->begin(), reads->end(), item) != reads->end();
}

/// Whether efforts at the C ports of a component are constant: nothing to evaluate, nothing to join.
bool IsConstant(const Component& component) {
  const ModelEntry& entry = component.entry();
  return entry.evaluate_efforts == nullptr && entry.evaluate_flows == nullptr && !entry.is_tlm &&
         !HasStates(component);
}

/// Whether all ports are C ports whose efforts do not depend on what flows: a source driven by signals.
bool IsSource(const Component& component) {
  const auto& ports = component.declarations().ports;
  return !component.entry().is_tlm && !HasStates(component) &&
         std::all_of(ports.begin(), ports.end(), [&](const PortDeclaration& port) {
           return port.role == Role::kC && !ReadsInEfforts(component, port.port);
         });
}

bool HasRole(const Component& component, Role role) {
  const auto& ports = component.declarations().ports;
  return std::any_of(ports.begin(), ports.end(), [&](const PortDeclaration& p) { return p.role == role; });
}

}  // namespace

class NetworkBuilder {
 public:
  NetworkBuilder(System& system, const IntegrationDefaults& defaults, double time_step,
                 Diagnostics& diagnostics)
      : system_(system),
        defaults_(defaults),
        time_step_(time_step),
        diagnostics_(diagnostics),
        sets_(0),
        network_(std::make_unique<Network>()) {
    for (Component* component : system.components()) {
      auto* dynamic = dynamic_cast<DynamicSimComponent*>(component);
      if (dynamic == nullptr) continue;
      index_.emplace(component, static_cast<std::uint32_t>(components_.size()));
      components_.push_back(dynamic);
    }
    routes_from_.resize(components_.size());
    for (std::uint32_t r = 0; r < system.routes().size(); ++r) {
      if (!IsFromChart(r)) routes_from_[From(r)].push_back(r);
    }
    connections_of_.resize(components_.size());
    for (std::uint32_t c = 0; c < system.connections().size(); ++c) {
      connections_of_[index_.at(system.connections()[c].c.owner)].push_back(c);
      connections_of_[index_.at(system.connections()[c].q.owner)].push_back(c);
    }
    sets_ = DisjointSets(components_.size());
  }

  std::unique_ptr<Network> Build() {
    ChooseSolvers();
    ChooseTimeSteps();
    FindPure();
    JoinPower();
    JoinSignals();
    CheckTimeStepsOfIslands();
    FindReadersOfPure();
    MakeHomes();
    for (std::uint32_t home = rate_count(); home < homes_.size(); ++home) SortIsland(home);
    for (std::uint32_t rate = 0; rate < rate_count(); ++rate) FillSchedule(rate);
    for (auto& island : network_->islands) {
      ChooseIntegration(*island);
    }
    for (std::uint32_t home = rate_count(); home < homes_.size(); ++home) AllocateIsland(home);
    for (std::uint32_t rate = 0; rate < rate_count(); ++rate) AllocateSchedule(rate);
    BindRoutes();
    BindBoundaries();
    PrepareBatches();
    return std::move(network_);
  }

 private:
  // A home is where components are evaluated: the Tlm schedule of a rate (these come first, in the order of
  // the rates), or an island.
  bool IsSchedule(std::uint32_t home) const { return home < rate_count(); }
  std::uint32_t rate_count() const { return static_cast<std::uint32_t>(network_->rates.size()); }
  Island& IslandAt(std::uint32_t home) { return *network_->islands[home - rate_count()]; }
  TlmSchedule& ScheduleAt(std::uint32_t home) { return network_->rates[home]->tlm; }

  /// A component, or its copy, in one home.
  struct Instance {
    DynamicSimComponent* component;
    std::uint32_t home;
  };

  const Route& RouteAt(std::uint32_t r) const { return system_.routes()[r]; }
  std::uint32_t From(std::uint32_t r) const { return index_.at(&RouteAt(r).from.owner()); }
  /// Outputs of charts change at step points only: whoever reads them holds the value.
  bool IsFromChart(std::uint32_t r) const { return !index_.contains(&RouteAt(r).from.owner()); }
  std::uint32_t To(std::uint32_t r) const { return index_.at(RouteAt(r).to_owner); }
  bool HasPorts(std::uint32_t i) const { return !components_[i]->declarations().ports.empty(); }
  bool IsTlm(std::uint32_t i) const { return components_[i]->GetSolverType() == SolverType::kTlm; }
  std::uint32_t Partner(std::uint32_t connection, std::uint32_t i) const {
    const Connection& c = system_.connections()[connection];
    const std::uint32_t at_c = index_.at(c.c.owner);
    return at_c == i ? index_.at(c.q.owner) : at_c;
  }

  void Refuse(std::uint32_t i, const std::string& text) {
    diagnostics_.Error(components_[i]->location(), components_[i]->DisplayPath(), text);
  }

  // ---- who is solved how ---------------------------------------------------------------------

  void ChooseSolvers() {
    for (std::uint32_t i = 0; i < components_.size(); ++i) {
      const SolverType requested = components_[i]->requested_solver();
      if (ChooseAlgebraic(i)) continue;
      if (components_[i]->entry().is_tlm) {
        if (requested == SolverType::kDifferential) {
          Refuse(i, "a " + std::string(components_[i]->model().name) +
                        " knows whole steps only; leave out the attribute 'solver'");
        }
        components_[i]->ChooseSolver(SolverType::kTlm);
      } else if (requested == SolverType::kTlm || StandsBetweenDelays(i)) {
        if (requested == SolverType::kTlm && HasRole(*components_[i], Role::kQ) && !NeighboursAreDelayed(i)) {
          Refuse(i,
                 "solver Tlm needs a delay at every port; put lines or volumes in wave form beside it, or "
                 "leave out "
                 "the attribute 'solver'");
        }
        components_[i]->ChooseSolver(SolverType::kTlm);
      } else {
        components_[i]->ChooseSolver(SolverType::kDifferential);
      }
    }
    for (std::uint32_t i = 0; i < components_.size(); ++i) {
      if (!IsTlm(i) && !IsAlgebraic(*components_[i]) && HasPorts(i) && IsSource(*components_[i]) &&
          !IsConstant(*components_[i]) && OnlyTlmPartners(i)) {
        components_[i]->ChooseSolver(SolverType::kTlm);
      }
    }
  }

  /// Whether IDA solves the component and with it its island.
  bool ChooseAlgebraic(std::uint32_t i) {
    DynamicSimComponent& component = *components_[i];
    const SolverType requested = component.requested_solver();
    const bool is_asked = requested == SolverType::kAlgebraic;
    const std::string name(component.model().name);
    if (!is_asked && !component.is_algebraic_model()) return false;
    if (component.entry().is_tlm) {
      if (is_asked) Refuse(i, "a " + name + " knows whole steps only; leave out the attribute 'solver'");
      return false;
    }
    if (!is_asked && requested != SolverType::kAutomatic) {
      Refuse(i,
             "a " + name + " has algebraic variables; leave out the attribute 'solver', or write Algebraic");
    }
    if (component.is_algebraic_model() && component.entry().evaluate_algebraic == nullptr) {
      Refuse(i, "a " + name +
                    " has algebraic variables but no EvaluateAlgebraicEquations, which must write their "
                    "residuals");
    }
    component.ChooseSolver(SolverType::kAlgebraic);
    return true;
  }

  bool IsAlgebraic(const Component& component) const {
    return static_cast<const DynamicSimComponent&>(component).GetSolverType() == SolverType::kAlgebraic;
  }
  /// An algebraic component that states no equations: what it computes is solved for.
  bool IsSolvedFor(const Component& component) const {
    return IsAlgebraic(component) && component.entry().evaluate_algebraic == nullptr;
  }
  /// The evaluation that comes after EvaluateEfforts.
  BatchEvaluation LateEvaluation(const Component& component) const {
    const ModelEntry& entry = component.entry();
    return IsAlgebraic(component) && entry.evaluate_algebraic != nullptr ? entry.evaluate_algebraic
                                                                         : entry.evaluate_flows;
  }

  bool NeighboursAreDelayed(std::uint32_t i) const {
    return std::all_of(connections_of_[i].begin(), connections_of_[i].end(), [&](std::uint32_t c) {
      const Component& partner = *components_[Partner(c, i)];
      return partner.entry().is_tlm || IsConstant(partner) || IsSource(partner);
    });
  }

  /// A lone Q component that can take whole steps and has at least one true delay beside it.
  bool StandsBetweenDelays(std::uint32_t i) const {
    const DynamicSimComponent& component = *components_[i];
    if (component.requested_solver() != SolverType::kAutomatic || !HasPorts(i)) return false;
    const bool offers_effort =
        std::any_of(connections_of_[i].begin(), connections_of_[i].end(),
                    [&](std::uint32_t c) { return system_.connections()[c].c.owner == &component; });
    if (offers_effort) return false;
    if (!component.entry().has_own_timestep && HasStates(component)) return false;
    const bool has_delay =
        std::any_of(connections_of_[i].begin(), connections_of_[i].end(),
                    [&](std::uint32_t c) { return components_[Partner(c, i)]->entry().is_tlm; });
    return has_delay && NeighboursAreDelayed(i);
  }

  bool OnlyTlmPartners(std::uint32_t i) const {
    return !connections_of_[i].empty() && std::all_of(connections_of_[i].begin(), connections_of_[i].end(),
                                                      [&](std::uint32_t c) { return IsTlm(Partner(c, i)); });
  }

  /// Pure: without states and ports, and fed by pure components only: a function of time and parameters.
  void FindPure() {
    is_pure_.resize(components_.size());
    std::vector<std::uint32_t> impure;
    for (std::uint32_t i = 0; i < components_.size(); ++i) {
      is_pure_[i] = !HasPorts(i) && !HasStates(*components_[i]) && !components_[i]->entry().is_tlm &&
                    !IsAlgebraic(*components_[i]) && components_[i]->guards().empty();
      if (!is_pure_[i]) impure.push_back(i);
    }
    while (!impure.empty()) {
      const std::uint32_t i = impure.back();
      impure.pop_back();
      for (const std::uint32_t r : routes_from_[i]) {
        if (RouteAt(r).from.kind() == Item::Kind::kParameter || !is_pure_[To(r)]) continue;
        is_pure_[To(r)] = false;
        impure.push_back(To(r));
      }
    }
  }

  // ---- several TimeSteps ---------------------------------------------------------------------

  /// The TimeStep asked for: its own, that of the sub-system around it, or that of the manager.
  double RequestedTimeStep(const DynamicSimComponent& component) const {
    if (component.requested_time_step() > 0) return component.requested_time_step();
    for (const Component* above = component.parent(); above != nullptr; above = above->parent()) {
      const auto* subsystem = dynamic_cast<const Subsystem*>(above);
      if (subsystem != nullptr && subsystem->time_step() > 0) return subsystem->time_step();
    }
    return time_step_;
  }

  void ChooseTimeSteps() {
    // Whole fractions make the grid finer; then everything is a whole number of ticks.
    std::uint64_t ticks = 1;
    std::vector<double> ratios(components_.size(), 1);
    for (std::uint32_t i = 0; i < components_.size(); ++i) {
      const double step = RequestedTimeStep(*components_[i]);
      if (step == time_step_) continue;
      const double times = step > time_step_ ? step / time_step_ : time_step_ / step;
      const double whole = std::round(times);
      if (std::abs(times - whole) > kSameRatio * times || times > kLargestRatio) {
        Refuse(i, fmt::format("its TimeStep of {:.9g} s is no whole fraction or multiple of the {:.9g} s of "
                              "SimulatorManager; take for example {:.9g} s",
                              step, time_step_,
                              step > time_step_ ? time_step_ * std::min(whole, kLargestRatio)
                                                : time_step_ / std::min(whole, kLargestRatio)));
        continue;
      }
      ratios[i] = step > time_step_ ? whole : 1 / whole;
      if (step > time_step_) continue;
      const std::uint64_t finer = std::lcm(ticks, static_cast<std::uint64_t>(whole));
      if (finer > kMostTicks) {
        Refuse(i, fmt::format("its TimeStep of {:.9g} s has no common grid with those of others; take "
                              "fractions of the TimeStep that divide each other",
                              step));
        ratios[i] = 1;
        continue;
      }
      ticks = finer;
    }
    network_->ticks = ticks;
    ticks_.resize(components_.size());
    for (std::uint32_t i = 0; i < components_.size(); ++i) {
      ticks_[i] = static_cast<std::uint64_t>(std::llround(ratios[i] * static_cast<double>(ticks)));
    }
    RateOf(ticks);  // that of the manager is the first
    JoinRates();
    for (std::uint32_t i = 0; i < components_.size(); ++i) {
      Rate& rate = *network_->rates[RateOf(ticks_[i])];
      rate.components.push_back(components_[i]);
      if (components_[i]->entry().has_pre_integrate) rate.pre_integrated.push_back(components_[i]);
      if (components_[i]->entry().has_post_integrate) rate.post_integrated.push_back(components_[i]);
    }
  }

  /// Lines take the longest TimeStep that divides those of their neighbours; wave components of other kinds
  /// need neighbours with their own.
  void JoinRates() {
    for (std::uint32_t i = 0; i < components_.size(); ++i) {
      if (!components_[i]->entry().is_tlm) continue;
      auto& tlm = static_cast<TlmComponent&>(*components_[i]);
      if (!tlm.JoinsRates()) continue;
      std::uint64_t common = 0;
      for (const std::uint32_t c : connections_of_[i]) common = std::gcd(common, ticks_[Partner(c, i)]);
      if (common > 0) ticks_[i] = common;
    }
    for (const Connection& connection : system_.connections()) {
      const std::uint32_t c = index_.at(connection.c.owner);
      const std::uint32_t q = index_.at(connection.q.owner);
      if (!components_[c]->entry().is_tlm) continue;
      auto& tlm = static_cast<TlmComponent&>(*components_[c]);
      if (tlm.JoinsRates()) {
        tlm.SetPartnerSteps(*connection.c.port->port, ticks_[q] / ticks_[c]);
      } else if (ticks_[c] != ticks_[q]) {
        Refuse(q, fmt::format("has another TimeStep than {} at its port {}; only lines may stand between "
                              "different TimeSteps: put a line there",
                              components_[c]->DisplayPath(), connection.q.path));
      }
    }
  }

  std::uint32_t RateOf(std::uint64_t ticks) {
    auto& rates = network_->rates;
    const auto it =
        std::find_if(rates.begin(), rates.end(), [&](const auto& r) { return r->ticks == ticks; });
    if (it != rates.end()) return static_cast<std::uint32_t>(it - rates.begin());
    rates.push_back(std::make_unique<Rate>());
    rates.back()->ticks = ticks;
    rates.back()->h = time_step_ * static_cast<double>(ticks) / static_cast<double>(network_->ticks);
    return static_cast<std::uint32_t>(rates.size() - 1);
  }

  /// Members of an island, except sources that every island evaluates for itself, have one TimeStep.
  void CheckTimeStepsOfIslands() {
    std::unordered_map<std::uint32_t, std::uint32_t> first;
    for (std::uint32_t i = 0; i < components_.size(); ++i) {
      if (IsTlm(i) || is_pure_[i] || (HasPorts(i) && IsConstant(*components_[i]))) continue;
      const std::uint32_t other = first.emplace(sets_.Find(i), i).first->second;
      if (ticks_[other] == ticks_[i]) continue;
      Refuse(i, fmt::format("is solved together with {}, which has another TimeStep; give both the same, or "
                            "put a line between",
                            components_[other]->DisplayPath()));
    }
  }

  void JoinPower() {
    for (const Connection& connection : system_.connections()) {
      const std::uint32_t c = index_.at(connection.c.owner);
      const std::uint32_t q = index_.at(connection.q.owner);
      if (IsTlm(c) || IsTlm(q)) {
        // A Q component with whole steps only must not meet a pressure that answers at once.
        if (!IsTlm(c) && !IsConstant(*components_[c]) && !IsSource(*components_[c])) {
          Refuse(q, std::string(components_[q]->model().name) + " knows whole steps only, but " +
                        connection.c.path +
                        " answers without delay; put a line or a volume in wave form there");
        }
        continue;
      }
      if (!IsConstant(*components_[c])) sets_.Join(c, q);
    }
  }

  void JoinSignals() {
    DisjointSets groups(components_.size());
    const auto is_signal = [&](std::uint32_t i) { return !is_pure_[i] && !HasPorts(i); };
    for (std::uint32_t i = 0; i < components_.size(); ++i) {
      for (const std::uint32_t r : routes_from_[i]) {
        const std::uint32_t to = To(r);
        if (is_pure_[i] || is_pure_[to]) continue;
        if (RouteAt(r).hold == Hold::kNone && !IsTlm(i) && !IsTlm(to)) sets_.Join(i, to);
        if (ticks_[i] != ticks_[to]) continue;  // sampled
        if (RouteAt(r).hold != Hold::kStep && is_signal(i) && is_signal(to)) groups.Join(i, to);
      }
    }
    // What each group of signal components touches.
    struct Touched {
      std::set<std::uint32_t> islands;
      bool has_tlm = false;
      std::vector<std::uint32_t> members;
    };
    std::unordered_map<std::uint32_t, Touched> touched;
    for (std::uint32_t i = 0; i < components_.size(); ++i) {
      if (is_signal(i)) touched[groups.Find(i)].members.push_back(i);
      for (const std::uint32_t r : routes_from_[i]) {
        const std::uint32_t to = To(r);
        if (is_pure_[i] || is_pure_[to] || is_signal(i) == is_signal(to) || ticks_[i] != ticks_[to]) continue;
        const std::uint32_t signal = is_signal(i) ? i : to;
        const std::uint32_t power = is_signal(i) ? to : i;
        Touched& group = touched[groups.Find(signal)];
        if (IsTlm(power)) {
          group.has_tlm = true;
        } else if (RouteAt(r).hold != Hold::kStep) {
          group.islands.insert(sets_.Find(power));
        }
      }
    }
    for (auto& [group, what] : touched) {
      const bool are_all_tlm = std::all_of(what.members.begin(), what.members.end(), [&](std::uint32_t i) {
        return components_[i]->entry().is_tlm || components_[i]->requested_solver() == SolverType::kTlm;
      });
      const bool may_step = what.has_tlm && what.islands.empty() && !HasLoop(what.members) &&
                            std::none_of(what.members.begin(), what.members.end(),
                                         [&](std::uint32_t i) { return IsAlgebraic(*components_[i]); });
      if (are_all_tlm || may_step) {
        for (const std::uint32_t i : what.members) components_[i]->ChooseSolver(SolverType::kTlm);
        continue;
      }
      for (const std::uint32_t i : what.members) {
        if (IsTlm(i)) continue;
        sets_.Join(i, what.members.front());
        if (what.islands.size() == 1) sets_.Join(i, *what.islands.begin());
      }
    }
  }

  /// Whether signals go round among `members`, through states or not.
  bool HasLoop(const std::vector<std::uint32_t>& members) {
    std::unordered_map<std::uint32_t, std::uint32_t> number;
    for (const std::uint32_t i : members) number.emplace(i, static_cast<std::uint32_t>(number.size()));
    std::vector<EvaluationEdge> edges;
    for (const std::uint32_t i : members) {
      for (const std::uint32_t r : routes_from_[i]) {
        const auto to = number.find(To(r));
        if (to != number.end() && RouteAt(r).hold != Hold::kStep) edges.push_back({number.at(i), to->second});
      }
    }
    const std::vector<std::uint32_t> types(members.size(), 0);
    return !SortEvaluations(types, edges).loop.empty();
  }

  // ---- homes ---------------------------------------------------------------------------------

  /// The representative of the set a component belongs to; one for all that take whole steps of one rate.
  std::uint32_t SetOf(std::uint32_t i) { return IsTlm(i) ? kNone - RateOf(ticks_[i]) : sets_.Find(i); }
  bool IsScheduleSet(std::uint32_t set) const { return set > kNone - rate_count(); }

  /// The sets that read a pure component, directly or through other pure ones.
  void FindReadersOfPure() {
    readers_.resize(components_.size());
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
        if (!readers_[writer].insert(SetOf(i)).second) continue;
        open.insert(open.end(), writers[writer].begin(), writers[writer].end());
      }
    }
    for (std::uint32_t i = 0; i < components_.size();
         ++i) {  // pure ones that nobody reads: islands of their own
      if (!is_pure_[i] || !readers_[i].empty()) continue;
      for (const std::uint32_t r : routes_from_[i]) {
        if (is_pure_[To(r)] && readers_[To(r)].empty()) sets_.Join(i, To(r));
      }
    }
  }

  void MakeHomes() {
    std::unordered_map<std::uint32_t, std::uint32_t> home_of_set;
    homes_.resize(rate_count());
    for (std::uint32_t rate = 0; rate < rate_count(); ++rate) home_of_set.emplace(kNone - rate, rate);
    instances_.resize(components_.size());
    const auto add = [&](std::uint32_t i, std::uint32_t set) {
      const auto [it, is_new] = home_of_set.emplace(set, static_cast<std::uint32_t>(homes_.size()));
      if (is_new) homes_.emplace_back();
      DynamicSimComponent* component = instances_[i].empty() ? components_[i] : MakeShadow(i);
      instances_[i].push_back({component, it->second});
      homes_[it->second].push_back(component);
    };
    for (std::uint32_t i = 0; i < components_.size(); ++i) {
      if (HasPorts(i) && IsConstant(*components_[i])) continue;  // evaluated nowhere
      if (is_pure_[i] && !readers_[i].empty()) {
        for (const std::uint32_t set : readers_[i]) add(i, IsScheduleSet(set) ? set : sets_.Find(set));
      } else {
        add(i, SetOf(i));
      }
    }
    for (std::uint32_t home = rate_count(); home < homes_.size(); ++home) {
      Island& island = *network_->islands.emplace_back(std::make_unique<Island>());
      network_->rates[RateOf(TicksOf(homes_[home]))]->islands.push_back(&island);
      island.members_ = homes_[home];
      for (DynamicSimComponent* member : island.members_) {
        if (member->entry().has_break_times) island.timed_.push_back(member);
      }
    }
  }

  /// That of the members which are in one island only; of the manager where there are none.
  std::uint64_t TicksOf(const std::vector<DynamicSimComponent*>& members) const {
    for (const DynamicSimComponent* member : members) {
      const auto it = index_.find(member);
      if (it != index_.end() && !is_pure_[it->second]) return ticks_[it->second];
    }
    return network_->ticks;
  }

  DynamicSimComponent* MakeShadow(std::uint32_t i) {
    Component& copy = system_.MakeShadow(*components_[i]);
    network_->shadows.emplace_back(&copy, components_[i]);
    return static_cast<DynamicSimComponent*>(&copy);
  }

  const Instance* FindInstance(std::uint32_t i, std::uint32_t home) const {
    for (const Instance& instance : instances_[i]) {
      if (instance.home == home) return &instance;
    }
    return nullptr;
  }

  /// Whether a reader in `home` sees the writer's value inside the step.
  bool IsContinuous(std::uint32_t r, std::uint32_t home) const {
    return !IsFromChart(r) && RouteAt(r).hold != Hold::kStep && FindInstance(From(r), home) != nullptr;
  }

  // ---- the order of evaluations --------------------------------------------------------------

  /// An output, flow or effort of a component that is solved for.
  struct SolvedItem {
    Component* owner = nullptr;
    double* value = nullptr;
    std::string name;
    std::string_view unit;
    BatchEvaluation writer = nullptr;
  };

  /// The evaluations of one home, its edges, and what each edge carries.
  struct Graph {
    struct Nodes {
      std::uint32_t efforts = kNone;
      std::uint32_t flows = kNone;
    };
    std::vector<std::uint32_t> types;
    std::vector<Component*> owners;
    std::vector<BatchEvaluation> evaluations;
    std::vector<EvaluationEdge> edges;
    std::vector<std::string> carried;  ///< by edge; empty for "efforts before flows" of one component
    std::vector<std::pair<const Component*, std::uint32_t>> read_unknowns;  ///< owner, reader
    std::unordered_map<const Component*, Nodes> nodes;
    std::map<std::pair<BatchEvaluation, std::size_t>, std::uint32_t> type_numbers;  ///< kind of batch
    std::vector<SolvedItem> solved;
    std::set<std::uint32_t> slope_readers;  ///< derivatives are made known at the end of a batch
    std::vector<std::uint32_t> order;

    std::uint32_t Add(Component* owner, BatchEvaluation evaluation) {
      if (evaluation == nullptr) return kNone;
      const auto kind_of = owner->entry().kind_of_batch;
      const auto type = type_numbers
                            .emplace(std::pair(evaluation, kind_of == nullptr ? 0 : kind_of(*owner)),
                                     static_cast<std::uint32_t>(type_numbers.size()))
                            .first->second;
      types.push_back(type);
      owners.push_back(owner);
      evaluations.push_back(evaluation);
      return static_cast<std::uint32_t>(types.size() - 1);
    }
    void Carry(std::uint32_t writer, std::uint32_t reader, const std::string& what) {
      if (writer == kNone || reader == kNone) return;
      edges.push_back({writer, reader});
      carried.push_back(what);
    }
    /// The reader depends on unknowns of `owner`, which are known before all evaluations.
    void ReadUnknowns(const Component* owner, std::uint32_t reader) {
      if (reader != kNone) read_unknowns.emplace_back(owner, reader);
    }
    Nodes Find(const Component* component) const {
      const auto it = nodes.find(component);
      return it == nodes.end() ? Nodes{} : it->second;
    }
  };

  void SortIsland(std::uint32_t home) {
    Island& island = IslandAt(home);
    graphs_.resize(homes_.size());
    Graph& graph = graphs_[home];
    for (DynamicSimComponent* member : homes_[home]) {
      const ModelEntry& entry = member->entry();
      const bool has_efforts = entry.has_efforts == nullptr || entry.has_efforts(*member);
      const Graph::Nodes nodes{graph.Add(member, has_efforts ? entry.evaluate_efforts : nullptr),
                               graph.Add(member, LateEvaluation(*member))};
      graph.nodes.emplace(member, nodes);
      graph.Carry(nodes.efforts, nodes.flows, {});
    }
    AddConnections(home, graph);
    AddRoutes(home, graph);
    EvaluationOrder order = SortEvaluations(graph.types, graph.edges);
    if (!order.loop.empty()) {
      ReportLoop(graph, order.loop);
      return;
    }
    const std::vector<std::size_t> behind = BehindWriters(order.order, graph.edges);
    bool is_closed = true;  // what the last batch has computed must be put aside before others read
    std::uint32_t type = 0;
    for (const std::uint32_t node : order.order) {
      // What is evaluated at once must not read what its own batch writes, and nobody a derivative of it.
      const bool is_apart =
          graph.owners[node]->entry().prepare_batch != nullptr || graph.slope_readers.contains(node);
      const bool reads_batch = !is_closed && is_apart && behind[node] > island.batches_.back().begin;
      if (is_closed || reads_batch || type != graph.types[node]) {
        island.batches_.push_back({graph.evaluations[node], island.evaluated_.size(), 0, 0, 0});
      }
      type = graph.types[node];
      island.evaluated_.push_back(graph.owners[node]);
      ++island.batches_.back().count;
      is_closed = IsSolvedFor(*graph.owners[node]);
    }
    graph.order = std::move(order.order);
  }

  /// By evaluation: the first place in the order behind all that it reads.
  static std::vector<std::size_t> BehindWriters(const std::vector<std::uint32_t>& order,
                                                const std::vector<EvaluationEdge>& edges) {
    std::vector<std::size_t> place(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    std::vector<std::size_t> behind(order.size(), 0);
    for (const EvaluationEdge& edge : edges)
      behind[edge.reader] = std::max(behind[edge.reader], place[edge.writer] + 1);
    return behind;
  }

  /// Tells models that evaluate several components at once which these are, by their flows: there is most in
  /// them. What advances by whole steps is evaluated one by one.
  void PrepareBatches() {
    const auto prepare = [](Component* const* components, std::size_t count) {
      const ModelEntry& entry = components[0]->entry();
      if (entry.prepare_batch != nullptr) entry.prepare_batch(components, count);
    };
    for (auto& island : network_->islands) {
      for (const Island::Batch& batch : island->batches_) {
        Component* const* const components = &island->evaluated_[batch.begin];
        if (batch.evaluate == components[0]->entry().evaluate_flows) prepare(components, batch.count);
      }
    }
    for (auto& rate : network_->rates) {
      for (const TlmSchedule::Phase* phase : {&rate->tlm.signals_, &rate->tlm.c_, &rate->tlm.q_}) {
        for (Component* const& component : phase->components) prepare(&component, 1);
      }
    }
  }

  /// Whether EvaluateEfforts writes something that depends on other components.
  static bool HasDependentEfforts(const Component& component) {
    const auto& reads = component.declarations().effort_reads;
    return component.entry().evaluate_efforts != nullptr && (!reads || !reads->empty());
  }

  /// `reader` reads what `writer`, an evaluation of `owner`, writes, unless that is solved for.
  void CarryOrSolve(Graph& graph, const Component* owner, std::uint32_t writer, std::uint32_t reader,
                    const std::string& what, std::initializer_list<SolvedItem> items) {
    if (writer == kNone || reader == kNone) return;
    const bool is_early = graph.evaluations[writer] == owner->entry().evaluate_efforts;
    if (!IsSolvedFor(*owner) || (is_early && !HasDependentEfforts(*owner))) {
      graph.Carry(writer, reader, what);
      return;
    }
    graph.ReadUnknowns(owner, reader);
    for (const SolvedItem& item : items) {
      const bool is_known = std::any_of(graph.solved.begin(), graph.solved.end(),
                                        [&](const SolvedItem& s) { return s.value == item.value; });
      if (is_known) continue;
      graph.solved.push_back(item);
      graph.solved.back().writer = graph.evaluations[writer];
    }
  }

  /// Effort and flow of a connection as unknowns of their owners.
  struct SolvedBond {
    SolvedItem effort, flow, place;
  };
  static SolvedBond SolvedItemsOf(const Connection& connection) {
    const auto name = [](const PortRef& end, const char* field) {
      return std::string(end.port->label.name) + field;
    };
    void* bond = BondOf(connection);
    Component* c = connection.c.owner;
    Component* q = connection.q.owner;
    switch (connection.q.port->domain) {
      case Domain::kHydraulic: {
        auto& h = *static_cast<HydraulicBond*>(bond);
        return {{c, &h.c, name(connection.c, ".c"), "Pa"}, {q, &h.q, name(connection.q, ".q"), "m3/s"}, {}};
      }
      case Domain::kTranslational: {
        auto& m = *static_cast<TranslationalBond*>(bond);
        return {{c, &m.c, name(connection.c, ".c"), "N"},
                {q, &m.v, name(connection.q, ".v"), "m/s"},
                {q, &m.x, name(connection.q, ".x"), "m"}};
      }
      case Domain::kRotational: {
        auto& r = *static_cast<RotationalBond*>(bond);
        return {{c, &r.c, name(connection.c, ".c"), "N.m"},
                {q, &r.w, name(connection.q, ".w"), "rad/s"},
                {q, &r.angle, name(connection.q, ".angle"), "rad"}};
      }
    }
    return {};
  }

  void AddConnections(std::uint32_t home, Graph& graph) {
    for (DynamicSimComponent* member : homes_[home]) {
      const auto it = index_.find(member);
      if (it == index_.end()) continue;  // a copy of a source: without ports
      for (const std::uint32_t c : connections_of_[it->second]) {
        const Connection& connection = system_.connections()[c];
        if (connection.q.owner != member) continue;  // each connection once
        const Graph::Nodes at_c = graph.Find(connection.c.owner);
        const Graph::Nodes at_q = graph.Find(connection.q.owner);
        const bool is_hydraulic = connection.c.port->domain == Domain::kHydraulic;
        const std::string effort = connection.c.path + (is_hydraulic ? ".p" : ".F");
        const bool is_solved = IsSolvedFor(*connection.c.owner) || IsSolvedFor(*connection.q.owner);
        const SolvedBond solved = is_solved ? SolvedItemsOf(connection) : SolvedBond{};
        const auto carry_effort = [&](std::uint32_t reader) {
          CarryOrSolve(graph, connection.c.owner, at_c.efforts, reader, effort, {solved.effort});
        };
        carry_effort(at_q.flows);
        if (ReadsInEfforts(*connection.q.owner, connection.q.port->port)) carry_effort(at_q.efforts);
        // A mechanical Q side owns its motion and shows it early; a hydraulic one computes its flow late.
        const std::uint32_t writer = is_hydraulic ? at_q.flows : at_q.efforts;
        const std::string flow = connection.q.path + (is_hydraulic ? ".q" : ".v");
        const auto carry_flow = [&](std::uint32_t reader) {
          if (is_hydraulic) {
            CarryOrSolve(graph, connection.q.owner, writer, reader, flow, {solved.flow});
          } else {
            CarryOrSolve(graph, connection.q.owner, writer, reader, flow, {solved.flow, solved.place});
          }
        };
        carry_flow(at_c.flows);
        // The equation of a rigid link reads accelerations, which come last.
        if (!is_hydraulic &&
            LateEvaluation(*connection.c.owner) != connection.c.owner->entry().evaluate_flows) {
          graph.Carry(at_q.flows, at_c.flows, connection.q.path + ".a");
        }
        if (ReadsInEfforts(*connection.c.owner, connection.c.port->port)) carry_flow(at_c.efforts);
      }
    }
  }

  void AddRoutes(std::uint32_t home, Graph& graph) {
    for (const std::uint32_t r : RoutesInto(home)) {
      if (!IsContinuous(r, home)) continue;
      const Route& route = RouteAt(r);
      Component* owner = FindInstance(From(r), home)->component;
      const Graph::Nodes from = graph.Find(owner);
      const Graph::Nodes to = graph.Find(FindInstance(To(r), home)->component);
      const void* input = route.to->is_array ? static_cast<const void*>(route.to->sources) : route.to->source;
      std::vector<std::uint32_t> readers{to.flows};
      if (ReadsInEfforts(*route.to_owner, input)) readers.push_back(to.efforts);
      for (const std::uint32_t reader : readers) {
        if (route.from.kind() == Item::Kind::kOutput) {
          const OutputDeclaration& output = OutputOf(route);
          const bool is_early = output.written_by == WrittenBy::kEfforts;
          const SolvedItem item{owner, const_cast<double*>(route.from.place()),
                                std::string(output.label.name), output.label.unit};
          CarryOrSolve(graph, owner, is_early ? from.efforts : from.flows, reader, route.from.path(), {item});
        } else if (route.from.kind() == Item::Kind::kState) {
          graph.ReadUnknowns(owner, reader);
        } else if (route.from.kind() == Item::Kind::kDerivative) {
          graph.ReadUnknowns(owner, reader);
          graph.Carry(from.flows, reader, route.from.path());
          graph.slope_readers.insert(reader);
        }
      }
    }
  }

  static const OutputDeclaration& OutputOf(const Route& route) {
    const auto& outputs = route.from.owner().declarations().outputs;
    return *std::find_if(outputs.begin(), outputs.end(),
                         [&](const OutputDeclaration& o) { return o.value == route.from.place(); });
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

  const std::vector<std::uint32_t>& RoutesInto(std::uint32_t home) {
    if (routes_into_.empty()) {
      routes_into_.resize(homes_.size());
      for (std::uint32_t r = 0; r < system_.routes().size(); ++r) {
        for (const Instance& to : instances_[To(r)]) routes_into_[to.home].push_back(r);
      }
    }
    return routes_into_[home];
  }

  // ---- whole steps ---------------------------------------------------------------------------

  void FillSchedule(std::uint32_t home) {
    TlmSchedule& tlm = ScheduleAt(home);
    SortSignals(home);
    std::vector<DynamicSimComponent*> power;
    for (DynamicSimComponent* member : homes_[home]) {
      if (!member->declarations().ports.empty()) power.push_back(member);
    }
    // Components of one type side by side.
    std::stable_sort(power.begin(), power.end(),
                     [](const DynamicSimComponent* a, const DynamicSimComponent* b) {
                       return a->model().name < b->model().name;
                     });
    for (DynamicSimComponent* member : power) {
      const ModelEntry& entry = member->entry();
      if (entry.is_tlm) tlm.waves_.push_back(static_cast<TlmComponent*>(member));
      if (HasRole(*member, Role::kC)) {
        if (entry.is_tlm) {
          tlm.c_.Add(member, entry.simulate_one_timestep, PlaceOf(member));
        } else if (entry.evaluate_efforts != nullptr) {
          tlm.c_.Add(member, entry.evaluate_efforts, PlaceOf(member));  // a source
        }
      } else {
        // Without states a step is one evaluation of the flows.
        const bool is_plain = !entry.is_tlm && !entry.has_own_timestep && !HasStates(*member) &&
                              entry.evaluate_efforts == nullptr && entry.evaluate_flows != nullptr;
        tlm.q_.Add(member, is_plain ? entry.evaluate_flows : entry.simulate_one_timestep, PlaceOf(member));
      }
      if (!entry.is_tlm && entry.evaluate_efforts != nullptr)
        tlm.evaluations_.Add(member, entry.evaluate_efforts);
    }
    for (DynamicSimComponent* member : power) {
      const ModelEntry& entry = member->entry();
      if (!entry.is_tlm && entry.evaluate_flows != nullptr)
        tlm.evaluations_.Add(member, entry.evaluate_flows);
    }
  }

  /// How far down the system it stands; of copies of sources, 0.
  std::uint32_t PlaceOf(const Component* component) const {
    const auto it = index_.find(component);
    return it == index_.end() ? 0 : it->second;
  }

  void SortSignals(std::uint32_t home) {
    Graph graph;
    for (DynamicSimComponent* member : homes_[home]) {
      if (!member->declarations().ports.empty()) continue;
      const ModelEntry& entry = member->entry();
      const bool has_step = entry.is_tlm || HasStates(*member) || entry.evaluate_flows == nullptr;
      const std::uint32_t node =
          graph.Add(member, has_step ? entry.simulate_one_timestep : entry.evaluate_flows);
      graph.nodes.emplace(member, Graph::Nodes{kNone, node});
    }
    for (const std::uint32_t r : RoutesInto(home)) {
      if (!IsContinuous(r, home)) continue;
      const Component* from = FindInstance(From(r), home)->component;
      const Component* to = FindInstance(To(r), home)->component;
      graph.Carry(graph.Find(from).flows, graph.Find(to).flows, RouteAt(r).from.path());
    }
    const EvaluationOrder order = SortEvaluations(graph.types, graph.edges);
    if (!order.loop.empty()) {
      ReportLoop(graph, order.loop);
      return;
    }
    // Signals that see each other have one place, that of the first of them.
    DisjointSets chains(graph.owners.size());
    for (const EvaluationEdge& edge : graph.edges) chains.Join(edge.writer, edge.reader);
    std::vector<std::uint32_t> places(graph.owners.size(), kNone);
    for (std::uint32_t node = 0; node < graph.owners.size(); ++node) {
      std::uint32_t& place = places[chains.Find(node)];
      place = std::min(place, PlaceOf(graph.owners[node]));
    }
    TlmSchedule& tlm = ScheduleAt(home);
    for (const std::uint32_t node : order.order) {
      tlm.signals_.Add(graph.owners[node], graph.evaluations[node], places[chains.Find(node)]);
      const ModelEntry& entry = graph.owners[node]->entry();
      if (!entry.is_tlm && entry.evaluate_flows != nullptr) {
        tlm.evaluations_.Add(graph.owners[node], entry.evaluate_flows);
      }
    }
  }

  // ---- memory --------------------------------------------------------------------------------

  void ChooseIntegration(Island& island) {
    const bool is_dae = IsDae(island);
    const auto kind = is_dae ? Integration::Kind::kDae : Integration::Kind::kOde;
    island.options_ = is_dae ? defaults_.dae : defaults_.ode;
    const Integration* chosen = nullptr;
    for (const DynamicSimComponent* member : island.members_) {
      for (const Component* child : member->children()) {
        const auto* integration = dynamic_cast<const Integration*>(child);
        if (integration == nullptr || integration->kind() != kind) continue;
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
    const OdeMethod* method = FindOdeMethod(island.options_.method);
    if (method == nullptr || method->has_values_inside) return;
    for (const DynamicSimComponent* member : island.members_) {
      if (std::none_of(member->guards().begin(), member->guards().end(),
                       [](const Guard* guard) { return guard->is_active(); })) {
        continue;
      }
      diagnostics_.Error(member->location(), member->DisplayPath(),
                         "its events cannot be located inside the steps of " + island.options_.method +
                             "; take another method, such as runge_kutta_dopri5");
    }
  }

  /// Offsets follow the order of evaluation, so that a batch walks through the vectors.
  void AllocateIsland(std::uint32_t home) {
    Island& island = IslandAt(home);
    StateVectors& states = island.states_;
    for (Component* component : island.evaluated_) states.Add(*component);
    for (DynamicSimComponent* component : island.members_) states.Add(*component);
    Graph& graph = graphs_[home];
    std::vector<Island::SolvedOutput> solved;
    const bool is_dae = IsDae(island);
    if (is_dae) {
      for (Island::Batch& batch : island.batches_) {
        const Component& last = *island.evaluated_[batch.begin + batch.count - 1];
        if (IsSolvedFor(last)) {
          for (const SolvedItem& item : graph.solved) {
            if (item.owner != &last || item.writer != batch.evaluate) continue;
            const std::uint32_t offset = states.AddOutput(*item.owner, item.name, TypicalSize(item.unit));
            solved.push_back({item.value, offset, 0});
          }
        }
        batch.solved_end = solved.size();
      }
    }
    states.Bind();
    if (is_dae || island.options_.method == "rosenbrock4" || island.options_.method == "ida") {
      island.pattern_ = FindPattern(home);
    }
    if (is_dae) {
      std::vector<std::uint32_t> explicit_states;
      for (std::uint32_t i = 0; i < states.size(); ++i) {
        const Component& owner = states.Owner(i);
        const bool is_solved = std::any_of(solved.begin(), solved.end(),
                                           [&](const Island::SolvedOutput& s) { return s.offset == i; });
        if (!is_solved && LateEvaluation(owner) != owner.entry().evaluate_algebraic) {
          explicit_states.push_back(i);
        }
      }
      island.MakeDaeProblem(std::move(solved), std::move(explicit_states));
    }
    graph = {};
  }

  bool IsDae(const Island& island) const {
    return std::any_of(island.members_.begin(), island.members_.end(),
                       [&](const DynamicSimComponent* member) { return IsAlgebraic(*member); });
  }

  /// For absolute tolerances of unknowns that no model declares.
  static double TypicalSize(std::string_view unit) {
    if (unit == "Pa") return 1e5;
    if (unit == "m3/s") return 1e-3;
    if (unit == "N" || unit == "N.m") return 1e3;
    return 1;
  }

  /// Which unknowns each equation of an island may read: along the evaluations, and all of a component that
  /// is read at all.
  JacobianPattern FindPattern(std::uint32_t home) {
    const Graph& graph = graphs_[home];
    const StateVectors& states = IslandAt(home).states_;
    std::unordered_map<const Component*, std::vector<std::uint32_t>> unknowns;
    for (std::uint32_t i = 0; i < states.size(); ++i) unknowns[&states.Owner(i)].push_back(i);
    std::vector<std::vector<std::uint32_t>> reads(graph.types.size());
    const auto add = [](std::vector<std::uint32_t>& to, const std::vector<std::uint32_t>& more) {
      std::vector<std::uint32_t> all;
      std::set_union(to.begin(), to.end(), more.begin(), more.end(), std::back_inserter(all));
      to = std::move(all);
    };
    std::vector<std::vector<std::uint32_t>> edges_into(graph.types.size());
    for (const EvaluationEdge& edge : graph.edges) edges_into[edge.reader].push_back(edge.writer);
    for (std::uint32_t node = 0; node < reads.size(); ++node) {
      const auto own = unknowns.find(graph.owners[node]);
      if (own != unknowns.end()) reads[node] = own->second;
    }
    for (const auto& [owner, reader] : graph.read_unknowns) {
      const auto it = unknowns.find(owner);
      if (it != unknowns.end()) add(reads[reader], it->second);
    }
    for (const std::uint32_t node : graph.order) {
      for (const std::uint32_t writer : edges_into[node]) add(reads[node], reads[writer]);
    }
    std::vector<std::vector<std::uint32_t>> rows(states.size());
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      const Graph::Nodes nodes = graph.Find(&states.Owner(i));
      rows[i] = unknowns.at(&states.Owner(i));
      if (nodes.efforts != kNone) add(rows[i], reads[nodes.efforts]);
      if (nodes.flows != kNone) add(rows[i], reads[nodes.flows]);
    }
    return JacobianPattern(std::move(rows));
  }

  void AllocateSchedule(std::uint32_t home) {
    TlmSchedule& tlm = ScheduleAt(home);
    for (const DynamicSimComponent* member : homes_[home]) {
      if (std::none_of(member->guards().begin(), member->guards().end(),
                       [](const Guard* guard) { return guard->is_active(); })) {
        continue;
      }
      diagnostics_.Error(member->location(), member->DisplayPath(),
                         "its events cannot be located in whole steps; take solver=\"Differential\"");
    }
    for (const auto* phase : {&tlm.signals_, &tlm.c_, &tlm.q_}) {
      for (Component* component : phase->components) tlm.states_.Add(*component);
    }
    tlm.states_.Bind();
    for (DynamicSimComponent* member : homes_[home]) member->PrepareTimestep();
  }

  // ---- routes and boundaries -----------------------------------------------------------------

  void BindRoutes() {
    for (std::uint32_t r = 0; r < system_.routes().size(); ++r) {
      for (const Instance& to : instances_[To(r)]) BindRoute(r, to);
    }
    for (auto& island : network_->islands) OrderDerivatives(*island);
  }

  /// Where the input of an instance finds its value.
  const double** SlotOf(const Route& route, const Instance& to) const {
    if (to.component == route.to_owner) return route.slot();
    const auto& inputs = to.component->declarations().inputs;
    const auto& originals = route.to_owner->declarations().inputs;
    const InputDeclaration& input = inputs[static_cast<std::size_t>(route.to - originals.data())];
    return input.is_array ? &(*input.sources)[route.element] : input.source;
  }

  void BindRoute(std::uint32_t r, const Instance& to) {
    const Route& route = RouteAt(r);
    const double** slot = SlotOf(route, to);
    if (route.from.kind() == Item::Kind::kParameter) {
      *slot = route.from.place();
      return;
    }
    if (IsSchedule(to.home)) {
      *slot = BindInSchedule(r, to);
      return;
    }
    Island& island = IslandAt(to.home);
    if (!IsContinuous(r, to.home)) {
      *slot = &island.latches_.emplace_back(Island::Latch{route.from, 0}).value;
    } else if (route.from.kind() == Item::Kind::kState) {
      *slot = &Publish(island.published_states_, *route.from.slot()).value;
    } else if (route.from.kind() == Item::Kind::kDerivative) {
      *slot = &Publish(island.published_derivatives_, *route.from.slot()).value;
    } else {
      *slot = OutputOfInstance(route, *FindInstance(From(r), to.home));
    }
  }

  /// Signals come first in a step and alone, so everybody may read them, and they may read everybody: outputs
  /// as they were at the begin of the step, states extrapolated to its end. C and Q components read each
  /// other as they were at the begin of the step.
  const double* BindInSchedule(std::uint32_t r, const Instance& to) {
    const Route& route = RouteAt(r);
    TlmSchedule& tlm = ScheduleAt(to.home);
    const Instance* from = IsFromChart(r) ? nullptr : FindInstance(From(r), to.home);
    const bool is_from_signal = from != nullptr && !HasPorts(From(r)) && route.hold != Hold::kStep;
    const bool is_to_signal = to.component->declarations().ports.empty();
    if (is_from_signal || (is_to_signal && from != nullptr)) {
      if (route.from.kind() == Item::Kind::kState) {
        const std::uint32_t offset = route.from.slot()->offset;
        if (is_from_signal) return &tlm.states_.y[offset];
        return &tlm.extrapolated_.emplace_back(TlmSchedule::Extrapolated{offset, 0}).value;
      }
      if (route.from.kind() == Item::Kind::kDerivative) return &tlm.states_.ddt[route.from.slot()->offset];
      if (route.from.kind() == Item::Kind::kOutput) return OutputOfInstance(route, *from);
    }
    return &tlm.latches_.emplace_back(TlmSchedule::Latch{route.from, 0}).value;
  }

  static const double* OutputOfInstance(const Route& route, const Instance& from) {
    assert(route.from.kind() == Item::Kind::kOutput);
    if (from.component == &route.from.owner()) return route.from.place();
    const OutputDeclaration& original = OutputOf(route);
    const auto position = &original - route.from.owner().declarations().outputs.data();
    return from.component->declarations().outputs[static_cast<std::size_t>(position)].value;
  }

  static Island::Published& Publish(std::deque<Island::Published>& list, const StateSlot& slot) {
    const auto it =
        std::find_if(list.begin(), list.end(), [&](const Island::Published& p) { return p.slot == &slot; });
    return it == list.end() ? list.emplace_back(Island::Published{&slot, 0}) : *it;
  }

  /// Tells each batch which published derivatives are known after it.
  void OrderDerivatives(Island& island) const {
    if (island.published_derivatives_.empty()) return;
    // Published values are read through pointers, so they stay in place: a batch makes known the longest run
    // of derivatives whose owners have all been evaluated.
    std::set<const Component*> evaluated;
    std::size_t known = 0;
    for (Island::Batch& batch : island.batches_) {
      for (std::size_t i = 0; i < batch.count; ++i) {
        Component* component = island.evaluated_[batch.begin + i];
        if (LateEvaluation(*component) == batch.evaluate) evaluated.insert(component);
      }
      while (known < island.published_derivatives_.size()) {
        const StateSlot& slot = *island.published_derivatives_[known].slot;
        if (!evaluated.contains(&island.states_.Owner(slot.offset))) break;
        ++known;
      }
      batch.derivatives_end = known;
    }
  }

  /// Islands see the waves of the lines at their border change linearly over a step.
  void BindBoundaries() {
    for (const Connection& connection : system_.connections()) {
      const std::uint32_t c = index_.at(connection.c.owner);
      const std::uint32_t q = index_.at(connection.q.owner);
      if (!IsTlm(c)) continue;
      if (components_[c]->entry().is_tlm) {
        network_->wave_ends.push_back(
            {connection.c.path + ".c", components_[c], connection.c.port->domain, WaveOf(connection)});
      }
      if (IsTlm(q) || instances_[q].empty()) continue;
      Island& island = IslandAt(instances_[q].front().home);
      island.waves_.push_back({WaveOf(connection), 0, 0});
    }
  }

  /// The bond of a connection.
  static void* BondOf(const Connection& connection) {
    void* bond = nullptr;
    // The C side of a connection lists its bonds in the order of the connections to it.
    PortBase& port = *connection.q.port->port;
    PortBase& partner = *connection.c.port->port;
    for (std::size_t i = 0; i < port.bond_count() && bond == nullptr; ++i) {
      for (std::size_t j = 0; j < partner.bond_count(); ++j) {
        if (port.bond(i) == partner.bond(j)) bond = port.bond(i);
      }
    }
    return bond;
  }

  static double* WaveOf(const Connection& connection) {
    void* bond = BondOf(connection);
    switch (connection.q.port->domain) {
      case Domain::kHydraulic: return &static_cast<HydraulicBond*>(bond)->c;
      case Domain::kTranslational: return &static_cast<TranslationalBond*>(bond)->c;
      case Domain::kRotational: return &static_cast<RotationalBond*>(bond)->c;
    }
    return nullptr;
  }

  System& system_;
  IntegrationDefaults defaults_;
  double time_step_;
  Diagnostics& diagnostics_;
  std::vector<DynamicSimComponent*> components_;
  std::unordered_map<const Component*, std::uint32_t> index_;
  std::vector<std::vector<std::uint32_t>> routes_from_;
  std::vector<std::vector<std::uint32_t>> connections_of_;
  std::vector<std::uint64_t> ticks_;  ///< in one TimeStep of each component
  std::vector<bool> is_pure_;
  std::vector<std::set<std::uint32_t>> readers_;  ///< sets, by pure component
  DisjointSets sets_;
  std::vector<std::vector<DynamicSimComponent*>> homes_;
  std::vector<std::vector<Instance>> instances_;  ///< by component
  std::vector<std::vector<std::uint32_t>> routes_into_;
  std::vector<Graph> graphs_;  ///< by home
  std::unique_ptr<Network> network_;
};

std::unique_ptr<Network> BuildNetwork(System& system, const IntegrationDefaults& defaults, double time_step,
                                      Diagnostics& diagnostics) {
  return NetworkBuilder(system, defaults, time_step, diagnostics).Build();
}

}  // namespace davit
