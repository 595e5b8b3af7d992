#include "hopsan/scheduler.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "framework/system.h"
#include "simulator/simulator_manager.h"

namespace davit::hopsan {
namespace {

/// Where a component stands: in the list of a system or sub-system, by phase.
struct Standing {
  ComponentList* list = nullptr;
  Phase phase = Phase::kS;
  std::size_t place = 0;
};

/// The variable whose start value is that of the wave.
double IntensityOf(const Domain& domain, Bond& bond) {
  return domain == SignalNode2D::kDomain ? 0 : (domain.variables.begin() + 1)->of(bond);
}

/// To what a fresh one has.
void ClearNode(const Domain& domain, Bond& bond) {
  const std::unique_ptr<BondPool> pool = domain.bond.make_pool();
  Bond& fresh = pool->Add();
  for (const DomainVariable& variable : domain.variables) variable.of(bond) = variable.of(fresh);
  bond.Zc = 0;
  bond.c = IntensityOf(domain, bond);
}

}  // namespace

bool Scheduler::IsOurs(const Component& component) const { return component.entry().is_stepped_by_another; }

void Scheduler::Link(System& system, Diagnostics& diagnostics) {
  system_ = &system;
  borders_.clear();
  for (Component* component : system.components()) {
    if (IsOurs(*component)) static_cast<HopsanComponent*>(component)->set_clock(idle_clock_);
    if (auto* const manager = dynamic_cast<SimulatorManager*>(component)) manager_ = manager;
    if (auto* const border = dynamic_cast<HydraulicBorderQ*>(component)) {
      border->set_scheduler(*this);
      borders_.push_back(border);
    }
    if (component != this && dynamic_cast<Scheduler*>(component) != nullptr &&
        component->location().line < location().line)
      diagnostics.Error(location(), DisplayPath(),
                        "a second hopsan.Scheduler; one steps all components, remove this");
  }
}

void Scheduler::AddMembers(const std::vector<Component*>& children, ComponentList& list) {
  for (Component* child : children) {
    if (auto* const subsystem = dynamic_cast<Subsystem*>(child)) {
      list.inner().push_back(std::make_unique<ComponentList>(subsystem));
      lists_.push_back(list.inner().back().get());
      AddMembers(child->children(), *list.inner().back());
      list.of(Phase::kS).components.push_back(subsystem);  // until its kind is known
    } else if (auto* const component = dynamic_cast<HopsanComponent*>(child)) {
      list.of(component->phase()).components.push_back(component);
    } else {
      AddMembers(child->children(), list);
    }
  }
}

void Scheduler::CheckConnections(Diagnostics& diagnostics) {
  root_ = std::make_unique<ComponentList>(nullptr);
  lists_ = {root_.get()};
  AddMembers(system_->root().children(), *root_);
  FindPhases(*root_);
  AddEdges();
  for (ComponentList* list : lists_) SortAll(*list, diagnostics);
  latches_.clear();
  for (const Route& route : system_->routes()) {
    if (!IsOurs(*route.to_owner)) continue;
    if (IsOurs(route.from.owner())) {
      *route.slot() = route.from.place();
    } else {
      latches_.push_back({route.from});
      *route.slot() = &latches_.back().value;
    }
  }
}

void Scheduler::FindPhases(ComponentList& list) {
  const auto is_inside = [](const Component* component, const Component& owner) {
    for (; component != nullptr; component = component->parent()) {
      if (component == &owner) return true;
    }
    return false;
  };
  for (const auto& inner : list.inner()) {
    Subsystem& owner = *inner->owner();
    Phase phase = Phase::kS;
    if (owner.kind() != Subsystem::Kind::kFound) {
      phase = static_cast<Phase>(static_cast<int>(owner.kind()) - 1);
    } else {
      for (const Connection& connection : system_->connections()) {
        const bool c_is_inside = is_inside(connection.c.owner, owner);
        if (c_is_inside == is_inside(connection.q.owner, owner)) continue;
        const Component* end = c_is_inside ? connection.c.owner : connection.q.owner;
        if (const auto* const ours = dynamic_cast<const HopsanComponent*>(end);
            ours != nullptr && ours->phase() != Phase::kS)
          phase = ours->phase();
      }
    }
    if (phase != Phase::kS) {
      // The order of the file: behind those of its phase that stand before it.
      std::erase(list.of(Phase::kS).components, &owner);
      auto& members = list.of(phase).components;
      const auto& children = owner.parent()->children();
      const auto place_of = [&](const Component* c) { return std::ranges::find(children, c); };
      const auto later = std::ranges::find_if(
          members, [&](const HopsanComponent* one) { return place_of(one) > place_of(&owner); });
      members.insert(later, &owner);
    }
    FindPhases(*inner);
  }
}

void Scheduler::AddEdges() {
  std::unordered_map<const Component*, Standing> standing;
  for (ComponentList* list : lists_) {
    for (const Phase phase : {Phase::kS, Phase::kC, Phase::kQ}) {
      const auto& components = list->of(phase).components;
      for (std::size_t i = 0; i < components.size(); ++i) standing[components[i]] = {list, phase, i};
    }
  }
  /// Where both sides, or the sub-systems they are in, stand in one list.
  const auto add = [&](const Component* writer, const Component* reader, bool is_binding,
                       bool is_conditional) {
    for (; writer != nullptr; writer = writer->parent()) {
      const auto from = standing.find(writer);
      if (from == standing.end()) continue;
      for (const Component* one = reader; one != nullptr; one = one->parent()) {
        const auto to = standing.find(one);
        if (to == standing.end() || to->second.list != from->second.list) continue;
        if (is_conditional && one == reader) return;
        if (to->second.phase == from->second.phase && one != writer)
          from->second.list->of(from->second.phase)
              .edges.push_back({from->second.place, to->second.place, is_binding});
        return;
      }
    }
  };
  for (const Route& route : system_->routes()) {
    if (!IsOurs(*route.to_owner) || !IsOurs(route.from.owner())) continue;
    const auto& reader = static_cast<const HopsanComponent&>(*route.to_owner);
    const bool is_switch = dynamic_cast<const Subsystem*>(&reader) != nullptr;
    add(&route.from.owner(), &reader, reader.RunsAfterInputs(), is_switch);
  }
  for (const Connection& connection : system_->connections()) {
    if (!(*connection.c.port->domain == SignalNode2D::kDomain)) continue;
    const auto& reader = static_cast<const HopsanComponent&>(*connection.q.owner);
    add(connection.c.owner, &reader, reader.RunsAfterNodes(), false);
  }
}

void Scheduler::SortAll(ComponentList& list, Diagnostics& diagnostics) {
  for (const Phase phase : {Phase::kS, Phase::kC, Phase::kQ}) {
    if (list.of(phase).Sort() || phase != Phase::kS) continue;
    const Component& owner = list.owner() != nullptr ? static_cast<const Component&>(*list.owner()) : *this;
    diagnostics.Error(owner.location(), owner.DisplayPath(),
                      "the signals of its components form an algebraic loop; put a hopsan.SignalUnitDelay "
                      "into it");
  }
}

void Scheduler::WriteStartValues() {
  for (Component* component : system_->components()) {
    if (!IsOurs(*component)) continue;
    const auto& ours = static_cast<const HopsanComponent&>(*component);
    for (Out* out : ours.outs()) out->Begin();
    for (const NodeStart& start : ours.node_starts()) {
      for (std::size_t i = 0; i < start.port->bond_count(); ++i)
        ClearNode(*start.domain, start.port->bond(i));
    }
  }
  for (Component* component : system_->components()) {
    if (!IsOurs(*component)) continue;
    for (const NodeStart& start : static_cast<const HopsanComponent&>(*component).node_starts()) {
      if (start.values.empty()) continue;
      for (std::size_t i = 0; i < start.port->bond_count(); ++i) {
        Bond& bond = start.port->bond(i);
        std::size_t v = 0;
        for (const DomainVariable& variable : start.domain->variables) variable.of(bond) = *start.values[v++];
        bond.Zc = *start.values[v];
        bond.c = IntensityOf(*start.domain, bond);
      }
    }
  }
}

void Scheduler::Reset() {
  TlmComponent::Reset();
  if (root_ == nullptr) return;
  for (Latch& latch : latches_) latch.value = latch.from.Read();
  WriteStartValues();
  root_->Plan(h());
  root_->Begin(manager_ != nullptr ? manager_->start_time() : 0);
  root_->Initialize();
}

void Scheduler::PostIntegrate() {
  for (Latch& latch : latches_) latch.value = latch.from.Read();
}

/// Waves of davit are known only now; what follows from the start values is found once more with them.
void Scheduler::InitializeWaves() {
  PostIntegrate();
  if (root_ == nullptr || borders_.empty()) return;
  WriteStartValues();
  for (HydraulicBorderQ* border : borders_) border->BringStart();
  root_->Initialize();
}

void Scheduler::SimulateOneTimestep(double /*t*/) {
  root_->StepSAndC();
  is_q_waiting_ = !borders_.empty();
  if (!is_q_waiting_) RunQ();
}

void Scheduler::StepQ() {
  const std::lock_guard lock(q_mutex_);
  if (!is_q_waiting_) return;
  is_q_waiting_ = false;
  for (HydraulicBorderQ* border : borders_) border->BringWave();
  RunQ();
}

void Scheduler::RunQ() {
  root_->StepQ();
  if (root_->is_stop_asked() && manager_ != nullptr) manager_->Stop();
}

void Scheduler::ArchiveMemory(Archive& archive) {
  if (root_ != nullptr) root_->ArchiveMemory(archive);
  for (Latch& latch : latches_) archive(latch.value);
}

double Scheduler::TimeOf(const Subsystem* subsystem) const {
  for (const ComponentList* list : lists_) {
    if (list->owner() == subsystem) return list->clock().t;
  }
  return 0;
}

}  // namespace davit::hopsan
