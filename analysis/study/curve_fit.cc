#include "analysis/study/curve_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <iterator>
#include <span>
#include <stdexcept>

#include "analysis/study/objective.h"

namespace davit {
namespace {

double OffsetAt(const CurveFit& fit, const std::vector<double>& u, std::size_t data) {
  return fit.offset
             ? fit.offset->first + u[fit.variables.size() + data] * (fit.offset->second - fit.offset->first)
             : 0;
}

/// By how many standard errors the bounds of 95 % confidence are away.
double ConfidenceFactor(const LeastSquaresResult& result) {
  constexpr double kProbability = 0.975;  // half of what is outside is above
  const auto freedom = static_cast<double>(result.residuals) - static_cast<double>(result.u.size());
  return boost::math::quantile(boost::math::students_t(std::max(freedom, 1.0)), kProbability);
}

std::vector<FittedUnknown> ToUnknowns(const CurveFit& fit, const LeastSquaresResult& result,
                                      const std::vector<CaseValue>& values) {
  constexpr double kAtBound = 1e-6;
  const double factor = ConfidenceFactor(result);
  std::vector<FittedUnknown> unknowns;
  unknowns.reserve(result.u.size());
  for (std::size_t i = 0; i < result.u.size(); ++i) {
    FittedUnknown& one = unknowns.emplace_back();
    double width = 0;
    if (i < fit.variables.size()) {
      const BoundedVariation& v = fit.variables[i];
      one = {.name = v.item.path, .unit = v.item.unit, .value = values[i].number};
      width = v.is_log ? one.value * std::log(v.high / v.low) : v.high - v.low;
      one.bound = result.u[i] <= kAtBound ? -1 : result.u[i] >= 1 - kAtBound ? 1 : 0;
    } else {
      const std::size_t data = i - fit.variables.size();
      one = {.name = "time offset", .unit = "s", .value = OffsetAt(fit, result.u, data)};
      if (fit.data.size() > 1) one.name += " of " + fit.data[data].name;
      width = fit.offset->second - fit.offset->first;
    }
    one.error = result.errors[i] * width;
    one.low = one.value - factor * one.error;
    one.high = one.value + factor * one.error;
  }
  return unknowns;
}

}  // namespace

std::vector<VariedItem> CurveFit::Items() const {
  std::vector<VariedItem> items;
  items.reserve(variables.size() + settings.size());
  for (const BoundedVariation& variable : variables) items.push_back(variable.item);
  items.insert(items.end(), settings.begin(), settings.end());
  return items;
}

std::vector<CaseValue> CurveFit::CaseOf(std::span<const CaseValue> of_variables, std::size_t number) const {
  std::vector<CaseValue> values(of_variables.begin(), of_variables.end());
  values.insert(values.end(), data[number].settings.begin(), data[number].settings.end());
  return values;
}

std::string CurveFit::FindFault() const {
  constexpr double kSameTime = 1e-9;  // [s]
  for (const BoundedVariation& variable : variables) {
    if (!variable.choices.empty())
      return fmt::format(
          "{} is one of several choices, and a fit needs slopes; fit once for each with --set, or search "
          "with "
          "davit optimize",
          variable.item.path);
  }
  std::size_t values = 0;
  for (const FitData& one : data) {
    for (const CurveMatch& match : one.matches) {
      values += match.values.size();
      const double first = match.time.front() - (offset ? offset->second : 0);
      const double last = match.time.back() - (offset ? offset->first : 0);
      if (first >= one.start - kSameTime && last <= one.stop + kSameTime) continue;
      return fmt::format(
          "{}: {} is needed from {:.9g} s to {:.9g} s, but the run is from {:.9g} s to {:.9g} s; give "
          "another "
          "end with --stop, or cut the data",
          one.name, match.path, first, last, one.start, one.stop);
    }
  }
  if (values == 0 || values > unknowns()) return {};
  return fmt::format("{} values do not determine {} unknowns; give more data", values, unknowns());
}

CurveFitResult FitCurves(CasePool& pool, const CurveFit& fit, const std::stop_token& stop) {
  CurveFitResult result;
  const Objective scale(pool, fit.variables, {}, 0, {}, stop);
  const std::size_t experiments = fit.data.size();
  const auto variables_at = [&](const std::vector<double>& u) {
    return scale.ToValues(std::span(u).first(fit.variables.size()));
  };
  const auto residuals_at = [&](const std::vector<std::vector<double>>& points) {
    std::vector<std::vector<CaseValue>> cases;
    cases.reserve(points.size() * experiments);
    for (const std::vector<double>& u : points) {
      for (std::size_t d = 0; d < experiments; ++d) cases.push_back(fit.CaseOf(variables_at(u), d));
    }
    const std::vector<CaseResult> runs = pool.Run(cases, stop);
    if (stop.stop_requested()) throw std::runtime_error("interrupted: the fit has no result");
    result.runs += cases.size();
    for (const CaseResult& run : runs) {
      if (!run.message.empty()) result.message = run.message;
    }
    std::vector<std::vector<double>> residuals(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      for (std::size_t d = 0; d < experiments; ++d) {
        const std::vector<double> part =
            ResidualsOf(runs[i * experiments + d].curves, fit.data[d].matches, OffsetAt(fit, points[i], d));
        if (part.empty()) {
          residuals[i].clear();
          break;
        }
        std::ranges::copy(part, std::back_inserter(residuals[i]));
      }
    }
    return residuals;
  };
  std::vector<double> start = scale.StartPoint();
  if (fit.offset) {
    const auto& [low, high] = *fit.offset;
    start.resize(fit.unknowns(), std::clamp(-low / (high - low), 0.0, 1.0));
  }
  result.least_squares = FitLeastSquares(residuals_at, start, fit.options);
  const std::vector<double>& u = result.least_squares.u;
  if (u.empty()) return result;
  result.unknowns = ToUnknowns(fit, result.least_squares, variables_at(u));
  for (std::size_t d = 0; d < experiments; ++d) result.offsets.push_back(OffsetAt(fit, u, d));
  return result;
}

}  // namespace davit
