#pragma once

#include <cstdint>
#include <vector>

#include "simulator/call_watch.h"
#include "simulator/islands/jacobian_plan.h"
#include "simulator/islands/known_partials.h"
#include "simulator/islands/state_vectors.h"
#include "simulator/islands/visit_secants.h"
#include "simulator/solvers/integrator.h"
#include "simulator/solvers/jacobian_pattern.h"

namespace davit {

/// The Jacobian of the equations of an island, member by member: central differences of what a member writes
/// over the few numbers that it reads (its states and couplings), chained in the order of evaluation.
///
/// A coupling is shifted as far as the increments of the states move it, and left out where they do not. So a
/// law that reads the difference of two pressures sees both with one increment, and its two derivatives
/// cancel as they must. Which entries there can be follows from the couplings: none is guessed.
///
/// Members that know their partial derivatives (DynamicSimComponent::WritePartials) are not shifted.
///
/// With y by place (StateLayout), the equations are y' = f(y), or, if they are implicit, residuals: y' - f of
/// states whose derivatives are computed, the residuals that members state, and z - (what is computed) of
/// outputs solved for.
class IslandJacobian {
 public:
  /// `states` must outlive it.
  IslandJacobian(StateVectors& states, JacobianSource source);
  IslandJacobian(const IslandJacobian&) = delete;
  IslandJacobian& operator=(const IslandJacobian&) = delete;

  /// With all states in use.
  const JacobianPattern& pattern() const { return plan_.pattern; }
  /// After states have got other places: entries are now those of a part of the pattern.
  void Arrange();

  /// Writes the entries at a point, at which all members have just been evaluated with derivatives `ddt` (and
  /// residuals, of implicit equations). `t` is the time that members see. All numbers that members hand to
  /// each other are as before, afterwards. Returns what share of an evaluation of the island that has cost.
  /// `checks_partials`: what members write of partial derivatives is compared with differences.
  double Evaluate(const LinearizationPoint& point, double t, const double* ddt, const double* residual,
                  bool checks_partials, CallWatch* watch, double* entries);
  /// A member whose partial derivatives a check has found wrong, once; else null. Differences have replaced
  /// them.
  const Component* TakeWrongMember() { return partials_.TakeWrong(); }
  /// By member: whether a check has found it, as in KnownPartials.
  std::vector<std::uint8_t> WrongMembers() const { return partials_.WrongMembers(); }
  void SetWrongMembers(const std::vector<std::uint8_t>& are_wrong) { partials_.SetWrongMembers(are_wrong); }

 private:
  static constexpr std::uint32_t kAbsent = JacobianPlan::kAbsent;

  /// Which couplings are shifted: those that a member reads whose derivatives are not known, or all.
  void FindShifted(bool are_all);
  void ActivateCouplings(const LinearizationPoint& point);
  /// Finds how far the states move a coupling whose row is known.
  void Activate(std::uint32_t coupling);
  void LinearizeAll(const LinearizationPoint& point);
  void LinearizeByDifferences(const JacobianPlan::Visit& visit);
  /// Adds the derivatives over an input, by touch, to the rows of what it touches.
  void Accumulate(const JacobianPlan::Visit& visit, const JacobianPlan::Input& input,
                  const std::vector<double>& derivatives);
  void WriteEntries(const LinearizationPoint& point, double* entries) const;

  StateVectors& states_;
  JacobianPlan plan_;
  VisitSecants secants_;
  KnownPartials partials_;
  std::vector<double> values_;                   ///< of all rows
  std::vector<bool> is_shifted_;                 ///< by coupling
  std::vector<bool> is_idle_;                    ///< by place: not in use
  std::vector<double> increment_at_, least_at_;  ///< by place; 0 where the state is not in use
  std::vector<std::uint32_t> present_;           ///< by entry of the pattern: in that of the states in use
  std::uint32_t entry_count_ = 0;
};

}  // namespace davit
