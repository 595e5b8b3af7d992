#include "analysis/linear/frequency_response.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <unsupported/Eigen/MatrixFunctions>
#include <utility>

namespace davit {
namespace {

constexpr double kFullTurn = 2 * std::numbers::pi;
constexpr double kDegrees = 180 / std::numbers::pi;

/// What a mode of this natural frequency does is between it and so many times more and less.
constexpr double kFarAway = 1e3;

/// The gain of one pair, asked for at frequencies.
class OpenLoop {
 public:
  OpenLoop(const ReducedModel& model, std::size_t input, std::size_t output)
      : model_(model), input_(input), output_(output) {}

  std::complex<double> At(double frequency) const {
    return model_.GainAt(input_, output_, {0, kFullTurn * frequency});
  }
  double RoundingAt(double frequency) const {
    return model_.RoundingAt(input_, output_, {0, kFullTurn * frequency});
  }

 private:
  const ReducedModel& model_;
  std::size_t input_, output_;
};

struct LoopPoint {
  double frequency = 0;  ///< [Hz]
  std::complex<double> gain;

  bool is_finite() const { return std::isfinite(gain.real()) && std::isfinite(gain.imag()); }
};

/// What a crossover is a zero of.
double ImaginaryPart(std::complex<double> gain) { return gain.imag(); }
double LogarithmOfSize(std::complex<double> gain) { return std::log(std::abs(gain)); }
using CrossoverLaw = double (*)(std::complex<double>);

/// Follows a loop along the frequencies so closely that it cannot turn by much between two points.
class LoopCurve {
 public:
  LoopCurve(const OpenLoop& loop, const std::vector<double>& frequencies) : loop_(loop) {
    for (const double frequency : frequencies) Add(frequency);
    Extend(0.1);
    Extend(10);
    Refine();
    FindTouches(ImaginaryPart);
    FindTouches(LogarithmOfSize);
  }

  /// Where `law` crosses 0. `is_wanted` says of which gains.
  template <class Wanted, class Found>
  void FindCrossovers(CrossoverLaw law, const Wanted& is_wanted, const Found& found) const {
    for (std::size_t i = 1; i < points_.size(); ++i) {
      if ((law(points_[i - 1].gain) > 0) == (law(points_[i].gain) > 0)) continue;
      // A point on the crossover itself has any sign: its neighbour tells.
      const bool is_on_first = i > 1 && IsRounding(points_[i - 1], law(points_[i - 1].gain));
      const bool is_on_last = i + 1 < points_.size() && IsRounding(points_[i], law(points_[i].gain));
      const LoopPoint& a = points_[is_on_first ? i - 2 : i - 1];
      const LoopPoint& b = points_[is_on_last ? i + 1 : i];
      const double at_a = law(a.gain), at_b = law(b.gain);
      if ((at_a > 0) == (at_b > 0) || !is_wanted(a.gain, b.gain)) continue;
      if (IsRounding(a) || IsRounding(b) || IsRounding(a, at_a) || IsRounding(b, at_b)) continue;
      const LoopPoint at = Crossing(a, b, law);
      // A pole on the axis changes the sign, too; beside it the gain has no end.
      const double largest = std::max(std::abs(a.gain), std::abs(b.gain));
      if (!at.is_finite() || std::abs(at.gain) > 10 * largest) continue;
      if (std::abs(at.gain) > loop_.RoundingAt(at.frequency)) found(at);
    }
  }

 private:
  static constexpr double kMostTurn = 15 / kDegrees;
  static constexpr double kMostGrowth = 0.5;  // of the logarithm
  static constexpr double kLeastWidth = 1e-6;
  static constexpr std::size_t kMostAdded = 4000;  // from low frequencies on
  static constexpr double kNear = 30 / kDegrees;   // of a touch

  void Add(double frequency) {
    LoopPoint point{frequency, loop_.At(frequency)};
    if (point.is_finite() && point.gain != 0.0) points_.push_back(point);
  }

  /// As far as the gain still goes to 1: an integrator has any gain at some frequency.
  void Extend(double factor) {
    const bool is_down = factor < 1;
    constexpr int kMostDecades = 40;
    for (int decade = 0; decade < kMostDecades && !points_.empty(); ++decade) {
      const LoopPoint end = is_down ? points_.front() : points_.back();
      const LoopPoint next{factor * end.frequency, loop_.At(factor * end.frequency)};
      if (!next.is_finite() || next.gain == 0.0) return;
      const double here = std::log(std::abs(end.gain)), there = std::log(std::abs(next.gain));
      const bool goes_to_one = std::abs(there) < std::abs(here) - 0.1 || here * there < 0;
      if (!goes_to_one || std::abs(next.gain) <= loop_.RoundingAt(next.frequency)) return;
      points_.insert(is_down ? points_.begin() : points_.end(), next);
    }
  }

  bool IsClose(const LoopPoint& a, const LoopPoint& b) const {
    const std::complex<double> ratio = b.gain / a.gain;
    return (std::abs(std::arg(ratio)) < kMostTurn && std::abs(std::log(std::abs(ratio))) < kMostGrowth) ||
           b.frequency < (1 + kLeastWidth) * a.frequency;
  }

  void Refine() {
    std::vector<LoopPoint> ahead(points_.rbegin(), points_.rend()), close;
    std::size_t added = 0;
    while (!ahead.empty()) {
      const LoopPoint next = ahead.back();
      // A gain that is rounding has any angle anywhere.
      const bool is_wide = !close.empty() && added < kMostAdded && !IsClose(close.back(), next);
      if (is_wide && !IsRounding(close.back()) && !IsRounding(next)) {
        const double middle = std::sqrt(close.back().frequency * next.frequency);
        const LoopPoint between{middle, loop_.At(middle)};
        if (between.is_finite() && between.gain != 0.0) {
          ahead.push_back(between);
          ++added;
          continue;
        }
      }
      close.push_back(next);
      ahead.pop_back();
    }
    points_ = std::move(close);
  }

  /// How far a gain is from a crossover: its angle from the real axis, or its logarithm.
  static double Distance(CrossoverLaw law, std::complex<double> gain) {
    return std::abs(law == ImaginaryPart ? std::asin(gain.imag() / std::abs(gain)) : law(gain));
  }

  /// Where the curve comes nearer and goes away again between two points it may have crossed twice: it is
  /// followed to its nearest point.
  void FindTouches(CrossoverLaw law) {
    std::vector<LoopPoint> all;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      all.push_back(points_[i]);
      if (i == 0 || i + 1 >= points_.size()) continue;
      const LoopPoint &a = points_[i - 1], &b = points_[i], &c = points_[i + 1];
      const bool is_positive = law(b.gain) > 0;
      if ((law(a.gain) > 0) != is_positive || (law(c.gain) > 0) != is_positive) continue;
      const double nearest = Distance(law, b.gain);
      if (nearest > kNear || nearest > Distance(law, a.gain) || nearest > Distance(law, c.gain)) continue;
      if (IsRounding(b)) continue;
      if (const auto beyond = FindBeyond(a, b, c, law)) {
        if (beyond->frequency < b.frequency) {
          all.insert(all.end() - 1, *beyond);
        } else {
          all.push_back(*beyond);
        }
      }
    }
    points_ = std::move(all);
  }

  /// A point on the other side of the crossover between a and c, if there is one.
  std::optional<LoopPoint> FindBeyond(LoopPoint a, LoopPoint b, LoopPoint c, CrossoverLaw law) const {
    const bool is_positive = law(b.gain) > 0;
    for (int round = 0; round < 40 && c.frequency > (1 + 1e-9) * a.frequency; ++round) {
      const bool is_left = b.frequency / a.frequency > c.frequency / b.frequency;
      const double f = std::sqrt(b.frequency * (is_left ? a.frequency : c.frequency));
      const LoopPoint d{f, loop_.At(f)};
      if (!d.is_finite() || d.gain == 0.0) return std::nullopt;
      if ((law(d.gain) > 0) != is_positive) return d;
      const bool is_nearer = Distance(law, d.gain) < Distance(law, b.gain);
      (is_nearer ? (is_left ? c : a) : (is_left ? a : c)) = is_nearer ? b : d;
      if (is_nearer) b = d;
    }
    return std::nullopt;
  }

  bool IsRounding(const LoopPoint& point) const {
    constexpr double kTrusted = 100;  // so that the angle is right to 1/100 rad
    return std::abs(point.gain) <= kTrusted * loop_.RoundingAt(point.frequency);
  }
  bool IsRounding(const LoopPoint& point, double value) const {
    return std::min(std::abs(point.gain), std::abs(value)) <= loop_.RoundingAt(point.frequency);
  }

  /// Bisection and the rule of false position in turn, on a logarithmic axis.
  LoopPoint Crossing(LoopPoint a, LoopPoint b, CrossoverLaw law) const {
    const bool is_positive = law(a.gain) > 0;
    constexpr int kMostRounds = 100;
    for (int round = 0; round < kMostRounds; ++round) {
      const double at_a = law(a.gain), at_b = law(b.gain);
      double share = round % 2 == 0 ? at_a / (at_a - at_b) : 0.5;
      if (!(share > 0 && share < 1)) share = 0.5;
      const double f = a.frequency * std::pow(b.frequency / a.frequency, share);
      if (!(f > a.frequency && f < b.frequency)) break;
      const LoopPoint point{f, loop_.At(f)};
      if (!point.is_finite() || law(point.gain) == 0) return point;
      ((law(point.gain) > 0) == is_positive ? a : b) = point;
    }
    return std::abs(law(a.gain)) < std::abs(law(b.gain)) ? a : b;
  }

  const OpenLoop& loop_;
  std::vector<LoopPoint> points_;
};

/// Frequencies of peaks, and where they have lost 3 dB.
void AddPeaks(const std::vector<LinearMode>& modes, std::vector<double>& frequencies) {
  for (const LinearMode& mode : modes) {
    const double peak = mode.eigenvalue.imag() / kFullTurn, width = mode.eigenvalue.real() / kFullTurn;
    if (!(peak > 0)) continue;
    for (const double frequency : {peak - std::abs(width), peak, peak + std::abs(width)}) {
      if (frequency > 0) frequencies.push_back(frequency);
    }
  }
}

void SortOnce(std::vector<double>& frequencies) {
  std::ranges::sort(frequencies);
  const auto same = [](double a, double b) { return b <= a * (1 + 1e-12); };
  frequencies.erase(std::unique(frequencies.begin(), frequencies.end(), same), frequencies.end());
}

/// Where a loop is looked at first: far below and above all it has, and so closely that a delay does not go
/// round between two points.
std::vector<double> LoopFrequencies(const LinearModel& model, const std::vector<LinearMode>& modes) {
  std::vector<double> corners{};
  double longest = 0;
  for (const LinearMode& mode : modes) {
    if (mode.frequency() > 0) corners.push_back(mode.frequency());
  }
  for (const LinearDelay& delay : model.delays) {
    corners.push_back(1 / (4 * delay.time));
    longest = std::max(longest, delay.time);
  }
  if (corners.empty()) corners.push_back(1);
  const auto [slowest, fastest] = std::ranges::minmax(corners);
  const FrequencyRange range{slowest / kFarAway, fastest * kFarAway};
  constexpr double kPointsPerDecade = 24;
  const double decades = std::log10(range.high / range.low);
  std::vector<double> frequencies =
      LogarithmicSpace(range, static_cast<std::size_t>(kPointsPerDecade * decades) + 2);
  AddPeaks(modes, frequencies);
  if (longest > 0) {
    constexpr double kPointsPerTurn = 24;
    constexpr std::size_t kMostPoints = 20'000;
    for (std::size_t i = 1; i <= kMostPoints; ++i) {
      const double frequency = static_cast<double>(i) / (kPointsPerTurn * longest);
      if (frequency > range.high) break;
      frequencies.push_back(frequency);
    }
  }
  SortOnce(frequencies);
  return frequencies;
}

/// 2e-4 of the distance from 0: a circle through 0 gets a point each 3 degrees.
constexpr double kNyquistDeviation = 2e-4;
constexpr double kInvisible = 1e-6;  // of the whole curve
constexpr std::size_t kMostNyquistPoints = 50'000;

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

std::vector<double> ResponseFrequencies(FrequencyRange range, std::size_t count,
                                        const std::vector<LinearMode>& modes) {
  std::vector<double> frequencies;
  AddPeaks(modes, frequencies);
  std::erase_if(frequencies, [&](double f) { return !(f > range.low && f < range.high); });
  const std::vector<double> axis = LogarithmicSpace(range, count);
  frequencies.insert(frequencies.end(), axis.begin(), axis.end());
  SortOnce(frequencies);
  return frequencies;
}

std::vector<std::complex<double>> ResponseOf(const ReducedModel& model, std::size_t input, std::size_t output,
                                             const std::vector<double>& frequencies) {
  std::vector<std::complex<double>> response;
  response.reserve(frequencies.size());
  const OpenLoop loop(model, input, output);
  for (const double frequency : frequencies) response.push_back(loop.At(frequency));
  return response;
}

std::vector<std::complex<double>> NyquistCurve(const ReducedModel& model, std::size_t input,
                                               std::size_t output, const std::vector<double>& frequencies) {
  const OpenLoop loop(model, input, output);
  std::vector<LoopPoint> ahead;
  double largest = 0;
  for (std::size_t i = frequencies.size(); i-- > 0;) {
    const LoopPoint point{frequencies[i], loop.At(frequencies[i])};
    if (!point.is_finite()) continue;
    ahead.push_back(point);
    largest = std::max(largest, std::abs(point.gain));
  }
  std::vector<std::complex<double>> curve;
  std::optional<LoopPoint> last;
  while (!ahead.empty()) {
    const LoopPoint next = ahead.back();
    if (last && curve.size() < kMostNyquistPoints && next.frequency > (1 + 1e-9) * last->frequency) {
      const double middle = std::sqrt(last->frequency * next.frequency);
      const LoopPoint between{middle, loop.At(middle)};
      const std::complex<double> chord = next.gain - last->gain, to = between.gain - last->gain;
      // The distance of the point from the chord.
      const double along =
          std::norm(chord) > 0 ? std::clamp((to * std::conj(chord)).real() / std::norm(chord), 0.0, 1.0) : 0;
      const double size = std::max({std::abs(last->gain), std::abs(between.gain), std::abs(next.gain)});
      const double allowed = std::max(kNyquistDeviation * size, kInvisible * largest);
      if (between.is_finite() && std::abs(to - along * chord) > allowed) {
        ahead.push_back(between);
        continue;
      }
    }
    curve.push_back(next.gain);
    last = next;
    ahead.pop_back();
  }
  return curve;
}

Eigen::MatrixXd StaticGains(const LinearModel& model, const std::vector<LinearMode>& modes) {
  if (modes.empty() || modes.front().eigenvalue != 0.0) return RealTransferAt(model, 0);
  // An integrator somewhere: what it does as s -> 0.
  double slowest = 1;
  for (auto mode = modes.rbegin(); mode != modes.rend(); ++mode) {
    if (mode->eigenvalue != 0.0) slowest = std::abs(mode->eigenvalue);
  }
  const Eigen::MatrixXd near = RealTransferAt(model, 1e-5 * slowest);
  Eigen::MatrixXd gains = RealTransferAt(model, 1e-6 * slowest);
  for (Eigen::Index y = 0; y < gains.rows(); ++y) {
    for (Eigen::Index u = 0; u < gains.cols(); ++u) {
      double& gain = gains(y, u);
      if (std::abs(gain - near(y, u)) <= 1e-3 * std::abs(gain)) continue;
      gain = std::abs(gain) > std::abs(near(y, u)) ? std::numeric_limits<double>::infinity() : 0;
    }
  }
  return gains;
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

StabilityMargins ComputeMargins(const ReducedModel& model, const std::vector<LinearMode>& modes,
                                double static_gain, std::size_t input, std::size_t output) {
  StabilityMargins margins;
  const auto add_gain = [&](double margin, double frequency) {
    if (margins.gain && std::abs(std::log(margin)) >= std::abs(std::log(*margins.gain))) return;
    margins.gain = margin;
    margins.gain_frequency = frequency;
  };
  if (std::isfinite(static_gain) && static_gain < 0) add_gain(-1 / static_gain, 0);
  const double direct = model.model().D(static_cast<Eigen::Index>(output), static_cast<Eigen::Index>(input));
  if (model.model().delays.empty() && direct < 0)
    add_gain(-1 / direct, std::numeric_limits<double>::infinity());

  const OpenLoop loop(model, input, output);
  const LoopCurve curve(loop, LoopFrequencies(model.model(), modes));
  curve.FindCrossovers(
      ImaginaryPart,
      [](std::complex<double> a, std::complex<double> b) { return a.real() < 0 || b.real() < 0; },
      [&](const LoopPoint& at) {
        if (at.gain.real() < 0) add_gain(1 / std::abs(at.gain), at.frequency);
      });
  curve.FindCrossovers(
      LogarithmOfSize, [](std::complex<double>, std::complex<double>) { return true; },
      [&](const LoopPoint& at) {
        const double margin = std::arg(-at.gain) * kDegrees;  // distance of the phase from -180
        if (margins.phase && std::abs(margin) >= std::abs(*margins.phase)) return;
        margins.phase = margin;
        margins.phase_frequency = at.frequency;
      });
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
  const Eigen::MatrixXd step = (whole * h).exp();
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
