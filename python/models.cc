#include "python/models.h"

#include "components/register.h"
#include "framework/plugin.h"
#include "io/register.h"
#include "python/failures.h"
#include "python/python_component.h"
#include "simulator/plugin_entry.h"
#ifdef DAVIT_PYTHON_HAS_FMI
#include "fmi/import/fmu_component.h"
#endif

namespace davit {
namespace {

Registry MakeModels() {
  Registry registry = AllModels();
  registry.Add<PythonComponent>();
  RegisterIo(registry);
#ifdef DAVIT_PYTHON_HAS_FMI
  RegisterFmi(registry);
#endif
  return registry;
}

}  // namespace

std::shared_ptr<const Registry> ModelsWith(const std::vector<std::string>& plugins,
                                           const std::string& named_in) {
  static const auto kShared = std::make_shared<const Registry>(MakeModels());
  if (plugins.empty() && named_in.empty()) return kShared;
  static constexpr PluginBuild kBuild = MakePluginBuild();
  auto registry = std::make_shared<Registry>(MakeModels());
  Diagnostics diagnostics;
  PluginLoader loader(*registry, kBuild, diagnostics);
  for (const std::string& plugin : plugins) loader.Load(plugin);
  if (!named_in.empty()) loader.LoadNamedIn(named_in);
  RaiseIfFaulty(diagnostics);
  return registry;
}

}  // namespace davit
