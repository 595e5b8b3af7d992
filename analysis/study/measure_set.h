#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
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

  // The channels of the measures: what max(), final() and the like measure, each an expression of signals.

  /// How many there are, in the order of the definitions and from left to right in each.
  std::size_t channels() const;
  /// The channels that the definition i has: first and count. Pre: i is one of them.
  std::pair<std::size_t, std::size_t> ChannelsOf(std::size_t definition) const;
  /// Their values at the present time of the simulation; NaN where an expression has none. One place for
  /// each.
  void ReadChannels(std::span<double> values);
  /// The measures of a run in which the channels have other values: `row_at(i, values)` writes those at time
  /// number i. Pre: no definition counts events.
  MeasuredValues ReplayChannels(std::span<const double> times,
                                const std::function<void(std::size_t i, std::span<double> values)>& row_at);
  bool counts_events() const;

  /// SI units in the order of the definitions; empty where a value has none.
  const std::vector<std::string>& units() const { return units_; }
  std::vector<std::optional<Dimension>> dimensions() const;

 private:
  class Program;

  Simulation& simulation_;
  std::vector<std::string> units_;
  std::vector<std::size_t> first_channels_;  ///< by definition, and their number
  std::unique_ptr<Program> program_;
};

}  // namespace davit
