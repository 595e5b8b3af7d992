#pragma once

#include <filesystem>
#include <optional>

#include "framework/diagnostics.h"
#include "results/result_table.h"

namespace davit {

/// Reads a result: HDF5 (.h5) as Hdf5Writer writes it, MATLAB (.mat) in the layout of Dymola, anything else
/// as CSV. Columns in other units than SI are converted. Nothing if there are errors; each is reported.
std::optional<ResultTable> LoadResult(const std::filesystem::path& path, Diagnostics& diagnostics);

/// Whether the extension of a file is that of a result: .csv, .mat or .h5.
bool IsResultFile(const std::filesystem::path& path);

}  // namespace davit
