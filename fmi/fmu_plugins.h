#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "framework/component.h"
#include "framework/diagnostics.h"
#include "framework/plugin.h"

namespace davit {

/// A plug-in inside an FMU.
struct FmuPlugin {
  std::string name;  ///< of the file beside the runtime
  std::string bytes;
};

/// The libraries of an FMU whose system names plug-ins.
///
/// Its runtime, davit_fmu_plugin_runtime.so, shows davit's functions to them, under a SONAME and a version
/// that no other library has; and each plug-in is bound to that runtime. So neither meets another davit, be
/// it that of another FMU or that of a program that has loaded the same plug-in.
struct FmuPluginLibraries {
  std::string runtime;
  std::vector<FmuPlugin> plugins;
};

/// The plug-ins as they are, with the names that they will have: `davit-plugin-my_valves.so`. Faults go to
/// `diagnostics`: one needs a library that does not travel, or a function that `runtime` (the library) does
/// not have.
std::vector<FmuPlugin> ReadFmuPlugins(const std::vector<LoadedPlugin>& plugins, const std::string& runtime,
                                      Diagnostics& diagnostics);

/// Those of the plug-ins that one of the components, or the domain of one of its ports, comes from.
std::vector<LoadedPlugin> NeededPlugins(const std::vector<LoadedPlugin>& plugins,
                                        const std::vector<const Component*>& components);

/// Binds them to each other. `token` is that of the FMU.
FmuPluginLibraries BindFmuPlugins(std::string runtime, std::vector<FmuPlugin> plugins,
                                  std::string_view token);

}  // namespace davit
