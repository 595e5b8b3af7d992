#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace davit {

/// One of the recordings of a simulation.
enum class RecordingId : std::uint32_t {};

/// Takes a row: time [s] and a value for each column, in SI. Two rows at one time are the values before and
/// after an event or a switch.
using RowTaker = std::function<void(double t, std::span<const double> values)>;

/// What a recording takes, when, and where it goes.
struct RecordingOptions {
  /// Paths and globs, as in a `<Record>`; empty: the columns that the system wants.
  std::vector<std::string> signals = {};
  /// Time between rows [s]; 0: each step point; nothing: the intervals and times that the system wants.
  std::optional<double> interval = {};
  std::vector<std::filesystem::path> files = {};  ///< .csv, .mat, .h5
  RowTaker on_row = {};                           ///< called for each row, in the thread that drives
  /// Of one that begins during a run: whether it has a row at once.
  bool has_row_now = true;
};

}  // namespace davit
