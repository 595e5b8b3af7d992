#pragma once

#include <string>
#include <vector>

#include "fmi/model_description.h"
#include "results/program.h"

namespace davit {

/// Each gives exit code -1 where the program cannot be started.
ProgramResult RunDavit(const std::vector<std::string>& arguments);
/// FMPy, the package in this folder, by /usr/bin/python3.
ProgramResult RunFmpy(const std::string& folder, const std::vector<std::string>& arguments);

/// How the name of a test ends: `_2`, `_3`.
std::string NameOf(FmiVersion version);

}  // namespace davit
