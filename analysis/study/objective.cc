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
                     std::uint64_t budget, Taker taker, const std::atomic<bool>& stop)
    : pool_(pool),
      variables_(std::move(variables)),
      layout_(std::move(layout)),
      budget_(budget),
      taker_(std::move(taker)),
      stop_(stop) {}

std::vector<double> Objective::ToValues(std::span<const double> u) const {
  std::vector<double> values(u.size());
  for (std::size_t i = 0; i < u.size(); ++i) {
    const BoundedVariation& v = variables_[i];
    const double share = std::clamp(u[i], 0.0, 1.0);
    if (share == 0 || share == 1) {
      values[i] = share == 0 ? v.low : v.high;
    } else if (v.is_log) {
      values[i] = v.low * PortableExp(share * PortableLog(v.high / v.low));
    } else {
      values[i] = v.low + share * (v.high - v.low);
    }
    values[i] = std::clamp(values[i], v.low, v.high);
  }
  return values;
}

std::vector<double> Objective::ToUnit(std::span<const double> values) const {
  std::vector<double> u(values.size());
  for (std::size_t i = 0; i < u.size(); ++i) {
    const BoundedVariation& v = variables_[i];
    const double value = std::clamp(values[i], v.low, v.high);
    u[i] = v.is_log ? PortableLog(value / v.low) / PortableLog(v.high / v.low)
                    : (value - v.low) / (v.high - v.low);
    u[i] = std::clamp(u[i], 0.0, 1.0);
  }
  return u;
}

std::vector<double> Objective::StartPoint() const {
  std::vector<double> values;
  values.reserve(variables_.size());
  for (const BoundedVariation& variable : variables_) values.push_back(variable.start);
  return ToUnit(values);
}

void Objective::Know(std::uint64_t number, const std::vector<double>& values, CaseResult result) {
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
  std::vector<std::vector<double>> values;
  std::vector<std::vector<CaseValue>> cases;
  std::vector<std::size_t> places;  // of the points that are run
  std::vector<std::vector<double>> wanted, recalled;
  values.reserve(points.size());
  for (const std::vector<double>& u : points) values.push_back(ToValues(u));
  bool is_cut = false;
  std::uint64_t count = count_;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto known = known_.find(values[i]);
    if (known != known_.end() && known->second.is_asked_for) continue;
    const auto is_same = [&](const std::vector<double>& point) { return point == values[i]; };
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
    places.push_back(i);
    std::vector<CaseValue>& one = cases.emplace_back();
    for (const double value : values[i]) one.push_back({.number = value});
  }
  if (is_cut && cases.empty() && recalled.empty()) throw SearchEnded{};
  const std::vector<CaseResult> results = pool_.Run(cases, stop_);
  for (std::size_t k = 0; k < results.size(); ++k) {
    if (results[k].measures.empty()) continue;  // not run, because of stop
    const std::uint64_t number = next_number_++;
    if (taker_) taker_(number, cases[k], results[k]);
    known_[wanted[k]] = {number, results[k], false};
  }
  std::vector<Evaluation> evaluations;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto known = known_.find(values[i]);
    if (known == known_.end()) throw SearchEnded{.is_stopped = !is_cut};
    Evaluation evaluation = Judge(points[i], known->second.result);
    evaluation.number = known->second.number;
    if (!std::exchange(known->second.is_asked_for, true)) {
      ++count_;
      all_.push_back(evaluation);
      if (!best_ || IsBetter(evaluation, *best_)) best_ = evaluation;
    }
    evaluations.push_back(std::move(evaluation));
  }
  if (stop_) throw SearchEnded{.is_stopped = true};
  return evaluations;
}

}  // namespace davit
