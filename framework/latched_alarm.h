#pragma once

#include <concepts>
#include <string>

#include "framework/alarm.h"

namespace davit {

/// An alarm that somebody must have seen: it stays set when its condition has gone, until it is acknowledged
/// too, in either order. What happened in a run without an operator is therefore still shown at its end, and
/// a condition that comes and goes sets it once. (Latching alarm of ANSI/ISA-18.2, with the acknowledgement
/// as its reset.)
class LatchedAlarm final : public Alarm {
 public:
  using Alarm::Alarm;

  /// Whether Look would change it.
  bool IsNews(bool holds) const { return holds ? !is_set() : CanEnd(); }
  /// Whether it ends when its condition does not hold.
  bool CanEnd() const { return is_set() && is_acknowledged(); }

  /// In PostIntegrate: whether its condition holds. `describe` gives the detail for the log if it is set now.
  template <std::invocable Describe>
  void Look(bool holds, const Describe& describe) {
    if (!IsNews(holds)) [[likely]]
      return;
    if (holds) {
      Set(std::string(describe()));
    } else {
      Clear();
    }
  }
  void Look(bool holds) {
    Look(holds, [] { return std::string(); });
  }
};

}  // namespace davit
