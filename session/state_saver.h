#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "simulator/simulator_manager.h"

namespace davit {

/// A snapshot that is to be written at a time of the run.
struct DueSnapshot {
  double time = 0;  ///< [s]; written at the first step point at or after it
  std::filesystem::path file;
};

/// Writes snapshots into files, at once or when their time comes. A snapshot that is there stays until the
/// new one is complete.
class StateSaver {
 public:
  explicit StateSaver(SimulatorManager& manager) : manager_(manager) {}

  /// Between two steps. Throws std::runtime_error where the file cannot be written.
  void Save(const std::filesystem::path& file);
  /// Why no snapshot can be due at `time`; what would be right. Empty if one can.
  std::string FaultOf(double time) const;
  /// Pre: FaultOf(time) is empty.
  void Add(DueSnapshot snapshot);
  /// Those whose time has not come, by time.
  const std::vector<DueSnapshot>& due() const { return due_; }
  /// Between two steps: writes those whose time has come. Throws as Save does; the one that could not be
  /// written is dropped.
  void SaveDue() {
    while (!due_.empty() && manager_.HasReached(due_.front().time)) SaveFirst();
  }

 private:
  void SaveFirst();

  SimulatorManager& manager_;
  std::vector<DueSnapshot> due_;  ///< by time
};

}  // namespace davit
