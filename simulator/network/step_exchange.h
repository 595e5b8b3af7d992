#pragma once

namespace davit {

/// What a network whose parts advance in several processes does around each step: values of the others come
/// before it, own ones leave after it. Calls throw SimulationFailure.
class StepExchange {
 public:
  virtual ~StepExchange() = default;
  /// Before anything of a step: all that it reads of other parts is that of its beginning.
  virtual void BeforeStep() = 0;
  /// The own parts have reached the step point t [s].
  virtual void AfterStep(double t) = 0;
  /// Between two steps, before a snapshot is written: the process that writes it gets the memory of all.
  virtual void Gather() = 0;
};

}  // namespace davit
