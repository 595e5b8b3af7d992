#pragma once

#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

namespace davit {

class Diagnostics;
class FileSource;
class Registry;
class SystemDescription;

/// A reader of model files of another program (Registry::Add). LoadSystem calls it for files of its
/// extension.
struct SystemImporter {
  std::string_view extension;            ///< ".foo"
  std::string_view parameter_extension;  ///< of parameter files of the other program; empty if it has none
  /// A system that does what `file` describes with the values of the parameter files; the lines of its
  /// elements are those of `file`. All texts are read from `files`. Faults go to `diagnostics`; null where
  /// there are errors.
  std::shared_ptr<const SystemDescription> (*import)(const std::filesystem::path& file,
                                                     const std::vector<std::filesystem::path>& parameters,
                                                     const Registry& registry, const FileSource& files,
                                                     Diagnostics& diagnostics);
};

}  // namespace davit
