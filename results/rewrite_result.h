#pragma once

#include <filesystem>
#include <vector>

#include "results/result_writer.h"

namespace davit {

/// Writes a complete result in SI again, in display units (ConvertToDisplayUnits). `columns` are those it was
/// written with.
///
/// Until the new file is complete the old one stays in place. Throws std::runtime_error where the result
/// cannot be read or written; it is in SI then.
void RewriteInDisplayUnits(const std::filesystem::path& result, std::vector<ResultColumn> columns);

}  // namespace davit
