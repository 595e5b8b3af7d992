#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/component.h"
#include "framework/diagnostics.h"
#include "framework/registry.h"
#include "framework/xml/file_source.h"

namespace davit {

/// A reader of model files of another program. LoadSystem looks for a model `importer.EXT` where it is given
/// a file with the extension EXT.
///
///     class FooImporter final : public SystemImporter {
///      public:
///       static constexpr ModelInfo kInfo{"importer.foo", "Reads models of Foo"};
///       std::optional<std::string> Import(...) const override;
///     };
class SystemImporter : public Component {
 public:
  /// The text of a system file that does what `file` describes with the values of the parameter files, with
  /// its elements in the lines of `file` where that is possible. All texts are read from `files`. Faults go
  /// to `diagnostics`; nothing where there are errors.
  virtual std::optional<std::string> Import(const std::filesystem::path& file,
                                            const std::vector<std::filesystem::path>& parameters,
                                            const Registry& registry, const FileSource& files,
                                            Diagnostics& diagnostics) const = 0;
  /// Extension of the parameter files of the other program, such as ".par"; empty where there are none.
  virtual std::string_view parameter_extension() const { return {}; }
};

}  // namespace davit
