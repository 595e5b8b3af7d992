#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
#include <unordered_set>
#include <vector>

#include "framework/archive.h"
#include "framework/component.h"
#include "framework/state_slot.h"

namespace davit {

/// The states that are advanced together, one after the other in the order they were added, with their
/// derivatives and residuals.
///
/// Call sequence: Add for each component, then Bind once. It must stay where it is after the first Add.
class StateVectors {
 public:
  StateVectors() = default;
  StateVectors(const StateVectors&) = delete;
  StateVectors& operator=(const StateVectors&) = delete;

  /// Gives the active states of a component their places, with their start values. A component that is added
  /// again keeps them.
  void Add(Component& component);
  /// Gives a place to an unknown that no model declares: an output of `component` that is solved for.
  /// Returns its offset.
  std::uint32_t AddOutput(Component& component, const std::string& name, double nominal);
  /// The unknowns of AddOutput start again.
  void ResetOutputs();
  /// Points the states of all components at the vectors.
  void Bind();
  /// After options have changed: states that are in use get places, the others go home to their components
  /// with the values they had. `is_packed`: only states in use stay in the vectors, in the order they were
  /// added; else all stay, and `idle()` are those nobody reads or writes. Allocates nothing.
  void Arrange(bool is_packed);
  /// Offsets of states that are in the vectors but not in use.
  const std::vector<std::uint32_t>& idle() const { return idle_; }
  /// By place at Bind: the present offset, or kAbsent.
  const std::vector<std::uint32_t>& offsets() const { return offsets_; }
  static constexpr std::uint32_t kAbsent = 0xFFFFFFFF;

  std::size_t size() const { return y.size(); }
  /// How many there would be with all states in use.
  std::size_t capacity() const { return places_.size(); }
  /// How many are always in use.
  std::size_t smallest() const;
  /// `component.state`, with the index of an array.
  std::string Name(std::size_t offset) const;
  Component& Owner(std::size_t offset) const { return *PlaceOf(offset).owner; }
  const StateDeclaration& Declaration(std::size_t offset) const { return *PlaceOf(offset).declaration; }
  /// Whether all values are finite.
  bool IsFinite() const {
    // 0 y is 0, or NaN where y is not finite. Several sums, because each addition waits for the one before.
    using Pair = double __attribute__((vector_size(16)));
    const double* at = y.data();
    const double* const end = at + y.size();
    const auto zero_of = [](const double* values) { return 0.0 * Pair{values[0], values[1]}; };
    Pair first{}, second{};
    for (; end - at >= 4; at += 4) {
      first += zero_of(at);
      second += zero_of(at + 2);
    }
    first += second;
    double sum = first[0] + first[1];
    for (; at != end; ++at) sum += 0 * *at;
    return sum == 0;
  }
  /// The first value that is not finite, or size().
  std::size_t FindNotFinite() const;
  void ArchiveMemory(Archive& archive);

  /// Values, derivatives and residuals by offset.
  std::vector<double> y, ddt, residual;
  /// Where the states find them at the moment: here, or in the vectors of a solver.
  StateMemory memory;

 private:
  struct Place {
    Component* owner;
    const StateDeclaration* declaration;
    std::uint32_t element;
  };
  const Place& PlaceOf(std::size_t offset) const { return places_[present_[offset]]; }

  std::vector<Place> places_;
  std::vector<std::uint32_t> present_;  ///< by offset: into places_
  std::vector<std::uint32_t> offsets_;
  std::vector<std::uint32_t> idle_;
  std::vector<double> kept_;             ///< work space of Arrange
  std::list<StateDeclaration> outputs_;  ///< a deque takes room for many, and most islands have none
  std::list<std::string> output_names_;
  std::unordered_set<const Component*> added_;  ///< until Bind
};

}  // namespace davit
