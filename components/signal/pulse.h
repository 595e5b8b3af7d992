#pragma once

#include "simulator/dynamic_sim_component.h"

namespace davit {

/// y is high for `width` at the start of each period, low otherwise and before start_time.
class Pulse final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "signal.Pulse",
      .text = "Square wave",
      .equations = R"(
rise_k = start_time + k period,   fall_k = rise_k + width,   k = 0, 1, 2, ...
y = high   rise_k <= t < fall_k
y = low    otherwise
)",
  };

  static constexpr bool kValuesShareUnit = true;

  void EvaluateDiffEquations(double t) override;
  double NextBreakTime(double t) const override;
  void Configure(Diagnostics& diagnostics) override;

 private:
  /// No break closer to the next than the accuracy events are located with.
  static constexpr Range kPeriods{.low = 1e-9};

  double Rise(double k) const;
  double Fall(double k) const;
  /// The last k with Rise(k) <= t. Pre: t >= start_time.
  double PeriodAt(double t) const;

  Parameter period{this, "period", "s", "Time from one rise to the next", 1.0, kPeriods};
  Parameter width{this, "width", "s", "Time that y is high in each period", 0.5, kNonNegative};
  Parameter low{this, "low", kAnyUnit, "Value between the pulses", 0.0};
  Parameter high{this, "high", kAnyUnit, "Value during a pulse", 1.0};
  Parameter start_time{this, "start_time", "s", "Time of the first rise", 0.0};
  Output y{this, "y", kAnyUnit, "Output"};
};

}  // namespace davit
