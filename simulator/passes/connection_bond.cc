#include "simulator/passes/connection_bond.h"

#include <algorithm>
#include <stdexcept>

#include "framework/port.h"

namespace davit {
namespace {

Bond& BondOf(const Connection& connection) {
  PortBase& q = *connection.q.port->port;
  PortBase& c = *connection.c.port->port;
  for (std::size_t i = 0; i < q.bond_count(); ++i) {
    for (std::size_t j = 0; j < c.bond_count(); ++j) {
      if (&q.bond(i) == &c.bond(j)) return q.bond(i);
    }
  }
  throw std::logic_error(connection.c.path + " and " + connection.q.path + " share no bond");
}

std::string Join(const std::string& path, std::string_view name) {
  return std::string(path).append(1, '.').append(name);
}

}  // namespace

BondVariables VariablesOf(const Connection& connection) {
  Bond& bond = BondOf(connection);
  const Domain& domain = *connection.q.port->domain;
  BondVariables variables;
  variables.c_side.push_back({"c", domain.effort.unit, &bond.c});
  for (const DomainVariable& variable : domain.variables) {
    if (variable.side == Role::kQ && variable.is_recorded)
      variables.q_side.push_back({variable.name, variable.unit, &variable.of(bond)});
  }
  return variables;
}

std::vector<double*> PlacesOf(const Connection& connection, Role side,
                              std::initializer_list<DomainVariable::Known> when) {
  Bond& bond = BondOf(connection);
  std::vector<double*> places;
  if (side == Role::kC) places = {&bond.c, &bond.Zc};
  for (const DomainVariable& variable : connection.q.port->domain->variables) {
    if (variable.side == side && std::find(when.begin(), when.end(), variable.known) != when.end()) {
      places.push_back(&variable.of(bond));
    }
  }
  return places;
}

double* WaveOf(const Connection& connection) { return &BondOf(connection).c; }

std::string EffortPath(const Connection& connection) {
  return Join(connection.c.path, connection.c.port->domain->effort.name);
}

std::string FlowPath(const Connection& connection) {
  return Join(connection.q.path, connection.q.port->domain->flow().name);
}

std::string AccelerationPath(const Connection& connection) {
  const std::string_view acceleration = connection.q.port->domain->acceleration;
  return acceleration.empty() ? FlowPath(connection) + ".ddt" : Join(connection.q.path, acceleration);
}

}  // namespace davit
