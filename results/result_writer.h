#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace davit {

/// A signal of a result.
struct ResultColumn {
  std::string path;  ///< `cylinder.p_a`
  std::string unit;  ///< SI; "" if dimensionless
  std::string text;  ///< what it is; may be empty
  /// Of a level, an aspect or a mode: the names of the values 0, 1, 2 ...
  std::vector<std::string> options = {};
};

/// Writes a result during a run: one row for each time, in SI. Two rows at the same time are the
/// values just before and just after an event or a switch.
///
/// Rows are collected in a buffer and written when it is full or with Flush; a crash loses at most that
/// buffer. The file can be read from the constructor on, first without rows. All functions throw
/// std::runtime_error with path and reason when the file cannot be written.
class ResultWriter {
 public:
  virtual ~ResultWriter() = default;
  /// Pre: one value for each column.
  virtual void WriteRow(double time, std::span<const double> values) = 0;
  /// Hands the buffer to the operating system.
  virtual void Flush() = 0;
  /// Flushes and closes. Closing again does nothing.
  virtual void Close() = 0;
  virtual const std::filesystem::path& path() const = 0;
};

/// Makes the file. Pre: IsResultFile(path).
std::unique_ptr<ResultWriter> MakeResultWriter(const std::filesystem::path& path,
                                               const std::vector<ResultColumn>& columns);

}  // namespace davit
