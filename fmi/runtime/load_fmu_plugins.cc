#include "fmi/runtime/load_fmu_plugins.h"

#include <dlfcn.h>
#include <link.h>

#include <array>
#include <climits>
#include <filesystem>
#include <stdexcept>

#include "framework/plugin.h"
#include "simulator/plugin_entry.h"

namespace davit {
namespace {

constexpr PluginBuild kBuild = MakePluginBuild();

/// The folder that this library was loaded from, as an absolute path.
std::filesystem::path FolderOfRuntime() {
  Dl_info info{};
  void* map = nullptr;
  std::array<char, PATH_MAX> folder{};
  const bool is_known =
      dladdr1(&kBuild, &info, &map, RTLD_DL_LINKMAP) != 0 && dlinfo(map, RTLD_DI_ORIGIN, folder.data()) == 0;
  if (!is_known) throw std::runtime_error("the folder of the FMU's libraries is not known to the loader");
  return folder.data();
}

}  // namespace

std::vector<std::shared_ptr<void>> LoadFmuPlugins(const std::vector<std::string>& files, Registry& registry) {
  std::vector<std::shared_ptr<void>> handles;
  if (files.empty()) return handles;
  const std::filesystem::path folder = FolderOfRuntime();
  Diagnostics diagnostics;
  PluginLoader loader(registry, kBuild, diagnostics, nullptr, PluginStay::kAsNeeded);
  for (const std::string& file : files) loader.Load(folder / file);
  for (const LoadedPlugin& plugin : loader.plugins()) handles.push_back(plugin.handle);
  if (diagnostics.has_errors()) throw std::runtime_error(ToText(diagnostics.all().front()));
  return handles;
}

}  // namespace davit
