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
  bool has_account = false, is_partial = false;
  double port = 0, port_size = 0, in = 0, out = 0, lost = 0, stored = 0, jumps = 0;
};

void SortBySize(std::vector<EnergyOf>& list) {
  std::ranges::stable_sort(
      list, [](const EnergyOf& a, const EnergyOf& b) { return std::abs(a.energy) > std::abs(b.energy); });
}

void AddTo(std::vector<EnergyOf>& list, const std::string& component, std::string_view name, double energy) {
  if (energy == 0) return;
  const auto known = std::ranges::find_if(
      list, [&](const EnergyOf& one) { return one.component == component && one.name == name; });
  if (known != list.end()) {
    known->energy += energy;
  } else {
    list.push_back({component, std::string(name), energy});
  }
}

void AddTerm(const std::string& path, const MeteredTerm& term, ComponentSum& sum, EnergyBalance& balance) {
  switch (term.kind) {
    case Kind::kStored: AddTo(balance.stores, path, term.name, term.now - term.start); break;
    case Kind::kLost:
    case Kind::kPortsLost:
      sum.lost += term.in - term.out;
      AddTo(balance.losses, path, term.name, term.in - term.out);
      break;
    case Kind::kIn:
    case Kind::kPortsIn:
      sum.in += term.in;
      sum.out += term.out;
      AddTo(balance.ins, path, term.name, term.in);
      AddTo(balance.outs, path, term.name, term.out);
      break;
    case Kind::kPartial: break;
  }
}

}  // namespace

double EnergyBalance::efficiency() const {
  if (!(supplied() > 0)) return std::numeric_limits<double>::quiet_NaN();
  return (out + std::max(stored, 0.0)) / supplied();
}

std::vector<EnergyOf> EnergyBalance::LossesBy(bool by_component) const {
  std::vector<EnergyOf> sums;
  for (const EnergyOf& loss : losses) {
    if (by_component) {
      AddTo(sums, loss.component, "", loss.energy);
    } else {
      AddTo(sums, "", loss.name, loss.energy);
    }
  }
  SortBySize(sums);
  return sums;
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
  meters_.back()->StartAt(t);
}

void EnergyAccounting::OnContinue(double /*start*/, double /*t_before*/, double t) { OnStart(t); }

void EnergyAccounting::OnStep(double t) { meters_.back()->StepTo(t); }

EnergyBalance EnergyAccounting::Finish() {
  for (std::size_t i = 0; i + 1 < meters_.size(); ++i) meters_[i]->Finish();
  EnergyBalance balance{.begin = begin_, .end = manager_.time()};
  std::vector<std::pair<std::string, ComponentSum>> sums;
  double between = 0;
  for (const auto& meter : meters_) {
    for (const MeteredComponent& one : meter->components()) {
      const std::string path = one.component->path();
      auto known = std::ranges::find_if(sums, [&](const auto& sum) { return sum.first == path; });
      if (known == sums.end()) known = sums.insert(sums.end(), {path, {}});
      ComponentSum& sum = known->second;
      sum.has_account = one.account != nullptr;
      sum.is_partial = sum.is_partial || one.is_partial;
      sum.port += one.port;
      sum.port_size += one.port_size;
      sum.stored += one.continuous;
      sum.jumps += one.jumps;
      between += one.port;
      for (const MeteredTerm& term : one.terms) AddTerm(path, term, sum, balance);
      AddTo(balance.losses, path, "jump", -one.jumps);
    }
  }
  double size = 0, range = 0;
  for (const auto& meter : meters_) {
    for (const MeteredComponent& one : meter->components()) {
      for (const MeteredTerm& term : one.terms) {
        if (term.kind == Kind::kStored) range = std::max(range, term.most - term.least);
      }
    }
  }
  for (const auto& [path, sum] : sums) {
    if (!sum.has_account) {
      if (std::abs(sum.port) <= kPassedOn * sum.port_size) continue;
      balance.unaccounted += sum.port;
      AddTo(balance.strangers, path, "", sum.port);
      continue;
    }
    balance.in += sum.in;
    balance.out += sum.out;
    balance.lost += sum.lost - sum.jumps;
    balance.stored += sum.stored + sum.jumps;
    size += std::abs(sum.stored + sum.jumps);
    const double error = sum.port + sum.in - sum.out - sum.lost - sum.stored;
    if (sum.is_partial) {
      balance.unaccounted += error;
      AddTo(balance.strangers, path, "", error);
    } else {
      balance.error += std::abs(error);
      AddTo(balance.errors, path, "", error);
    }
  }
  // Between islands and fixed-step components each side integrates what it sees of a bond.
  balance.error += std::abs(between);
  AddTo(balance.errors, "", "between islands and fixed-step components", -between);
  balance.turnover = std::max({balance.in, balance.out, std::abs(balance.lost), size, range});
  for (auto* list :
       {&balance.ins, &balance.outs, &balance.stores, &balance.losses, &balance.strangers, &balance.errors}) {
    SortBySize(*list);
  }
  return balance;
}

}  // namespace davit
