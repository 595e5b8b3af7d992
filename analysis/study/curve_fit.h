#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "analysis/study/case_pool.h"
#include "analysis/study/curve_match.h"
#include "analysis/study/least_squares.h"
#include "analysis/study/variation.h"

namespace davit {

/// What was measured in one experiment, and how the system is run for it.
struct FitData {
  std::string name;  ///< of its file
  std::vector<CurveMatch> matches = {};
  std::vector<CaseValue> settings = {};  ///< a value for each of CurveFit::settings
  double start = 0, stop = 0;            ///< of the run [s]
};

/// Unknowns for which signals of a system are to follow measured ones, in one experiment or several.
struct CurveFit {
  std::vector<BoundedVariation> variables = {};
  std::vector<VariedItem> settings = {};  ///< what differs between the experiments
  std::vector<FitData> data = {};
  /// Bounds of the time by which the data are late, an unknown of each experiment [s]; nothing: they are not.
  std::optional<std::pair<double, double>> offset = {};
  LeastSquaresOptions options = {};

  std::size_t unknowns() const { return variables.size() + (offset ? data.size() : 0); }
  /// What CaseSetup::items must be: the variables, then the settings.
  std::vector<VariedItem> Items() const;
  /// The values of these in the run for an experiment.
  std::vector<CaseValue> CaseOf(std::span<const CaseValue> of_variables, std::size_t number) const;
  /// Why it cannot be searched, whatever the offsets are; empty if it can.
  std::string FindFault() const;
};

/// One unknown of a fit.
struct FittedUnknown {
  std::string name;  ///< its path, or `time offset`
  std::string unit;  ///< SI
  double value = 0;
  double error = 0;          ///< standard error; NaN where the data do not determine it
  double low = 0, high = 0;  ///< bounds of 95 % confidence, of the linearised model; NaN there
  int bound = 0;             ///< -1 where it is at its lower bound, 1 at its upper one
};

struct CurveFitResult {
  LeastSquaresResult least_squares;  ///< `u` is empty where the start has failed
  std::vector<FittedUnknown> unknowns = {};
  std::vector<double> offsets = {};  ///< by experiment [s]
  std::uint64_t runs = 0;
  std::string message = {};  ///< of the last case that had one
};

/// Fits by FitLeastSquares; the cases run in `pool`, whose items are those of CurveFit::Items and whose
/// probes are the signals of the matches. Throws std::runtime_error where `stop` is requested.
CurveFitResult FitCurves(CasePool& pool, const CurveFit& fit, const std::stop_token& stop);

}  // namespace davit
