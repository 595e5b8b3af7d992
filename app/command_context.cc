#include "app/command_context.h"

#include <CLI/CLI.hpp>

#include "app/load_plugins.h"

namespace davit {

bool CommandContext::LoadPlugins(const std::filesystem::path& system) {
  return davit::LoadPlugins(plugins, system, registry, err, &loaded_plugins);
}

void AddPluginOption(CLI::App& command, CommandContext& context) {
  command
      .add_option("--plugin", context.plugins,
                  "Shared library with further models; may be given several times. It runs with the "
                  "rights of this program")
      ->type_name("FILE.so")
      ->expected(1)
      ->take_all();
}

void AddParameterOptions(CLI::App& command, LoadOptions& options) {
  command
      .add_option("--params", options.params,
                  "SSP parameter set, with a mapping of its names to paths if they differ; for a Hopsan "
                  "model also a parameter file (.hpf). --set is applied after it")
      ->type_name("X.ssv[,X.ssm]")
      ->expected(1)
      ->take_all();
  command.add_option("--set", options.set, "PATH=VALUE: sets a parameter, input, property or start value")
      ->type_name("PATH=VALUE")
      ->expected(1)
      ->take_all();
}

void AddSystemOptions(CLI::App& command, LoadOptions& options) {
  AddParameterOptions(command, options);
  command
      .add_option("--level", options.level,
                  "GLOB=LEVEL: level of all matching components; automatic: their charts choose it")
      ->type_name("GLOB=LEVEL")
      ->expected(1)
      ->take_all();
}

void AddLoadOptions(CLI::App& command, LoadOptions& options) {
  AddSystemOptions(command, options);
  command.add_option("--at", options.at, "T:PATH=VALUE: sets a value at time T")
      ->type_name("T:PATH=VALUE")
      ->expected(1)
      ->take_all();
}

}  // namespace davit
