#include "app/load_plugins.h"

#include "app/print_diagnostics.h"
#include "framework/plugin.h"
#include "simulator/plugin_entry.h"

namespace davit {

bool LoadPlugins(const std::vector<std::filesystem::path>& plugins, const std::filesystem::path& system,
                 Registry& registry, std::ostream& err) {
  static constexpr PluginBuild kBuild = MakePluginBuild();
  Diagnostics diagnostics;
  PluginLoader loader(registry, kBuild, diagnostics);
  for (const std::filesystem::path& plugin : plugins) loader.Load(plugin);
  if (!system.empty()) loader.LoadNamedIn(system);
  PrintDiagnostics(diagnostics, err);
  return !diagnostics.has_errors();
}

}  // namespace davit
