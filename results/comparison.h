#pragma once

#include <string>
#include <vector>

#include "results/result_table.h"

namespace davit {

/// Two values are the same if |a - b| <= absolute + relative * max(|a|, |b|). NaN is the same as NaN, and an
/// infinity as itself.
struct ComparisonTolerances {
  double relative = 1e-9;
  double absolute = 1e-12;
  double time = 0;  ///< [s]
};

/// How one signal of two results differs, at its worst point: the largest |a - b| in parts of what is
/// allowed.
struct SignalComparison {
  enum class Presence { kBoth, kOnlyA, kOnlyB };

  std::string name;
  Presence presence = Presence::kBoth;
  bool is_same = false;
  bool has_worst =
      false;        ///< false if the signal is in one result only, or no time is in both; then no values:
  double time = 0;  ///< [s]
  double a = 0;
  double b = 0;
  double difference = 0;  ///< |a - b|; 0 between values that are the same without being finite
  double ratio = 0;       ///< of difference to what is allowed; at most 1 where same
};

struct Comparison {
  std::vector<SignalComparison> signals;  ///< in the order of A, then those only in B
  bool is_same = false;                   ///< all are
  bool has_common_time = false;
  double begin = 0;  ///< of the time that is in both [s]
  double end = 0;
};

/// Compares the signals of two results at the times of `a` that `b` spans too. Signals in one of them only
/// differ.
///
/// The value of `b` at a time between two of its rows is interpolated. Times count as equal if they differ by
/// rounding only (4 parts in 2^52). Where both have several rows at one time, the two sides of an event, side
/// is compared with side; a single row of `a` may be any of the sides. With a time tolerance a value is also
/// the same if `b` takes it within that time before or after, so that a jump may come a little earlier or
/// later.
Comparison Compare(const ResultTable& a, const ResultTable& b, const ComparisonTolerances& tolerances);

}  // namespace davit
