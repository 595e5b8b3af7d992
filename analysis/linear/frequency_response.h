#pragma once

#include <complex>
#include <cstddef>
#include <optional>
#include <vector>

#include "analysis/linear/linear_model.h"
#include "analysis/linear/modes.h"

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

/// The gain of one output over one input along frequencies [Hz].
std::vector<std::complex<double>> ResponseOf(const LinearModel& model, std::size_t input, std::size_t output,
                                             const std::vector<double>& frequencies);

/// G(0) of one pair; infinite where an integrator is between them.
double StaticGain(const LinearModel& model, const std::vector<LinearMode>& modes, std::size_t input,
                  std::size_t output);

/// Phases [deg] without jumps; the first is in (-360, 0] for a gain that falls, else within 180 of 0.
std::vector<double> ContinuousPhase(const std::vector<std::complex<double>>& response);

/// What is left until a loop that is closed with the gain -1 becomes unstable.
struct StabilityMargins {
  std::optional<double> gain;             ///< factor at the phase crossover that is nearest to 1
  std::optional<double> gain_frequency;   ///< [Hz] where the phase is -180 degrees
  std::optional<double> phase;            ///< [deg] at the gain crossover, the smallest
  std::optional<double> phase_frequency;  ///< [Hz] where the gain is 1
};

/// Of the open loop from one input to one output; crossovers between `frequencies` are bisected.
StabilityMargins ComputeMargins(const LinearModel& model, std::size_t input, std::size_t output,
                                const std::vector<double>& frequencies);

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
