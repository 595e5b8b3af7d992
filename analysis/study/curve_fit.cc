#include "analysis/study/curve_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>

#include "analysis/study/objective.h"

namespace davit {
namespace {

double OffsetAt(const CurveFit& fit, const std::vector<double>& u) {
  return fit.offset ? fit.offset->first + u.back() * (fit.offset->second - fit.offset->first) : 0;
}

std::vector<FittedUnknown> ToUnknowns(const CurveFit& fit, const LeastSquaresResult& result,
                                      const std::vector<double>& values) {
  constexpr double kAtBound = 1e-6;
  std::vector<FittedUnknown> unknowns;
  unknowns.reserve(result.u.size());
  for (std::size_t i = 0; i < result.u.size(); ++i) {
    FittedUnknown& one = unknowns.emplace_back();
    double width = 0;
    if (i < fit.variables.size()) {
      const BoundedVariation& v = fit.variables[i];
      one = {.name = v.item.path, .unit = v.item.unit, .value = values[i]};
      width = v.is_log ? values[i] * std::log(v.high / v.low) : v.high - v.low;
      one.bound = result.u[i] <= kAtBound ? -1 : result.u[i] >= 1 - kAtBound ? 1 : 0;
    } else {
      one = {.name = "time offset", .unit = "s", .value = OffsetAt(fit, result.u)};
      width = fit.offset->second - fit.offset->first;
    }
    one.error = result.errors[i] * width;
  }
  return unknowns;
}

}  // namespace

std::string CurveFit::FaultOfData(double start, double stop) const {
  constexpr double kSameTime = 1e-9;  // [s]
  std::size_t values = 0;
  for (const CurveMatch& match : matches) {
    values += match.values.size();
    const double first = match.time.front() - (offset ? offset->second : 0);
    const double last = match.time.back() - (offset ? offset->first : 0);
    if (first >= start - kSameTime && last <= stop + kSameTime) continue;
    return fmt::format(
        "{} is needed from {:.9g} s to {:.9g} s, but the run is from {:.9g} s to {:.9g} s; give another end "
        "with --stop, or cut the data",
        match.path, first, last, start, stop);
  }
  const std::size_t unknowns = variables.size() + (offset ? 1 : 0);
  if (matches.empty() || values > unknowns) return {};
  return fmt::format("{} values do not determine {} unknowns; give more data", values, unknowns);
}

CurveFitResult FitCurves(CasePool& pool, const CurveFit& fit, const std::atomic<bool>& stop) {
  CurveFitResult result;
  const Objective scale(pool, fit.variables, {}, 0, {}, stop);
  const auto variables_at = [&](const std::vector<double>& u) {
    return scale.ToValues(std::span(u).first(fit.variables.size()));
  };
  const auto residuals_at = [&](const std::vector<std::vector<double>>& points) {
    std::vector<std::vector<CaseValue>> cases;
    cases.reserve(points.size());
    for (const std::vector<double>& u : points) {
      std::vector<CaseValue>& values = cases.emplace_back();
      for (const double value : variables_at(u)) values.push_back({.number = value});
    }
    const std::vector<CaseResult> runs = pool.Run(cases, stop);
    if (stop) throw std::runtime_error("interrupted: the fit has no result");
    result.runs += points.size();
    std::vector<std::vector<double>> residuals;
    residuals.reserve(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      residuals.push_back(ResidualsOf(runs[i].curves, fit.matches, OffsetAt(fit, points[i])));
      if (!runs[i].message.empty()) result.message = runs[i].message;
    }
    return residuals;
  };
  std::vector<double> start = scale.StartPoint();
  if (fit.offset) {
    const auto& [low, high] = *fit.offset;
    start.push_back(std::clamp(-low / (high - low), 0.0, 1.0));
  }
  result.least_squares = FitLeastSquares(residuals_at, start, fit.rounds);
  if (result.least_squares.u.empty()) return result;
  result.unknowns = ToUnknowns(fit, result.least_squares, variables_at(result.least_squares.u));
  result.offset = OffsetAt(fit, result.least_squares.u);
  return result;
}

}  // namespace davit
