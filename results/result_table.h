#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "framework/diagnostics.h"

namespace davit {

/// A result in memory. `names`, `units` and `columns` belong together by position; each column has one value
/// for each time. All that LoadResult and recordings give is in SI.
struct ResultTable {
  std::vector<std::string> names;  ///< paths, without the time; no two are the same
  std::vector<std::string> units;  ///< "" if dimensionless or unknown
  std::vector<double> time;        ///< [s], finite, never falling; equal times are the two sides of an event
  std::vector<std::vector<double>> columns;
  /// By position, as far as known: the names of the values 0, 1, 2 ... of a level, an aspect or a mode.
  std::vector<std::vector<std::string>> options = {};
};

/// The most values that a result is read with: 2 GiB in memory.
inline constexpr std::size_t kMostResultValues = std::size_t{1} << 28;

/// Reads a CSV result as CsvWriter writes it, with the units and options in the file beside it, if any, and
/// the values in these units. Nothing if there are errors in either file; each is reported with its line.
///
/// Also read are files of other programs: CRLF line ends, spaces around a cell, a byte order mark, empty
/// lines, no file of units; an empty cell is a missing value, NaN, but for the time. A last line without a
/// line end, which a crash leaves behind, is left out with a warning. A line has at most 16 MiB and a file at
/// most 2^28 values (2 GiB in memory).
std::optional<ResultTable> LoadCsv(const std::filesystem::path& path, Diagnostics& diagnostics);

}  // namespace davit
