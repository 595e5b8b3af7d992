#include "analysis/sensitivity/run_differences.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "analysis/study/case_pool.h"

namespace davit {
namespace {

constexpr std::size_t kRunsOfItem = 4;

/// The values of one item in its runs: those of the coarse difference, then of the fine one.
struct RunValues {
  std::array<double, kRunsOfItem> at{};
  bool is_two_sided = true;
};

RunValues ValuesAround(const SensitivityStep& step, double widest) {
  const auto [coarse_low, coarse_high] = step.Around(widest, widest);
  const auto [fine_low, fine_high] = step.Around(widest / 2, widest);
  return {{coarse_high, coarse_low, fine_high, fine_low}, step.IsTwoSided(widest)};
}

struct Extrapolated {
  double slope, error;
};

/// The error of a quotient is of the order of the square of its step; of a one-sided one of the step.
Extrapolated Extrapolate(const RunValues& runs, const std::array<double, kRunsOfItem>& values) {
  const double coarse = (values[0] - values[1]) / (runs.at[0] - runs.at[1]);
  const double fine = (values[2] - values[3]) / (runs.at[2] - runs.at[3]);
  return {runs.is_two_sided ? (4 * fine - coarse) / 3 : 2 * fine - coarse, std::abs(fine - coarse)};
}

/// The last value at or before t.
double ValueAt(const CaseCurves& curves, std::size_t signal, double t) {
  const auto after = std::ranges::upper_bound(curves.time, t);
  if (after == curves.time.begin()) return curves.signals[signal].front();
  return curves.signals[signal][static_cast<std::size_t>(after - curves.time.begin()) - 1];
}

void FillCurves(const std::vector<CaseResult>& results, std::span<const RunValues> items,
                SensitivityCurves& curves) {
  const CaseCurves& own = results.front().curves;
  curves.signals.resize(own.signals.size());
  for (std::size_t i = 0; i < own.time.size(); ++i) {
    if (i + 1 < own.time.size() && own.time[i + 1] == own.time[i]) continue;  // before an event
    curves.time.push_back(own.time[i]);
    for (std::size_t s = 0; s < own.signals.size(); ++s) curves.signals[s].push_back(own.signals[s][i]);
  }
  curves.slopes.assign(items.size(), std::vector<std::vector<double>>(own.signals.size()));
  for (std::size_t k = 0; k < items.size(); ++k) {
    for (std::size_t s = 0; s < own.signals.size(); ++s) {
      for (const double t : curves.time) {
        std::array<double, kRunsOfItem> values{};
        for (std::size_t r = 0; r < kRunsOfItem; ++r)
          values[r] = ValueAt(results[1 + k * kRunsOfItem + r].curves, s, t);
        curves.slopes[k][s].push_back(Extrapolate(items[k], values).slope);
      }
    }
  }
}

}  // namespace

RunDifferences DifferRuns(const CaseSetup& setup, std::span<const SensitivityStep> steps, double share,
                          unsigned workers, const Registry& registry, const std::stop_token& stop,
                          const std::function<void(std::uint64_t)>& tell) {
  std::vector<RunValues> items;
  items.reserve(steps.size());
  std::vector<CaseValue> own;
  own.reserve(steps.size());
  for (const SensitivityStep& step : steps) {
    items.push_back(ValuesAround(step, share * step.size));
    own.push_back({.number = step.value});
  }
  std::vector<std::vector<CaseValue>> cases{own};
  for (std::size_t k = 0; k < steps.size(); ++k) {
    for (const double value : items[k].at) {
      cases.push_back(own);
      cases.back()[k].number = value;
    }
  }
  RunDifferences differences;
  std::vector<CaseResult> results(cases.size());
  std::vector<std::uint64_t> numbers(cases.size());
  std::iota(numbers.begin(), numbers.end(), std::uint64_t{0});
  CasePool pool(setup, registry, workers);
  std::uint64_t ended = 0;
  pool.Run(
      numbers, [&](std::uint64_t n) { return cases[n]; },
      [&](std::uint64_t n, std::span<const CaseValue> /*values*/, const CaseResult& result) {
        results[n] = result;
        tell(++ended);
      },
      stop);
  if (ended < cases.size()) return differences;
  differences.is_complete = true;
  for (std::size_t n = 0; n < cases.size(); ++n) {
    const bool is_good = results[n].is_done &&
                         std::ranges::all_of(results[n].measures, [](double x) { return std::isfinite(x); });
    if (is_good) continue;
    differences.fault = n == 0
                            ? "the run itself"
                            : fmt::format("the run with {} = {:.9g}", setup.items[(n - 1) / kRunsOfItem].path,
                                          cases[n][(n - 1) / kRunsOfItem].number);
    differences.fault += ": " + results[n].message;
    return differences;
  }
  SensitivityTable& table = differences.table;
  table.measures = results.front().measures;
  table.slopes.assign(setup.measures.size(), std::vector<double>(steps.size()));
  table.errors = table.slopes;
  for (std::size_t m = 0; m < setup.measures.size(); ++m) {
    for (std::size_t k = 0; k < steps.size(); ++k) {
      std::array<double, kRunsOfItem> values{};
      for (std::size_t r = 0; r < kRunsOfItem; ++r) values[r] = results[1 + k * kRunsOfItem + r].measures[m];
      const Extrapolated e = Extrapolate(items[k], values);
      table.slopes[m][k] = e.slope;
      table.errors[m][k] = e.error;
    }
  }
  if (!setup.probes.empty()) FillCurves(results, items, table.curves);
  return differences;
}

}  // namespace davit
