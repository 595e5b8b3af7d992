#pragma once

#include <cstdint>
#include <span>

#include "framework/command.h"
#include "framework/item.h"

namespace davit {

/// Somebody who looks at the system at step points. All values are those at t.
class StepObserver {
 public:
  virtual ~StepObserver() = default;
  /// Once, after initialisation.
  virtual void OnStart(double t) = 0;
  /// Instead of OnStart, where a run begun at `start` restarts from a snapshot at t; the step point before
  /// was `t_before`. What happened until t, t included, was seen by whoever watched the run that saved.
  virtual void OnContinue(double start, double t_before, double t) = 0;
  /// After each step.
  virtual void OnStep(double t) = 0;
  /// The solvers have advanced to t, which lies between two step points; OnStep follows at the second.
  virtual void OnPartialStep(double /*t*/) {}
  /// The variables whose values at events inside a step are wanted; they stay in place during a run.
  virtual std::span<const Item> EventVariables() const { return {}; }
  /// Before and after the reactions to an event at t inside the step that has just been taken and
  /// ends at `step_end`; OnStep follows.
  /// `values` are those of `EventVariables()[columns[i]]`: all that belong to the island of the event.
  virtual void OnEvent(double /*t*/, double /*step_end*/, std::span<const std::uint32_t> /*columns*/,
                       std::span<const double> /*values*/) {}
  /// At a step point that was observed already: levels or aspects are about to change (`is_before`), and have
  /// changed.
  virtual void OnSwitch(double /*t*/, bool /*is_before*/) {}
  /// Whether OnInput is wanted: telling of a write costs memory.
  virtual bool TakesInputs() const { return false; }
  /// Somebody outside of the run, between two steps, is about to write now (`is_now`), or to submit a
  /// command.
  virtual void OnInput(const Command& /*command*/, bool /*is_now*/) {}
  /// A snapshot was taken between two steps: solvers with a long history begin anew there.
  virtual void OnSave() {}
  /// Before OnStart or OnContinue: there can be events.
  virtual void ExpectEvents() {}
};

}  // namespace davit
