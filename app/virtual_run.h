#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "app/chart_events.h"
#include "statecharts/session_table.h"
#include "statecharts/time_text.h"

namespace davit {

/// Runs a chart through virtual time.
class VirtualRun {
 public:
  VirtualRun(SessionTable& table, double step) : table_(table), step_(step) {}

  /// Whether there is nothing more to do: the chart has ended, or goes round in a loop.
  bool is_over() const { return !table_.session().is_running() || table_.is_stuck() || is_in_storm_; }
  bool is_in_storm() const { return is_in_storm_; }

  void Start() {
    table_.Start(0);
    LookForStorm();
  }
  /// Everything that happens until `time`.
  void AdvanceTo(double time) {
    while (!is_over()) {
      const double next = NextTime();
      if (next > time + kTimeTolerance) break;
      Step(next);
    }
  }
  void Send(const ScriptedEvent& event) {
    if (is_over()) return;
    table_.session().Send(MakeScriptedEvent(event, table_.session()));
    Step(std::max(event.time, table_.time()));
  }

 private:
  /// When something may happen next; infinity for never.
  double NextTime() const {
    if (!table_.needs_steps()) return std::max(table_.NextDue(), table_.time());
    return (std::floor(table_.time() / step_ + kTimeTolerance) + 1) * step_;
  }
  void Step(double time) {
    table_.Step(time);
    LookForStorm();
  }

  void LookForStorm() {
    is_in_storm_ = (table_.session().is_running() && table_.has_waiting_events()) ||
                   table_.session().macrosteps() > kMostMacrosteps;
  }

  static constexpr std::uint64_t kMostMacrosteps = 10'000'000;

  SessionTable& table_;
  double step_;
  bool is_in_storm_ = false;
};

}  // namespace davit
