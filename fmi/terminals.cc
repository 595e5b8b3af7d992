#include "fmi/terminals.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>

#include "fmi/ports/wave_port.h"
#include "framework/version.h"

namespace davit {

std::vector<FmuTerminal> ListTerminals(const System& system) {
  std::vector<FmuTerminal> terminals;
  for (const Component* component : system.components()) {
    const auto* const port = dynamic_cast<const WavePort*>(component);
    if (port == nullptr || port->domain() == nullptr) continue;
    FmuTerminal terminal{port->NameOutside(), port->domain(), port->role_of_system(), {}};
    for (const WavePort::Variable& variable : port->variables())
      terminal.members.emplace_back(variable.member, terminal.name + "." + variable.member);
    terminals.push_back(std::move(terminal));
  }
  return terminals;
}

std::string WriteTerminals(const std::vector<FmuTerminal>& terminals) {
  tinyxml2::XMLDocument document;
  document.InsertEndChild(document.NewDeclaration());
  tinyxml2::XMLElement* const root = document.NewElement("fmiTerminalsAndIcons");
  document.InsertEndChild(root);
  root->SetAttribute("fmiVersion", "3.0");
  tinyxml2::XMLElement* const list = root->InsertNewChildElement("Terminals");
  for (const FmuTerminal& terminal : terminals) {
    tinyxml2::XMLElement* const element = list->InsertNewChildElement("Terminal");
    element->SetAttribute("name", terminal.name.c_str());
    element->SetAttribute("matchingRule", "plug");
    element->SetAttribute("terminalKind", fmt::format("{}{}", kTerminalKind, terminal.domain->name).c_str());
    element->SetAttribute("description", terminal.role == Role::kQ
                                             ? "Wave port: c and Zc are inputs, the flow is an output"
                                             : "Wave port: the flow is an input, c and Zc are outputs");
    for (const auto& [member, variable] : terminal.members) {
      tinyxml2::XMLElement* const one = element->InsertNewChildElement("TerminalMemberVariable");
      one->SetAttribute("variableName", variable.c_str());
      one->SetAttribute("memberName", member.c_str());
      one->SetAttribute("variableKind", "signal");
    }
  }
  tinyxml2::XMLPrinter printer;
  document.Print(&printer);
  return printer.CStr();
}

std::string HopsanPortText(const std::vector<FmuTerminal>& terminals) {
  std::string text;
  for (const FmuTerminal& terminal : terminals) {
    const auto node = std::ranges::find(HopsanNodes(), terminal.domain, &HopsanNode::domain);
    if (terminal.role != Role::kQ || node == HopsanNodes().end()) continue;
    std::string name = terminal.name;
    std::ranges::replace(name, '.', '_');
    text += fmt::format("{}{}:{}", text.empty() ? "" : ";", node->name, name);
    for (const std::string_view member : node->members) text += fmt::format(",{}.{}", terminal.name, member);
  }
  return text;
}

}  // namespace davit
