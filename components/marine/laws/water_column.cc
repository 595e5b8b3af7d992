#include "components/marine/laws/water_column.h"

#include <algorithm>
#include <cmath>

namespace davit {

WaterColumn::WaterColumn(const WaveField& field, double x, double y)
    : waves_(field.waves()), depth_(field.depth()) {
  std::vector<double> frequencies;
  double shortest = 0;  // its wave number
  for (const Wave& wave : waves_) {
    frequencies.push_back(wave.frequency);
    const double along = x * std::cos(wave.direction) + y * std::sin(wave.direction);
    at_place_.push_back(std::polar(1.0, wave.phase - wave.number * along));
    shortest = std::max(shortest, wave.number);
  }
  if (shortest > 0) layer_height_ = 0.4 / shortest;
  elevation_ = HarmonicSum(frequencies, 1);
  motion_ = HarmonicSum(frequencies, kDegree + 1);
  for (std::size_t i = 0; i < waves_.size(); ++i)
    elevation_.SetAmplitude(i, 0, waves_[i].amplitude * at_place_[i]);
}

double WaterColumn::Elevation(double t) {
  elevation_.Evaluate(t);
  return elevation_.value(0);
}

void WaterColumn::EnterLayer(double layer) {
  layer_ = layer;
  const double z = (layer + 0.5) * layer_height_;
  for (std::size_t i = 0; i < waves_.size(); ++i) {
    const double k = waves_[i].number;
    const double speed = waves_[i].amplitude * waves_[i].frequency / (1 - std::exp(-2 * k * depth_));
    const double down = std::exp(k * z), mirrored = std::exp(-k * (z + 2 * depth_));
    double power = speed;  // of k, over n!
    for (std::size_t n = 0; n <= kDegree; ++n) {
      const double upright = power * (n % 2 == 0 ? down - mirrored : down + mirrored);
      motion_.SetAmplitude(i, n, std::complex<double>(0, upright) * at_place_[i]);
      power *= k / static_cast<double>(n + 1);
    }
  }
}

WaterColumn::Motion WaterColumn::At(double t, double z) {
  z = std::clamp(z, -depth_, 0.0);
  const double layer = std::floor(z / layer_height_);
  if (layer != layer_) EnterLayer(layer);
  motion_.Evaluate(t);
  const double dz = z - (layer + 0.5) * layer_height_;
  Motion motion;
  for (std::size_t n = kDegree + 1; n-- > 0;) {
    motion.velocity = motion.velocity * dz + motion_.value(n);
    motion.acceleration = motion.acceleration * dz + motion_.rate(n);
  }
  return motion;
}

}  // namespace davit
