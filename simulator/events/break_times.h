#pragma once

#include <limits>
#include <span>
#include <vector>

#include "framework/archive.h"
#include "simulator/break_reaction.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {

/// The break times of components (DynamicSimComponent::NextBreakTime): the next of them all, and what
/// components do at it.
class BreakTimes {
 public:
  explicit BreakTimes(std::span<DynamicSimComponent* const> components);

  bool has_reactions() const { return !reactions_.empty(); }
  /// [s]; infinity for none.
  double next() const { return next_; }
  /// Begins a run: no break times have followed each other yet.
  void Start() { quick_ = 0; }
  /// Finds the next break time after t. Throws EvaluationFailure if a component returns one that is not
  /// later, or if they follow each other without end.
  void Find(double t);
  /// Whether the next one is that of a component without a reaction too. `before` is a time just before it.
  bool IsOfOther(double before) const;
  /// Lets components react at `t`. Returns whether one has changed something.
  bool React(double t);
  /// The longest step [s] from t on that components allow.
  double LongestStep(double t) const;
  void ArchiveMemory(Archive& archive) { archive(next_); }

 private:
  std::vector<DynamicSimComponent*> timed_;  ///< those that declare break times
  std::vector<BreakReaction*> reactions_;    ///< of `timed_`
  double next_ = std::numeric_limits<double>::infinity();
  int quick_ = 0;  ///< break times in close succession
};

}  // namespace davit
