#include "fmi/ssp/ssp_export.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>

#include "fmi/fmu_description.h"
#include "fmi/fmu_plugins.h"
#include "fmi/ports/port_member.h"
#include "fmi/scratch_folder.h"
#include "fmi/ssp/system_parts.h"
#include "fmi/system_files.h"
#include "fmi/zip_reader.h"
#include "fmi/zip_writer.h"
#include "framework/load_bytes.h"
#include "framework/version.h"
#include "framework/xml/parameter_set_reader.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using tinyxml2::XMLElement;

class StructureWriter {
 public:
  StructureWriter(const Simulation& simulation, const std::string& name) {
    document_.InsertEndChild(document_.NewDeclaration());
    XMLElement* const root = document_.NewElement("ssd:SystemStructureDescription");
    document_.InsertEndChild(root);
    root->SetAttribute("version", "1.0");
    root->SetAttribute("name", name.c_str());
    root->SetAttribute("generationTool", fmt::format("davit {}", kVersion).c_str());
    root->SetAttribute("xmlns:ssd", "http://ssp-standard.org/SSP1/SystemStructureDescription");
    root->SetAttribute("xmlns:ssc", "http://ssp-standard.org/SSP1/SystemStructureCommon");
    system_ = root->InsertNewChildElement("ssd:System");
    system_->SetAttribute("name", name.c_str());
    elements_ = system_->InsertNewChildElement("ssd:Elements");
    XMLElement* const experiment = root->InsertNewChildElement("ssd:DefaultExperiment");
    experiment->SetAttribute("startTime", fmt::format("{}", simulation.start_time()).c_str());
    experiment->SetAttribute("stopTime", fmt::format("{}", simulation.stop_time()).c_str());
  }

  void AddComponent(const std::string& name, const FmuDescription& description) {
    XMLElement* const component = elements_->InsertNewChildElement("ssd:Component");
    component->SetAttribute("name", name.c_str());
    component->SetAttribute("type", "application/x-fmu-sharedlibrary");
    component->SetAttribute("source", fmt::format("resources/{}.fmu", name).c_str());
    component->SetAttribute("implementation", "CoSimulation");
    XMLElement* connectors = nullptr;
    for (const DescribedVariable& variable : description.variables) {
      if (variable.causality != "input" && variable.causality != "output") continue;
      if (connectors == nullptr) connectors = component->InsertNewChildElement("ssd:Connectors");
      XMLElement* const connector = connectors->InsertNewChildElement("ssd:Connector");
      connector->SetAttribute("name", variable.name.c_str());
      connector->SetAttribute("kind", variable.causality.c_str());
      WriteType(*connector, variable, description);
    }
  }

  void Connect(const std::string& from, const std::string& from_path, const std::string& to,
               const std::string& to_path) {
    if (connections_ == nullptr) connections_ = system_->InsertNewChildElement("ssd:Connections");
    XMLElement* const connection = connections_->InsertNewChildElement("ssd:Connection");
    connection->SetAttribute("startElement", from.c_str());
    connection->SetAttribute("startConnector", from_path.c_str());
    connection->SetAttribute("endElement", to.c_str());
    connection->SetAttribute("endConnector", to_path.c_str());
    ++count_;
  }

  std::size_t count() const { return count_; }
  std::string ToText() {
    if (!units_.empty()) WriteUnits();
    tinyxml2::XMLPrinter printer;
    document_.Print(&printer);
    return printer.CStr();
  }

 private:
  void WriteType(XMLElement& connector, const DescribedVariable& variable,
                 const FmuDescription& description) {
    switch (variable.type) {
      case FmuType::kReal: {
        XMLElement* const type = connector.InsertNewChildElement("ssc:Real");
        // Without a unit here, that of the FMU counts.
        const DescribedUnit* const unit = description.FindUnit(variable.unit);
        if (unit == nullptr || !unit->has_base) break;
        type->SetAttribute("unit", unit->name.c_str());
        units_.emplace(unit->name, *unit);
        break;
      }
      case FmuType::kBoolean: connector.InsertNewChildElement("ssc:Boolean"); break;
      case FmuType::kString: connector.InsertNewChildElement("ssc:String"); break;
      default: connector.InsertNewChildElement("ssc:Integer"); break;
    }
  }

  void WriteUnits() {
    XMLElement* const list = document_.NewElement("ssd:Units");
    document_.RootElement()->InsertAfterChild(system_, list);
    for (const auto& [name, unit] : units_) {
      XMLElement* const element = list->InsertNewChildElement("ssc:Unit");
      element->SetAttribute("name", name.c_str());
      XMLElement* const base = element->InsertNewChildElement("ssc:BaseUnit");
      for (std::size_t i = 0; i < kFmiBaseUnits.size(); ++i) {
        if (unit.exponents[i] != 0) base->SetAttribute(kFmiBaseUnits[i], unit.exponents[i]);
      }
      if (unit.factor != 1) base->SetAttribute("factor", fmt::format("{}", unit.factor).c_str());
      if (unit.offset != 0) base->SetAttribute("offset", fmt::format("{}", unit.offset).c_str());
    }
  }

  tinyxml2::XMLDocument document_;
  XMLElement* system_ = nullptr;
  XMLElement* elements_ = nullptr;
  XMLElement* connections_ = nullptr;
  std::map<std::string, DescribedUnit> units_;  ///< of the connectors, by name
  std::size_t count_ = 0;
};

/// The variables of a pair of wave ports, each from the side that determines it.
void ConnectPorts(const PartLink& link, const std::string& c, const std::string& q, StructureWriter& writer) {
  for (const PortMember& member : MembersOf(*link.domain)) {
    const std::string at_c = fmt::format("{}.{}", link.from_path, member.name);
    const std::string at_q = fmt::format("{}.{}", link.to_path, member.name);
    if (member.side == Role::kC) {
      writer.Connect(c, at_c, q, at_q);
    } else {
      writer.Connect(q, at_q, c, at_c);
    }
  }
}

/// What stands in a part, with what is inside of it.
std::vector<const Component*> ComponentsOf(const SystemPart& part, const System& system) {
  std::vector<const Component*> components;
  for (const Component* component : system.components()) {
    const std::string path = component->path();
    if (std::ranges::find(part.members, path.substr(0, path.find('.'))) != part.members.end())
      components.push_back(component);
  }
  return components;
}

}  // namespace

SspExportSummary ExportSsp(const FmuExportOptions& options, const Registry& registry,
                           Diagnostics& diagnostics) {
  const std::vector<SystemFile> files = CollectSystemFiles(options.system, diagnostics);
  if (files.empty() || diagnostics.has_errors()) return {};
  LoadedSimulation loaded = Simulation::Load(options.system, registry, {.load = options.load});
  for (const Diagnostic& fault : loaded.diagnostics.all()) {
    if (fault.severity == Severity::kError) diagnostics.Add(fault);
  }
  if (loaded.simulation == nullptr || diagnostics.has_errors()) return {};
  const SystemParts cut = CutSystem(*loaded.simulation, files.front().text, options.system, diagnostics);
  if (cut.parts.empty() && !diagnostics.has_errors()) {
    diagnostics.Error({std::make_shared<const std::string>(options.system.string()), 0}, {},
                      "the system has nothing that could be an FMU; add a component");
  }
  if (diagnostics.has_errors()) return {};

  std::vector<std::string> settings;
  for (const std::string& set : options.load.params) {
    for (const SetParameter& one : ReadParameterSet(set, *loaded.simulation->system().files(),
                                                    loaded.simulation->system().units(), diagnostics))
      settings.push_back(fmt::format("{}={}", one.path, one.value));
  }
  settings.insert(settings.end(), options.load.set.begin(), options.load.set.end());

  const ScratchFolder scratch;
  for (const SystemFile& file : files) {
    fs::create_directories((scratch.path() / file.path).parent_path());
    std::ofstream(scratch.path() / file.path, std::ios::binary) << file.text;
  }
  std::string name = loaded.simulation->system().root().name();
  if (name.empty()) name = options.system.stem().string();
  StructureWriter writer(*loaded.simulation, name);
  SspExportSummary summary;
  std::vector<ZipEntry> entries(1);
  for (const SystemPart& part : cut.parts) {
    const fs::path system = scratch.path() / (part.name + ".part.xml");
    std::ofstream(system, std::ios::binary) << part.text;
    FmuExportOptions of_part = options;
    of_part.system = system;
    of_part.output = scratch.path() / (part.name + ".fmu");
    of_part.load = {};
    for (const std::string& setting : settings) {
      const std::string top = setting.substr(0, setting.find_first_of(".="));
      const bool is_of_run = top == "SimulatorManager";
      if (is_of_run || std::ranges::find(part.members, top) != part.members.end())
        of_part.load.set.push_back(setting);
    }
    of_part.selection = {{}, part.outputs, {}};
    of_part.plugins = NeededPlugins(options.plugins, ComponentsOf(part, loaded.simulation->system()));
    of_part.name.clear();
    of_part.has_reference = false;
    ExportFmu(of_part, registry, diagnostics);
    if (diagnostics.has_errors()) return {};
    writer.AddComponent(part.name, ReadFmuDescription(ZipReader(of_part.output), diagnostics, part.name));
    entries.push_back({fmt::format("resources/{}.fmu", part.name), LoadBytes(of_part.output).value_or("")});
    summary.components.push_back(part.name);
  }
  for (const PartLink& link : cut.links) {
    const std::string& from = cut.parts[link.from].name;
    const std::string& to = cut.parts[link.to].name;
    if (link.domain != nullptr) {
      ConnectPorts(link, from, to, writer);
    } else {
      writer.Connect(from, link.from_path, to, link.to_path);
    }
  }
  entries.front() = {"SystemStructure.ssd", writer.ToText()};
  WriteZip(options.output, entries);
  summary.connections = writer.count();
  return summary;
}

}  // namespace davit
