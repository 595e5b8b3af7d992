#pragma once

namespace davit {

/// A component whose start depends on what it reads, such as an FMU, which initialises itself. A class that
/// derives from DynamicSimComponent derives from this too.
///
/// Call sequence, after each Reset for a run: TakeFirstInputs until all answer false, everything being
/// evaluated before each call; the search for a steady state; CompleteStart; the first step.
class StartReaction {
 public:
  /// Everything is evaluated, so inputs are known. Returns whether the component has begun anew from them.
  virtual bool TakeFirstInputs(double t) = 0;
  /// The values of the start are consistent. Returns whether outputs have changed at its completion.
  virtual bool CompleteStart(double t) = 0;

 protected:
  StartReaction() = default;
  ~StartReaction() = default;
  StartReaction(const StartReaction&) = default;
  StartReaction& operator=(const StartReaction&) = default;
};

}  // namespace davit
