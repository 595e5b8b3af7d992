#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "framework/diagnostics.h"
#include "framework/xml/file_source.h"
#include "results/result_table.h"

namespace davit {

/// Reads a CSV of the values of an FMU over the time, as other tools write them: true and false are 1 and 0,
/// a cell with several numbers is an array, whose elements become columns `y[1]`, `y[2]`; columns that are no
/// numbers are left out. Nothing if there are errors; each is reported with its line.
std::optional<ResultTable> LoadForeignCsv(const std::filesystem::path& file, Diagnostics& diagnostics);
/// The same of a text, which messages name `shown`.
std::optional<ResultTable> ReadForeignCsv(const TextResult& text, const std::string& shown,
                                          Diagnostics& diagnostics);

}  // namespace davit
