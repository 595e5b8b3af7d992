#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "framework/diagnostics.h"
#include "simulator/charts/chart_set.h"
#include "simulator/events/mode_watch.h"

namespace davit {

/// Transitions of the chart of a component for aspects, modes or options that it lacks go to `diagnostics`.
void CheckBehaviourEvents(const Chart& chart, const Component& component, std::string_view path,
                          Diagnostics& diagnostics);

/// Reports what components do to their charts, by events:
///
///     level.NAME              the component runs at this level now
///     levels.CHOICE           who chooses the level now: levels.automatic, levels.given
///     aspect.ASPECT.OPTION    the aspect has this option now
///     mode.MODE.OPTION        the mode has this option since the time [s] in _event.data
///
/// At the start a chart hears all of them, later what changes. Only those that a chart has transitions for
/// are sent, and only to the component's own chart.
class BehaviourMirror {
 public:
  BehaviourMirror() = default;
  /// Of charts that are finished. Transitions for aspects, modes or options that a component lacks go to
  /// `diagnostics`.
  BehaviourMirror(const ChartSet& charts, Diagnostics& diagnostics);

  /// The charts have entered their initial states.
  void Start(double t);
  /// A component has other options, or another level.
  void ReportSwitch(const Component& component);
  /// Settings have been written.
  void ReportChoices();
  void ReportMode(const ModeChange& change);
  /// As if all present values had been reported.
  void Resume();

 private:
  /// The last values reported to a chart, by number, and the events that report them; kNoSymbol where it does
  /// not listen.
  struct Follower {
    ChartBinding* chart = nullptr;
    const Component* component = nullptr;
    std::vector<SymbolId> levels, choices;
    std::vector<std::vector<SymbolId>> aspects, modes;  ///< by number, then by option
    std::uint32_t level = 0;
    bool chooses_its_level = false;
    std::vector<std::uint32_t> options;  ///< of the aspects
  };

  static void Report(Follower& follower, SymbolId event);
  static void ReportAt(Follower& follower, SymbolId event, double t);

  std::vector<Follower> followers_;
  std::unordered_map<const Component*, std::size_t> of_component_;
};

}  // namespace davit
