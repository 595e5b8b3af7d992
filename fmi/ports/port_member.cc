#include "fmi/ports/port_member.h"

#include <cmath>
#include <limits>

#include "framework/domains/standard.h"

namespace davit {

std::vector<PortMember> MembersOf(const Domain& domain) {
  std::vector<PortMember> members;
  members.reserve(domain.variables.size() + 2);
  members.push_back({.name = "c", .unit = domain.effort.unit, .of = &OfBond<&Bond::c>});
  members.push_back({.name = "Zc", .unit = domain.impedance_unit, .of = &OfBond<&Bond::Zc>});
  const std::unique_ptr<BondPool> pool = domain.bond.make_pool();
  Bond& unconnected = pool->Add();
  for (const DomainVariable& variable : domain.variables) {
    if (variable.name == domain.acceleration) continue;
    members.push_back({.name = variable.name,
                       .unit = variable.unit,
                       .of = variable.of,
                       .side = variable.side,
                       .is_recorded = variable.is_recorded,
                       .is_early = variable.known != DomainVariable::Known::kAtFlow,
                       .start = FiniteOf(variable.of(unconnected))});
  }
  return members;
}

const Domain* FindStandardDomain(std::string_view name) {
  for (const Domain* domain : kStandardDomains) {
    if (domain->name == name) return domain;
  }
  return nullptr;
}

double FiniteOf(double value) {
  return std::isinf(value) ? std::copysign(std::numeric_limits<double>::max(), value) : value;
}

double InfiniteOf(double value) {
  const bool is_largest = std::abs(value) == std::numeric_limits<double>::max();
  return is_largest ? std::copysign(std::numeric_limits<double>::infinity(), value) : value;
}

const std::vector<HopsanNode>& HopsanNodes() {
  static const std::vector<HopsanNode> kNodes{
      {"NodeHydraulic", &HydraulicBond::kDomain, {"q", "p", "T", "c", "Zc", "Q"}},
      {"NodeMechanic", &TranslationalBond::kDomain, {"v", "F", "x", "c", "Zc", "mass"}},
      {"NodeMechanicRotational", &RotationalBond::kDomain, {"w", "T", "angle", "c", "Zc", "inertia"}},
      {"NodeElectric", &ElectricalBond::kDomain, {"u", "i", "c", "Zc"}},
  };
  return kNodes;
}

}  // namespace davit
