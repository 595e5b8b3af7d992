#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "framework/units/unit_system.h"

namespace davit {

/// The type of a variable of an FMU.
enum class FmuType : std::uint8_t { kReal, kInteger, kBoolean, kEnumeration, kString };

/// When a variable of an FMU may be set.
enum class FmuWrite : std::uint8_t {
  kNever,
  kLoad,   ///< before initialisation: the system is loaded again with the value
  kStart,  ///< before initialisation: the run begins with the value
  kLive,   ///< always: between two communication steps
};

/// Where the value of a variable comes from.
enum class FmuSource : std::uint8_t {
  kItem,   ///< an item of the system; `path` is its path
  kGuard,  ///< the value of a guard, an event indicator; `path` is the guard's
  kEvent,  ///< how often the event `path` was sent to the charts
  kUse,    ///< whether the state `path` is in use
};

/// What the runtime of an FMU has to know of a variable. Its value reference is its position in the list.
struct FmuEntry {
  std::string path;  ///< of the Item: `load.x`, `load.x.ddt`
  FmuType type = FmuType::kReal;
  FmuWrite write = FmuWrite::kNever;
  FmuSource source = FmuSource::kItem;
};

/// What the exporter tells the runtime: the file `resources/davit.xml`.
struct FmuManifest {
  std::string system;                ///< the system file, below `resources/`
  std::string token;                 ///< guid (2.0) or instantiationToken (3.0)
  double tolerance = 0;              ///< the relative tolerance of the system file; 0: it has none
  std::string tolerance_paths = {};  ///< of the parameters that set it, separated by spaces
  std::vector<FmuEntry> variables;
  /// Of an FMU for model exchange: the continuous states, and the guards, in the order of their vectors.
  std::vector<std::string> states, guards;
  bool has_co_simulation = true;
  bool has_model_exchange = false;
  std::vector<std::string> settings = {};  ///< `PATH=VALUE`: what the export was given besides the file
  std::vector<std::string> plugins = {};   ///< the plug-ins of the system: files beside the runtime
  std::vector<KnownUnit> units;            ///< the runtime has no library of units
};

/// The name of the file below `resources/`.
inline constexpr std::string_view kManifestName = "davit.xml";

std::string WriteManifest(const FmuManifest& manifest);

/// Throws std::runtime_error with what is wrong.
FmuManifest ReadManifest(const std::filesystem::path& file);

}  // namespace davit
