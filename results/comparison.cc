#include "results/comparison.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string_view>
#include <unordered_map>

namespace davit {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Times of two programs, n * h and a sum of h, differ by this much at least.
double TimeRounding(double t) { return 4 * std::numeric_limits<double>::epsilon() * std::abs(t); }

/// Where B has the value that belongs to row `a` of A: in one of the rows first..last, or between these two.
struct Match {
  std::size_t a = 0;
  std::size_t first = 0;
  std::size_t last = 0;
  bool is_between = false;
  double fraction = 0;  // of the way from first to last
};

/// Rows [a_begin, a_end) of A and [b_begin, b_end) of B have the same time.
void MatchSides(std::size_t a_begin, std::size_t a_end, std::size_t b_begin, std::size_t b_end,
                std::vector<Match>& matches) {
  const std::size_t a_count = a_end - a_begin;
  const std::size_t b_count = b_end - b_begin;
  for (std::size_t i = 0; i < a_count; ++i) {
    Match match{.a = a_begin + i, .first = b_begin, .last = b_end - 1};
    if (a_count == b_count) {
      match.first = match.last = b_begin + i;
    } else if (a_count > 1 && i == 0) {
      match.last = match.first;
    } else if (a_count > 1 && i == a_count - 1) {
      match.first = match.last;
    }
    matches.push_back(match);
  }
}

/// One for each row of A in the time that both span. Pre: neither is empty.
std::vector<Match> MatchRows(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<Match> matches;
  std::size_t j = 0;  // the first row of B that is not before t
  std::size_t a_end = 0;
  for (std::size_t i = 0; i < a.size(); i = a_end) {
    const double t = a[i];
    const double rounding = TimeRounding(t);
    a_end = i + 1;
    while (a_end < a.size() && a[a_end] == t) ++a_end;
    if (t < b.front() - rounding) continue;
    if (t > b.back() + rounding) break;
    while (b[j] < t - rounding) ++j;
    std::size_t b_end = j;
    while (b_end < b.size() && b[b_end] <= t + rounding) ++b_end;
    if (b_end > j) {
      MatchSides(i, a_end, j, b_end, matches);
      continue;
    }
    const double fraction = (t - b[j - 1]) / (b[j] - b[j - 1]);
    for (; i < a_end; ++i) {
      matches.push_back({.a = i, .first = j - 1, .last = j, .is_between = true, .fraction = fraction});
    }
  }
  return matches;
}

double Interpolate(double from, double to, double fraction) {
  return from == to ? from : from + (to - from) * fraction;  // inf to inf stays inf
}

/// A value of B beside one of A.
struct Pair {
  double b = 0;
  double difference = 0;
  double ratio = kInfinity;  // of difference to what is allowed
};

bool IsSame(const Pair& pair) { return pair.ratio <= 1; }

Pair MakePair(double a, double b, const ComparisonTolerances& tolerances) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return {.b = b, .difference = 0, .ratio = 0};
  if (!std::isfinite(a) || !std::isfinite(b)) return {.b = b, .difference = kInfinity, .ratio = kInfinity};
  const double difference = std::abs(a - b);
  const double allowed = tolerances.absolute + tolerances.relative * std::max(std::abs(a), std::abs(b));
  return {.b = b, .difference = difference, .ratio = difference / allowed};
}

void KeepNearer(Pair& nearest, const Pair& pair) {
  if (pair.ratio < nearest.ratio) nearest = pair;
}

Pair PairAt(const Match& match, double a, const std::vector<double>& b,
            const ComparisonTolerances& tolerances) {
  if (match.is_between)
    return MakePair(a, Interpolate(b[match.first], b[match.last], match.fraction), tolerances);
  Pair nearest = MakePair(a, b[match.first], tolerances);
  for (std::size_t j = match.first + 1; j <= match.last; ++j)
    KeepNearer(nearest, MakePair(a, b[j], tolerances));
  return nearest;
}

/// The nearest of all values that B takes from t - tolerances.time to t + tolerances.time, also between its
/// rows.
Pair NearestPairAround(double t, double a, const std::vector<double>& times, const std::vector<double>& b,
                       const ComparisonTolerances& tolerances) {
  const double begin = t - tolerances.time - TimeRounding(t);
  const double end = t + tolerances.time + TimeRounding(t);
  auto j = static_cast<std::size_t>(std::ranges::lower_bound(times, begin) - times.begin());
  if (j > 0) --j;
  Pair nearest;
  for (; j < times.size() && times[j] <= end; ++j) {
    if (times[j] >= begin) KeepNearer(nearest, MakePair(a, b[j], tolerances));
    const double step = j + 1 < times.size() ? times[j + 1] - times[j] : 0;
    if (step <= 0 || times[j + 1] < begin) continue;
    const double from = Interpolate(b[j], b[j + 1], std::max(0.0, (begin - times[j]) / step));
    const double to = Interpolate(b[j], b[j + 1], std::min(1.0, (end - times[j]) / step));
    const bool is_passed = std::min(from, to) < a && a < std::max(from, to);
    for (const double value : {from, to, is_passed ? a : to})
      KeepNearer(nearest, MakePair(a, value, tolerances));
  }
  return nearest;
}

/// The columns `a_column` and `b_column` of two results at all matches.
SignalComparison CompareColumns(const ResultTable& a, std::size_t a_column, const ResultTable& b,
                                std::size_t b_column, const std::vector<Match>& matches,
                                const ComparisonTolerances& tolerances) {
  const std::vector<double>& a_values = a.columns[a_column];
  const std::vector<double>& b_values = b.columns[b_column];
  SignalComparison worst{.name = a.names[a_column], .ratio = -1};  // so that the first point counts
  for (const Match& match : matches) {
    const double t = a.time[match.a];
    const double value = a_values[match.a];
    Pair pair = PairAt(match, value, b_values, tolerances);
    if (!IsSame(pair) && tolerances.time > 0) {
      KeepNearer(pair, NearestPairAround(t, value, b.time, b_values, tolerances));
    }
    if (pair.ratio <= worst.ratio) continue;
    worst.time = t;
    worst.a = value;
    worst.b = pair.b;
    worst.difference = pair.difference;
    worst.ratio = pair.ratio;
  }
  worst.has_worst = !matches.empty();
  worst.is_same = worst.has_worst && worst.ratio <= 1;
  return worst;
}

std::unordered_map<std::string_view, std::size_t> Positions(const std::vector<std::string>& names) {
  std::unordered_map<std::string_view, std::size_t> positions;
  for (std::size_t i = 0; i < names.size(); ++i) positions.emplace(names[i], i);
  return positions;
}

}  // namespace

Comparison Compare(const ResultTable& a, const ResultTable& b, const ComparisonTolerances& tolerances) {
  Comparison comparison;
  std::vector<Match> matches;
  if (!a.time.empty() && !b.time.empty()) {
    matches = MatchRows(a.time, b.time);
    comparison.begin = std::max(a.time.front(), b.time.front());
    comparison.end = std::min(a.time.back(), b.time.back());
  }
  comparison.has_common_time = !matches.empty();

  const auto a_positions = Positions(a.names);
  const auto b_positions = Positions(b.names);
  for (std::size_t i = 0; i < a.names.size(); ++i) {
    const auto found = b_positions.find(a.names[i]);
    comparison.signals.push_back(
        found == b_positions.end()
            ? SignalComparison{.name = a.names[i], .presence = SignalComparison::Presence::kOnlyA}
            : CompareColumns(a, i, b, found->second, matches, tolerances));
  }
  for (const std::string& name : b.names) {
    if (!a_positions.contains(name)) {
      comparison.signals.push_back({.name = name, .presence = SignalComparison::Presence::kOnlyB});
    }
  }
  const bool has_rows = !a.time.empty() || !b.time.empty();
  for (SignalComparison& signal : comparison.signals) {
    if (!has_rows) signal.is_same = signal.presence == SignalComparison::Presence::kBoth;
  }
  comparison.is_same = (comparison.has_common_time || !has_rows) &&
                       std::ranges::all_of(comparison.signals, &SignalComparison::is_same);
  return comparison;
}

}  // namespace davit
