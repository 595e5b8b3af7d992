#pragma once

#include <complex>
#include <cstddef>
#include <optional>
#include <vector>

#include "analysis/linear/linear_model.h"
#include "analysis/linear/modes.h"
#include "analysis/linear/reduced_model.h"

namespace davit {

/// Frequencies [Hz], ascending.
struct FrequencyRange {
  double low = 0;
  double high = 0;
};

/// Where a model does something: a decade below its slowest and above its fastest mode, zeros and delays
/// included, at most 8 decades; 0.01 Hz to 100 Hz where it has neither.
FrequencyRange ChooseRange(const LinearModel& model, const std::vector<LinearMode>& modes);

/// `count` frequencies [Hz], equally spaced on a logarithmic axis, both ends included.
std::vector<double> LogarithmicSpace(FrequencyRange range, std::size_t count);

/// Frequencies [Hz] that show a response: `count` on a logarithmic axis, and of each oscillation within the
/// range that of its peak and those where it has lost 3 dB. Ascending.
std::vector<double> ResponseFrequencies(FrequencyRange range, std::size_t count,
                                        const std::vector<LinearMode>& modes);

/// The gain of one output over one input along frequencies [Hz].
std::vector<std::complex<double>> ResponseOf(const ReducedModel& model, std::size_t input, std::size_t output,
                                             const std::vector<double>& frequencies);

/// The same along a curve in the complex plane: between `frequencies` points are added until the straight
/// lines between them are within 2e-4 of their distance from 0, or 1e-6 of the largest. What is not finite is
/// left out.
std::vector<std::complex<double>> NyquistCurve(const ReducedModel& model, std::size_t input,
                                               std::size_t output, const std::vector<double>& frequencies);

/// G(0), p x m: infinite where an integrator is between them, and 0 where only rounding is left.
Eigen::MatrixXd StaticGains(const LinearModel& model, const std::vector<LinearMode>& modes);

/// Phases [deg] without jumps; the first is in (-360, 0] for a gain that falls, else within 180 of 0.
std::vector<double> ContinuousPhase(const std::vector<std::complex<double>>& response);

/// What is left until a loop that is closed with the gain -1 becomes unstable, or one that is unstable
/// changes the number of its unstable modes.
struct StabilityMargins {
  /// The factor nearest to 1 with which an eigenvalue of the closed loop is on the imaginary axis.
  std::optional<double> gain;
  /// [Hz] where that is: the phase is -180 degrees. 0 for a negative static gain, infinite for a negative
  /// direct path.
  std::optional<double> gain_frequency;
  std::optional<double> phase;            ///< [deg] at the gain crossover, the smallest
  std::optional<double> phase_frequency;  ///< [Hz] where the gain is 1
};

/// Of the open loop from one input to one output, at all frequencies; with delays up to a thousand times that
/// of the fastest mode or delay. `modes` are those of A, `static_gain` is that of StaticGains. What rounding
/// alone makes cross is left out.
StabilityMargins ComputeMargins(const ReducedModel& model, const std::vector<LinearMode>& modes,
                                double static_gain, std::size_t input, std::size_t output);

/// The outputs after a unit step of an input at t = 0.
struct StepResponse {
  std::vector<double> time;                  ///< [s]
  std::vector<std::vector<double>> outputs;  ///< by output: by time
};

/// Exact at its times, by the matrix exponential. `model` has no delays. `duration` [s] > 0.
StepResponse ComputeStep(const LinearModel& model, std::size_t input, double duration, std::size_t points);

/// Five times the slowest mode that decays, or twenty periods of the slowest oscillation that does not; 1 s
/// where there is none.
double ChooseDuration(const std::vector<LinearMode>& modes);

}  // namespace davit
