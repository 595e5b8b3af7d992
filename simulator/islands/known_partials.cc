#include "simulator/islands/known_partials.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "framework/component.h"
#include "framework/registry.h"

namespace davit {
namespace {

/// Of the sum of all terms: what partial derivatives may be wrong by, as JacobianCheck has it.
constexpr double kDisagreement = 0.1;
/// Points of a comparison that is repeated are nearer by this factor.
constexpr double kCloser = 0.125;
constexpr int kMostComparisons = 4;
/// A disagreement that does not fall below this share of itself at nearer points is a jump, which has no
/// derivative: that of a law falls with the distance, or by its root where it is steepest.
constexpr double kJump = 0.7;

}  // namespace

KnownPartials::KnownPartials(const JacobianPlan& plan) : plan_(plan), compared_(plan.rows.size()) {
  for (std::uint32_t v = 0; v < plan.visits.size(); ++v) {
    const JacobianPlan::Visit& visit = plan.visits[v];
    values_.emplace_back(visit.touches.size(), 0.0);
    members_.resize(std::max<std::size_t>(members_.size(), visit.member + 1));
    members_[visit.member].visits.push_back(v);
  }
  for (Member& member : members_) {
    if (!IsAsked(member)) continue;
    const JacobianPlan::Visit& visit = plan.visits[member.visits.front()];
    const Component* owner = (visit.efforts != nullptr ? visit.efforts : visit.flows)->owner;
    member.component = dynamic_cast<const DynamicSimComponent*>(owner);
    ReservePairs(member);
  }
}

void KnownPartials::ReservePairs(Member& member) {
  const double* const none = nullptr;
  for (const std::uint32_t v : member.visits) {
    for (std::size_t i = 0; i < plan_.visits[v].touches.size(); ++i)
      member.partials.Want(none, none, nullptr);
  }
  member.partials.Forget();
}

bool KnownPartials::IsAsked(const Member& member) const {
  bool is_asked = !member.visits.empty();
  for (const std::uint32_t v : member.visits) {
    const JacobianPlan::Visit& visit = plan_.visits[v];
    for (const Couplings::Evaluation* part : {visit.efforts, visit.flows}) {
      if (part == nullptr) continue;
      const ModelEntry& entry = part->owner->entry();
      is_asked = is_asked && entry.has_partials && entry.prepare_batch == nullptr &&
                 part->evaluate != entry.evaluate_algebraic;
    }
    is_asked = is_asked && std::ranges::all_of(visit.inputs, &JacobianPlan::Input::is_explicit);
  }
  return is_asked;
}

void KnownPartials::Arrange(StateVectors& states) {
  using Variable = PartialDerivatives::Variable;
  const auto variable = [&](const auto& number, bool is_state) {
    return is_state ? Variable(StateSlot{&states.memory, number.offset})
                    : Variable(plan_.place_of[number.number]);
  };
  for (Member& member : members_) {
    member.partials.Forget();
    if (member.component == nullptr) continue;
    for (const std::uint32_t v : member.visits) {
      const JacobianPlan::Visit& visit = plan_.visits[v];
      for (const JacobianPlan::Input& input : visit.inputs) {
        if (input.is_state && input.offset == JacobianPlan::kAbsent) continue;
        for (std::uint32_t i = input.first_touch; i < input.last_touch; ++i) {
          const JacobianPlan::Sink& sink = visit.sinks[visit.touches[i].sink];
          if (sink.is_equation && sink.offset == JacobianPlan::kAbsent) continue;
          member.partials.Want(variable(sink, sink.is_equation), variable(input, input.is_state),
                               &values_[v][i]);
        }
      }
    }
  }
}

void KnownPartials::Ask() {
  for (Member& member : members_) {
    if (member.component == nullptr || member.is_wrong) continue;
    for (const std::uint32_t v : member.visits) std::ranges::fill(values_[v], 0.0);
    member.partials.Begin();
    member.is_known = member.component->WritePartials(member.partials);
  }
}

bool KnownPartials::FindWrong(VisitSecants& secants) {
  bool has_suspects = false;
  for (Member& member : members_) {
    member.is_suspect = member.is_known;
    has_suspects = has_suspects || member.is_known;
  }
  // A law that is bent more than the shifts are wide shows its derivative to smaller ones only.
  double share = 1;
  for (int i = 0; i < kMostComparisons && has_suspects; ++i, share *= kCloser) {
    for (Comparison& row : compared_) row = {.before = row.worst, .is_suspect = i > 0 && row.is_suspect};
    for (std::uint32_t v = 0; v < plan_.visits.size(); ++v) {
      if (members_[plan_.visits[v].member].is_suspect) Compare(v, share, secants);
    }
    for (Comparison& row : compared_) row.Judge(i == 0);
    has_suspects = false;
    for (Member& member : members_) {
      member.is_suspect = member.is_suspect && Disagrees(member);
      has_suspects = has_suspects || member.is_suspect;
    }
  }
  for (Member& member : members_) {
    if (!member.is_suspect) continue;
    wrong_ = member.component;
    member.is_wrong = true;
    member.is_known = false;
  }
  return has_suspects;
}

std::vector<std::uint8_t> KnownPartials::WrongMembers() const {
  std::vector<std::uint8_t> are_wrong;
  are_wrong.reserve(members_.size());
  for (const Member& member : members_) are_wrong.push_back(member.is_wrong ? 1 : 0);
  return are_wrong;
}

void KnownPartials::SetWrongMembers(const std::vector<std::uint8_t>& are_wrong) {
  for (std::size_t i = 0; i < members_.size(); ++i) {
    members_[i].is_wrong = i < are_wrong.size() && are_wrong[i] != 0;
    members_[i].is_known = false;
  }
}

void KnownPartials::Comparison::Judge(bool is_first) {
  const bool disagrees = worst > kDisagreement * terms + rounding;
  const bool is_drowned = rounding > kDisagreement * terms;
  const bool is_jump = std::isfinite(worst) && worst > kJump * before;
  is_suspect = is_first ? disagrees : is_suspect && ((disagrees && !is_jump) || is_drowned);
}

bool KnownPartials::Disagrees(const Member& member) const {
  return std::ranges::any_of(member.visits, [&](std::uint32_t v) {
    return std::ranges::any_of(plan_.visits[v].sinks, [&](const JacobianPlan::Sink& sink) {
      return compared_[sink.row].is_suspect;
    });
  });
}

void KnownPartials::Compare(std::uint32_t v, double share, VisitSecants& secants) {
  const JacobianPlan::Visit& visit = plan_.visits[v];
  secants.ReadBase(visit);
  for (const JacobianPlan::Group& group : visit.groups) {
    if (!secants.MovesAny(visit, group)) continue;
    secants.Look(visit, group, share);
    Compare(v, group, secants);
  }
  secants.RunEfforts(visit);
  secants.RunFlows(visit);
  secants.Restore(visit);
}

void KnownPartials::Compare(std::uint32_t v, const JacobianPlan::Group& group, const VisitSecants& secants) {
  const JacobianPlan::Visit& visit = plan_.visits[v];
  for (std::uint32_t k = group.first; k < group.last; ++k) {
    const JacobianPlan::Input& input = visit.inputs[k];
    if (!secants.IsMoved(input)) continue;
    for (std::uint32_t i = input.first_touch; i < input.last_touch; ++i) {
      const double above = secants.above()[i], between = secants.between()[i], below = secants.below()[i];
      const double up = above - between, down = between - below;
      if (!std::isfinite(up) || !std::isfinite(down)) continue;  // nothing to compare with
      Comparison& row = compared_[visit.sinks[visit.touches[i].sink].row];
      const double known = values_[v][i] * secants.up(k);
      // At a kink the derivative is that of one side or the other.
      const double beyond = std::max({std::min(up, down) - known, known - std::max(up, down), 0.0});
      const double rounding =
          64 * std::numeric_limits<double>::epsilon() * (std::abs(above) + std::abs(below));
      row.terms += std::max(std::abs(up), std::abs(down));
      row.worst =
          std::max(row.worst, std::isfinite(known) ? beyond : std::numeric_limits<double>::infinity());
      row.rounding = std::max(row.rounding, rounding);
    }
  }
}

}  // namespace davit
