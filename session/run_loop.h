#pragma once

#include <optional>

#include "session/real_time_pacer.h"
#include "session/run_host.h"
#include "session/stepper.h"

namespace davit {

/// Runs a system from its present time to its end: as fast as possible, or at the pace of the clock, a period
/// of 1/fs at a time.
class RunLoop {
 public:
  /// `factor`: simulated seconds per second; nothing: as fast as possible. All must outlive the loop.
  RunLoop(Stepper& stepper, RunHost& host, std::optional<double> factor);

  /// Throws what Stepper::Step throws.
  RunEnd Run();

 private:
  /// With Autostart="false": until somebody sends Start, or the run is to stop.
  void WaitForStart();
  void Step();
  /// The same in a period that ends at t. Where computing has taken more of it than the budget already,
  /// charts hear of it now, and not when the period has passed.
  void TimedStep(double t);
  /// Advances to t, at the pace of the clock.
  void RunPeriod(double t);

  Stepper& stepper_;
  SimulatorManager& manager_;
  RunHost& host_;
  std::optional<RealTimePacer> pacer_;
  bool is_over_budget_ = false;  ///< this period, and it is reported
};

}  // namespace davit
