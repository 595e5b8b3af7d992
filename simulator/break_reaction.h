#pragma once

namespace davit {

/// A component that acts at its break times (DynamicSimComponent::NextBreakTime), as at an event. A class
/// that derives from DynamicSimComponent derives from this too.
class BreakReaction {
 public:
  /// At a break time of the island, which may be that of another member: everything is evaluated at `t` with
  /// the states there. May change modes of the component, and states by OverrideStateValue. NextBreakTime is
  /// asked after it. Returns whether anything has changed that an evaluation or a guard may see: else the
  /// solver continues as if there had been no break.
  virtual bool ReactAtBreak(double t) = 0;

 protected:
  BreakReaction() = default;
  ~BreakReaction() = default;
  BreakReaction(const BreakReaction&) = default;
  BreakReaction& operator=(const BreakReaction&) = default;
};

}  // namespace davit
