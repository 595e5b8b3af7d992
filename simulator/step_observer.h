#pragma once

namespace davit {

/// Somebody who looks at the system at step points. All values are those at t.
class StepObserver {
 public:
  virtual ~StepObserver() = default;
  /// Once, after initialisation.
  virtual void OnStart(double t) = 0;
  /// After each step.
  virtual void OnStep(double t) = 0;
};

}  // namespace davit
