#include "analysis/levels/level_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "analysis/study/measure_parser.h"
#include "analysis/study/study_text.h"
#include "framework/nearest_name.h"
#include "framework/units/quantity.h"

namespace davit {
namespace {

struct NamedText {
  std::string name, value;
};

std::optional<NamedText> SplitAtEquals(const VariationText& given, std::string_view example,
                                       Diagnostics& diagnostics) {
  const std::size_t equals = given.text.find('=');
  const bool is_comparison = equals != std::string::npos && given.text.substr(equals).starts_with("==");
  if (equals != std::string::npos && equals > 0 && !is_comparison)
    return NamedText{std::string(TrimBlanks(given.text.substr(0, equals))),
                     std::string(TrimBlanks(given.text.substr(equals + 1)))};
  diagnostics.Error(given.place, {}, fmt::format("it has no name; write {}", example));
  return std::nullopt;
}

/// The tolerance of a metric.
Fault ReadTolerance(std::string_view text, const UnitSystem& units, LevelMetric& metric) {
  const std::string_view trimmed = TrimBlanks(text);
  metric.is_share = trimmed.ends_with('%');
  QuantityResult read = metric.is_share ? ParseQuantity(trimmed.substr(0, trimmed.size() - 1), units)
                                        : ParseQuantity(trimmed, units);
  if (!read.value) return read.fault;
  metric.given = metric.is_share ? read.value->si / 100 : read.value->si;
  if (read.value->has_unit) metric.given_dimension = read.value->dimension;
  if (!(metric.given > 0))
    return {fmt::format("the tolerance {} allows no change", Quoted(text)),
            "write a value above 0, as in 1%"};
  return {};
}

}  // namespace

std::vector<LevelMetric> LevelMetrics::Read(const std::vector<VariationText>& given,
                                            const std::vector<VariationText>& tolerances,
                                            const UnitSystem& units, Diagnostics& diagnostics) {
  std::vector<LevelMetric> metrics;
  for (const VariationText& one : given) {
    std::optional<NamedText> split = SplitAtEquals(one, "NAME=EXPR, as in 'lift=load.x'", diagnostics);
    if (!split) continue;
    const bool is_curve = !HasMeasure(split->value, units);
    metrics.push_back({.name = std::move(split->name),
                       .text = std::move(split->value),
                       .is_curve = is_curve,
                       .place = one.place});
  }
  std::vector<std::string> names;
  names.reserve(metrics.size());
  for (const LevelMetric& metric : metrics) names.push_back(metric.name);
  for (const VariationText& one : tolerances) {
    const std::optional<NamedText> split = SplitAtEquals(one, "NAME=VALUE, as in 'lift=1%'", diagnostics);
    if (!split) continue;
    const auto metric = std::ranges::find(metrics, split->name, &LevelMetric::name);
    if (metric == metrics.end()) {
      diagnostics.Error(one.place, {},
                        fmt::format("no metric is named {}; {}", Quoted(split->name),
                                    SuggestName("the metrics are", split->name, names)));
    } else if (metric->given != 0) {
      diagnostics.Error(one.place, {}, fmt::format("a second tolerance of {}; give one", split->name));
    } else if (const Fault fault = ReadTolerance(split->value, units, *metric)) {
      diagnostics.Error(one.place, {}, fault);
    }
  }
  for (const LevelMetric& metric : metrics) {
    const auto is_of_it = [&](const VariationText& one) { return one.text.starts_with(metric.name + "="); };
    if (std::ranges::none_of(tolerances, is_of_it))
      diagnostics.Error(metric.place, {},
                        fmt::format("{0} has no tolerance; give for example {0}=1%", metric.name));
  }
  return metrics;
}

std::vector<MeasureDefinition> LevelMetrics::Definitions(std::span<const LevelMetric> metrics) {
  std::vector<MeasureDefinition> definitions;
  definitions.reserve(metrics.size());
  for (const LevelMetric& metric : metrics)
    definitions.push_back(
        {metric.name, metric.is_curve ? fmt::format("final({})", metric.text) : metric.text, metric.place});
  return definitions;
}

void LevelMetrics::CheckUnits(std::span<const LevelMetric> metrics, const MeasureSet& set,
                              Diagnostics& diagnostics) {
  const std::vector<std::optional<Dimension>> dimensions = set.dimensions();
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    const LevelMetric& metric = metrics[m];
    if (metric.is_share || !metric.given_dimension || !dimensions[m] ||
        *metric.given_dimension == *dimensions[m])
      continue;
    diagnostics.Error(
        metric.place, {},
        fmt::format("the tolerance of {} has another dimension than its value, {}; give it in that, or "
                    "in percent",
                    metric.name, set.units()[m].empty() ? "a number" : set.units()[m]));
  }
}

std::vector<double> LevelMetrics::ValuesOf(std::span<const double> deviation) const {
  const std::size_t n = channels();
  return set_
      ->ReplayChannels(reference_.time,
                       [&](std::size_t i, std::span<double> values) {
                         for (std::size_t k = 0; k < n; ++k) {
                           values[k] = reference_.values[i * n + k];
                           if (!deviation.empty()) values[k] += deviation[i * n + k];
                         }
                       })
      .values;
}

void LevelMetrics::SetReference(const ChannelRows& rows, Diagnostics& diagnostics) {
  reference_ = rows;
  values_ = ValuesOf({});
  const std::size_t n = channels();
  for (std::size_t m = 0; m < metrics_.size(); ++m) {
    LevelMetric& metric = metrics_[m];
    metric.unit = set_->units()[m];
    metric.scale = std::abs(values_[m]);
    if (metric.is_curve) {
      double low = std::numeric_limits<double>::infinity(), high = -low;
      const std::size_t channel = set_->ChannelsOf(m).first;
      for (std::size_t i = 0; i < rows.time.size(); ++i) {
        low = std::min(low, rows.values[i * n + channel]);
        high = std::max(high, rows.values[i * n + channel]);
      }
      metric.scale = high - low;
    }
    metric.tolerance = metric.is_share ? metric.given * metric.scale : metric.given;
    if (!std::isfinite(metric.scale)) {
      diagnostics.Error(
          metric.place, {},
          fmt::format("{} has no value in the reference run; measure something that has one", metric.name));
    } else if (!(metric.tolerance > 0)) {
      diagnostics.Error(
          metric.place, {},
          fmt::format(
              "{} is {} in the reference run, so that a percentage has no meaning; give the tolerance "
              "as a value",
              metric.name, metric.is_curve ? "constant" : "0"));
    }
  }
}

std::vector<double> LevelMetrics::ErrorsOf(std::span<const double> deviation) const {
  const std::size_t n = channels();
  const std::size_t rows = reference_.time.size();
  std::vector<double> errors(metrics_.size());
  std::vector<double> values;
  for (std::size_t m = 0; m < metrics_.size(); ++m) {
    if (!metrics_[m].is_curve) {
      if (values.empty()) values = ValuesOf(deviation);
      errors[m] = std::abs(values[m] - values_[m]);
      if (std::isnan(errors[m])) errors[m] = std::numeric_limits<double>::infinity();
      continue;
    }
    const std::size_t channel = set_->ChannelsOf(m).first;
    double largest = 0, sum = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      const double d = deviation[i * n + channel];
      largest = std::max(largest, std::abs(d));
      sum += d * d;
    }
    errors[m] = norm_ == CurveNorm::kMax ? largest : std::sqrt(sum / static_cast<double>(rows));
    if (std::isnan(sum)) errors[m] = std::numeric_limits<double>::infinity();
  }
  return errors;
}

std::optional<std::size_t> LevelMetrics::MeanSquareChannelOf(std::size_t metric) const {
  if (!metrics_[metric].is_curve || norm_ == CurveNorm::kMax) return std::nullopt;
  return set_->ChannelsOf(metric).first;
}

std::vector<double> LevelMetrics::PartsOf(std::span<const double> deviation,
                                          std::span<const std::size_t> rows_end) const {
  const std::vector<double> errors = ErrorsOf(deviation);
  std::size_t worst = 0;
  for (std::size_t m = 1; m < errors.size(); ++m) {
    if (errors[m] / metrics_[m].tolerance > errors[worst] / metrics_[worst].tolerance) worst = m;
  }
  if (!metrics_[worst].is_curve) return {};
  const std::size_t n = channels(), channel = set_->ChannelsOf(worst).first;
  std::vector<double> parts(rows_end.size());
  double all = 0, before = 0;
  for (std::size_t w = 0, row = 0; w < parts.size(); ++w) {
    double last = before;
    for (; row < rows_end[w]; ++row) {
      last = deviation[row * n + channel];
      parts[w] += (last - before) * (last - before);
    }
    all += parts[w];
    before = last;
  }
  if (all > 0) {
    for (double& part : parts) part /= all;
  }
  return parts;
}

double ShareOf(std::span<const LevelMetric> metrics, std::span<const double> errors) {
  double share = 0;
  for (std::size_t m = 0; m < errors.size(); ++m) share = std::max(share, errors[m] / metrics[m].tolerance);
  return share;
}

}  // namespace davit
