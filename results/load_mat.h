#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "results/result_table.h"

namespace davit {

/// Reads a MATLAB file in the layout of Dymola, stored signal by signal or row by row; signals of data_1 are
/// constants. Nothing with a `fault` where it is none: what is wrong; what would be right.
std::optional<ResultTable> LoadMat(const std::filesystem::path& path, std::string* fault);

}  // namespace davit
