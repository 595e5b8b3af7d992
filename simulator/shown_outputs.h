#pragma once

namespace davit {

/// A component that writes some outputs only where values are shown: at step points, at events, at the end of
/// an evaluation at a time reached; not in the evaluations of a solver. For outputs that no input of its
/// island reads. A class that derives from DynamicSimComponent derives from this too.
class ShownOutputs {
 public:
  /// Everything is evaluated at t. Writes these outputs, nothing else.
  virtual void ShowOutputs(double t) = 0;

 protected:
  ShownOutputs() = default;
  ~ShownOutputs() = default;
  ShownOutputs(const ShownOutputs&) = default;
  ShownOutputs& operator=(const ShownOutputs&) = default;
};

}  // namespace davit
