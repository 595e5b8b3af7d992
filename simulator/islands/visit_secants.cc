#include "simulator/islands/visit_secants.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "simulator/component_fault.h"
#include "simulator/evaluation_failure.h"
#include "simulator/solvers/difference_quotients.h"

namespace davit {
namespace {

/// Second differences that are larger than this share of the first are not taken for a curvature, but for a
/// kink between the points, ...
constexpr double kLargestBend = 0.3;
/// ... and points nearer by this factor, ...
constexpr double kNearer = 0.125;
constexpr int kMostApproaches = 4;
/// ... where second differences fall to this share, are better ones.
constexpr double kBetter = 0.7;
/// At a root of an odd law second differences vanish; there secants that change by less are good ones.
constexpr double kLargestChange = 0.1;
constexpr double kRounding = 1e-14;

}  // namespace

VisitSecants::VisitSecants(StateVectors& states, const JacobianPlan& plan) : states_(states), plan_(plan) {
  for (std::vector<double>* v : {&y_, &ddt_, &residual_}) v->resize(plan.pattern.size());
  for (std::vector<double>* v : {&held_, &moves_}) v->resize(plan.couplings.all.size());
  std::size_t most_sinks = 0, most_touches = 0, most_inputs = 0;
  for (const Visit& visit : plan.visits) {
    most_sinks = std::max(most_sinks, visit.sinks.size());
    most_touches = std::max(most_touches, visit.touches.size());
    most_inputs = std::max(most_inputs, visit.inputs.size());
  }
  unshifted_.resize(most_sinks);
  for (std::vector<double>* v :
       {&points_.above, &points_.below, &kept_.above, &kept_.below, &between_, &slopes_})
    v->resize(most_touches);
  for (std::vector<double>* v : {&up_, &down_}) v->resize(most_inputs);
}

double* VisitSecants::PlaceOf(const JacobianPlan::Sink& sink) {
  if (!sink.is_equation) return plan_.place_of[sink.number];
  if (sink.offset == JacobianPlan::kAbsent) return &nothing_;
  return (plan_.is_explicit[sink.number] ? ddt_.data() : residual_.data()) + sink.offset;
}

void VisitSecants::Begin(const LinearizationPoint& point, double t, const double* ddt, const double* residual,
                         CallWatch* watch) {
  const std::size_t n = states_.size();
  std::copy_n(point.y, n, y_.begin());
  std::copy_n(ddt, n, ddt_.begin());
  if (plan_.is_implicit) std::copy_n(residual, n, residual_.begin());
  point_ = &point;
  watch_ = watch;
  t_ = t;
  runs_ = 0;
  outside_ = states_.memory;
  states_.memory.y = y_.data();
  states_.memory.ddt = ddt_.data();
  states_.memory.residual = residual_.data();
}

void VisitSecants::End() {
  states_.memory.y = outside_.y;
  states_.memory.ddt = outside_.ddt;
  states_.memory.residual = outside_.residual;
}

void VisitSecants::Hold(std::uint32_t coupling) {
  held_[coupling] = *plan_.place_of[coupling];
  moves_[coupling] = 0;
}

bool VisitSecants::MovesAny(const Visit& visit, const Group& group) const {
  return std::ranges::any_of(visit.InputsOf(group), [&](const Input& input) { return IsMoved(input); });
}

void VisitSecants::ReadBase(const Visit& visit) {
  for (std::size_t s = 0; s < visit.sinks.size(); ++s) unshifted_[s] = *visit.sinks[s].at;
  for (std::size_t i = 0; i < visit.touches.size(); ++i) between_[i] = unshifted_[visit.touches[i].sink];
  // Of an output that is solved for readers see the unknown, not what was computed.
  for (const std::uint32_t i : visit.solved) between_[i] = std::numeric_limits<double>::quiet_NaN();
}

void VisitSecants::Restore(const Visit& visit) {
  for (std::size_t s = 0; s < visit.sinks.size(); ++s) *visit.sinks[s].at = unshifted_[s];
}

void VisitSecants::FindSlopes(const Visit& visit, const Group& group) {
  FindPoints(visit, group, 1);
  if (IsBent(group, kLargestBend)) {
    Refine(visit, group);
  } else if (PassesRoot(visit, group)) {
    Approach(visit, group);
  }
  ShiftBack(visit, group);
  for (std::uint32_t k = group.first; k < group.last; ++k) {
    if (IsMoved(visit.inputs[k])) WriteSlopes(visit, k);
  }
}

void VisitSecants::Look(const Visit& visit, const Group& group, double share) {
  FindPoints(visit, group, share);
  ShiftBack(visit, group);
}

void VisitSecants::FindPoints(const Visit& visit, const Group& group, double share) {
  Shift(visit, group, share, up_);
  Run(visit, group, points_.above);
  Shift(visit, group, -share, down_);
  Run(visit, group, points_.below);
}

bool VisitSecants::PassesRoot(const Visit& visit, const Group& group) const {
  // Where couplings move what a member writes through zero, such as the flow of a restriction by its
  // pressures, laws like q ~ sqrt(dp) are steepest, and odd: the second difference is zero however long the
  // secant is.
  if (visit.inputs[group.first].is_state) return false;
  for (std::uint32_t i = group.first_touch; i < group.last_touch; ++i) {
    if (!visit.sinks[visit.touches[i].sink].is_equation && points_.above[i] * points_.below[i] < 0)
      return true;
  }
  return false;
}

void VisitSecants::Approach(const Visit& visit, const Group& group) {
  double share = 1, change = 1;
  for (int i = 0; i < kMostApproaches && change > kLargestChange; ++i) {
    std::swap(kept_, points_);
    FindPoints(visit, group, kNearer * share);
    if (Vanishes(visit, group)) return KeepPoints(visit, group, share);
    share *= kNearer;
    change = 0;
    for (std::uint32_t k = group.first_touch; k < group.last_touch; ++k) {
      const double finer = points_.above[k] - points_.below[k];
      const double coarse = kNearer * (kept_.above[k] - kept_.below[k]);
      if (std::abs(finer) > kRounding * std::abs(points_.above[k]))
        change = std::max(change, std::abs(finer - coarse) / std::abs(finer));
    }
  }
}

void VisitSecants::Refine(const Visit& visit, const Group& group) {
  double share = 1;
  double bend = Bend(group);
  for (int i = 0; i < kMostApproaches && bend > kLargestBend; ++i) {
    std::swap(kept_, points_);
    const double finer = share * kNearer;
    FindPoints(visit, group, finer);
    const double finer_bend = Bend(group);
    if (Vanishes(visit, group) || !(finer_bend < kBetter * bend))  // rounding, or a kink just here
      return KeepPoints(visit, group, share);
    bend = finer_bend;
    share = finer;
  }
}

void VisitSecants::KeepPoints(const Visit& visit, const Group& group, double share) {
  std::swap(kept_, points_);
  Shift(visit, group, share, up_);
  Shift(visit, group, -share, down_);
}

bool VisitSecants::Vanishes(const Visit& visit, const Group& group) const {
  for (std::uint32_t k = group.first; k < group.last; ++k) {
    if (IsMoved(visit.inputs[k]) && !(up_[k] > down_[k])) return true;
  }
  return false;
}

bool VisitSecants::IsBent(const Group& group, double share) const {
  for (std::uint32_t i = group.first_touch; i < group.last_touch; ++i) {
    const double above = points_.above[i], below = points_.below[i];
    const double bend = std::abs(above - 2 * between_[i] + below);
    if (!(bend <= share * std::abs(above - below)) &&
        bend > kRounding * (std::abs(between_[i]) + std::abs(above)))
      return true;
  }
  return false;
}

double VisitSecants::Bend(const Group& group) const {
  double most = 0;
  for (std::uint32_t i = group.first_touch; i < group.last_touch; ++i) {
    const double above = points_.above[i], below = points_.below[i];
    const double bend = std::abs(above - 2 * between_[i] + below);
    if (!(bend > kRounding * (std::abs(between_[i]) + std::abs(above)))) continue;
    most = std::max(most, bend / std::abs(above - below));
  }
  return most;
}

void VisitSecants::WriteSlopes(const Visit& visit, std::uint32_t input) {
  const double up = up_[input], down = -down_[input], span = up + down;
  for (std::uint32_t i = visit.inputs[input].first_touch; i < visit.inputs[input].last_touch; ++i) {
    const double above = points_.above[i], below = points_.below[i];
    const double difference = above == below ? 0 : above - below;
    // A move that rounding swallows.
    slopes_[i] = !(span > 0)                 ? 0
                 : std::isfinite(difference) ? difference / span
                                             : Quotient(above, below, between_[i], up, down);
  }
}

double VisitSecants::Shift(const Input& input, double direction) {
  if (!input.is_state) {
    double& value = *plan_.place_of[input.number];
    value = held_[input.number] + direction * moves_[input.number];
    return value - held_[input.number];
  }
  const std::uint32_t offset = input.offset;
  if (offset == JacobianPlan::kAbsent) return 0;
  y_[offset] = point_->y[offset] + direction * point_->increments[offset];
  const double shift = y_[offset] - point_->y[offset];
  if (!input.is_explicit) ddt_[offset] = point_->ddt[offset] + point_->cj * shift;
  return shift;
}

void VisitSecants::Shift(const Visit& visit, const Group& group, double direction,
                         std::vector<double>& shifts) {
  for (std::uint32_t k = group.first; k < group.last; ++k) shifts[k] = Shift(visit.inputs[k], direction);
}

void VisitSecants::ShiftBack(const Visit& visit, const Group& group) {
  for (const Input& input : visit.InputsOf(group)) Shift(input, 0);
}

void VisitSecants::Run(const Visit& visit, const Group& group, std::vector<double>& results) {
  try {
    RunEfforts(visit);
    RunFlows(visit);
  } catch (const EvaluationFailure&) {  // no solution on this side
    std::fill(results.begin() + group.first_touch, results.begin() + group.last_touch,
              std::numeric_limits<double>::quiet_NaN());
    return;
  }
  const JacobianPlan::Touch* touch = visit.touches.data();
  for (std::uint32_t i = group.first_touch; i < group.last_touch; ++i) results[i] = *touch[i].from;
}

void VisitSecants::Run(const Couplings::Evaluation* evaluation) {
  if (evaluation == nullptr) return;
  Component* const owner = evaluation->owner;
  RunBatch(evaluation->evaluate, &owner, 1, t_, watch_);
  ++runs_;
}

}  // namespace davit
