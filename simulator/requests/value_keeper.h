#pragma once

#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "framework/archive.h"
#include "framework/system.h"

namespace davit {

class ValueWriter;

/// Remembers what a run overwrites, so that the next run begins with the values of the system file: values
/// that commands and charts write, levels and aspects, and all that a snapshot brought.
class ValueKeeper {
 public:
  explicit ValueKeeper(System& system) : system_(system) {}

  /// Forgets everything.
  void Clear();
  /// Before an item is written for the first time. States and levels need not be kept.
  void Keep(const Item& item);
  void KeepBehaviour(Component& component) { behaviour_.emplace_back(&component, component.behaviour()); }
  /// Before a snapshot replaces the values of all components.
  void KeepAll();
  /// The values of all inputs, when a run begins.
  void KeepInputs();
  /// Inputs back to what they were when the run began.
  void RestoreInputs(ValueWriter& writer);
  /// Everything back to what was kept; it stays kept, but for what KeepAll did.
  void Restore(ValueWriter& writer);

 private:
  System& system_;
  std::vector<Assignment> values_;
  std::unordered_set<const void*> kept_;  ///< targets of values_
  std::vector<std::pair<Component*, BehaviourSetting>> behaviour_;
  std::vector<double> inputs_;  ///< of all components, in their order
  std::string all_;             ///< an archive of the values of all components
};

/// Writes or reads the values of all components.
void ArchiveAllValues(Archive& archive, System& system);

}  // namespace davit
