#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/study/case_runner.h"

namespace davit {

/// A measured signal that a signal of a system is to follow.
struct CurveMatch {
  std::string path;                 ///< of the system
  std::string column;               ///< of the data
  std::string unit = {};            ///< SI
  std::size_t signal = 0;           ///< its place among the signals of a case
  double weight = 1;                ///< of its residuals
  std::vector<double> time = {};    ///< of the data [s], rising
  std::vector<double> values = {};  ///< SI
};

/// The value of a signal between its rows, on a straight line; at an event the value after it. Pre: t is
/// within the times.
double ValueAt(const CaseCurves& curves, std::size_t signal, double t);

/// weight * (signal - data) at the times of the data, which are those of the run plus `offset`; match after
/// match. Empty where a time is outside of the run, or a value is not finite.
std::vector<double> ResidualsOf(const CaseCurves& curves, const std::vector<CurveMatch>& matches,
                                double offset);

}  // namespace davit
