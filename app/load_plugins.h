#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "framework/registry.h"

namespace davit {

/// Adds the models of plug-ins to `registry`: of those on the command line, then of those that a system file
/// names (an empty path: none). Prints what is wrong on `err` and returns false then.
bool LoadPlugins(const std::vector<std::filesystem::path>& plugins, const std::filesystem::path& system,
                 Registry& registry, std::ostream& err);

}  // namespace davit
