#include "app/hopsan_files.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace davit {

bool IsHopsanFile(const std::filesystem::path& file) { return file.extension() == ".hmf"; }

void AddHopsanOptions(CLI::App& command, HopsanOptions& options) {
  command.add_flag("--stub", options.has_stubs,
                   "In a Hopsan model, components of unknown types keep their outputs constant");
}

void TakeHopsanParameters(LoadOptions& load, HopsanOptions& options) {
  const auto rest = std::stable_partition(
      load.params.begin(), load.params.end(),
      [](const std::string& file) { return std::filesystem::path(file).extension() != ".hpf"; });
  options.parameters.insert(options.parameters.end(), rest, load.params.end());
  load.params.erase(rest, load.params.end());
}

}  // namespace davit
