#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "framework/component.h"
#include "framework/diagnostics.h"
#include "statecharts/chart.h"
#include "statecharts/interpreter.h"

namespace davit {

/// The outputs of a component that show its chart:
///
///     state.ID   1 while the state is active, else 0
///     region     the position of the active state among those directly in the chart, from 0
///     region.ID  the same of the states in the state ID; -1 while that is not active
///     time.ID    seconds since the state was entered; 0 while it is not active
///     NAME       the <data> of that name: a number, a condition (0 or 1), or the position of its choice
///
/// Call sequence: Make once, then Clear at each start and Publish after each step.
class ChartOutputs {
 public:
  explicit ChartOutputs(Component& node) : node_(node) {}
  ChartOutputs(const ChartOutputs&) = delete;
  ChartOutputs& operator=(const ChartOutputs&) = delete;

  /// Declares them. Those of a default chart are not recorded by a glob, and show no times: such a chart
  /// would have to run in each step for that.
  void Make(const Chart& chart, bool is_default, Diagnostics& diagnostics);
  /// As if there were no states.
  void Clear();
  /// The session has started or continues elsewhere: the next Publish writes all values.
  void Forget() { published_ = kNever; }
  /// Makes them those of the present states at a time [s]. `session` runs the chart of Make.
  void Publish(const Interpreter& session, double t);

 private:
  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

  struct Region {
    StateId state;
    std::size_t output;
  };

  void MakeDataOutput(const Chart& chart, Index number, bool is_primary, Diagnostics& diagnostics);
  std::size_t Add(std::string name, std::string text, std::string_view unit, bool is_primary);
  void PublishStates(const Interpreter& session);
  void PublishData(const Interpreter& session);

  Component& node_;
  std::deque<double> values_;        ///< which keep their places
  std::vector<std::size_t> states_;  ///< by state: into values_, or kNone
  std::vector<std::size_t> times_;   ///< likewise
  std::vector<std::size_t> data_;    ///< by variable, likewise
  std::vector<Region> regions_;
  std::uint64_t published_ = kNever;  ///< the macrosteps whose values they have
};

}  // namespace davit
