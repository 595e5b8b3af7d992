#pragma once

#include <optional>
#include <string>
#include <vector>

#include "framework/system.h"
#include "simulator/step_observer.h"

namespace davit {

/// Ends a run at the first step point at which an output of a watched component is NaN. States are watched by
/// the manager; this is for components whose code davit does not vouch for.
class OutputWatch final : public StepObserver {
 public:
  /// What is wrong with an output that is NaN now, and of which component.
  struct Fault {
    std::string path;
    std::string text;
  };

  void Watch(const Component& component);
  std::optional<Fault> Find() const;
  bool is_empty() const { return components_.empty(); }

  void OnStart(double t) override { Look(t); }
  void OnContinue(double /*start*/, double /*t_before*/, double t) override { Look(t); }
  void OnStep(double t) override { Look(t); }

 private:
  /// Throws SimulationFailure.
  void Look(double t) const;

  std::vector<const Component*> components_;
};

}  // namespace davit
