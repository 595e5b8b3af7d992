#pragma once

#include <filesystem>

#include "framework/diagnostics.h"
#include "hopsan/import/hmf_file.h"

namespace davit::hopsan {

/// Writes the values of a parameter file of Hopsan (.hpf), read from `files`, over those of a model. Names
/// that the model does not have are warned of.
void ApplyParameterFile(const std::filesystem::path& file, HmfSystem& system, const FileSource* files,
                        Diagnostics& diagnostics);

}  // namespace davit::hopsan
