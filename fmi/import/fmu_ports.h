#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "fmi/fmu_description.h"
#include "fmi/import/fmu_items.h"
#include "fmi/ports/port_member.h"
#include "framework/diagnostics.h"
#include "framework/port.h"
#include "framework/units/unit_system.h"
#include "framework/xml/file_source.h"

namespace davit {

class DynamicSimComponent;

/// A wave port that an FMU has, by a terminal or by a port text.
struct FmuPortSpec {
  std::string name;
  const Domain* domain = nullptr;
  std::vector<std::pair<std::string, std::string>> members;  ///< of the port, and the variable of the FMU
  SourceLocation location;                                   ///< none of a port text
};

/// Those of kTerminalsFile, whose terminalKind is davit's. `shown` is how messages name the FMU.
std::vector<FmuPortSpec> ReadTerminals(const TextResult& text, const std::string& shown,
                                       Diagnostics& diagnostics);
/// Those of a port text as Hopsan's FMIWrapperQ has it: `NodeHydraulic:PA,q,p,T,c,Zc,Q;NodeMechanic,...`.
/// Ports without a name are P1, P2 and so on.
std::vector<FmuPortSpec> ParsePortText(const std::string& text, Diagnostics& diagnostics);

/// The wave ports of a component with an FMU for co-simulation. All are Q ports (the FMU takes c and Zc, and
/// answers with flow), or all are C ports.
class FmuPorts {
 public:
  /// Declares the ports; what does not fit goes to `diagnostics`.
  void Declare(DynamicSimComponent& component, const FmuDescription& description,
               const std::vector<FmuPortSpec>& specs, const UnitSystem& units, Diagnostics& diagnostics);

  bool is_empty() const { return ports_.empty(); }
  Role role() const { return role_; }
  /// Numbers of the variables that belong to ports.
  const std::set<std::size_t>& taken() const { return taken_; }
  /// The name of the port that a variable belongs to; empty: none.
  std::string PortOf(std::size_t variable) const {
    const auto port = port_of_.find(variable);
    return port == port_of_.end() ? std::string() : port->second;
  }

  /// What the connections tell the FMU; false where nothing has changed.
  bool Fetch();
  /// Writes what the FMU has said into the connections; `only_early`: what EvaluateEfforts may write.
  void Show(bool only_early = false);
  /// Whether the FMU says something else than at the last call.
  bool TakeChange();
  FmuValues& in() { return in_; }
  FmuValues& out() { return out_; }

 private:
  struct Link {
    AnyPort* port;
    PortMember member;
    FmuUnit unit;
  };

  void DeclarePort(DynamicSimComponent& component, const FmuDescription& description, const FmuPortSpec& spec,
                   const UnitSystem& units, Diagnostics& diagnostics);

  std::deque<AnyPort> ports_;
  Role role_ = Role::kQ;
  std::set<std::size_t> taken_;
  std::map<std::size_t, std::string> port_of_;
  FmuValues in_, out_;
  std::vector<double> said_;  ///< by the last call of TakeChange
  std::vector<Link> in_links_, out_links_;
};

}  // namespace davit
