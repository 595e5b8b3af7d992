#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "simulator/dynamic_sim_component.h"
#include "simulator/islands/jacobian_plan.h"
#include "simulator/islands/state_vectors.h"
#include "simulator/islands/visit_secants.h"
#include "simulator/partial_derivatives.h"

namespace davit {

/// The partial derivatives that members write themselves (DynamicSimComponent::WritePartials), and how they
/// agree with differences.
class KnownPartials {
 public:
  /// `plan` must outlive it.
  explicit KnownPartials(const JacobianPlan& plan);
  KnownPartials(const KnownPartials&) = delete;
  KnownPartials& operator=(const KnownPartials&) = delete;

  /// After states have got other places in the plan.
  void Arrange(StateVectors& states);
  /// Lets all members that know them write them, at the present point.
  void Ask();
  bool AreKnown(const JacobianPlan::Visit& visit) const { return members_[visit.member].is_known; }
  /// By touch of a visit, by its number.
  const std::vector<double>& Of(std::size_t visit) const { return values_[visit]; }
  /// Call after a pass through all visits in which all couplings were moved. Members whose partial
  /// derivatives disagree with differences are not asked again in this run. Returns whether there are any.
  bool FindWrong(VisitSecants& secants);
  /// A member that FindWrong has found, once; else null.
  const Component* TakeWrong() { return std::exchange(wrong_, nullptr); }
  /// By member: whether FindWrong has found it. Another run begins with none, or with those of its snapshot.
  std::vector<std::uint8_t> WrongMembers() const;
  void SetWrongMembers(const std::vector<std::uint8_t>& are_wrong);

 private:
  struct Member {
    const DynamicSimComponent* component = nullptr;  ///< null: it is not asked
    PartialDerivatives partials;
    std::vector<std::uint32_t> visits;
    bool is_wrong = false;    ///< as differences have shown
    bool is_known = false;    ///< at this point
    bool is_suspect = false;  ///< of a check
  };
  /// A comparison of partial derivatives with differences, in units of what is written.
  struct Comparison {
    double terms = 0;  ///< the sum of what all shifts change
    double worst = 0;  ///< beyond the differences to both sides
    double rounding = 0;
    double before = 0;  ///< `worst` of the points farther away
    /// As far as differences have shown that were not all rounding.
    bool is_suspect = false;

    void Judge(bool is_first);
  };

  bool IsAsked(const Member& member) const;
  /// Room for all pairs of a member; fewer are wanted while states are left out.
  void ReservePairs(Member& member);
  /// Into `compared_`.
  void Compare(std::uint32_t visit, double share, VisitSecants& secants);
  void Compare(std::uint32_t visit, const JacobianPlan::Group& group, const VisitSecants& secants);
  bool Disagrees(const Member& member) const;

  const JacobianPlan& plan_;
  std::vector<Member> members_;
  std::vector<std::vector<double>> values_;  ///< by visit, then by touch
  std::vector<Comparison> compared_;         ///< by row
  const Component* wrong_ = nullptr;
};

}  // namespace davit
