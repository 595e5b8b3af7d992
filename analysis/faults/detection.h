#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/run_log.h"
#include "session/simulation.h"

namespace davit {

/// What a run has noticed: states that charts have entered and alarms that were set, each with the time at
/// which it first did. `safety.moment_limit` is a state of a chart, `pump_volume.overpressure` an alarm.
class Detection {
 public:
  /// Watches the charts that have a file. The simulation outlives it.
  explicit Detection(Simulation& simulation);
  ~Detection();
  Detection(const Detection&) = delete;
  Detection& operator=(const Detection&) = delete;

  /// Of a run that follows: forgets all.
  void Begin() { seen_.clear(); }
  /// Gets the lines of the run log (SimulationOptions::log_entries).
  void OnLog(const RunLog::Entry& entry);

  struct Sign {
    std::string name;
    double time = 0;  ///< [s]
  };
  /// In the order in which they came.
  const std::vector<Sign>& seen() const { return seen_; }
  /// The first sign that matches one of `globs` (none: any) and that a run without fault, `usual`, lacks.
  std::optional<Sign> First(const std::set<std::string>& usual, const std::vector<std::string>& globs) const;
  /// What can be named: charts and alarms of the system.
  static std::vector<std::string> Names(Simulation& simulation);

 private:
  class Watch;

  void Add(std::string name, double time);

  Simulation& simulation_;
  std::vector<std::unique_ptr<Watch>> watches_;
  std::vector<Sign> seen_;
};

}  // namespace davit
