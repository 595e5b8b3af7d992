#pragma once

namespace davit {

/// A component whose evaluations leave out outputs that no input of its island reads, while a solver tries
/// steps. At step points, at events and wherever else values are shown, evaluations write everything. A class
/// that derives from DynamicSimComponent derives from this too.
class SparingEvaluations {
 public:
  /// `is_trial`: the next evaluations are those of a solver, until this is called again.
  virtual void SetTrial(bool is_trial) = 0;

 protected:
  SparingEvaluations() = default;
  ~SparingEvaluations() = default;
  SparingEvaluations(const SparingEvaluations&) = default;
  SparingEvaluations& operator=(const SparingEvaluations&) = default;
};

}  // namespace davit
