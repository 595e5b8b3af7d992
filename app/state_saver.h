#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "framework/diagnostics.h"
#include "simulator/simulator_manager.h"

namespace davit {

/// `--save-state F[@T]`: writes snapshots of a run while it goes on, and at its end.
class StateSaver {
 public:
  /// `texts` as typed; a file name that contains @ needs its @T. Faults go to `diagnostics`. Call it when the
  /// time at which the run begins is known.
  StateSaver(const std::vector<std::string>& texts, System& system, Diagnostics& diagnostics);

  /// After each step, and before the first: writes what is due. Throws std::runtime_error where a file cannot
  /// be written.
  void SaveDue() {
    while (next_ < timed_.size() && manager_.HasReached(timed_[next_].time)) Save(timed_[next_++].file);
  }
  /// Writes those without a time. Returns a warning for each time that was not reached.
  std::vector<std::string> SaveAtEnd();

 private:
  struct Timed {
    std::filesystem::path file;
    double time;  ///< [s]
  };

  void Read(const std::string& text, const System& system, Diagnostics& diagnostics);
  void Save(const std::filesystem::path& file);

  SimulatorManager& manager_;
  std::vector<Timed> timed_;  ///< by time
  std::size_t next_ = 0;
  std::vector<std::filesystem::path> at_end_;
};

}  // namespace davit
