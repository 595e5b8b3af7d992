#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "results/output_file.h"
#include "results/result_writer.h"

namespace davit {

/// The file beside a CSV result that holds the units of its columns: `x.csv` -> `x.csv.units`.
std::filesystem::path UnitsFileOf(const std::filesystem::path& result);

/// Writes a result as CSV during a run.
///
///     time,cylinder.x,cylinder.p_a
///     0,1,1560000
///     0.01,1.0002999999999999,1560012.25
///
/// The first column is the time [s], the header holds the paths, and all values are in SI with 17 digits, so
/// that reading gives back the same bits; numbers that are none are `nan`, `inf` and `-inf`. Two rows at the
/// same time are the values just before and just after an event or a switch. The file contains nothing else,
/// so equal runs give equal files.
///
/// The units do not fit in that header; they are in a small CSV file beside it (UnitsFileOf), which is not
/// made when the result goes to a pipe or a device; where there are levels, aspects or modes it also names
/// their values 0, 1, 2 ...:
///
///     path,unit,options
///     cylinder.x,m,
///     cylinder.level,,Ideal|Standard|Advanced
///
/// The header is on disk after construction. Rows are collected in a buffer and written when it is full, in
/// whole lines; a crash loses at most that buffer. The constructor, WriteRow, Flush and Close throw
/// std::runtime_error with path and reason when the file cannot be opened or written, and after that the file
/// takes no more rows.
class CsvWriter final : public ResultWriter {
 public:
  /// `columns` are the paths without the time, `units` their SI units ("" if dimensionless) and `options` the
  /// names of their values (none for numbers) in the same order; without any `options` no column has such.
  CsvWriter(std::filesystem::path path, const std::vector<std::string>& columns,
            const std::vector<std::string>& units, const std::vector<std::vector<std::string>>& options = {});
  /// Flushes, but cannot report an error: call Close first.
  ~CsvWriter() override;
  CsvWriter(const CsvWriter&) = delete;
  CsvWriter& operator=(const CsvWriter&) = delete;

  /// Pre: one value for each column. Allocates nothing.
  void WriteRow(double time, std::span<const double> values) override;
  /// Hands the buffer to the operating system.
  void Flush() override;
  /// Flushes and closes. Closing again does nothing.
  void Close() override;

  const std::filesystem::path& path() const override { return file_.path(); }

 private:
  OutputFile file_;
  std::size_t column_count_;
  std::size_t longest_row_;   // [byte]
  std::vector<char> buffer_;  // holds at least one row
  std::size_t used_ = 0;      // of buffer_ [byte]
};

}  // namespace davit
