#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "results/result_table.h"

namespace davit {

/// A run of the program that is killed (SIGKILL) while it writes a CSV, a MAT and an HDF5 file and the event
/// log, and what that leaves.
class KilledRun {
 public:
  /// Of the rows, and of a chart that writes the time into the event log [s].
  static constexpr double kInterval = 0.01;

  /// `program` is davit.
  explicit KilledRun(std::string program);
  ~KilledRun();
  KilledRun(const KilledRun&) = delete;
  KilledRun& operator=(const KilledRun&) = delete;

  /// Runs the program with further options and kills it; `wait` after the first row is there. False if it has
  /// ended by itself, or gives no row within a minute.
  bool RunAndKill(std::vector<std::string> options, std::chrono::milliseconds wait);
  /// One of each kind.
  const std::vector<std::filesystem::path>& files() const { return files_; }
  /// The table of a file; empty, with the fault, where it cannot be read.
  static ResultTable Load(const std::filesystem::path& file, std::string& fault);
  /// The simulated time [s] that the run had reached by a second before it was killed, as the event log had
  /// it then; -1 where it was killed earlier.
  double TimeASecondBefore() const;
  /// The last time that the event log has [s]: the run had reached it.
  double TimeReached() const;

 private:
  bool HasFirstRow() const;

  /// What the event log had.
  struct Sample {
    std::chrono::steady_clock::time_point when;
    double time;
  };

  std::string program_;
  std::filesystem::path folder_;
  std::vector<std::filesystem::path> files_;
  std::vector<Sample> samples_;
  std::chrono::steady_clock::time_point killed_;
};

}  // namespace davit
