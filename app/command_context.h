#pragma once

#include <filesystem>
#include <iosfwd>
#include <vector>

#include "app/exit_code.h"
#include "framework/plugin.h"
#include "framework/registry.h"
#include "framework/xml/system_loader.h"

namespace CLI {
class App;
}

namespace davit {

class RankChannel;

/// What the commands of the program share: the models, the streams they read and write, and the exit
/// code that the one that ran leaves behind.
struct CommandContext {
  Registry& registry;
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  std::vector<std::filesystem::path> plugins = {};  ///< of the option --plugin
  std::vector<LoadedPlugin> loaded_plugins = {};    ///< by LoadPlugins, also those that a system names
  int exit_code = kDone;
  RankChannel* ranks = nullptr;  ///< the other processes of a parallel job; null: there are none

  /// Adds the models of all plug-ins that were named, also in a system file (an empty path: none). False
  /// after printing faults.
  bool LoadPlugins(const std::filesystem::path& system = {});
};

/// The option --plugin, for commands that need models. They call CommandContext::LoadPlugins before they act.
void AddPluginOption(CLI::App& command, CommandContext& context);

/// The options --params and --set: what is given to a system without running it.
void AddParameterOptions(CLI::App& command, LoadOptions& options);
/// These and --level, for commands in which --at is a time.
void AddSystemOptions(CLI::App& command, LoadOptions& options);
/// The options of commands that load a system: --set, --level, --at. `options` outlives the command.
void AddLoadOptions(CLI::App& command, LoadOptions& options);

}  // namespace davit
