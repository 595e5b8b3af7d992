#pragma once

#include <complex>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analysis/linear/frequency_response.h"
#include "analysis/linear/linear_model.h"
#include "analysis/linear/modes.h"
#include "analysis/linear/reduced_model.h"

namespace davit {

/// One way from an input of a linear model to an output.
struct LinearPair {
  std::size_t input = 0, output = 0;
  std::string name;  ///< `push.force -> load.x`
};

/// What is known of it. Zeros and margins only if they were asked for.
struct PairAnalysis {
  LinearPair pair;
  double static_gain = 0;  ///< infinite where an integrator is between them
  std::optional<std::vector<std::complex<double>>> zeros = {};  ///< [1/s], both of each pair
  std::optional<StabilityMargins> margins = {};
};

/// A linear model with what its analyses have in common.
struct AnalysedModel {
  /// `closed`: the model itself, or with Pade approximants in place of its delays (CloseDelays).
  AnalysedModel(const LinearModel& model, LinearModel closed);

  ReducedModel reduced;
  LinearModel closed;
  std::vector<LinearMode> modes;  ///< of `closed`
  /// Those that responses show: the approximants of delays have others, far above what the delays do.
  std::vector<LinearMode> own_modes;
  Eigen::MatrixXd static_gains;

  /// All pairs whose input has a way to the output.
  std::vector<LinearPair> Pairs() const;
  PairAnalysis Analyse(const LinearPair& pair, bool has_zeros, bool has_margins) const;
};

}  // namespace davit
