#pragma once

#include <string_view>
#include <vector>

#include "framework/domain.h"

namespace davit {

/// A number that crosses the border of an FMU at a wave port.
struct PortMember {
  std::string_view name;  ///< `c`, `Zc`, or that of a variable of the domain
  std::string_view unit;  ///< SI
  double& (*of)(Bond& bond) = nullptr;
  Role side = Role::kC;  ///< that determines it
  /// Whether a variable of this name at the port can be read in a system: `valve.a.q`.
  bool is_recorded = true;
  bool is_early = false;  ///< the Q side shows it in EvaluateEfforts
  double start = 0;
};

/// c and Zc, then the variables of the domain. The acceleration is none of them: it does not cross a delay.
std::vector<PortMember> MembersOf(const Domain& domain);

/// The domain of this name among those that davit comes with; null: none.
const Domain* FindStandardDomain(std::string_view name);

/// FMI 2.0 has no infinite numbers: the largest ones stand for them.
double FiniteOf(double value);
double InfiniteOf(double value);

/// A node of Hopsan with its variables in the order of a port text, as members of a port of davit: the effort
/// by its name in the domain, nothing for what davit's port does not have.
struct HopsanNode {
  std::string_view name;  ///< `NodeHydraulic`
  const Domain* domain;
  std::vector<std::string_view> members;
};
const std::vector<HopsanNode>& HopsanNodes();

}  // namespace davit
