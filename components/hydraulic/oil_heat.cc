#include "components/hydraulic/oil_heat.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "components/hydraulic/fluid.h"
#include "framework/archive.h"
#include "framework/domains/hydraulic.h"
#include "framework/system.h"

namespace davit {
namespace {

/// The nearest Fluid, from the component upwards; null without one.
Fluid* FluidOf(const Component& component) {
  for (const Component* scope = component.parent(); scope != nullptr; scope = scope->parent()) {
    for (Component* child : scope->children()) {
      if (auto* fluid = dynamic_cast<Fluid*>(child)) return fluid;
    }
  }
  return nullptr;
}

bool IsHydraulic(const Component& component) {
  return std::ranges::any_of(component.declarations().ports, [](const PortDeclaration& port) {
    return *port.domain == HydraulicBond::kDomain;
  });
}

double EffortOf(const Domain& domain, Bond& bond, double flow) {
  const double effort = bond.c + bond.Zc * flow;
  const DomainVariable* least = domain.least_effort();
  return least == nullptr ? effort : std::max(least->of(bond), effort);
}

}  // namespace

OilHeat::OilHeat() { EffortsRead({}); }

void OilHeat::Link(System& system, Diagnostics& diagnostics) {
  fluid_ = FluidOf(*this);
  if (fluid_ == nullptr) {
    return diagnostics.Error(
        location(), DisplayPath(),
        "there is no hydraulic.Fluid whose temperature this could be; add one to the same system");
  }
  if (fluid_->is_following()) {
    return diagnostics.Error(location(), DisplayPath(),
                             "a second hydraulic.OilHeat of " + fluid_->DisplayPath() + "; keep one of them");
  }
  fluid_->Follow([this] { return static_cast<double>(T); });
  std::unordered_set<const Component*> is_member;
  for (const Component* component : system.components()) {
    const auto* member = dynamic_cast<const DynamicSimComponent*>(component);
    if (member == nullptr || !IsHydraulic(*member) || FluidOf(*member) != fluid_) continue;
    is_member.insert(member);
    members_.push_back(member);
  }
  for (const Connection& connection : system.connections()) {
    const Domain& domain = *connection.c.port->domain;
    if (domain == ThermalBond::kDomain) continue;  // its effort times its flow is no power
    const bool enters = is_member.contains(connection.c.owner);
    if (enters == is_member.contains(connection.q.owner)) continue;
    crossings_.push_back({&domain, connection.bond, enters ? 1.0 : -1.0});
  }
}

void OilHeat::Reset() {
  DynamicSimComponent::Reset();
  held_losses_ = 0;
  has_tried_ = false;
  if (fluid_ != nullptr && !DeclarationOf(T).is_start_given)
    T.OverrideStateValue(fluid_->start_temperature());
}

double OilHeat::Losses() const {
  double power = 0;
  for (const Crossing& crossing : crossings_) {
    const double flow = crossing.domain->flow().of(*crossing.bond);
    power += crossing.sign * EffortOf(*crossing.domain, *crossing.bond, flow) * flow;
  }
  for (const DynamicSimComponent* member : members_) power += member->PowerBesidePorts();
  return power;
}

void OilHeat::PreIntegrate() {
  const double now = Losses();
  if (now == held_losses_) return;
  held_losses_ = now;
  T.OverrideStateValue(T);  // the derivative jumps: the solver restarts
}

bool OilHeat::SampleInSteadyState() {
  constexpr double kRelative = 1e-9, kLeast = 1e-9;  // [W]
  constexpr double kMostRise = 20;                   // of the temperature, from search to search [K]
  const double now = Losses();
  const double excess = now - held_losses_;
  if (std::abs(excess) <= std::max(kRelative * std::abs(now), kLeast)) return false;
  // Losses fall as the oil warms, often by more than they warm it: the secant method, not the losses alone.
  double change = excess;
  if (has_tried_ && held_losses_ != tried_losses_) {
    const double slope = (excess - tried_excess_) / (held_losses_ - tried_losses_);
    if (slope < 0) change = -excess / slope;
  }
  const double most = kMostRise * area * heat_transfer;
  if (most > 0) change = std::clamp(change, -most, most);
  tried_losses_ = held_losses_;
  tried_excess_ = excess;
  has_tried_ = true;
  held_losses_ += change;
  return true;
}

void OilHeat::ArchiveMemory(Archive& archive) { archive(held_losses_); }

}  // namespace davit
