#pragma once

#include <cstdint>

namespace davit {

/// What the hooks of a component at step points (PreIntegrate, PostIntegrate) do from now on, until a
/// parameter, a level or an option of a component is written.
enum class StepPointUse : std::uint8_t {
  kNothing,  ///< nothing
  kLook,  ///< look at values, for an alarm or a check: they change nothing, and need not come at each point
  kAct,   ///< may change states, or hold other values
};

/// A component that says what its hooks at step points are for: a solver outside of davit need not stop where
/// they do nothing. One that does not derive from this may act at each step point. A class that derives from
/// DynamicSimComponent derives from this too.
class StepPointHooks {
 public:
  virtual StepPointUse step_point_use() const = 0;

 protected:
  StepPointHooks() = default;
  ~StepPointHooks() = default;
  StepPointHooks(const StepPointHooks&) = default;
  StepPointHooks& operator=(const StepPointHooks&) = default;
};

}  // namespace davit
