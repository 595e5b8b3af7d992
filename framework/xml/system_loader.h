#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/diagnostics.h"
#include "framework/registry.h"
#include "framework/system.h"
#include "framework/units/unit_system.h"
#include "framework/xml/outside_levels.h"
#include "framework/xml/system_source.h"

namespace davit {

class FileSource;

/// What the command line adds to a system file. All texts are as typed.
struct LoadOptions {
  /// Parameter sets of SSP, as ReadParameterSet names them; `set` comes after them.
  std::vector<std::string> params = {};
  std::vector<std::string> set = {};         ///< `PATH=VALUE`; on a state it sets the start value
  std::vector<std::string> level = {};       ///< `GLOB=LEVEL`
  std::optional<OutsideLevels> levels = {};  ///< in place of those of the file; not with `level`
  std::vector<std::string> at = {};          ///< `T:PATH=VALUE`
  std::vector<std::string> signals = {};     ///< globs; replace the `<Record>` elements of the file
  std::optional<std::string> interval = {};  ///< between recorded rows; replaces that of the file
  std::vector<std::string> times = {};       ///< of rows, as the attribute times of `<Record>`; in addition
  std::vector<KnownUnit> units = {};         ///< known before the file is read, see UnitSystem::Learn
  /// Where the files come from that the system names; null: the disk. System::files() has it afterwards.
  std::shared_ptr<const FileSource> files = {};
  std::size_t most_components = 500'000;  ///< more are an error
  /// Asked again and again: why the loading is to end, which is an error then. Empty: it goes on.
  std::function<std::string()> reason_to_stop = {};
};

/// Reads a system and everything it includes, and checks all that can be checked before solvers come in. A
/// file is read by the importer of its extension if there is one.
///
/// All faults go to `diagnostics` in one pass. Returns null where there are errors that leave nothing to look
/// at (no readable XML); otherwise a tree that is as complete as the errors allow: check
/// `diagnostics.has_errors()`. `registry` must outlive the system.
std::unique_ptr<System> LoadSystem(SystemSource source, const Registry& registry, const LoadOptions& options,
                                   Diagnostics& diagnostics);
inline std::unique_ptr<System> LoadSystem(const std::filesystem::path& file, const Registry& registry,
                                          const LoadOptions& options, Diagnostics& diagnostics) {
  return LoadSystem(SystemSource{file}, registry, options, diagnostics);
}
/// The same for a text; `name` replaces the file in diagnostics, included files are looked up beside it.
inline std::unique_ptr<System> LoadSystemText(std::string_view text, const std::filesystem::path& name,
                                              const Registry& registry, const LoadOptions& options,
                                              Diagnostics& diagnostics) {
  return LoadSystem(SystemSource{name, std::string(text)}, registry, options, diagnostics);
}

}  // namespace davit
