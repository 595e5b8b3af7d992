#include "analysis/linear/frequency_response.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "analysis/linear/matrix_exponential.h"

namespace davit {
namespace {

constexpr double kFullTurn = 2 * std::numbers::pi;
constexpr double kDegrees = 180 / std::numbers::pi;

std::complex<double> ResponseAt(const LinearModel& model, std::size_t input, std::size_t output,
                                double frequency) {
  return TransferAt(model, {0, kFullTurn * frequency})(static_cast<Eigen::Index>(output),
                                                       static_cast<Eigen::Index>(input));
}

/// Where `f` changes its sign between two frequencies.
double CrossingBetween(double low, double high, const std::function<double(double)>& f) {
  const bool is_positive = f(low) > 0;
  for (int i = 0; i < 60; ++i) {
    const double middle = std::sqrt(low * high);
    ((f(middle) > 0) == is_positive ? low : high) = middle;
  }
  return std::sqrt(low * high);
}

}  // namespace

FrequencyRange ChooseRange(const LinearModel& model, const std::vector<LinearMode>& modes) {
  std::vector<double> corners;
  for (const LinearMode& mode : modes) {
    if (mode.frequency() > 0) corners.push_back(mode.frequency());
  }
  for (const LinearDelay& delay : model.delays) corners.push_back(1 / (4 * delay.time));
  if (corners.empty()) return {0.01, 100};
  const auto [low, high] = std::ranges::minmax(corners);
  FrequencyRange range{std::pow(10, std::floor(std::log10(low))) / 10,
                       10 * std::pow(10, std::ceil(std::log10(high)))};
  range.high = std::min(range.high, 1e8 * range.low);
  return range;
}

std::vector<double> LogarithmicSpace(FrequencyRange range, std::size_t count) {
  std::vector<double> frequencies;
  for (std::size_t i = 0; i < count; ++i) {
    const double share = count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 0;
    frequencies.push_back(range.low * std::pow(range.high / range.low, share));
  }
  if (count > 1) frequencies.back() = range.high;
  return frequencies;
}

std::vector<std::complex<double>> ResponseOf(const LinearModel& model, std::size_t input, std::size_t output,
                                             const std::vector<double>& frequencies) {
  std::vector<std::complex<double>> response;
  response.reserve(frequencies.size());
  for (const double frequency : frequencies) response.push_back(ResponseAt(model, input, output, frequency));
  return response;
}

double StaticGain(const LinearModel& model, const std::vector<LinearMode>& modes, std::size_t input,
                  std::size_t output) {
  const auto at = [&](double s) {
    return TransferAt(model, s)(static_cast<Eigen::Index>(output), static_cast<Eigen::Index>(input)).real();
  };
  if (modes.empty() || modes.front().eigenvalue != 0.0) return at(0);
  // An integrator somewhere: what it does as s -> 0.
  double slowest = 1;
  for (auto mode = modes.rbegin(); mode != modes.rend(); ++mode) {
    if (mode->eigenvalue != 0.0) slowest = std::abs(mode->eigenvalue);
  }
  const double near = at(1e-5 * slowest), nearer = at(1e-6 * slowest);
  const bool is_still = std::abs(nearer - near) <= 1e-3 * std::abs(nearer);
  return is_still ? nearer : std::numeric_limits<double>::infinity();
}

std::vector<double> ContinuousPhase(const std::vector<std::complex<double>>& response) {
  std::vector<double> phase;
  for (const std::complex<double>& value : response) {
    double angle = std::arg(value) * kDegrees;
    if (phase.empty()) {
      if (angle > 90 + 1e-6) angle -= 360;  // two integrators lag by 180, they do not lead
    } else if (std::isfinite(phase.back())) {
      angle += 360 * std::round((phase.back() - angle) / 360);
    }
    phase.push_back(angle);
  }
  return phase;
}

StabilityMargins ComputeMargins(const LinearModel& model, std::size_t input, std::size_t output,
                                const std::vector<double>& frequencies) {
  StabilityMargins margins;
  const std::vector<std::complex<double>> response = ResponseOf(model, input, output, frequencies);
  const auto at = [&](double frequency) { return ResponseAt(model, input, output, frequency); };
  for (std::size_t i = 1; i < frequencies.size(); ++i) {
    const double low = frequencies[i - 1], high = frequencies[i];
    const std::complex<double> a = response[i - 1], b = response[i];
    if ((std::abs(a) > 1) != (std::abs(b) > 1)) {
      const double f = CrossingBetween(low, high, [&](double x) { return std::log(std::abs(at(x))); });
      double margin = std::arg(-at(f)) * kDegrees;  // distance of the phase from -180
      if (!margins.phase || std::abs(margin) < std::abs(*margins.phase)) {
        margins.phase = margin;
        margins.phase_frequency = f;
      }
    }
    const bool is_negative = a.real() < 0 && b.real() < 0;
    if (is_negative && (a.imag() > 0) != (b.imag() > 0)) {
      const double f = CrossingBetween(low, high, [&](double x) { return at(x).imag(); });
      const double margin = 1 / std::abs(at(f));
      if (!margins.gain || std::abs(std::log(margin)) < std::abs(std::log(*margins.gain))) {
        margins.gain = margin;
        margins.gain_frequency = f;
      }
    }
  }
  return margins;
}

StepResponse ComputeStep(const LinearModel& model, std::size_t input, double duration, std::size_t points) {
  const Eigen::Index n = model.A.rows();
  const auto u = static_cast<Eigen::Index>(input);
  const double h = duration / static_cast<double>(points - 1);
  // [x; 1]' = [A b; 0 0] [x; 1], in balanced units.
  const Eigen::VectorXd factors = BalanceFactors(model.A);
  Eigen::MatrixXd whole = Eigen::MatrixXd::Zero(n + 1, n + 1);
  whole.topLeftCorner(n, n) = factors.cwiseInverse().asDiagonal() * model.A * factors.asDiagonal();
  whole.topRightCorner(n, 1) = factors.cwiseInverse().asDiagonal() * model.B.col(u);
  const Eigen::MatrixXd step = MatrixExponential(whole * h);
  const Eigen::MatrixXd C = model.C * factors.asDiagonal();
  Eigen::VectorXd x = Eigen::VectorXd::Zero(n + 1);
  x[n] = 1;
  StepResponse response;
  response.outputs.resize(static_cast<std::size_t>(model.C.rows()));
  for (std::size_t k = 0; k < points; ++k) {
    response.time.push_back(static_cast<double>(k) * h);
    const Eigen::VectorXd y = C * x.head(n) + model.D.col(u);
    for (std::size_t i = 0; i < response.outputs.size(); ++i)
      response.outputs[i].push_back(y[static_cast<Eigen::Index>(i)]);
    x = step * x;
  }
  return response;
}

double ChooseDuration(const std::vector<LinearMode>& modes) {
  double longest = 0;
  for (const LinearMode& mode : modes) {
    if (mode.eigenvalue == 0.0) continue;
    const bool decays = mode.eigenvalue.real() < -1e-6 * std::abs(mode.eigenvalue);
    longest = std::max(longest, decays ? 5 * mode.time_constant() : 20 / mode.frequency());
  }
  return longest > 0 ? longest : 1;
}

}  // namespace davit
