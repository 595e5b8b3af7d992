#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "framework/diagnostics.h"

namespace davit {

class FileSource;

/// One thing that two versions of a system do not have alike. Values are those of the files: as written, with
/// unit.
struct SystemDifference {
  enum class Kind : std::uint8_t { kAdded, kRemoved, kChanged };
  enum class Part : std::uint8_t {
    kSetting,     ///< of the system: SimulatorManager, Parameter, Plugin
    kComponent,   ///< with its model, parameters, start values, levels; also sub-systems and panels
    kConnection,  ///< `pump.out - supply.port`
    kRoute,       ///< `lever.y > valve.spool`
    kExpose,
    kCommand,  ///< At
    kRecord,
    kChart,   ///< the text of its file
    kLayout,  ///< places and notes: the system is the same
  };

  Kind kind = Kind::kChanged;
  Part part = Part::kComponent;
  std::string path;    ///< of the component, seen from the outermost system, or what the element is about
  std::string name;    ///< what of it: `bore`, `Start.x`; empty: all of it
  std::string before;  ///< empty where it is added
  std::string after;   ///< empty where it is removed
  SourceLocation at_before;
  SourceLocation at_after;
};

std::string_view ToText(SystemDifference::Kind kind);
std::string_view ToText(SystemDifference::Part part);

/// A file of a system, and where it and the files that it names are read from; null: the disk.
struct SystemVersion {
  std::filesystem::path file;
  const FileSource* files = nullptr;
};

/// What two versions of a system differ in, with their sub-systems and charts, in the order of the files;
/// what is of the layout only comes last. Elements count, not their order, spaces or comments. A component
/// with another name is another component. What cannot be read is an error.
std::vector<SystemDifference> CompareSystems(const SystemVersion& before, const SystemVersion& after,
                                             Diagnostics& diagnostics);

/// Whether a drawing is all that differs.
bool IsLayoutOnly(const std::vector<SystemDifference>& differences);

}  // namespace davit
