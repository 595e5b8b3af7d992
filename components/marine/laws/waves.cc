#include "components/marine/laws/waves.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <utility>

#include "components/signal/wave_shape.h"

namespace davit {
namespace {

using std::numbers::pi;

/// The angle below which lies this share of cos^n over -pi/2 .. pi/2.
class SpreadingQuantile {
 public:
  explicit SpreadingQuantile(double exponent) {
    double sum = 0;
    for (int i = 0; i < kParts; ++i) {
      const double angle = -pi / 2 + pi * (i + 0.5) / kParts;
      sum += std::pow(std::cos(angle), exponent);
      sums_.push_back(sum);
    }
    for (double& value : sums_) value /= sum;
  }
  double operator()(double share) const {
    const auto at = std::ranges::lower_bound(sums_, share);
    const auto index = static_cast<double>(at - sums_.begin());
    const double below = at == sums_.begin() ? 0 : *(at - 1);
    return -pi / 2 + pi * (index + (share - below) / (*at - below)) / kParts;
  }

 private:
  static constexpr int kParts = 2000;
  std::vector<double> sums_;
};

}  // namespace

double WaveNumber(double frequency, double depth) {
  constexpr double kGravity = 9.81;
  const double deep = frequency * frequency * depth / kGravity;  // k depth of deep water
  if (deep <= 0) return 0;
  if (deep > 50) return deep / depth;
  double kd = deep / std::sqrt(std::tanh(deep));  // within 5 %: Eckart
  for (int i = 0; i < 20; ++i) {
    const double th = std::tanh(kd);
    const double change = (kd * th - deep) / (th + kd * (1 - th * th));
    kd -= change;
    if (std::abs(change) < 1e-15 * kd) break;
  }
  return kd / depth;
}

WaveField::WaveField(std::vector<Wave> waves, double depth) : waves_(std::move(waves)), depth_(depth) {
  terms_.reserve(waves_.size());
  for (const Wave& wave : waves_) {
    const double cosine = std::cos(wave.direction), sine = std::sin(wave.direction);
    const double bottom = 1 - std::exp(-2 * wave.number * depth_);
    terms_.push_back({cosine, sine, wave.amplitude * wave.frequency / bottom});
  }
}

double WaveField::Elevation(double t, double x, double y) const {
  double sum = 0;
  for (std::size_t i = 0; i < waves_.size(); ++i) sum += waves_[i].amplitude * std::cos(Angle(i, t, x, y));
  return sum;
}

double WaveField::Angle(std::size_t i, double t, double x, double y) const {
  const Wave& wave = waves_[i];
  return wave.frequency * t - wave.number * (x * terms_[i].cosine + y * terms_[i].sine) + wave.phase;
}

WaterMotion WaveField::At(double t, const Eigen::Vector3d& place) const {
  WaterMotion motion;
  const double z = std::clamp(place.z(), -depth_, 0.0);
  for (std::size_t i = 0; i < waves_.size(); ++i) {
    const Wave& wave = waves_[i];
    const auto& [cosine, sine, speed] = terms_[i];
    const double angle = Angle(i, t, place.x(), place.y());
    const double c = std::cos(angle), s = std::sin(angle);
    motion.elevation += wave.amplitude * c;
    // cosh k(z + d)/sinh(k d) and sinh k(z + d)/sinh(k d) without numbers that overflow
    const double down = std::exp(wave.number * z);
    const double mirrored = std::exp(-wave.number * (z + 2 * depth_));
    const double across = speed * (down + mirrored), upright = speed * (down - mirrored);
    motion.velocity += Eigen::Vector3d(across * c * cosine, across * c * sine, -upright * s);
    motion.acceleration +=
        wave.frequency * Eigen::Vector3d(-across * s * cosine, -across * s * sine, -upright * c);
  }
  return motion;
}

std::vector<Wave> MakeWaves(const WaveSpectrum& spectrum, const WaveChoice& choice) {
  std::vector<Wave> waves;
  if (!(spectrum.highest() > spectrum.lowest())) return waves;
  waves.reserve(static_cast<std::size_t>(choice.count));
  std::mt19937_64 random(choice.seed);
  const SpreadingQuantile angle(choice.spreading > 0 ? choice.spreading : 1);
  const double part = (spectrum.highest() - spectrum.lowest()) / choice.count;
  double energy = 0;
  for (int i = 0; i < choice.count; ++i) {
    Wave wave;
    wave.frequency = spectrum.lowest() + part * (i + 0.25 + 0.5 * UniformNumber(random));
    wave.phase = 2 * pi * UniformNumber(random);
    const double share = UniformNumber(random);
    wave.direction = choice.direction + (choice.spreading > 0 ? angle(share) : 0.0);
    wave.number = WaveNumber(wave.frequency, choice.depth);
    // Simpson's rule over the part.
    const double low = spectrum.lowest() + part * i;
    const double in_part =
        part / 6 *
        (spectrum.Density(low) + 4 * spectrum.Density(low + part / 2) + spectrum.Density(low + part));
    wave.amplitude = std::sqrt(2 * in_part);
    energy += in_part;
    waves.push_back(wave);
  }
  const double scale = energy > 0 ? std::sqrt(spectrum.Moment(0) / energy) : 0;
  for (Wave& wave : waves) wave.amplitude *= scale;
  return waves;
}

}  // namespace davit
