#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/study/case_pool.h"
#include "analysis/study/curve_match.h"
#include "analysis/study/least_squares.h"
#include "analysis/study/variation.h"

namespace davit {

/// Unknowns for which signals of a system are to follow measured ones.
struct CurveFit {
  std::vector<BoundedVariation> variables = {};
  std::vector<CurveMatch> matches = {};
  /// Bounds of the time by which the data are late, an unknown too [s]; nothing: they are not.
  std::optional<std::pair<double, double>> offset = {};
  int rounds = 50;  ///< most steps

  /// Why the data do not suit a run from `start` to `stop` [s], whatever the offset is; empty if they do.
  std::string FaultOfData(double start, double stop) const;
};

/// One unknown of a fit.
struct FittedUnknown {
  std::string name;  ///< its path, or `time offset`
  std::string unit;  ///< SI
  double value = 0;
  double error = 0;  ///< standard error; NaN where the data do not determine it
  int bound = 0;     ///< -1 where it is at its lower bound, 1 at its upper one
};

struct CurveFitResult {
  LeastSquaresResult least_squares;  ///< `u` is empty where the start has failed
  std::vector<FittedUnknown> unknowns = {};
  double offset = 0;  ///< [s]
  std::uint64_t runs = 0;
  std::string message = {};  ///< of the last case that had one
};

/// Fits by FitLeastSquares; the cases run in `pool`, whose items are the variables and whose probes are the
/// paths of the matches. Throws std::runtime_error where `stop` becomes true.
CurveFitResult FitCurves(CasePool& pool, const CurveFit& fit, const std::atomic<bool>& stop);

}  // namespace davit
