#pragma once

namespace davit {

/// A component that is told of each step of the solver of its island, and may have an event at its end. A
/// class that derives from DynamicSimComponent derives from this too.
///
/// The steps are those that the solver accepts, up to where an event ends them, in the order of time. A step
/// that goes beyond a step point is told of when the run has come to its end. Methods without values inside
/// their steps (adams_bashforth_moulton, bulirsch_stoer) tell of none.
class StepReaction {
 public:
  /// Whether it wants to be told. Asked when the island is made.
  virtual bool wants_solver_steps() const = 0;
  /// A step has ended at `t`, where everything is evaluated. Returns whether there is an event.
  virtual bool CompleteSolverStep(double t) = 0;
  /// The event: may change modes of the component, and states by OverrideStateValue. The solver restarts.
  virtual void ReactAfterSolverStep(double t) = 0;
  /// Whether its equations have changed at a step point, otherwise than by what it reads, since the last
  /// call: the solver restarts there.
  virtual bool TakeChange() = 0;

 protected:
  StepReaction() = default;
  ~StepReaction() = default;
  StepReaction(const StepReaction&) = default;
  StepReaction& operator=(const StepReaction&) = default;
};

}  // namespace davit
