#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "statecharts/chart.h"
#include "statecharts/chart_host.h"

namespace davit {

/// How a chart reaches one of its states or transitions.
struct ChartPath {
  std::string name;  ///< of the state, or `source/N`
  int line = 0;
  bool is_found = false;
  /// The shortest sequence of steps from the start, each an event, `wait` for a delayed event, or `time` for
  /// the passing of time; followed by the open conditions that must hold: `time [p gt 3]`.
  std::vector<std::string> steps = {};
};

/// What a search through the configurations of a chart has found.
struct ChartPaths {
  std::string fault = {};            ///< why there was no search; empty: there was
  std::uint64_t configurations = 0;  ///< sets of states that are active together when the chart is stable
  std::uint64_t situations = 0;      ///< the same with histories, data and delayed events
  bool is_complete = true;           ///< false: there are more than were looked at
  std::vector<ChartPath> states = {}, transitions = {};
  /// Conditions that depend on the machine, the time or data of events: both values were tried.
  std::vector<std::string> open = {};
  std::vector<std::string> events = {};  ///< that were sent
  std::uint64_t livelocks = 0;           ///< steps that never settle; they were not followed

  std::vector<std::string> Unreachable() const;  ///< states
  std::vector<std::string> Dead() const;         ///< transitions
};

/// The events that a chart hears from outside: those that its transitions name, except those that it raises
/// or sends to itself and those of davit (done, error). `any` stands for one that `*` takes.
std::vector<std::string> OutsideEvents(const Chart& chart);

/// Searches breadth first, with the interpreter itself. In each situation each of OutsideEvents is sent.
/// Conditions are those of OpenConditions; data that take more than 100 values are open, too; davit:after and
/// davit:holds are open. In one step at most two open conditions are true. Ends after `most` situations.
ChartPaths FindChartPaths(const std::shared_ptr<const Chart>& chart, ChartHost* host, std::uint64_t most);

}  // namespace davit
