#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "framework/diagnostics.h"
#include "framework/registry.h"

namespace tinyxml2 {
class XMLElement;
}

namespace davit {

class FileSource;

/// The layout of PluginEntry and the meaning of its members. Grows when one of them changes.
inline constexpr std::uint32_t kPluginAbi = 2;

/// The size of a type that models contain or derive from.
struct TypeSize {
  const char* type = "";
  std::size_t size = 0;
};

/// What must be the same in davit and in a plug-in for their objects to fit together. Made by
/// `simulator/plugin_entry.h` where it is compiled. A change of virtual functions between two versions is
/// seen in the version alone: rebuild plug-ins when you change davit itself.
struct PluginBuild {
  static constexpr std::size_t kTypes = 17;

  const char* davit_version = "";
  const char* compiler = "";   ///< with its major version: layouts and calls agree within one
  const char* library = "";    ///< the C++ library, and whether it is one for debugging
  const char* sanitizer = "";  ///< AddressSanitizer and ThreadSanitizer watch memory that both sides touch
  std::array<TypeSize, kTypes> sizes{};
};

/// What identifies a plug-in: the constant `davit_plugin` in its shared library. Read before any of its code
/// is called; `abi` stays the first member.
struct PluginEntry {
  std::uint32_t abi = kPluginAbi;
  PluginBuild build;
  /// Adds the models. Called twice, the first time with an empty registry that is thrown away.
  void (*register_models)(Registry& registry) = nullptr;
};

/// A chart that a plug-in brings: an SCXML document whose `name` is that of one of its models.
struct PluginChart {
  const char* file = "";  ///< for messages
  const char* text = "";
};

/// All charts of a plug-in: the constant `davit_plugin_charts`, which `davit_add_plugin(... CHARTS ...)`
/// makes.
struct PluginCharts {
  std::size_t count = 0;
  const PluginChart* charts = nullptr;
};

/// Why `theirs` does not fit to `ours`; what would be right. Empty where it fits.
std::string FindMisfit(const PluginBuild& ours, const PluginBuild& theirs);

/// A library whose models were added.
struct LoadedPlugin {
  std::filesystem::path library;
  SourceLocation place;          ///< where it was named; without a file: on the command line
  std::shared_ptr<void> handle;  ///< null where the library stays
};

/// How long a library stays in the process: models, their texts and their objects live in it.
enum class PluginStay : std::uint8_t {
  kToTheEnd,  ///< of the process
  kAsNeeded,  ///< while a copy of its handle is held; whoever holds none uses nothing of it
};

/// Adds the models of shared libraries to a registry.
///
/// A library that is named twice is loaded once. Charts that it brings become the default charts of their
/// models. Faults go to `diagnostics`: no such file, no plug-in, built for another davit, a model that
/// exists, an exception. A library with a fault adds no model.
class PluginLoader {
 public:
  /// `build` is what the plug-ins must fit to. All three must outlive the loader.
  /// `files`: where the files come from that a system names; null: the disk.
  PluginLoader(Registry& registry, const PluginBuild& build, Diagnostics& diagnostics,
               const FileSource* files = nullptr, PluginStay stay = PluginStay::kToTheEnd)
      : registry_(registry), build_(build), diagnostics_(diagnostics), source_(files), stay_(stay) {}

  /// Loads one library. `place` is where it was named; without a file, the library itself is named as the
  /// place of the fault.
  void Load(const std::filesystem::path& library, const SourceLocation& place = {});
  /// Loads what the `<Plugin src="..."/>` of a system file and of its sub-systems name, each seen from the
  /// file that contains it. What else is wrong with the files is left to LoadSystem, which comes after it.
  void LoadNamedIn(const std::filesystem::path& system_file);

  /// The names of the models that were added.
  const std::vector<std::string>& models() const { return models_; }
  /// The libraries that they are in.
  const std::vector<LoadedPlugin>& plugins() const { return plugins_; }

 private:
  void ReadFile(const std::filesystem::path& file);
  /// What is inside `element` of the file `name`, also inside a `<For>`.
  void ReadPluginsIn(const tinyxml2::XMLElement& element, const std::filesystem::path& file,
                     const std::shared_ptr<const std::string>& name);
  /// What is wrong with the library; empty after its models were added.
  std::string LoadLibrary(const std::filesystem::path& library, const SourceLocation& place);
  /// Adds the models with their charts. `library` is for messages.
  std::string AddModels(const PluginEntry& entry, const PluginCharts& charts,
                        const std::filesystem::path& library);

  Registry& registry_;
  const PluginBuild& build_;
  Diagnostics& diagnostics_;
  const FileSource* source_;
  PluginStay stay_;
  std::map<std::filesystem::path, bool> libraries_;  ///< that were tried
  std::map<std::filesystem::path, bool> files_;      ///< system files that were read
  std::vector<std::string> models_;
  std::vector<LoadedPlugin> plugins_;
};

/// Whether a model lies in a shared library and not in the program itself.
bool IsFromPlugin(const ModelEntry& entry);

/// The shared libraries that the models of a registry lie in, each once.
std::vector<std::filesystem::path> ListLibraries(const Registry& registry);

/// The model whose default chart `chart` is to be, one of `models`; else what is wrong. Exactly one of both
/// is empty.
struct ChartModel {
  std::string model;
  std::string fault;
};
ChartModel FindModelOfChart(const PluginChart& chart, const Registry& models);

/// What is wrong with the declarations of a model; what would be right. Empty where they can be used.
std::string FindModelFault(const ModelEntry& entry);

}  // namespace davit
