#pragma once

#include <complex>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "framework/diagnostics.h"
#include "framework/registry.h"
#include "session/simulation.h"

namespace davit {

/// What `davit frequency` measures, all SI.
struct FrequencyOptions {
  std::filesystem::path system;
  std::optional<std::string> text = {};  ///< of the system, in place of its file
  SimulationOptions simulation = {};
  std::string input = {};                 ///< path
  std::vector<std::string> outputs = {};  ///< paths
  double from = 0, to = 0;                ///< [Hz]
  int points = 20;                        ///< frequencies, on a logarithmic axis
  double amplitude = 0;                   ///< of the sine; of a multisine the root of the sum of squares
  std::optional<double> at = {};          ///< when the excitation begins; nothing: at StartTime
  bool is_multisine = false;
  int settle = 3;   ///< periods at least before it is measured
  int periods = 4;  ///< that are measured
  /// Change of the amplitudes to come that counts as settled; a tenth of it is waited for.
  double settled = 1e-4;
  std::stop_token stop = {};  ///< gives the measurement up
};

/// The response to one frequency.
struct FrequencyPoint {
  double frequency = 0;                    ///< [Hz]
  std::complex<double> u;                  ///< of the input
  std::vector<std::complex<double>> gain;  ///< by output: y/u
  std::vector<double>
      coherence;  ///< |mean(conj(u) y)|^2/(mean|u|^2 mean|y|^2) over the periods; nan: no response
  std::vector<double> distortion;  ///< root of the power of harmonics 2 .. 5 over that of the first
  int settle_periods = 0;          ///< that were waited for
  bool is_settled = true;
};

struct MeasuredResponse {
  std::string input_unit;                 ///< SI, as the gains are
  std::vector<std::string> output_units;  ///< the same, by output
  std::vector<FrequencyPoint> points;
};

/// What is wrong with options for the system that they name, as it is loaded and before its first step. A
/// fault has the name of its option on the command line, `--input`, as its path.
void CheckFrequencyOptions(const FrequencyOptions& options, Simulation& simulation, Diagnostics& diagnostics);

/// The measurement on the running model, whatever it is: nonlinear, with events, fixed steps, lines.
///
/// Steps of sines: each frequency begins at the operating point, waits until the amplitudes stay (or come no
/// nearer to each other any more), and is measured over whole periods. It is the nearest whose period is a
/// whole number of TimeSteps, where a period has at least 8. A drift, as of an integrator, is taken out. A
/// multisine has all frequencies at once, each the nearest multiple of the first, with the phases of M. R.
/// Schroeder (IEEE Trans. IT 16, 1970); distortion is then that of lines which are not excited, over all.
///
/// Amplitudes are Fourier integrals of what the model has, u included: by Gauss's rule over each TimeStep,
/// since held signals jump at step points, or with fixed-step (TLM) components sums over step points. So a
/// linear model has its transfer function, also over a parameter, which follows a sine as a staircase.
///
/// Faults go to `diagnostics`; there are no points then. `tell` is called for each point as it comes.
/// Throws SimulationFailure, std::runtime_error, also when it is given up.
MeasuredResponse MeasureFrequencies(const FrequencyOptions& options, const Registry& registry,
                                    Diagnostics& diagnostics,
                                    const std::function<void(const FrequencyPoint&)>& tell = {});

}  // namespace davit
