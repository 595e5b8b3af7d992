#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "framework/system.h"

namespace davit {

/// One variable of the bond of a connection.
struct BondVariable {
  std::string_view name;
  std::string_view unit;  ///< SI
  double* value = nullptr;
};

/// The variables of a bond by the side that writes them.
struct BondVariables {
  std::vector<BondVariable> c_side;  ///< the wave c
  std::vector<BondVariable> q_side;  ///< the flow, then, of a mechanical bond, the displacement or angle
};
BondVariables VariablesOf(const Connection& connection);

/// Where the numbers of a bond are that one side determines during evaluations, at the given times; the wave
/// and the impedance of the C side among them.
std::vector<double*> PlacesOf(const Connection& connection, Role side,
                              std::initializer_list<DomainVariable::Known> when);

/// The wave c of a connection.
double* WaveOf(const Connection& connection);

// Paths of what a connection carries, by the names of its domain: `volume.port.p`, `shaft.a.w`.
std::string EffortPath(const Connection& connection);
std::string FlowPath(const Connection& connection);
std::string AccelerationPath(const Connection& connection);

}  // namespace davit
