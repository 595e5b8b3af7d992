#include "fmi/import/fmu_ports.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tinyxml2.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "fmi/terminals.h"
#include "framework/domains/standard.h"
#include "framework/nearest_name.h"
#include "framework/xml/element_reader.h"
#include "framework/xml/xml_file.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {
namespace {

std::vector<std::string> SplitAt(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    std::string part(text.substr(0, end));
    std::erase(part, ' ');
    parts.push_back(std::move(part));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// The member that both sides mean: `Zc`, or nothing for the effort, which follows.
std::optional<PortMember> FindMember(const Domain& domain, std::string_view name) {
  const std::vector<PortMember> members = MembersOf(domain);
  const auto found = std::ranges::find(members, name, &PortMember::name);
  return found == members.end() ? std::nullopt : std::optional<PortMember>(*found);
}

}  // namespace

std::vector<FmuPortSpec> ReadTerminals(const TextResult& text, const std::string& shown,
                                       Diagnostics& diagnostics) {
  std::vector<FmuPortSpec> specs;
  const auto name = std::make_shared<const std::string>(fmt::format("{}/{}", shown, kTerminalsFile));
  const XmlResult xml =
      text.fault.empty()
          ? ParseXml(text.text, {.noun = "terminalsAndIcons.xml", .root = "fmiTerminalsAndIcons"})
          : XmlResult{nullptr, 0, text.fault};
  if (xml.document == nullptr) {
    diagnostics.Error({name, xml.line}, {}, xml.fault);
    return specs;
  }
  const auto text_of = [](const tinyxml2::XMLElement& e, const char* attribute) {
    const char* const value = e.Attribute(attribute);
    return std::string(value == nullptr ? "" : value);
  };
  const tinyxml2::XMLElement* const list = xml.document->RootElement()->FirstChildElement("Terminals");
  for (const auto* e = list == nullptr ? nullptr : list->FirstChildElement("Terminal"); e != nullptr;
       e = e->NextSiblingElement("Terminal")) {
    const std::string kind = text_of(*e, "terminalKind");
    if (!kind.starts_with(kTerminalKind)) continue;  // signals
    FmuPortSpec spec{text_of(*e, "name"),
                     FindStandardDomain(std::string_view(kind).substr(kTerminalKind.size())),
                     {},
                     {name, e->GetLineNum()}};
    if (spec.domain == nullptr) continue;
    for (const auto* m = e->FirstChildElement("TerminalMemberVariable"); m != nullptr;
         m = m->NextSiblingElement("TerminalMemberVariable"))
      spec.members.emplace_back(text_of(*m, "memberName"), text_of(*m, "variableName"));
    specs.push_back(std::move(spec));
  }
  return specs;
}

std::vector<FmuPortSpec> ParsePortText(const std::string& text, Diagnostics& diagnostics) {
  std::vector<FmuPortSpec> specs;
  for (const std::string& port : SplitAt(text, ';')) {
    if (port.empty()) continue;
    const std::vector<std::string> words = SplitAt(port, ',');
    const std::size_t colon = words.front().find(':');
    const std::string node_name = words.front().substr(0, colon);
    const std::string name =
        colon == std::string::npos ? fmt::format("P{}", specs.size() + 1) : words.front().substr(colon + 1);
    const auto node = std::ranges::find(HopsanNodes(), node_name, &HopsanNode::name);
    if (node == HopsanNodes().end()) {
      std::vector<std::string> known;
      known.reserve(HopsanNodes().size());
      for (const HopsanNode& one : HopsanNodes()) known.emplace_back(one.name);
      diagnostics.Error(
          {}, {},
          fmt::format("ports: no node '{}'; {}", node_name, SuggestName("use one of", node_name, known)));
      continue;
    }
    if (words.size() != node->members.size() + 1) {
      diagnostics.Error({}, {},
                        fmt::format("ports: {} has {} variables; name these: {}:{},{}", port,
                                    words.size() - 1, node->name, name, fmt::join(node->members, ",")));
      continue;
    }
    FmuPortSpec& spec = specs.emplace_back(FmuPortSpec{name, node->domain, {}, {}});
    for (std::size_t i = 0; i < node->members.size(); ++i)
      spec.members.emplace_back(node->members[i], words[i + 1]);
  }
  return specs;
}

void FmuPorts::Declare(DynamicSimComponent& component, const FmuDescription& description,
                       const std::vector<FmuPortSpec>& specs, const UnitSystem& units,
                       Diagnostics& diagnostics) {
  for (const FmuPortSpec& spec : specs) DeclarePort(component, description, spec, units, diagnostics);
  for (FmuValues* values : {&in_, &out_})
    values->values.assign(values->list.size(), std::numeric_limits<double>::quiet_NaN());
  said_ = out_.values;
}

void FmuPorts::DeclarePort(DynamicSimComponent& component, const FmuDescription& description,
                           const FmuPortSpec& spec, const UnitSystem& units, Diagnostics& diagnostics) {
  const auto fail = [&](const std::string& what) {
    diagnostics.Error(spec.location, {}, fmt::format("port '{}': {}", spec.name, what));
  };
  std::string name = spec.name;
  std::ranges::replace(name, '.', '_');
  const auto& declared = component.declarations().ports;
  const bool is_double =
      std::ranges::any_of(declared, [&](const PortDeclaration& p) { return p.label.name == name; });
  if (!IsName(name)) return fail("this is not a name; use letters, digits and _, no digit first");
  if (is_double) return fail("there is another port of this name; ports need different names");

  struct Found {
    PortMember member;
    std::size_t variable;
  };
  std::vector<Found> found;
  for (const auto& [member_name, variable_name] : spec.members) {
    const auto variable = std::ranges::find(description.variables, variable_name, &DescribedVariable::name);
    if (variable == description.variables.end()) {
      std::vector<std::string> names;
      names.reserve(description.variables.size());
      for (const DescribedVariable& one : description.variables) names.push_back(one.name);
      return fail(fmt::format("the FMU has no variable '{}'; {}", variable_name,
                              SuggestName("it has", variable_name, names)));
    }
    const auto number = static_cast<std::size_t>(variable - description.variables.begin());
    const std::optional<PortMember> member = FindMember(*spec.domain, member_name);
    const bool is_effort = member_name == spec.domain->effort.name;
    if (!member && !is_effort) continue;  // an ordinary variable
    if (!variable->is_float() || variable->is_array())
      return fail(fmt::format("'{}' is not a single real number, which {} of a port must be", variable_name,
                              member_name));
    if (!taken_.insert(number).second)
      return fail(fmt::format("'{}' belongs to a port already; name each variable once", variable_name));
    port_of_.emplace(number, name);
    if (member) found.push_back({*member, number});
  }
  const auto causality_of = [&](std::string_view member) -> std::string {
    const auto one = std::ranges::find_if(found, [&](const Found& f) { return f.member.name == member; });
    return one == found.end() ? "missing" : description.variables[one->variable].causality;
  };
  const Role role = causality_of("c") == "input" ? Role::kQ : Role::kC;
  const std::string_view flow = spec.domain->flow().name;
  const std::string waves = role == Role::kQ ? "input" : "output";
  const std::string answer = role == Role::kQ ? "output" : "input";
  if (causality_of("c") != waves || causality_of("Zc") != waves || causality_of(flow) != answer) {
    return fail(fmt::format("c ({}) and Zc ({}) must be inputs and {} ({}) an output, or the other way round",
                            causality_of("c"), causality_of("Zc"), flow, causality_of(flow)));
  }
  if (!ports_.empty() && role != role_)
    return fail(
        "it is a C port and another one is a Q port; davit joins FMUs whose ports are all of one role");
  role_ = role;
  AnyPort& port =
      ports_.emplace_back(&component, component.Keep(name), *spec.domain, role, "Wave port of the FMU");
  component.mutable_declarations().ports.back().is_mandatory = false;
  for (const Found& one : found) {
    const DescribedVariable& variable = description.variables[one.variable];
    const bool is_in = one.member.side != role;
    if (variable.causality != (is_in ? "input" : "output")) continue;
    FmuValues& values = is_in ? in_ : out_;
    values.list.Add(variable.base, variable.reference, 1);
    (is_in ? in_links_ : out_links_)
        .push_back({&port, one.member, FindFmuUnit(description, variable, units).unit});
  }
}

bool FmuPorts::Fetch() {
  bool has_changed = false;
  for (std::size_t i = 0; i < in_links_.size(); ++i) {
    const Link& link = in_links_[i];
    const double value = link.unit.FromSi(FiniteOf(link.member.of(link.port->bond(0))));
    has_changed = has_changed || !(in_.values[i] == value);
    in_.values[i] = value;
  }
  return has_changed;
}

bool FmuPorts::TakeChange() {
  const bool has_changed = said_ != out_.values;
  said_ = out_.values;
  return has_changed;
}

void FmuPorts::Show(bool only_early) {
  for (std::size_t i = 0; i < out_links_.size(); ++i) {
    const Link& link = out_links_[i];
    const bool is_early = link.member.is_early || link.member.side == Role::kC;
    if (only_early && !is_early) continue;
    link.member.of(link.port->bond(0)) = InfiniteOf(link.unit.ToSi(out_.values[i]));
  }
}

}  // namespace davit
