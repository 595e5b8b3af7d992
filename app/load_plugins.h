#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "framework/diagnostics.h"
#include "framework/plugin.h"
#include "framework/registry.h"
#include "framework/xml/file_source.h"

namespace davit {

/// Adds the models of plug-ins to `registry`: of those on the command line, then of those that a system file
/// names (an empty path: none). Prints what is wrong on `err` and returns false then. Those that were loaded
/// are appended to `loaded`, unless it is null.
bool LoadPlugins(const std::vector<std::filesystem::path>& plugins, const std::filesystem::path& system,
                 Registry& registry, std::ostream& err, std::vector<LoadedPlugin>* loaded = nullptr);

/// Adds the models of the plug-ins that a system names, whose files come from `files`; those of Hopsan where
/// it uses them. Faults go to `diagnostics`. Any thread may call it.
void LoadPluginsNamedIn(const std::filesystem::path& system, const FileSource& files, Registry& registry,
                        Diagnostics& diagnostics);

}  // namespace davit
