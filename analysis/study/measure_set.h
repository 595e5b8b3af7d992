#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/study/measure_parser.h"
#include "framework/diagnostics.h"
#include "session/simulation.h"

namespace davit {

/// A measure as it is asked for.
struct MeasureDefinition {
  std::string name;           ///< of its column, and for the measures after it
  std::string text;           ///< MeasureParser
  SourceLocation place = {};  ///< where it is asked for
};

/// What was measured in one run.
struct MeasuredValues {
  std::vector<double> values;       ///< SI; NaN where there is none
  std::vector<std::string> faults;  ///< why there is none: `crossing(x, 2 m): x never crosses 2: ...`
};

/// Measures over the runs of a simulation: at each step point, and before and after each event and switch,
/// whatever is recorded. Keeps no curves but of rise and settling times.
///
/// Call sequence: Begin before each Simulation::Initialize, Finish at the end of the run. The set must not
/// outlive the simulation; results of the run do not depend on it.
class MeasureSet {
 public:
  /// All faults go to `diagnostics`; after errors the set must not be used.
  MeasureSet(Simulation& simulation, std::span<const MeasureDefinition> definitions,
             Diagnostics& diagnostics);
  ~MeasureSet();
  MeasureSet(const MeasureSet&) = delete;
  MeasureSet& operator=(const MeasureSet&) = delete;

  void Begin();
  MeasuredValues Finish();
  /// The signals that the measures read.
  std::vector<Item> signals() const;
  /// The measures of a run in which the signals have other values: `row_at(i, values)` writes those at time
  /// number i, in the order of signals(). Counts of events are those of the last run.
  MeasuredValues Replay(std::span<const double> times,
                        const std::function<void(std::size_t i, std::span<double> values)>& row_at);
  /// SI units in the order of the definitions; empty where a value has none.
  const std::vector<std::string>& units() const { return units_; }
  std::vector<std::optional<Dimension>> dimensions() const;

 private:
  class Program;

  Simulation& simulation_;
  std::vector<std::string> units_;
  std::unique_ptr<Program> program_;
};

}  // namespace davit
