#include "analysis/study/objective.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "analysis/study/distribution.h"

namespace davit {
namespace {

/// What a constraint may be exceeded by, in shares of its limit.
constexpr double kConstraintTolerance = 1e-6;

/// Of which of `count` equal parts of 0 ... 1 a share is in.
std::size_t PlaceOf(double share, std::size_t count) {
  return std::min(static_cast<std::size_t>(std::max(share, 0.0) * static_cast<double>(count)), count - 1);
}

}  // namespace

bool IsBetter(const Evaluation& a, const Evaluation& b) {
  if (a.is_valid != b.is_valid) return a.is_valid;
  if (a.violation != b.violation) return a.violation < b.violation;
  return a.objectives.front() < b.objectives.front();
}

bool Dominates(const Evaluation& a, const Evaluation& b) {
  if (a.is_valid != b.is_valid) return a.is_valid;
  if (a.violation != b.violation) return a.violation < b.violation;
  bool is_less = false;
  for (std::size_t i = 0; i < a.objectives.size(); ++i) {
    if (a.objectives[i] > b.objectives[i]) return false;
    is_less = is_less || a.objectives[i] < b.objectives[i];
  }
  return is_less;
}

Objective::Objective(CasePool& pool, std::vector<BoundedVariation> variables, Layout layout,
                     std::uint64_t budget, Taker taker, const std::stop_token& stop)
    : pool_(pool),
      variables_(std::move(variables)),
      layout_(std::move(layout)),
      budget_(budget),
      taker_(std::move(taker)),
      stop_(stop) {}

std::vector<CaseValue> Objective::ToValues(std::span<const double> u) const {
  std::vector<CaseValue> values(u.size());
  for (std::size_t i = 0; i < u.size(); ++i) {
    const BoundedVariation& v = variables_[i];
    const double share = std::clamp(u[i], 0.0, 1.0);
    if (IsChoice(i)) {
      values[i] = v.choices[PlaceOf(share, v.choices.size())];
      continue;
    }
    double& value = values[i].number;
    if (share == 0 || share == 1) {
      value = share == 0 ? v.low : v.high;
    } else if (v.is_log) {
      value = v.low * PortableExp(share * PortableLog(v.high / v.low));
    } else {
      value = v.low + share * (v.high - v.low);
    }
    value = std::clamp(value, v.low, v.high);
  }
  return values;
}

std::vector<double> Objective::StartPoint() const {
  std::vector<double> u;
  u.reserve(variables_.size());
  for (const BoundedVariation& v : variables_) {
    if (!v.choices.empty()) {
      u.push_back((v.start + 0.5) / static_cast<double>(v.choices.size()));
      continue;
    }
    const double value = std::clamp(v.start, v.low, v.high);
    const double share = v.is_log ? PortableLog(value / v.low) / PortableLog(v.high / v.low)
                                  : (value - v.low) / (v.high - v.low);
    u.push_back(std::clamp(share, 0.0, 1.0));
  }
  return u;
}

std::vector<double> Objective::AtMiddles(std::vector<double> u) const {
  for (std::size_t i = 0; i < u.size(); ++i) {
    const std::size_t count = variables_[i].choices.size();
    if (count > 0) u[i] = (static_cast<double>(PlaceOf(u[i], count)) + 0.5) / static_cast<double>(count);
  }
  return u;
}

void Objective::Know(std::uint64_t number, const std::vector<CaseValue>& values, CaseResult result) {
  known_[values] = {number, std::move(result), false};
  next_number_ = std::max(next_number_, number + 1);
}

Evaluation Objective::Judge(const std::vector<double>& u, const CaseResult& result) const {
  Evaluation evaluation{.u = u, .objectives = {}, .constraints = {}};
  evaluation.is_valid = result.is_done;
  for (std::size_t i = 0; i < layout_.objectives; ++i) {
    const double value = layout_.signs[i] * result.measures[layout_.first_objective + i];
    evaluation.is_valid = evaluation.is_valid && std::isfinite(value);
    evaluation.objectives.push_back(value);
  }
  for (const Layout::Constraint& constraint : layout_.constraints) {
    const double limit = result.measures[constraint.right];
    const double over = (result.measures[constraint.left] - limit) * (constraint.is_at_most ? 1 : -1);
    const double share = limit != 0 ? over / std::abs(limit) : over;
    evaluation.is_valid = evaluation.is_valid && std::isfinite(share);
    evaluation.constraints.push_back(share);
    evaluation.excess.push_back(over);
    if (share > kConstraintTolerance) evaluation.violation += share;
  }
  if (!evaluation.is_valid) {
    evaluation.objectives.assign(layout_.objectives, std::numeric_limits<double>::infinity());
    evaluation.constraints.assign(layout_.constraints.size(), std::numeric_limits<double>::infinity());
    evaluation.violation = std::numeric_limits<double>::infinity();
  }
  return evaluation;
}

std::vector<Evaluation> Objective::Evaluate(const std::vector<std::vector<double>>& points) {
  std::vector<std::vector<CaseValue>> values;
  std::vector<std::vector<CaseValue>> wanted, recalled;  // to be run, and known from an earlier search
  values.reserve(points.size());
  for (const std::vector<double>& u : points) values.push_back(ToValues(u));
  bool is_cut = false;
  std::uint64_t count = count_;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto known = known_.find(values[i]);
    if (known != known_.end() && known->second.is_asked_for) continue;
    const auto is_same = [&](const std::vector<CaseValue>& point) { return point == values[i]; };
    if (std::ranges::any_of(wanted, is_same) || std::ranges::any_of(recalled, is_same)) continue;
    if (count == budget_) {
      is_cut = true;
      break;
    }
    ++count;
    if (known != known_.end()) {
      recalled.push_back(values[i]);
      continue;
    }
    wanted.push_back(values[i]);
  }
  if (is_cut && wanted.empty() && recalled.empty()) throw SearchEnded{};
  const std::vector<CaseResult> results = pool_.Run(wanted, stop_);
  for (std::size_t k = 0; k < results.size(); ++k) {
    if (results[k].is_interrupted) continue;
    const std::uint64_t number = next_number_++;
    if (taker_) taker_(number, wanted[k], results[k]);
    known_[wanted[k]] = {number, results[k], false};
  }
  std::vector<Evaluation> evaluations;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto known = known_.find(values[i]);
    if (known == known_.end()) throw SearchEnded{.is_stopped = !is_cut};
    Evaluation evaluation = Judge(AtMiddles(points[i]), known->second.result);
    evaluation.number = known->second.number;
    if (!std::exchange(known->second.is_asked_for, true)) {
      ++count_;
      all_.push_back(evaluation);
      if (!best_ || IsBetter(evaluation, *best_)) best_ = evaluation;
    }
    evaluations.push_back(std::move(evaluation));
  }
  if (stop_.stop_requested()) throw SearchEnded{.is_stopped = true};
  return evaluations;
}

}  // namespace davit
