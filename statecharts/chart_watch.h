#pragma once

#include <optional>

#include "statecharts/chart.h"

namespace davit {

class Interpreter;

/// Looks more closely at charts than a ChartObserver, and may decide conditions in their place: coverage
/// counts what it sees, the search for paths leaves conditions open. No function may change the chart.
class ChartWatch {
 public:
  virtual ~ChartWatch() = default;

  /// Whether all that a transition needs besides its event holds: its condition, davit:after, davit:holds.
  /// Nothing: the chart decides.
  virtual std::optional<bool> DecideGuard(const Interpreter& /*session*/, Index /*transition*/) { return {}; }
  /// The same of the condition of an `<if>`, of Chart::expressions.
  virtual std::optional<bool> DecideIf(const Interpreter& /*session*/, Index /*condition*/) { return {}; }
  /// What was decided. Not called for a transition that needs nothing but its event.
  virtual void OnGuard(const Interpreter& /*session*/, Index /*transition*/, bool /*is_true*/) {}
  /// A transition is taken.
  virtual void OnTaken(const Interpreter& /*session*/, Index /*transition*/) {}
  virtual void OnEntered(const Interpreter& /*session*/, StateId /*state*/) {}
  /// All states of a microstep were entered, or the initial ones.
  virtual void OnConfiguration(const Interpreter& /*session*/) {}
};

}  // namespace davit
