#include "hopsan/import/hmf_importer.h"

#include "hopsan/import/hmf_import.h"

namespace davit::hopsan {

std::optional<std::string> HmfImporter::Import(const std::filesystem::path& file,
                                               const std::vector<std::filesystem::path>& parameters,
                                               const Registry& registry, const FileSource& files,
                                               Diagnostics& diagnostics) const {
  std::optional<HmfImport> import =
      ImportHmf(file, registry, {.parameter_files = parameters, .files = &files}, diagnostics);
  return import ? std::optional(std::move(import->text)) : std::nullopt;
}

}  // namespace davit::hopsan
