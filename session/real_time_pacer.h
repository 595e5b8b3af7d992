#pragma once

#include <chrono>

namespace davit {

/// The clock of a run that keeps pace with real time: when a simulated time is due, and how much of a period
/// computing has taken.
///
/// Call sequence: Start, then for each period BeginPeriod, the steps, EndPeriod.
class RealTimePacer {
 public:
  using Clock = std::chrono::steady_clock;

  /// What a period has cost.
  struct Period {
    double seconds_late = 0;  ///< real time after it was due; below 0: ahead
    double work_share = 0;    ///< of its real time that computing has taken; 0 for an empty one
    Clock::time_point due;    ///< when its end is due
  };

  /// `factor`: simulated seconds per second, > 0.
  explicit RealTimePacer(double factor) : factor_(factor) {}

  /// The simulated time `t` [s] is now.
  void Start(double t);
  /// For so long the run has paused: all that follows is due later.
  void AddPause(Clock::duration pause);
  void BeginPeriod(double t);
  /// Of the real time of the period, if it ends at the simulated time `t`, computing has taken this share.
  double WorkShare(double t, Clock::time_point now) const;
  /// At the simulated time `t`; the period was to end at `t_due`.
  Period EndPeriod(double t, double t_due) const;

 private:
  Clock::duration RealTime(double simulated) const;

  double factor_;
  double t_start_ = 0;       ///< simulated [s]
  Clock::time_point start_;  ///< when t_start_ was, later by what has been paused
  double t_begin_ = 0;       ///< of the period
  Clock::time_point begin_;
  Clock::duration paused_{};  ///< in the period
};

}  // namespace davit
