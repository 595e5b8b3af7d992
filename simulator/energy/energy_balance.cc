#include "simulator/energy/energy_balance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "framework/port.h"
#include "framework/system.h"
#include "simulator/energy/energy_meter.h"
#include "simulator/network/network.h"
#include "simulator/simulator_manager.h"

namespace davit {
namespace {

using Kind = EnergyTerms::Kind;

/// Of the powers at the ports of a model without an account: what comes out again as it went in.
constexpr double kPassedOn = 1e-9;

/// Heat is lost where it arises: what becomes of it is no matter of this balance.
bool IsHeat(const Domain& domain) { return domain.flow().unit == "W"; }

/// A component over a run, from all meters that read it.
struct ComponentSum {
  std::string path;
  bool has_account = false, is_partial = false;
  double port = 0, port_size = 0, in = 0, out = 0, lost = 0, stored = 0, jumps = 0;
  double port_power = 0, in_power = 0, out_power = 0, lost_power = 0;
};

/// A list with one entry for each component and name.
class EnergyList {
 public:
  void Add(const std::string& component, std::string_view name, double energy, double power = 0) {
    if (energy == 0 && power == 0) return;
    const auto [place, is_new] = places_.try_emplace({component, std::string(name)}, list_.size());
    if (is_new) list_.push_back({component, std::string(name)});
    list_[place->second].energy += energy;
    list_[place->second].power += power;
  }
  /// The largest first; those of one size in the order in which they came up.
  std::vector<EnergyOf> Sorted() && {
    std::ranges::stable_sort(
        list_, [](const EnergyOf& a, const EnergyOf& b) { return std::abs(a.energy) > std::abs(b.energy); });
    return std::move(list_);
  }

 private:
  std::vector<EnergyOf> list_;
  std::map<std::pair<std::string, std::string>, std::size_t> places_;
};

/// Those of a balance.
struct EnergyLists {
  EnergyList ins, outs, stores, losses, strangers, errors;
};

void AddTerm(const MeteredTerm& term, ComponentSum& sum, EnergyLists& lists) {
  switch (term.kind) {
    case Kind::kStored: lists.stores.Add(sum.path, term.name, term.now - term.start); break;
    case Kind::kLost:
    case Kind::kPortsLost:
      sum.lost += term.in - term.out;
      sum.lost_power += term.now;
      lists.losses.Add(sum.path, term.name, term.in - term.out, term.now);
      break;
    case Kind::kIn:
    case Kind::kPortsIn: {
      const double in_power = std::max(term.now, 0.0), out_power = std::max(-term.now, 0.0);
      sum.in += term.in;
      sum.out += term.out;
      sum.in_power += in_power;
      sum.out_power += out_power;
      lists.ins.Add(sum.path, term.name, term.in, in_power);
      lists.outs.Add(sum.path, term.name, term.out, out_power);
      break;
    }
    case Kind::kPartial: break;
  }
}

}  // namespace

double EnergyBalance::efficiency() const {
  if (!(supplied() > 0)) return std::numeric_limits<double>::quiet_NaN();
  return (out + std::max(stored, 0.0)) / supplied();
}

std::vector<EnergyOf> EnergyBalance::LossesBy(bool by_component) const {
  EnergyList sums;
  for (const EnergyOf& loss : losses) {
    if (by_component) {
      sums.Add(loss.component, "", loss.energy, loss.power);
    } else {
      sums.Add("", loss.name, loss.energy, loss.power);
    }
  }
  return std::move(sums).Sorted();
}

EnergyAccounting::EnergyAccounting(System& system, SimulatorManager& manager) : manager_(manager) {
  std::unordered_map<const Component*, std::size_t> meter_of;
  const auto& islands = manager.islands();
  for (std::size_t i = 0; i < islands.size(); ++i) {
    meters_.push_back(std::make_unique<EnergyMeter>());
    for (const DynamicSimComponent* member : islands[i]->members()) meter_of[member] = i;
  }
  meters_.push_back(std::make_unique<EnergyMeter>());
  // A component whose ports are constant, such as a tank, belongs to no island: its bonds are looked at with
  // those at their other ends.
  std::unordered_map<const Bond*, std::size_t> meter_of_bond;
  std::unordered_set<const Bond*> connected;
  for (const Connection& connection : system.connections()) {
    connected.insert(connection.bond);
    for (const Component* owner : {connection.c.owner, connection.q.owner}) {
      if (const auto found = meter_of.find(owner); found != meter_of.end())
        meter_of_bond[connection.bond] = found->second;
    }
  }
  for (Component* component : system.components()) {
    const auto* dynamic = dynamic_cast<const DynamicSimComponent*>(component);
    if (dynamic == nullptr) continue;
    const auto home = meter_of.find(component);
    std::map<std::size_t, MeteredComponent> parts;
    const auto part_of = [&](std::size_t meter) -> MeteredComponent& {
      MeteredComponent& part = parts[meter];
      part.component = dynamic;
      return part;
    };
    for (const PortDeclaration& port : component->declarations().ports) {
      if (IsHeat(*port.domain)) continue;
      for (std::size_t i = 0; i < port.port->bond_count(); ++i) {
        Bond& bond = port.port->bond(i);
        if (!connected.contains(&bond)) continue;
        const bool has_fixed_steps = dynamic->GetSolverType() == SolverType::kTlm;
        std::size_t meter = meters_.size() - 1;
        if (home != meter_of.end()) {
          meter = home->second;
        } else if (const auto found = meter_of_bond.find(&bond);
                   found != meter_of_bond.end() && !has_fixed_steps) {
          meter = found->second;
        }
        part_of(meter).ends.push_back({&bond, port.domain, port.role == Role::kC ? 1.0 : -1.0});
      }
    }
    const auto* account = dynamic_cast<const EnergyAccount*>(component);
    if (account != nullptr && home != meter_of.end()) part_of(home->second);
    if (account != nullptr && parts.empty()) part_of(meters_.size() - 1);
    for (auto& [meter, part] : parts) {
      part.account = account;
      meters_[meter]->Add(std::move(part));
    }
  }
  for (std::size_t i = 0; i < islands.size(); ++i) {
    if (!meters_[i]->is_empty()) islands[i]->set_solution_watch(meters_[i].get());
  }
  manager.AddObserver(this);
}

EnergyAccounting::~EnergyAccounting() {
  manager_.RemoveObserver(this);
  for (const auto& island : manager_.islands()) island->set_solution_watch(nullptr);
}

void EnergyAccounting::OnStart(double t) {
  begin_ = t;
  for (const auto& meter : meters_) meter->Begin();
  meters_.back()->StartAt(t);
}

void EnergyAccounting::OnContinue(double /*start*/, double /*t_before*/, double t) { OnStart(t); }

void EnergyAccounting::OnStep(double t) { meters_.back()->StepTo(t); }

EnergyBalance EnergyAccounting::Balance() {
  for (std::size_t i = 0; i + 1 < meters_.size(); ++i) meters_[i]->LookNow();
  EnergyBalance balance{.begin = begin_, .end = manager_.time()};
  EnergyLists lists;
  std::vector<ComponentSum> sums;
  std::unordered_map<const DynamicSimComponent*, std::size_t> places;
  double between = 0, range = 0;
  for (const auto& meter : meters_) {
    for (const MeteredComponent& one : meter->components()) {
      const auto [place, is_new] = places.try_emplace(one.component, sums.size());
      if (is_new) sums.push_back({.path = one.component->path()});
      ComponentSum& sum = sums[place->second];
      sum.has_account = one.account != nullptr;
      sum.is_partial = sum.is_partial || one.is_partial;
      sum.port += one.port;
      sum.port_size += one.port_size;
      sum.port_power += one.port_now;
      sum.stored += one.continuous;
      sum.jumps += one.all_jumps();
      between += one.port;
      for (const MeteredTerm& term : one.terms) {
        AddTerm(term, sum, lists);
        if (term.kind == Kind::kStored) range = std::max(range, term.most - term.least);
      }
      lists.losses.Add(sum.path, "jump", -one.all_jumps());
    }
  }
  double size = 0;
  for (const ComponentSum& sum : sums) {
    if (!sum.has_account) {
      if (std::abs(sum.port) <= kPassedOn * sum.port_size) continue;
      balance.unaccounted += sum.port;
      balance.power_unaccounted += sum.port_power;
      lists.strangers.Add(sum.path, "", sum.port, sum.port_power);
      continue;
    }
    balance.in += sum.in;
    balance.out += sum.out;
    balance.lost += sum.lost - sum.jumps;
    balance.stored += sum.stored + sum.jumps;
    balance.power_in += sum.in_power;
    balance.power_out += sum.out_power;
    balance.power_lost += sum.lost_power;
    balance.power_stored += sum.port_power + sum.in_power - sum.out_power - sum.lost_power;
    size += std::abs(sum.stored + sum.jumps);
    const double error = sum.port + sum.in - sum.out - sum.lost - sum.stored;
    if (sum.is_partial) {
      balance.unaccounted += error;
      lists.strangers.Add(sum.path, "", error);
    } else {
      balance.error += std::abs(error);
      lists.errors.Add(sum.path, "", error);
    }
  }
  // Between islands and fixed-step components each side integrates what it sees of a bond.
  balance.error += std::abs(between);
  lists.errors.Add("", "between islands and fixed-step components", -between);
  balance.turnover = std::max({balance.in, balance.out, std::abs(balance.lost), size, range});
  balance.ins = std::move(lists.ins).Sorted();
  balance.outs = std::move(lists.outs).Sorted();
  balance.stores = std::move(lists.stores).Sorted();
  balance.losses = std::move(lists.losses).Sorted();
  balance.strangers = std::move(lists.strangers).Sorted();
  balance.errors = std::move(lists.errors).Sorted();
  return balance;
}

}  // namespace davit
