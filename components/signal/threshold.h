#pragma once

#include "simulator/dynamic_sim_component.h"

namespace davit {

/// Counts how often a signal rises above a threshold, with the time of the last crossing.
class Threshold final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "signal.Threshold",
      .text = "Counts and times the upward crossings of a threshold",
      .equations = R"(
count grows by 1 where u rises through threshold; last_time is that time.
The crossing is located inside the step. For falling signals change the sign.
# Assumptions and limits
- The crossing is located to the accuracy of events. A signal that exceeds the threshold
  for less than a step of the solver may be missed.
- There is no hysteresis: noise around the threshold counts every time.
)",
  };

  void Reset() override;

 private:
  Input u{this, "u", kAnyUnit, "Signal"};
  Parameter threshold{this, "threshold", kAnyUnit, "Threshold of u", 0};
  Output count{this, "count", "", "Crossings so far"};
  Output last_time{this, "last_time", "s", "Time of the last crossing; 0 before the first"};
  Guard crossing{this,
                 "crossing",
                 "u rises through threshold",
                 Guard::Direction::kRising,
                 [this] { return u - threshold; },
                 [this](double t) {
                   count = count + 1;
                   last_time = t;
                 }};
};

}  // namespace davit
