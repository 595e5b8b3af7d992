#include "fmi/open_ports.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <memory>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "fmi/ports/port_member.h"
#include "framework/system.h"
#include "framework/xml/system_loader.h"
#include "framework/xml/xml_file.h"

namespace davit {
namespace {

struct OpenPort {
  std::string path;     ///< to connect
  std::string outside;  ///< its name outside
  const PortDeclaration* port = nullptr;
};

/// What the root element of the file exposes: port path and name.
std::vector<std::pair<std::string, std::string>> ExposedByRoot(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> exposed;
  const XmlResult xml = ParseXml(text, {.root = "", .most_levels = 98});
  if (xml.document == nullptr) return exposed;
  const tinyxml2::XMLElement& root = *xml.document->RootElement();
  for (const auto* e = root.FirstChildElement("Expose"); e != nullptr; e = e->NextSiblingElement("Expose")) {
    const char* const port = e->Attribute("port");
    const char* const as = e->Attribute("as");
    if (port != nullptr && as != nullptr) exposed.emplace_back(port, as);
  }
  return exposed;
}

std::vector<OpenPort> FindOpenPorts(System& system, const std::string& text) {
  std::unordered_set<const PortBase*> connected;
  for (const Connection& connection : system.connections())
    connected.insert({connection.c.port->port, connection.q.port->port});
  std::vector<OpenPort> open;
  for (const auto& [port, as] : ExposedByRoot(text)) {
    Fault fault;
    const std::optional<PortRef> found = system.FindPort(system.root(), port, &fault);
    if (found && connected.insert(found->port->port).second) open.push_back({as, as, found->port});
  }
  for (const Component* component : system.components()) {
    for (const PortDeclaration& port : component->declarations().ports) {
      if (!port.is_mandatory || connected.contains(port.port)) continue;
      const std::string path = fmt::format("{}.{}", component->path(), port.label.name);
      open.push_back({path, path, &port});
    }
  }
  std::erase_if(open, [](const OpenPort& one) {
    return FindStandardDomain(one.port->domain->name) != one.port->domain;
  });
  return open;
}

}  // namespace

std::string CloseOpenPorts(const std::string& text, const std::filesystem::path& file,
                           const Registry& registry) {
  Diagnostics ignored;  // whoever loads the system reports them
  const std::unique_ptr<System> system = LoadSystemText(text, file, registry, {}, ignored);
  const std::size_t end = text.rfind("</System");
  if (system == nullptr || end == std::string::npos) return text;
  std::set<std::string> names;
  for (const Component* child : system->root().children()) names.insert(child->name());
  std::string added;
  for (const OpenPort& open : FindOpenPorts(*system, text)) {
    std::string name = "wave_" + open.outside;
    std::ranges::replace(name, '.', '_');
    while (!names.insert(name).second) name += '_';
    const bool is_c = open.port->role == Role::kC;
    added += fmt::format("<fmi.Port{} name=\"{}\" domain=\"{}\" outside=\"{}\"/>", is_c ? "Q" : "C", name,
                         open.port->domain->name, open.outside);
    added += fmt::format("<Connect from=\"{}.port\" to=\"{}\"/>\n", name, open.path);
  }
  return text.substr(0, end) + added + text.substr(end);
}

}  // namespace davit
