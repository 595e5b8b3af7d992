#include "fmi/fmu_export.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

#include "fmi/fmu_icon.h"
#include "fmi/fmu_plugins.h"
#include "fmi/fmu_structure.h"
#include "fmi/open_ports.h"
#include "fmi/reference_results.h"
#include "fmi/scratch_folder.h"
#include "fmi/system_files.h"
#include "fmi/terminals.h"
#include "fmi/zip_writer.h"
#include "framework/load_bytes.h"
#include "framework/version.h"
#include "framework/xml/parameter_set_reader.h"
#include "simulator/charts/chart_set.h"
#include "simulator/run/outside_solver.h"
#include "statecharts/chart.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

/// FNV-1a, 64 bits: tells exports apart; nothing depends on it being hard to forge.
class Checksum {
 public:
  explicit Checksum(std::uint64_t seed) : value_(seed) {}
  void Add(std::string_view text) {
    constexpr std::uint64_t kPrime = 0x100000001b3;
    for (const char c : text) value_ = (value_ ^ static_cast<unsigned char>(c)) * kPrime;
    value_ = (value_ ^ 0xff) * kPrime;  // no byte of UTF-8: ends the text
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_;
};

/// Of everything that decides what the FMU does: `{xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx}`.
std::string MakeToken(const std::vector<std::string_view>& texts) {
  Checksum a(0xcbf29ce484222325);
  Checksum b(0x84222325cbf29ce4);
  for (const std::string_view text : texts) {
    a.Add(text);
    b.Add(text);
  }
  const std::string digits = fmt::format("{:016x}{:016x}", a.value(), b.value());
  return fmt::format("{{{}-{}-{}-{}-{}}}", digits.substr(0, 8), digits.substr(8, 4), digits.substr(12, 4),
                     digits.substr(16, 4), digits.substr(20));
}

std::string ReadRuntime(const fs::path& file) {
  std::optional<std::string> bytes = LoadBytes(file);
  if (!bytes)
    throw std::runtime_error(file.string() +
                             ": cannot be read, and FMUs need it; build the target davit_fmu_runtime of "
                             "davit, which makes it");
  return std::move(*bytes);
}

void WriteFiles(const fs::path& folder, const std::vector<SystemFile>& files) {
  for (const SystemFile& file : files) {
    fs::create_directories((folder / file.path).parent_path());
    std::ofstream stream(folder / file.path, std::ios::binary);
    stream << file.text;
    if (!stream.flush()) throw std::runtime_error((folder / file.path).string() + ": cannot be written");
  }
}

/// The relative tolerance of the system file, and the parameters that set it.
void ReadTolerance(Simulation& simulation, FmuManifest& manifest) {
  System& system = simulation.system();
  for (const Component* component : system.components()) {
    if (component->model().name != "Integration" || component->parent() != &simulation.manager()) continue;
    Fault fault;
    const std::string path = component->path() + ".rtol";
    const std::optional<Item> item = system.FindSetting(system.root(), path, &fault);
    if (!item) continue;
    if (manifest.tolerance == 0) manifest.tolerance = item->Read();
    manifest.tolerance_paths += (manifest.tolerance_paths.empty() ? "" : " ") + path;
  }
}

/// Whether the charts that run, also those that plug-ins bring, have sessions that can be saved.
bool CanBeSaved(Simulation& simulation) {
  return std::ranges::none_of(simulation.manager().charts().charts(), [](const ChartBinding* binding) {
    return binding->chart() != nullptr && binding->chart()->data_model == DataModelKind::kEcmascript;
  });
}

std::string DocumentationOf(const FmuFacts& facts, const FmuExportSummary& summary, bool has_plugins) {
  return fmt::format(
      R"(<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>{0}</title></head>
<body>
<h1>{0}</h1>
<p>A system of davit {1}, exported for {10}. Values are in SI; variables are named by their paths in the
system.</p>
<ul>
<li>{2} inputs, {3} outputs, {4} parameters, {5} local variables</li>
<li>Default experiment: {6} s to {7} s, communication step {8} s ({9})</li>
{11}<li>The libraries are for Linux on x86-64 with glibc 2.36 or later and a libstdc++ of GCC {12} or later.</li>
</ul>
</body>
</html>
)",
      facts.name, kVersion, summary.inputs, summary.outputs, summary.parameters, summary.locals, facts.start,
      facts.stop, facts.step,
      summary.has_variable_steps ? "any other is possible" : "only whole multiples of it are possible",
      KindsOf(facts.has_co_simulation, facts.has_model_exchange),
      summary.hopsan_ports.empty()
          ? std::string()
          : fmt::format("<li>Port specifications for Hopsan's FMIWrapperQ: <code>{}</code></li>\n",
                        summary.hopsan_ports),
      has_plugins ? 12 : 5);
}

/// The runtime that plug-ins can be bound to.
constexpr std::string_view kPluginRuntime = "davit_fmu_plugin_runtime.so";
/// What the runtime loads from its own folder.
constexpr std::string_view kXmlLibrary = "libdavitxml.so.9";

constexpr std::string_view kLicences =
    R"(The libraries of this FMU contain:

davit                                 Apache-2.0
SUNDIALS IDA                          BSD-3-Clause
KLU, AMD, COLAMD, BTF (SuiteSparse)   LGPL-2.1-or-later (KLU, BTF), BSD-3-Clause (AMD, COLAMD)
Eigen                                 MPL-2.0
Boost                                 BSL-1.0
TinyXML-2 (libdavitxml.so.9)          zlib
fmt, spdlog                           MIT
Duktape                               MIT
libstdc++, libgcc                     GPL-3.0-or-later with the GCC Runtime Library Exception

libdavitxml.so.9 is TinyXML-2, Copyright Lee Thomason, as Debian has compiled it; altered: its SONAME was libtinyxml2.so.9.
davit is open source: the library can be built and linked again with other versions of these.
The system in resources/, and the plug-ins that it uses (davit-plugin-*.so), belong to their authors.

fmt: Copyright (c) 2012 - present, Victor Zverovich and {fmt} contributors
spdlog: Copyright (c) 2016 Gabi Melman
Duktape: Copyright (c) 2013-present by Duktape authors

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation
the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and
to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of
the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO
THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF
CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS
IN THE SOFTWARE.
)";

class Exporter {
 public:
  Exporter(const FmuExportOptions& options, const Registry& registry, Diagnostics& diagnostics)
      : options_(options), registry_(registry), diagnostics_(diagnostics) {}

  FmuExportSummary Run() {
    std::vector<SystemFile> files = CollectSystemFiles(options_.system, diagnostics_);
    const bool has_plugins = !options_.plugins.empty();
    runtime_ = ReadRuntime(has_plugins ? options_.runtime.parent_path() / kPluginRuntime : options_.runtime);
    if (has_plugins) plugins_ = ReadFmuPlugins(options_.plugins, runtime_, diagnostics_);
    if (files.empty() || diagnostics_.has_errors()) return {};
    std::string& text = files.front().text;
    text = CloseOpenPorts(text, options_.system, registry_);
    if (!Check(text)) return {};
    const ScratchFolder scratch;
    WriteFiles(scratch.path(), files);
    // As the FMU will load it: what is missing there is seen here.
    LoadedSimulation loaded =
        Simulation::Load(scratch.path() / files.front().path, registry_, {.load = options_.load});
    if (loaded.simulation == nullptr) {
      diagnostics_.Add(loaded.diagnostics);
      return {};
    }
    Simulation& simulation = *loaded.simulation;
    if (options_.has_model_exchange && !PrepareModelExchange(simulation)) return {};
    std::vector<FmuVariable> variables = ListFmuVariables(simulation, options_.selection, diagnostics_);
    if (variables.empty() && !diagnostics_.has_errors() && options_.version == FmiVersion::k2) {
      diagnostics_.Error({std::make_shared<const std::string>(options_.system.string()), 0}, {},
                         "the system has nothing that can be a variable, and FMI 2.0 has no FMUs without "
                         "variables; add a component, or write --fmi 3");
    }
    if (diagnostics_.has_errors()) return {};
    const FmuStructure structure =
        options_.has_model_exchange
            ? ListFmuStructure(simulation, variables, options_.version == FmiVersion::k3)
            : ListFmuDependencies(simulation, variables);
    return Write(simulation, variables, structure, files,
                 ReferenceOf(scratch.path() / files.front().path, variables));
  }

 private:
  bool PrepareModelExchange(Simulation& simulation) {
    const std::string fault = simulation.manager().outside().Fault();
    if (!fault.empty()) {
      diagnostics_.Error(
          {std::make_shared<const std::string>("--kind me"), 0}, {},
          fmt::format("the system cannot be exported for model exchange: {}; write --kind cs", fault));
      return false;
    }
    simulation.manager().outside().TakeOver();
    return true;
  }

  /// The results of the default experiment; empty where it fails, with a warning.
  std::string ReferenceOf(const fs::path& system, const std::vector<FmuVariable>& variables) {
    if (!options_.has_reference) return {};
    try {
      return MakeReferenceResults(*Simulation::Load(system, registry_, {.load = options_.load}).Take(),
                                  variables);
    } catch (const SimulationFailure& failure) {
      diagnostics_.Warning(
          {std::make_shared<const std::string>(options_.system.string()), 0}, {},
          fmt::format("the FMU has no reference results, because the default experiment fails: {}",
                      failure.what()));
      return {};
    }
  }

  /// Whether the system can be run at all; its faults are told with the places of its own files.
  bool Check(const std::string& text) {
    const LoadedSimulation loaded =
        Simulation::LoadText(text, options_.system, registry_, {.load = options_.load});
    diagnostics_.Add(loaded.diagnostics);
    const bool is_identifier = options_.name.empty() || MakeIdentifier(options_.name) == options_.name;
    if (!is_identifier) {
      diagnostics_.Error(
          {std::make_shared<const std::string>("--name " + options_.name), 0}, {},
          "it becomes the name of a library and must be a C identifier; write for example --name " +
              MakeIdentifier(options_.name));
    }
    return loaded.simulation != nullptr && is_identifier;
  }

  FmuExportSummary Write(Simulation& simulation, const std::vector<FmuVariable>& variables,
                         const FmuStructure& structure, const std::vector<SystemFile>& files,
                         const std::string& reference) {
    const std::string xml_library = ReadRuntime(options_.runtime.parent_path() / kXmlLibrary);
    FmuManifest manifest;
    manifest.system = files.front().path.generic_string();
    for (const std::string& set : options_.load.params) {
      for (const SetParameter& one :
           ReadParameterSet(set, *simulation.system().files(), simulation.system().units(), diagnostics_))
        manifest.settings.push_back(fmt::format("{}={}", one.path, one.value));
    }
    manifest.settings.insert(manifest.settings.end(), options_.load.set.begin(), options_.load.set.end());
    ReadTolerance(simulation, manifest);
    for (const FmuPlugin& plugin : plugins_) manifest.plugins.push_back(plugin.name);
    for (const FmuVariable& variable : variables) manifest.variables.push_back(variable.entry);
    for (const std::size_t state : structure.states) manifest.states.push_back(variables[state].entry.path);
    manifest.guards = structure.guards;
    manifest.has_co_simulation = options_.has_co_simulation;
    manifest.has_model_exchange = options_.has_model_exchange;

    FmuFacts facts;
    facts.version = options_.version;
    facts.name = simulation.system().root().name();
    if (facts.name.empty()) facts.name = options_.system.stem().string();
    facts.model_identifier = options_.name.empty() ? MakeIdentifier(facts.name) : options_.name;
    facts.start = simulation.start_time();
    facts.stop = simulation.stop_time();
    facts.step = simulation.time_step();
    facts.tolerance = manifest.tolerance;
    facts.has_co_simulation = options_.has_co_simulation;
    facts.has_model_exchange = options_.has_model_exchange;
    facts.has_state = std::ranges::none_of(files, &SystemFile::has_ecmascript) && CanBeSaved(simulation);
    facts.has_derivatives = simulation.manager().outside().Fault().empty();
    facts.structure = &structure;
    facts.needs_completed_steps = !structure.guards.empty() || simulation.manager().outside().has_looks();
    facts.has_variable_steps =
        simulation.manager().FaultOfTime(simulation.time() + simulation.time_step() / 2).empty();

    const UnitSystem& units = simulation.system().units();
    const std::string without_token = WriteModelDescription(facts, variables, units);
    manifest.units = units.known();
    const std::string untold = WriteManifest(manifest);
    std::vector<std::string_view> contents{kVersion, without_token, untold, runtime_, xml_library};
    for (const SystemFile& file : files) contents.push_back(file.text);
    for (const FmuPlugin& plugin : plugins_) contents.push_back(plugin.bytes);
    facts.token = manifest.token = MakeToken(contents);

    FmuExportSummary summary = Count(variables, facts.has_variable_steps);
    const std::vector<FmuTerminal> terminals = ListTerminals(simulation.system());
    summary.ports = terminals.size();
    summary.hopsan_ports = HopsanPortText(terminals);
    summary.states = structure.states.size();
    const bool is_2 = options_.version == FmiVersion::k2;
    std::vector<ZipEntry> entries;
    entries.push_back({"modelDescription.xml", WriteModelDescription(facts, variables, units)});
    entries.push_back({"documentation/index.html", DocumentationOf(facts, summary, !plugins_.empty())});
    entries.push_back({"documentation/licenses/licenses.txt", std::string(kLicences)});
    const std::string binaries = is_2 ? "binaries/linux64/" : "binaries/x86_64-linux/";
    if (!plugins_.empty()) {
      FmuPluginLibraries bound = BindFmuPlugins(std::move(runtime_), std::move(plugins_), facts.token);
      runtime_ = std::move(bound.runtime);
      for (FmuPlugin& plugin : bound.plugins)
        entries.push_back({binaries + plugin.name, std::move(plugin.bytes)});
    }
    entries.push_back({binaries + facts.model_identifier + ".so", std::move(runtime_)});
    entries.push_back({binaries + std::string(kXmlLibrary), xml_library});
    entries.push_back({"resources/" + std::string(kManifestName), WriteManifest(manifest)});
    for (const SystemFile& file : files)
      entries.push_back({"resources/" + file.path.generic_string(), file.text});
    const FmuIcon icon = MakeIcon(
        {.name = facts.name, .inputs = summary.inputs, .outputs = summary.outputs, .ports = summary.ports});
    if (is_2) entries.push_back({"model.png", icon.png});
    entries.push_back({"terminalsAndIcons/icon.png", icon.png});
    entries.push_back({"terminalsAndIcons/icon.svg", icon.svg});
    if (!terminals.empty()) entries.push_back({std::string(kTerminalsFile), WriteTerminals(terminals)});
    if (!reference.empty()) {
      const std::string folder = std::string(kReferenceFolder) + "/";
      const std::string file = facts.model_identifier + "_out.csv";
      entries.push_back({folder + "fmi-ls-manifest.xml", MakeReferenceManifest(file)});
      entries.push_back({folder + file, reference});
    }
    WriteZip(options_.output, entries);
    return summary;
  }

  static FmuExportSummary Count(const std::vector<FmuVariable>& variables, bool has_variable_steps) {
    FmuExportSummary summary;
    summary.has_variable_steps = has_variable_steps;
    for (const FmuVariable& variable : variables) {
      switch (variable.causality) {
        case FmuCausality::kInput: ++summary.inputs; break;
        case FmuCausality::kOutput: ++summary.outputs; break;
        case FmuCausality::kParameter: ++summary.parameters; break;
        case FmuCausality::kLocal: ++summary.locals; break;
      }
    }
    return summary;
  }

  const FmuExportOptions& options_;
  const Registry& registry_;
  Diagnostics& diagnostics_;
  std::string runtime_;
  std::vector<FmuPlugin> plugins_;
};

}  // namespace

std::string_view KindsOf(bool has_co_simulation, bool has_model_exchange) {
  if (!has_model_exchange) return "co-simulation";
  return has_co_simulation ? "co-simulation and model exchange" : "model exchange";
}

std::string MakeIdentifier(std::string_view name) {
  std::string identifier;
  for (const char c : name) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    const bool is_digit = c >= '0' && c <= '9';
    if (is_digit && identifier.empty()) identifier += '_';
    identifier += is_letter || is_digit ? c : '_';
  }
  return identifier.empty() ? "davit_system" : identifier;
}

FmuExportSummary ExportFmu(const FmuExportOptions& options, const Registry& registry,
                           Diagnostics& diagnostics) {
  return Exporter(options, registry, diagnostics).Run();
}

}  // namespace davit
