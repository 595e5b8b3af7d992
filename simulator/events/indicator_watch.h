#pragma once

#include <vector>

#include "framework/component.h"

namespace davit {

/// Evaluates the indicators of components at communication points: of those that something reads.
///
/// Call sequence: Add, then Start with the first values of a run, then LookAt with growing times.
class IndicatorWatch {
 public:
  /// One without indicators is ignored.
  void Add(Component& component);
  bool is_empty() const { return watched_.empty(); }
  /// Everything is evaluated at t.
  void Start(double t);
  void LookAt(double t);
  /// Values have been written since: evaluates with the rates of the last look.
  void Show();
  /// Watches only the components that `is_kept` is true of.
  template <class Keeps>
  void Keep(const Keeps& is_kept) {
    std::erase_if(watched_, [&](const Component* component) { return !is_kept(component); });
  }

 private:
  std::vector<Component*> watched_;
};

}  // namespace davit
