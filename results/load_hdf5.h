#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "results/result_table.h"

namespace davit {

/// Reads what Hdf5Writer writes. Nothing with a `fault` where it is none: what is wrong; what would be right.
std::optional<ResultTable> LoadHdf5(const std::filesystem::path& path, std::string* fault);

}  // namespace davit
