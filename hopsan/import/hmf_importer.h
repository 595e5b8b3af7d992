#pragma once

#include "framework/xml/system_importer.h"

namespace davit::hopsan {

/// Loads a model of Hopsan wherever davit loads a system file.
class HmfImporter final : public SystemImporter {
 public:
  static constexpr ModelInfo kInfo{.name = "importer.hmf", .text = "Reads models of Hopsan (.hmf)"};
  std::optional<std::string> Import(const std::filesystem::path& file,
                                    const std::vector<std::filesystem::path>& parameters,
                                    const Registry& registry, const FileSource& files,
                                    Diagnostics& diagnostics) const override;
  std::string_view parameter_extension() const override { return ".hpf"; }
};

}  // namespace davit::hopsan
