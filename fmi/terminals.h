#pragma once

#include <string>
#include <utility>
#include <vector>

#include "framework/domain.h"
#include "framework/system.h"

namespace davit {

/// A wave port of an exported system.
struct FmuTerminal {
  std::string name;
  const Domain* domain = nullptr;
  Role role = Role::kQ;  ///< of the FMU: Q takes c and Zc and answers with flow
  std::vector<std::pair<std::string, std::string>> members;  ///< of the port, and its variable
};

/// Those of all fmi.PortC and fmi.PortQ.
std::vector<FmuTerminal> ListTerminals(const System& system);

/// In an FMU.
inline constexpr std::string_view kTerminalsFile = "terminalsAndIcons/terminalsAndIcons.xml";

/// The text of kTerminalsFile. The kind of a terminal is `org.davit.tlm.hydraulic`
/// and so on; the names of its members are those of the variables in davit.
std::string WriteTerminals(const std::vector<FmuTerminal>& terminals);

/// The port text of Hopsan's FMIWrapperQ: `NodeHydraulic:PA,PA.q,PA.p,PA.T,PA.c,PA.Zc,PA.Q`, ports separated
/// by semicolons. Without C ports and domains that Hopsan has no node for.
std::string HopsanPortText(const std::vector<FmuTerminal>& terminals);

/// What terminals of davit's kind begin with; the name of a domain follows.
inline constexpr std::string_view kTerminalKind = "org.davit.tlm.";

}  // namespace davit
