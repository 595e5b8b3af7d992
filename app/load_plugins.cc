#include "app/load_plugins.h"

#include <fmt/format.h>

#include "app/hopsan_files.h"
#include "app/print_diagnostics.h"
#include "framework/plugin.h"
#include "framework/xml/xml_file.h"
#include "hopsan/register.h"
#include "session/absent_system.h"
#include "simulator/plugin_entry.h"
#include "statecharts/chart_loader.h"

namespace davit {

namespace {

/// Looks at the charts that plug-ins bring for their models, as `davit chart check` does.
void CheckCharts(const std::vector<std::string>& models, const Registry& registry, Diagnostics& diagnostics) {
  for (const std::string& model : models) {
    const ModelEntry& entry = *registry.Find(model);
    if (entry.chart.empty()) continue;
    AbsentSystem system(registry, model);
    ChartLoadOptions options;
    options.host = &system;
    Diagnostics found;
    LoadChartText(std::string(entry.chart), std::string(entry.chart_file), options, found);
    for (Diagnostic d : found.all()) {
      d.fault.what.insert(0, fmt::format("default chart of {}: ", model));
      diagnostics.Add(std::move(d));
    }
  }
}

}  // namespace

namespace {

constexpr PluginBuild kPluginBuild = MakePluginBuild();

/// Whether a system file has components of Hopsan.
bool HasHopsan(const std::filesystem::path& system, const FileSource* files) {
  return ReadTextFrom(files, system).text.find("<hopsan.") != std::string::npos;
}

}  // namespace

bool LoadPlugins(const std::vector<std::filesystem::path>& plugins, const std::filesystem::path& system,
                 Registry& registry, std::ostream& err, std::vector<LoadedPlugin>* loaded) {
  Diagnostics diagnostics;
  PluginLoader loader(registry, kPluginBuild, diagnostics);
  for (const std::filesystem::path& plugin : plugins) loader.Load(plugin);
  if (IsHopsanFile(system)) {
    RegisterHopsan(registry);
  } else if (!system.empty()) {
    loader.LoadNamedIn(system);
    if (HasHopsan(system, nullptr)) RegisterHopsan(registry);
  }
  CheckCharts(loader.models(), registry, diagnostics);
  if (loaded != nullptr) loaded->insert(loaded->end(), loader.plugins().begin(), loader.plugins().end());
  PrintDiagnostics(diagnostics, err);
  return !diagnostics.has_errors();
}

void LoadPluginsNamedIn(const std::filesystem::path& system, const FileSource& files, Registry& registry,
                        Diagnostics& diagnostics) {
  PluginLoader loader(registry, kPluginBuild, diagnostics, &files);
  loader.LoadNamedIn(system);
  if (HasHopsan(system, &files)) RegisterHopsan(registry);
  CheckCharts(loader.models(), registry, diagnostics);
}

}  // namespace davit
