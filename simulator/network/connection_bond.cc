#include "simulator/network/connection_bond.h"

#include <type_traits>

#include "framework/port.h"

namespace davit {
namespace {

/// Calls `f` with std::type_identity of the bond type of a domain.
template <class F>
auto WithBondType(Domain domain, F f) {
  switch (domain) {
    case Domain::kTranslational: return f(std::type_identity<TranslationalBond>());
    case Domain::kRotational: return f(std::type_identity<RotationalBond>());
    case Domain::kHydraulic: break;
  }
  return f(std::type_identity<HydraulicBond>());
}

void* BondOf(const Connection& connection) {
  PortBase& q = *connection.q.port->port;
  PortBase& c = *connection.c.port->port;
  for (std::size_t i = 0; i < q.bond_count(); ++i) {
    for (std::size_t j = 0; j < c.bond_count(); ++j) {
      if (q.bond(i) == c.bond(j)) return q.bond(i);
    }
  }
  return nullptr;
}

std::string Join(const std::string& path, std::string_view name) {
  return std::string(path).append(1, '.').append(name);
}

}  // namespace

BondVariables VariablesOf(const Connection& connection) {
  return WithBondType(connection.q.port->domain, [&]<class Bond>(std::type_identity<Bond>) {
    auto& bond = *static_cast<Bond*>(BondOf(connection));
    BondVariables variables;
    for (const BondField<Bond>& field : Bond::Fields()) {
      if (field.member == &Bond::Zc) continue;  // a parameter of the equations, no unknown
      auto& side = field.member == &Bond::c ? variables.c_side : variables.q_side;
      side.push_back({field.name, field.unit, &(bond.*field.member)});
    }
    return variables;
  });
}

double* WaveOf(const Connection& connection) {
  return WithBondType(connection.q.port->domain, [&]<class Bond>(std::type_identity<Bond>) {
    return &static_cast<Bond*>(BondOf(connection))->c;
  });
}

bool ShowsFlowEarly(Domain domain) { return domain != Domain::kHydraulic; }

std::string EffortPath(const Connection& connection) {
  return WithBondType(connection.c.port->domain, [&]<class Bond>(std::type_identity<Bond>) {
    return Join(connection.c.path, Bond::kEffortName);
  });
}

std::string FlowPath(const Connection& connection) {
  return WithBondType(connection.q.port->domain, [&]<class Bond>(std::type_identity<Bond>) {
    return Join(connection.q.path, Bond::Flow().name);
  });
}

std::string AccelerationPath(const Connection& connection) {
  return connection.q.port->domain == Domain::kTranslational ? Join(connection.q.path, "a")
                                                             : FlowPath(connection) + ".ddt";
}

}  // namespace davit
