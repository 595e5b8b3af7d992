#include "framework/tree/foreign_name.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "framework/nearest_name.h"

namespace davit {
namespace {

struct ForeignName {
  std::string_view name;
  std::string_view remedy;
};

constexpr std::size_t kShortestMisspelt = 5;
constexpr std::string_view kPrefix = "CDPSim.";
constexpr std::string_view kSeePage = "; see docs/from-cdp-studio.md";

constexpr std::string_view kModelIsElement =
    "in davit the name of an element is its model, as in <hydraulic.Tank name=\"tank\"/>";
constexpr std::string_view kConnect =
    "ports belong to models, and <Connect from=\"...\" to=\"...\"/> joins two";
constexpr std::string_view kRoute = "write <Route from=\"...\" to=\"...\"/> from an output to an input";
constexpr std::string_view kDirectly =
    "write components directly inside System, or include a file with Subsystem";
constexpr std::string_view kIsAttribute = "a property is an attribute of its component";
constexpr std::string_view kChart = "write <Statechart name=\"...\" src=\"....scxml\"/>";
constexpr std::string_view kAlarm =
    "models declare their alarms; a Panel shows them with <AlarmList name=\"...\"/>";
constexpr std::string_view kMessage = "write <At time=\"...\" message=\"...\" to=\"...\"/>";
constexpr std::string_view kRecord = "write <Record signals=\"...\" interval=\"...\"/>";
constexpr std::string_view kSolver = "write solver=\"Differential\" or solver=\"Algebraic\" on the component";

constexpr std::array kElements = std::to_array<ForeignName>({
    {"Application", "a system is one file with the root System"},
    {"Component", kModelIsElement},
    {"Subcomponents", kDirectly},
    {"Subcomponent", kDirectly},
    {"SimComponent", "write Subsystem for a group of components, or user.Equation for a model"},
    {"DynamicSimComponent", "write user.Equation, or a model in C++"},
    {"Integrator", "write <signal.Integrator name=\"...\"/>"},
    {"Script", "write user.Equation, signal.Expression or Statechart"},
    {"Evaluate", "write <operator.Expression expr=\"...\"/> inside Operators, or signal.Expression"},
    {"SimPort", kConnect},
    {"CDPPort", kConnect},
    {"PortSimSignal", kConnect},
    {"SimSignal", kRoute},
    {"CDPSignal", kRoute},
    {"Signals", kRoute},
    {"Signal", kRoute},
    {"StateVariable", "models declare their states; <Start x=\"...\"/> in the component sets a start value"},
    {"CDPParameter", kIsAttribute},
    {"CDPProperty", kIsAttribute},
    {"Element", kIsAttribute},
    {"SolverType", kSolver},
    {"States", kChart},
    {"StateTransitions", kChart},
    {"StateTransition", kChart},
    {"Alarms", kAlarm},
    {"CDPAlarm", kAlarm},
    {"Messages", kMessage},
    {"FMI2Cosimulation", "write <fmi.Fmu name=\"...\" file=\"....fmu\"/>"},
    {"CDPLogger", kRecord},
    {"LoggedValue", kRecord},
});

constexpr std::array kAttributes = std::to_array<ForeignName>({
    {"SolverType", kSolver},
    {"Routing", kRoute},
    {"Model", kModelIsElement},
    {"Activate", "leave it out; davit computes a consistent start before the first step"},
    {"Priority", "leave it out; davit derives the order of components from their routes"},
    {"Autostart", "it belongs to SimulatorManager"},
    {"fs", "it belongs to SimulatorManager; a component may have a separate TimeStep"},
});

constexpr std::array kSolverTypes = std::to_array<ForeignAttribute>({
    {"0", "Differential"},
    {"1", "Algebraic"},
    {"0 - Differential (ODE)", "Differential"},
    {"1 - Algebraic (DAE)", "Algebraic"},
});

std::optional<std::string> FindRemedy(std::string_view name, std::span<const ForeignName> known) {
  if (name.starts_with(kPrefix)) name.remove_prefix(kPrefix.size());
  std::vector<std::string> names;
  names.reserve(known.size());
  for (const ForeignName& one : known) names.emplace_back(one.name);
  // Anything resembles a short name.
  const std::optional<std::string> nearest =
      name.size() < kShortestMisspelt ? std::string(name) : FindNearest(name, names);
  const auto found = nearest ? std::ranges::find(known, *nearest, &ForeignName::name) : known.end();
  if (found == known.end()) return std::nullopt;
  return std::string(found->remedy).append(kSeePage);
}

}  // namespace

std::optional<std::string> RemedyForForeignElement(std::string_view name) {
  return FindRemedy(name, kElements);
}

std::optional<std::string> RemedyForForeignAttribute(std::string_view name) {
  return FindRemedy(name, kAttributes);
}

std::optional<ForeignAttribute> TranslateForeignAttribute(std::string_view name, std::string_view value) {
  constexpr std::string_view kOurs = "solver";
  if (name != "SolverType" && name != kOurs) return std::nullopt;
  const auto known = std::ranges::find(kSolverTypes, value, &ForeignAttribute::name);
  if (known != kSolverTypes.end()) return ForeignAttribute{kOurs, known->value};
  return name == kOurs ? std::nullopt : std::optional(ForeignAttribute{kOurs, value});
}

}  // namespace davit
