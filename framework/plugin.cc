#include "framework/plugin.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <system_error>

#include "framework/aspect.h"
#include "framework/indicator.h"
#include "framework/library/shared_library.h"
#include "framework/nearest_name.h"
#include "framework/property.h"
#include "framework/tree/component_pool.h"
#include "framework/xml/element_reader.h"
#include "framework/xml/xml_file.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSymbol = "davit_plugin";
constexpr const char* kChartsSymbol = "davit_plugin_charts";

fs::path Canonical(const fs::path& file) {
  std::error_code error;
  fs::path canonical = fs::weakly_canonical(file, error);
  return error ? file : canonical;
}

/// `_ZN5davit4MassC1Ev` as it is written in a source; other texts as they are.
std::string Demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text != nullptr ? std::string(text.get()) : symbol;
}

/// What the linker said when it could not open a library.
std::string LinkerFault(const std::string& text, std::string_view version) {
  constexpr std::string_view kUndefined = "undefined symbol: ";
  if (const std::size_t at = text.find(kUndefined); at != std::string::npos) {
    std::string symbol = text.substr(at + kUndefined.size());
    symbol = symbol.substr(0, symbol.find_first_of(", \t"));
    return fmt::format(
        "it needs {}, which davit {} does not have; rebuild it with this davit, and link "
        "the libraries it uses",
        Demangled(symbol), version);
  }
  return fmt::format("it cannot be loaded as a shared library ({}); make it with davit_add_plugin()", text);
}

/// Where the library or program is loaded that `address` lies in; nothing if it is in none. dladdr would
/// search all symbols too, which takes a millisecond in this program.
std::optional<ElfW(Addr)> FindObject(const void* address) {
  struct Search {
    ElfW(Addr) address;
    std::optional<ElfW(Addr)> base = {};
  } search{.address = reinterpret_cast<ElfW(Addr)>(address)};
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t /*size*/, void* data) {
        auto& wanted = *static_cast<Search*>(data);
        for (const auto& part : std::span(object->dlpi_phdr, object->dlpi_phnum)) {
          const ElfW(Addr) begin = object->dlpi_addr + part.p_vaddr;
          if (part.p_type == PT_LOAD && wanted.address >= begin && wanted.address < begin + part.p_memsz)
            wanted.base = object->dlpi_addr;
        }
        return wanted.base ? 1 : 0;
      },
      &search);
  return search.base;
}

/// Empty for a model of the program itself.
fs::path LibraryOf(const ModelEntry& entry) {
  Dl_info info{};
  const bool is_found = IsFromPlugin(entry) && dladdr(entry.info, &info) != 0 && info.dli_fname != nullptr;
  return is_found ? fs::path(info.dli_fname) : fs::path();
}

/// The library or program that a model lies in, for messages.
std::string OriginOf(const ModelEntry& entry) {
  const fs::path library = LibraryOf(entry);
  return library.empty() ? "davit" : library.filename().string();
}

/// The fault of an item's name or unit; empty where both can be used.
std::string FindLabelFault(const Label& label, const UnitSystem& units, std::set<std::string>& names) {
  if (!IsName(label.name)) {
    return fmt::format("{} is not a name for an item; use letters, digits and _, no digit first",
                       Quoted(label.name));
  }
  if (!names.insert(std::string(label.name)).second) {
    return fmt::format("it declares {} twice; give each item a unique name", Quoted(label.name));
  }
  if (label.unit != kAnyUnit && !units.Find(label.unit)) {
    return fmt::format("{} has the unit {}, which is unknown; write it in SI, such as m3/s",
                       Quoted(label.name), Quoted(label.unit));
  }
  return {};
}

std::string FindAspectFault(const AspectBase& aspect, const LevelSet& levels) {
  const std::size_t count = aspect.options().size();
  if (count == 0 || count > AspectBase::kMostOptions) {
    return fmt::format("the aspect {} has {} options; give it 1 to {}", Quoted(aspect.label().name), count,
                       AspectBase::kMostOptions);
  }
  for (const Level level : kBuiltInLevels) {
    if (!levels.Contains(level) || aspect.preset(level) < count) continue;
    return fmt::format(
        "the level {} chooses option {} of the aspect {}, which has {} options, counted from "
        "0; correct the preset",
        ToText(level), aspect.preset(level), Quoted(aspect.label().name), count);
  }
  return {};
}

std::string FindDeclarationFault(const Component& component, const ModelInfo& info) {
  const UnitSystem units;
  const Declarations& all = component.declarations();
  // A port is connected and never set, so it may have the name of a parameter.
  std::set<std::string> names, port_names, indicator_names;
  std::string fault;
  const auto check = [&](const auto& declarations, std::set<std::string>& of_all) {
    for (const auto& declaration : declarations) {
      if (fault.empty()) fault = FindLabelFault(declaration.label, units, of_all);
    }
  };
  check(all.ports, port_names);
  check(all.parameters, names);
  check(all.inputs, names);
  check(all.states, names);
  for (const OutputDeclaration& output : all.outputs) {
    if (fault.empty() && !output.is_indicator) fault = FindLabelFault(output.label, units, names);
  }
  for (const Indicator* indicator : all.indicators) {
    if (fault.empty()) fault = FindLabelFault(indicator->label(), units, indicator_names);
  }
  for (const PropertyBase* property : all.properties) {
    if (fault.empty()) fault = FindLabelFault(property->label(), units, names);
  }
  for (const AspectBase* aspect : all.aspects) {
    if (fault.empty()) fault = FindAspectFault(*aspect, info.levels);
  }
  return fault;
}

struct CloseLibrary {
  void operator()(void* handle) const {
    // What is thrown may be of a type of the library, so then it stays.
    if (std::uncaught_exceptions() == 0) dlclose(handle);
  }
};

}  // namespace

std::string FindMisfit(const PluginBuild& ours, const PluginBuild& theirs) {
  const auto tell = [](std::string_view what, std::string_view their, std::string_view our) {
    return fmt::format("it was built with {}{}, but davit with {}{}; rebuild it with this davit", what, their,
                       what, our);
  };
  if (std::string_view(ours.davit_version) != theirs.davit_version) {
    return fmt::format("it was built for davit {}, but this is davit {}; rebuild it with this davit",
                       theirs.davit_version, ours.davit_version);
  }
  if (std::string_view(ours.compiler) != theirs.compiler) return tell("", theirs.compiler, ours.compiler);
  if (std::string_view(ours.library) != theirs.library) return tell("", theirs.library, ours.library);
  if (std::string_view(ours.sanitizer) != theirs.sanitizer) return tell("", theirs.sanitizer, ours.sanitizer);
  for (std::size_t i = 0; i < PluginBuild::kTypes; ++i) {
    if (ours.sizes[i].size == theirs.sizes[i].size) continue;
    return fmt::format(
        "{} has {} bytes there and {} in davit; rebuild it with the headers and the "
        "options of this davit",
        ours.sizes[i].type, theirs.sizes[i].size, ours.sizes[i].size);
  }
  return {};
}

bool IsFromPlugin(const ModelEntry& entry) {
  const std::optional<ElfW(Addr)> of_model = FindObject(entry.info), of_program = FindObject(kSymbol);
  return of_model && of_program && *of_model != *of_program;
}

std::vector<fs::path> ListLibraries(const Registry& registry) {
  std::set<fs::path> libraries;
  for (const ModelEntry* entry : registry.entries()) libraries.insert(LibraryOf(*entry));
  libraries.erase(fs::path());
  return {libraries.begin(), libraries.end()};
}

/// What is wrong with a domain of a plug-in; `known` are those of davit and of earlier plug-ins.
std::string FindDomainFault(const Domain& domain, const std::vector<const Domain*>& known) {
  const UnitSystem units;
  if (!IsName(domain.name)) {
    return fmt::format("{} is not a name for a domain; write letters, digits and _", Quoted(domain.name));
  }
  for (const Domain* other : known) {
    if (other->name != domain.name || *other == domain) continue;
    return fmt::format("the domain {} exists already, with other bonds; give yours another name",
                       domain.name);
  }
  const auto check = [&](std::string_view name, std::string_view unit) {
    if (!IsName(name)) {
      return fmt::format("domain {}: {} is not a name for a variable; write letters, digits and _",
                         domain.name, Quoted(name));
    }
    if (!units.Find(unit)) {
      return fmt::format("domain {}: {}: unknown unit {}; write one such as Pa or kg/s", domain.name, name,
                         Quoted(unit));
    }
    return std::string();
  };
  if (domain.bond.make_pool == nullptr) {
    return fmt::format("domain {}: it has no bonds; write .bond = davit::BondType::Of<MyBond>()",
                       domain.name);
  }
  if (!domain.effort.least.empty() && domain.least_effort() == nullptr) {
    return fmt::format("domain {}: its least effort {} is not one of its variables; add it to .variables",
                       domain.name, Quoted(domain.effort.least));
  }
  std::string fault = check(domain.effort.name, domain.effort.unit);
  if (fault.empty()) fault = check("Zc", domain.impedance_unit);
  for (const DomainVariable& variable : domain.variables) {
    if (fault.empty()) fault = check(variable.name, variable.unit);
    if (fault.empty() && variable.of == nullptr) {
      fault = fmt::format("domain {}: {} has no place; write .of = davit::OfBond<&MyBond::{}>", domain.name,
                          variable.name, variable.name);
    }
  }
  return fault;
}

std::string FindModelFault(const ModelEntry& entry, const std::vector<const Domain*>& domains) {
  const std::string_view name = entry.info->name;
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos || !IsName(name.substr(0, dot)) || !IsName(name.substr(dot + 1))) {
    return fmt::format("{} is not a model name; name it domain.Type, such as hydraulic.ShuttleValve",
                       Quoted(name));
  }
  try {
    ComponentPool pool;
    const Component& component = pool.Create(entry);
    std::string fault = FindDeclarationFault(component, *entry.info);
    for (const PortDeclaration& port : component.declarations().ports) {
      if (fault.empty()) fault = FindDomainFault(*port.domain, domains);
    }
    return fault.empty() ? std::string() : fmt::format("model {}: {}", name, fault);
  } catch (const std::exception& fault) {
    return fmt::format("model {}: its constructor threw an exception: {}; correct the model", name,
                       fault.what());
  }
}

void PluginLoader::Load(const fs::path& library, const SourceLocation& place) {
  if (!libraries_.emplace(Canonical(library), true).second) return;
  std::string fault = source_ == nullptr || place.file == nullptr ? std::string() : source_->FaultOf(library);
  if (fault.empty()) fault = LoadLibrary(library, place);
  if (fault.empty()) return;
  const bool is_named_in_file = place.file != nullptr && !place.file->empty();
  diagnostics_.Error(
      is_named_in_file ? place : SourceLocation{std::make_shared<const std::string>(library.string()), 0}, "",
      is_named_in_file ? fmt::format("plug-in {}: {}", library.string(), fault) : fault);
}

std::string PluginLoader::LoadLibrary(const fs::path& library, const SourceLocation& place) {
  std::error_code error;
  if (!fs::is_regular_file(library, error)) {
    return fs::exists(library, error)
               ? "it is not a file; name the shared library of the plug-in, such as build/libmy_valves.so"
               : "there is no such file; build the plug-in, or correct the path to its shared library";
  }
  // An absolute path, for the linker looks up bare names elsewhere.
  const fs::path absolute = fs::absolute(library, error);
  const bool stays = stay_ == PluginStay::kToTheEnd;
  LibraryResult opened = OpenLibrary(absolute, RTLD_NOW | RTLD_LOCAL | (stays ? RTLD_NODELETE : 0));
  if (opened.handle == nullptr)
    return opened.is_of_loader ? LinkerFault(opened.fault, build_.davit_version) : std::move(opened.fault);
  void* const handle = opened.handle;
  std::shared_ptr<void> closer;
  if (!stays) closer = std::shared_ptr<void>(handle, CloseLibrary());
  const void* const symbol = dlsym(handle, kSymbol);
  if (symbol == nullptr) {
    return "it is a shared library, but not a plug-in of davit: it has no davit_plugin; define one with "
           "davit::MakePlugin()";
  }
  const auto& entry = *static_cast<const PluginEntry*>(symbol);
  if (entry.abi != kPluginAbi) {
    return fmt::format(
        "its davit_plugin has the layout {}, but this davit reads layout {}; rebuild it "
        "with this davit",
        entry.abi, kPluginAbi);
  }
  if (std::string misfit = FindMisfit(build_, entry.build); !misfit.empty()) return misfit;
  const auto* const charts = static_cast<const PluginCharts*>(dlsym(handle, kChartsSymbol));
  std::string fault = AddModels(entry, charts == nullptr ? PluginCharts{} : *charts, library);
  if (fault.empty()) plugins_.push_back({absolute, place, std::move(closer)});
  return fault;
}

ChartModel FindModelOfChart(const PluginChart& chart, const Registry& models) {
  const auto refuse = [&](int line, const std::string& fault) {
    const std::string place = line == 0 ? chart.file : fmt::format("{}:{}", chart.file, line);
    return ChartModel{{}, fmt::format("chart {}: {}", place, fault)};
  };
  const XmlResult xml = ParseXml(chart.text, {"chart", "scxml", 64, "a chart needs few levels"});
  if (xml.document == nullptr) return refuse(xml.line, xml.fault);
  const tinyxml2::XMLElement& root = *xml.document->RootElement();
  const char* const name = root.Attribute("name");
  if (name == nullptr) {
    return refuse(root.GetLineNum(),
                  "it has no name; write name=\"domain.Type\", the model it belongs to, in scxml");
  }
  const ModelEntry* const model = models.Find(name);
  if (model == nullptr) {
    return refuse(root.GetLineNum(), fmt::format("its name {} is not a model of this plug-in; {}",
                                                 Quoted(name), SuggestName("it has", name, models.names())));
  }
  ComponentPool pool;
  if (!pool.Create(*model).has_behaviours()) {
    return refuse(
        root.GetLineNum(),
        fmt::format(
            "{} has a single behaviour (no levels) and therefore no default chart; give it levels, or "
            "take the chart out of davit_add_plugin",
            name));
  }
  if (!model->chart.empty()) {
    return refuse(root.GetLineNum(),
                  fmt::format("{} has the chart {} already; keep one of them", name, model->chart_file));
  }
  return {name, {}};
}

std::string PluginLoader::AddModels(const PluginEntry& entry, const PluginCharts& charts,
                                    const fs::path& library) {
  if (entry.register_models == nullptr) {
    return "its davit_plugin registers nothing; give davit::MakePlugin() a function that adds models";
  }
  try {
    Registry own;
    entry.register_models(own);
    if (own.entries().empty()) {
      return "it adds no model; call registry.Add<MyModel>() in the function given to davit::MakePlugin()";
    }
    for (const Domain* domain : own.domains()) {
      if (std::string fault = FindDomainFault(*domain, registry_.domains()); !fault.empty()) return fault;
    }
    for (const ModelEntry* model : own.entries()) {
      const ModelEntry* const known = registry_.Find(model->info->name);
      if (known != nullptr) {
        return fmt::format("the model {} exists already, in {}; give yours another name", model->info->name,
                           OriginOf(*known));
      }
      if (std::string fault = FindModelFault(*model, registry_.domains()); !fault.empty()) return fault;
    }
    for (std::size_t i = 0; i < charts.count; ++i) {
      const PluginChart& chart = charts.charts[i];
      const ChartModel found = FindModelOfChart(chart, own);
      if (!found.fault.empty()) return found.fault;
      own.SetChart(found.model, chart.text, chart.file);
    }
    entry.register_models(registry_);
    for (const ModelEntry* model : own.entries())
      registry_.SetChart(model->info->name, model->chart, model->chart_file);
    for (const std::string& name : own.names()) models_.push_back(name);
  } catch (const std::exception& fault) {
    return fmt::format("registering its models failed: {}; correct {}", fault.what(),
                       library.filename().string());
  } catch (...) {
    return "registering its models threw something other than a std::exception; it must not throw";
  }
  return {};
}

void PluginLoader::LoadNamedIn(const fs::path& system_file) { ReadFile(system_file); }

void PluginLoader::ReadFile(const fs::path& file) {
  if (!files_.emplace(Canonical(file), true).second) return;
  const TextResult text = ReadTextFrom(source_, file);
  if (!text.fault.empty()) return;
  const XmlResult xml = ParseXml(text.text);
  if (xml.document == nullptr) return;
  const auto name = std::make_shared<const std::string>(file.string());
  ReadPluginsIn(*xml.document->RootElement(), file, name);
}

void PluginLoader::ReadPluginsIn(const tinyxml2::XMLElement& element, const fs::path& file,
                                 const std::shared_ptr<const std::string>& name) {
  for (const tinyxml2::XMLElement* e = element.FirstChildElement(); e != nullptr;
       e = e->NextSiblingElement()) {
    const std::string_view kind = e->Name();
    if (kind == "For") ReadPluginsIn(*e, file, name);
    const char* const source = e->Attribute("src");
    if (source == nullptr || *source == '\0') continue;
    if (kind == "Plugin") {
      Load(file.parent_path() / source, {name, e->GetLineNum()});
    } else if (kind == "Subsystem") {
      ReadFile(file.parent_path() / source);
    }
  }
}

}  // namespace davit
