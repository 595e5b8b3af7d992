#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

namespace davit {

/// How a call that runs a system came to its end.
enum class RunEnd : std::uint8_t {
  kReached,    ///< the time asked for, or StopTime
  kRequested,  ///< RequestStop
  kMessage,    ///< the message Stop of the SimulatorManager, such as a chart or an `<At>` sends
};

/// Exchanges values with partners outside, before a step. In lock step it waits for them; meanwhile it calls
/// `keeps_waiting`, if there is one, every 0.1 s. Returns whether all have answered: false where
/// `keeps_waiting` was false or the run is to stop. Then the next call at the same time waits again.
using PartnerExchange = std::function<bool(const std::function<bool()>& keeps_waiting)>;

/// What a program adds to a run that advances by itself: pauses, a look at the keyboard, its own way to
/// sleep. All are called by the thread that runs; the run is ended with Simulation::RequestStop. Of the
/// simulation they may call what a callback may: reading, Post, RequestStop; BeforeStep and SleepUntil also
/// Submit.
class RunHost {
 public:
  using Clock = std::chrono::steady_clock;

  virtual ~RunHost() = default;
  /// Before each step. To pause, it returns later; then it gives the time for which it has waited, which a
  /// paced run is not charged with.
  virtual Clock::duration BeforeStep() { return {}; }
  /// Now and then: every 16 steps, in a paced run after each period of 1/fs.
  virtual void LookAround() {}
  /// Of a paced run that is ahead: returns at `when`, earlier if the run is to stop. Returns false where the
  /// host has no way of its own.
  virtual bool SleepUntil(Clock::time_point /*when*/) { return false; }
};

}  // namespace davit
