#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "framework/archive.h"
#include "framework/system.h"

namespace davit {

class BehaviourSwitcher;
class Island;
struct Network;

/// Writes items between two steps of a run, and notifies those who depend on them.
class ValueWriter {
 public:
  /// The network of a system as it is built now; again after each build. All must outlive their use.
  void Bind(System& system, Network& network, BehaviourSwitcher& switcher);

  /// Levels and aspects change with the beginning of the next step; all else has its value now. What the item
  /// has already changes nothing. After an input or a parameter the solvers that read it keep their step
  /// size; after a state or a property they estimate a new one. Pre: the item may be written while the system
  /// runs, and `number` is valid. Allocates nothing.
  void Write(const Item& item, double number);
  /// The same for any kind of value.
  void Apply(const Assignment& assignment);
  /// Values of a component have changed: constants derived from them are recomputed, and the islands that
  /// read them restart, with a new step size.
  void ValuesChanged(Component& owner);
  /// The same after numbers that solvers need not estimate a new step size for.
  void InputsChanged(Component& owner);
  /// Copies of a source that other islands evaluate follow their original.
  void UpdateCopies(const Component& original);
  /// Whether anything has changed since ForgetWrites: what equations compute may be older.
  bool has_written() const { return has_written_; }
  void ForgetWrites() { has_written_ = false; }
  void ArchiveMemory(Archive& archive) { archive(has_written_); }

 private:
  void Derive(Component& owner);
  std::span<Island* const> ReadersOf(const Component& owner) const;

  bool has_written_ = false;
  System* system_ = nullptr;
  Network* network_ = nullptr;
  BehaviourSwitcher* switcher_ = nullptr;
  /// By component: the islands that evaluate it, a copy of it, or a component that reads a parameter of it by
  /// a route; of what none evaluates, those of its neighbours.
  std::unordered_map<const Component*, std::vector<Island*>> readers_;
};

}  // namespace davit
