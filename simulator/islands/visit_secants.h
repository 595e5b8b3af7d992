#pragma once

#include <cstdint>
#include <vector>

#include "simulator/call_watch.h"
#include "simulator/islands/jacobian_plan.h"
#include "simulator/islands/state_vectors.h"
#include "simulator/solvers/integrator.h"

namespace davit {

/// What a member writes at points to both sides of the present one, and the slopes of that over the states
/// and couplings that it reads.
///
/// Members see copies of the states from Begin to End. Call sequence of a visit: ReadBase, for each group of
/// inputs FindSlopes or Look, then Restore.
class VisitSecants {
 public:
  using Visit = JacobianPlan::Visit;
  using Group = JacobianPlan::Group;
  using Input = JacobianPlan::Input;

  /// Both must outlive it.
  VisitSecants(StateVectors& states, const JacobianPlan& plan);
  VisitSecants(const VisitSecants&) = delete;
  VisitSecants& operator=(const VisitSecants&) = delete;

  /// Where members write a sink from Begin to End.
  double* PlaceOf(const JacobianPlan::Sink& sink);

  /// At a point, with derivatives `ddt` (and residuals, of implicit equations). `t` is the time that members
  /// see.
  void Begin(const LinearizationPoint& point, double t, const double* ddt, const double* residual,
             CallWatch* watch);
  void End();
  /// Evaluations of efforts or flows of a member since Begin.
  std::uint64_t runs() const { return runs_; }

  /// Takes the present value of a coupling, which does not move.
  void Hold(std::uint32_t coupling);
  double held(std::uint32_t coupling) const { return held_[coupling]; }
  void set_move(std::uint32_t coupling, double move) { moves_[coupling] = move; }
  bool IsMoved(const Input& input) const {
    return input.is_state ? input.offset != JacobianPlan::kAbsent : moves_[input.number] > 0;
  }
  bool MovesAny(const Visit& visit, const Group& group) const;

  /// What all touches see before any shift; NaN where that is not kept.
  void ReadBase(const Visit& visit);
  void FindSlopes(const Visit& visit, const Group& group);
  /// By touch, of the inputs of the last group that are moved.
  const std::vector<double>& slopes() const { return slopes_; }
  /// Takes a share of the shifts to both sides.
  void Look(const Visit& visit, const Group& group, double share);
  /// By touch, after Look.
  const std::vector<double>& above() const { return points_.above; }
  const std::vector<double>& between() const { return between_; }
  const std::vector<double>& below() const { return points_.below; }
  /// How far Look has moved an input up.
  double up(std::uint32_t input) const { return up_[input]; }

  /// With the inputs as they were.
  void RunEfforts(const Visit& visit) { Run(visit.efforts); }
  void RunFlows(const Visit& visit) { Run(visit.flows); }
  /// Makes what the visit writes what it was at ReadBase.
  void Restore(const Visit& visit);

 private:
  /// By touch of a visit.
  struct Points {
    std::vector<double> above, below;
  };

  void FindPoints(const Visit& visit, const Group& group, double share);
  /// Moves the points of a group nearer, from a share 1 of the shifts, as long as that shows less of a kink.
  void Refine(const Visit& visit, const Group& group);
  /// The same, as long as the secants still change.
  void Approach(const Visit& visit, const Group& group);
  /// Back from points that were tried nearer to those at this share of the shifts.
  void KeepPoints(const Visit& visit, const Group& group, double share);
  /// Whether rounding swallows the move of an input.
  bool Vanishes(const Visit& visit, const Group& group) const;
  bool PassesRoot(const Visit& visit, const Group& group) const;
  /// Whether some second difference is larger than `share` of the first.
  bool IsBent(const Group& group, double share) const;
  /// The largest second difference as a share of the first.
  double Bend(const Group& group) const;
  void WriteSlopes(const Visit& visit, std::uint32_t input);
  /// Moves an input up, down or back; returns how far exactly.
  double Shift(const Input& input, double direction);
  void ShiftBack(const Visit& visit, const Group& group);
  void Shift(const Visit& visit, const Group& group, double direction, std::vector<double>& shifts);
  void Run(const Visit& visit, const Group& group, std::vector<double>& results);
  void Run(const Couplings::Evaluation* evaluation);

  StateVectors& states_;
  const JacobianPlan& plan_;
  const LinearizationPoint* point_ = nullptr;
  StateMemory outside_;  ///< of the states, before Begin
  CallWatch* watch_ = nullptr;
  double t_ = 0;
  std::uint64_t runs_ = 0;
  std::vector<double> y_, ddt_, residual_;  ///< by offset
  double nothing_ = 0;                      ///< the equation of a state that is not in use
  std::vector<double> held_, moves_;        ///< by coupling: value, and size of its shift
  Points points_, kept_;
  std::vector<double> between_, slopes_;  ///< by touch of a visit
  std::vector<double> unshifted_;         ///< by sink of a visit
  std::vector<double> up_, down_;         ///< by input of a visit
};

}  // namespace davit
