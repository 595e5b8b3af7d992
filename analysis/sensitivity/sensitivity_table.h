#pragma once

#include <string>
#include <utility>
#include <vector>

#include "framework/range.h"

namespace davit {

/// Signals over time, and their derivatives by each parameter.
struct SensitivityCurves {
  std::vector<double> time;                              ///< [s]
  std::vector<std::vector<double>> signals;              ///< by signal and row
  std::vector<std::vector<std::vector<double>>> slopes;  ///< by parameter, signal and row
};

/// How measures of a run change with parameters. All numbers are in SI.
struct SensitivityTable {
  std::vector<double> measures;             ///< of the run itself
  std::vector<std::vector<double>> slopes;  ///< d measure / d parameter, by measure and parameter
  /// Estimated errors of the slopes; NaN where there is no estimate.
  std::vector<std::vector<double>> errors;
  SensitivityCurves curves;
};

/// By how many percent a measure changes for one percent of a parameter: p/m dm/dp; NaN for m = 0 or p = 0.
double NormalizedSlope(double slope, double parameter, double measure);

/// What runs differ in, and the steps of difference quotients about its value.
struct SensitivityStep {
  double value = 0;  ///< in the run itself
  double size = 0;   ///< > 0: typical size of a change; that of the value where it is not 0
  Range range = {};  ///< of what the value may be

  /// Whether the value may be changed by `step` upwards, or else downwards.
  bool HasRoom(double step) const { return range.Contains(value + step) || range.Contains(value - step); }
  /// The values for a quotient, the lower one first: `step` away on both sides, at an end of the range on
  /// one. The sides are those of `widest`, so that quotients of several steps have the same ones.
  std::pair<double, double> Around(double step, double widest) const;
  bool IsTwoSided(double widest) const {
    return range.Contains(value + widest) && range.Contains(value - widest);
  }
};

}  // namespace davit
