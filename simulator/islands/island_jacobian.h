#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "simulator/call_watch.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/islands/state_vectors.h"
#include "simulator/partial_derivatives.h"
#include "simulator/passes/couplings.h"
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
/// With y by place (StateLayout), the equations are y' = f(y), or of a DAE island residuals: y' - f of states
/// whose derivatives are computed, the residuals that members state, and z - (what is computed) of outputs
/// solved for.
class IslandJacobian {
 public:
  /// What of the island does not change.
  struct Surroundings {
    StateVectors* states = nullptr;
    bool is_dae = false;
    std::vector<std::uint32_t> owners;           ///< by place: the member
    std::vector<std::uint32_t> explicit_states;  ///< places; of a DAE
    std::vector<std::uint32_t> solved;           ///< by solved output: its place
    std::vector<double*> state_places;           ///< by published state: where readers find it,
    std::vector<std::uint32_t> state_of;         ///< and its place in y
    std::vector<double*> derivative_places;      ///< by published derivative, in the same way
    std::vector<std::uint32_t> derivative_of;
  };

  IslandJacobian(Couplings couplings, Surroundings surroundings);
  IslandJacobian(const IslandJacobian&) = delete;
  IslandJacobian& operator=(const IslandJacobian&) = delete;

  /// With all states in use.
  const JacobianPattern& pattern() const { return pattern_; }
  /// After states have got other places: entries are now those of a part of the pattern.
  void Arrange();

  /// Writes the entries at a point, at which all members have just been evaluated with derivatives `ddt` (and
  /// residuals, of a DAE). `t` is the time that members see. All numbers that members hand to each other are
  /// as before, afterwards. Returns what share of an evaluation of the island that has cost.
  /// `checks_partials`: what members write of partial derivatives is compared with differences.
  double Evaluate(const LinearizationPoint& point, double t, const double* ddt, const double* residual,
                  bool checks_partials, CallWatch* watch, double* entries);
  /// A member whose partial derivatives a check has found wrong, once; else null. Differences have replaced
  /// them.
  const Component* TakeWrongMember() { return std::exchange(wrong_member_, nullptr); }

 private:
  static constexpr std::uint32_t kAbsent = StateVectors::kAbsent;

  /// Derivatives of one number over places of y; their values are `values_` from `begin`.
  struct Row {
    std::uint32_t begin = 0;
    std::uint32_t size = 0;
  };
  /// A number that evaluations write.
  struct Sink {
    enum class Kind : std::uint8_t { kPlace, kEquation };
    Kind kind = Kind::kPlace;
    std::uint32_t number = 0;  ///< coupling, or offset of the state
    std::uint32_t place = 0;   ///< of the state
    std::uint32_t row = 0;
    double* at = nullptr;  ///< where it is written
  };
  /// A sink that depends on an input, with where the input's row goes: `scatter_` from `begin`.
  struct Touch {
    const double* from = nullptr;  ///< where the sink is written
    std::uint32_t sink = 0;
    std::uint32_t begin = 0;
  };
  struct InputRef {
    bool is_state = false;
    bool is_explicit = true;         ///< it is no unknown derivative
    std::uint32_t number = 0;        ///< place, or coupling
    std::uint32_t offset = kAbsent;  ///< of a state in use
    std::uint32_t first_touch = 0;
    std::uint32_t last_touch = 0;  ///< behind it
  };
  /// Inputs that are shifted together: no sink depends on two of them. Their touches follow each other.
  struct Group {
    std::uint32_t first = 0;
    std::uint32_t last = 0;  ///< behind it
    std::uint32_t first_touch = 0;
    std::uint32_t last_touch = 0;
  };
  /// What is done when its turn in the order of evaluation comes.
  struct Visit {
    const Couplings::Evaluation* efforts = nullptr;  ///< null: flows only
    const Couplings::Evaluation* flows = nullptr;    ///< null: efforts only
    std::vector<Sink> sinks;
    std::vector<InputRef> inputs;
    std::vector<Group> groups;
    std::vector<Touch> touches;
    std::vector<std::uint32_t> solved;    ///< touches of outputs that are solved for
    std::vector<std::uint32_t> finished;  ///< couplings that are known after it
    std::uint32_t member = 0;
    std::vector<double> partials;  ///< by touch
  };
  /// What a member knows of its partial derivatives.
  struct Knowledge {
    const DynamicSimComponent* member = nullptr;  ///< null: it is not asked
    PartialDerivatives partials;
    std::vector<std::uint32_t> visits;
    bool is_known = false;    ///< at this point
    bool is_suspect = false;  ///< of a check
  };
  /// A comparison of partial derivatives with differences, in units of what is written.
  struct Comparison {
    double terms = 0;  ///< the sum of what all shifts change
    double worst = 0;  ///< beyond the differences to both sides
    double rounding = 0;
    /// As far as differences have shown that were not all rounding.
    bool is_suspect = false;

    void Judge(bool is_first);
  };

  class MemberReach;

  // Of the constructor. Places of y, or numbers of inputs and sinks, are ascending.
  using Places = std::vector<std::uint32_t>;
  std::vector<std::unique_ptr<MemberReach>> ListMembers() const;
  void FindRows(const std::vector<std::unique_ptr<MemberReach>>& reaches);
  void FindRowsOf(const Couplings::Evaluation& evaluation, const MemberReach& reach,
                  std::vector<Places>& rows) const;
  void MakePattern();
  void MakeVisits(const std::vector<std::unique_ptr<MemberReach>>& reaches);
  void AddInputs(const Couplings::Evaluation& evaluation, const MemberReach& reach, Visit& visit);
  /// After MakeVisits.
  void ListKnowledge();
  /// Returns the numbers that the inputs had before they were ordered by groups.
  static Places GroupInputs(const std::vector<Places>& sinks_of, bool is_declared, Visit& visit);
  /// `order` is what GroupInputs returns.
  void AddTouches(const std::vector<Places>& sinks_of, const Places& order, Visit& visit);
  double* PlaceOf(const Sink& sink);
  /// The row of what is computed for a coupling.
  std::uint32_t RowWritten(std::uint32_t coupling) const;

  std::span<const std::uint32_t> PlacesOf(std::uint32_t row) const {
    return std::span(places_).subspan(rows_[row].begin, rows_[row].size);
  }
  std::uint32_t RowOfEquation(std::uint32_t place) const { return first_equation_ + place; }

  void ActivateCouplings(const LinearizationPoint& point);
  /// Finds how far the states move a coupling whose row is known.
  void Activate(std::uint32_t coupling);
  void LinearizeAll(const LinearizationPoint& point);
  void Linearize(const Visit& visit, const LinearizationPoint& point);
  void LinearizeByDifferences(const Visit& visit, const LinearizationPoint& point);
  void ShowWantedPartials();
  void AskForPartials();
  /// Which couplings are shifted: those that a member reads whose derivatives are not known, or all.
  void FindShifted(bool are_all);
  /// After LinearizeAll: distrusts members whose partial derivatives do not agree with differences. Returns
  /// whether there are any.
  bool FindWrongMembers(const LinearizationPoint& point);
  bool Disagrees(const Knowledge& knowledge) const;
  /// Into `compared_`.
  void Compare(const Visit& visit, double share, const LinearizationPoint& point);
  void Compare(const Visit& visit, const Group& group);
  /// The derivatives over the inputs of a group.
  void FindSecants(const Visit& visit, const Group& group, const LinearizationPoint& point);
  /// Moves the points of a group nearer, from a share 1 of the shifts, as long as that shows less of a kink.
  void Refine(const Visit& visit, const Group& group, const LinearizationPoint& point);
  /// Whether some second difference is larger than `share` of the first.
  bool IsBent(const Group& group, double share) const;
  /// The largest second difference as a share of the first.
  double Bend(const Group& group) const;
  bool IsMoved(const InputRef& input) const;
  /// Moves an input up, down or back; returns how far exactly.
  double Shift(const InputRef& input, double direction, const LinearizationPoint& point);
  void Run(const Visit& visit, const Group& group, std::vector<double>& results);
  void Run(const Couplings::Evaluation& evaluation);
  void RunShifted(const Visit& visit, const Group& group, double share, const LinearizationPoint& point,
                  std::vector<double>& results, std::vector<double>& shifts);
  /// What all touches see before any shift; NaN where that is not kept.
  void ReadBase(const Visit& visit);
  void Restore(const Visit& visit);
  void Accumulate(const Visit& visit, const InputRef& input, double up, double down);
  void AccumulateKnown(const Visit& visit, const InputRef& input);
  /// Adds to the row of what a touch writes.
  void Chain(const InputRef& input, const Touch& touch, double derivative);
  void WriteEntries(const LinearizationPoint& point, double* entries) const;

  Couplings couplings_;
  Surroundings of_;
  std::uint32_t first_equation_ = 0;   ///< among the rows: behind those of the couplings
  std::vector<double*> place_of_;      ///< by coupling
  std::vector<std::uint32_t> row_of_;  ///< by coupling
  std::vector<bool> is_explicit_;      ///< by place
  std::vector<Row> rows_;
  std::vector<std::uint32_t> places_;   ///< of all rows
  std::vector<double> values_;          ///< likewise
  std::vector<std::uint32_t> scatter_;  ///< into values_
  std::vector<Visit> visits_;
  std::vector<Knowledge> knowledge_;  ///< by member
  const Component* wrong_member_ = nullptr;
  JacobianPattern pattern_;
  std::vector<std::uint32_t> entry_of_;  ///< by element of `values_` of equations: in the pattern
  std::vector<std::uint32_t> diagonal_;  ///< by place: in the pattern
  std::vector<std::uint32_t> present_;   ///< by entry of the pattern: in that of the states in use

  double nothing_ = 0;  ///< the equation of a state that is not in use
  std::uint32_t entry_count_ = 0;
  std::vector<bool> is_idle_;  ///< by place: not in use

  // Work space of Evaluate.
  std::vector<double> y_, ddt_, residual_;  ///< by offset
  std::vector<double> base_, moves_;        ///< by coupling: value, and size of its shift
  std::vector<bool> is_shifted_;            ///< by coupling
  std::vector<double> above_, between_, below_, kept_above_, kept_below_;  ///< by touch of a visit
  std::vector<double> unshifted_;                                          ///< by sink of a visit
  std::vector<double> up_, down_;                                          ///< by input of a visit
  std::vector<Comparison> compared_;                                       ///< by row
  std::vector<double> increment_at_, least_at_;  ///< by place; 0 where the state is not in use
  CallWatch* watch_ = nullptr;
  double t_ = 0;
  std::uint64_t runs_ = 0;
};

}  // namespace davit
