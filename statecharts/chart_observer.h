#pragma once

#include <string_view>

#include "statecharts/chart.h"

namespace davit {

class Interpreter;

/// Is notified of what charts do, in the order in which they do it. No function may change the chart.
class ChartObserver {
 public:
  virtual ~ChartObserver() = default;

  /// An event is taken from a queue; its transitions follow.
  virtual void OnEvent(const Interpreter& /*session*/, const Event& /*event*/) {}
  /// A transition is about to be taken: first all of a microstep, then what they leave and enter.
  virtual void OnTransition(const Interpreter& /*session*/, const Transition& /*transition*/) {}
  virtual void OnExit(const Interpreter& /*session*/, StateId /*state*/) {}
  virtual void OnEnter(const Interpreter& /*session*/, StateId /*state*/) {}
  /// The chart is stable: nothing more happens without an event or the passing of time.
  virtual void OnMacrostepEnd(const Interpreter& /*session*/) {}
  virtual void OnLog(const Interpreter& /*session*/, std::string_view /*label*/, std::string_view /*text*/) {}
  /// What lies behind an error event, or an event that was lost; `line` is of the chart, 0 if unknown.
  virtual void OnError(const Interpreter& /*session*/, int /*line*/, std::string_view /*what*/) {}
  /// The cap on microsteps was reached: the chart goes round in a loop.
  virtual void OnLivelock(const Interpreter& /*session*/) {}
};

}  // namespace davit
