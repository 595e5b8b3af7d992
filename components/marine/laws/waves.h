#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "components/marine/laws/wave_spectrum.h"

namespace davit {

/// One long-crested harmonic wave of small steepness: zeta = a cos(w t - k (x cos b + y sin b) + phase).
struct Wave {
  double amplitude = 0;  ///< a [m]
  double frequency = 1;  ///< w [rad/s]
  double number = 0;     ///< k [rad/m]
  double direction = 0;  ///< b, to which it travels, from x towards y [rad]
  double phase = 0;      ///< [rad]
};

/// The wave number of a wave of this frequency [rad/s] in water of this depth [m]: w^2 = g k tanh(k depth), g
/// = 9.81 m/s2.
double WaveNumber(double frequency, double depth);

/// What the water does at a place; z is 0 at the mean water level, positive upwards.
struct WaterMotion {
  double elevation = 0;  ///< of the surface above the place [m]
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
  Eigen::Vector3d acceleration = Eigen::Vector3d::Zero();
};

/// Superposed waves over a level sea bed (linear theory of Airy).
///
/// The motion of the water decays as cosh k(z + depth)/sinh(k depth) with its depth; above the mean water
/// level it is that at the level.
class WaveField {
 public:
  WaveField() = default;
  /// `depth` [m] > 0.
  WaveField(std::vector<Wave> waves, double depth);

  const std::vector<Wave>& waves() const { return waves_; }
  double depth() const { return depth_; }
  double Elevation(double t, double x, double y) const;
  /// Takes nothing from the heap.
  WaterMotion At(double t, const Eigen::Vector3d& place) const;

 private:
  /// What does not change of one wave.
  struct Terms {
    double cosine, sine;  ///< of its direction
    double speed;         ///< a*w/(1 - exp(-2*k*depth)) [m/s]
  };
  /// Of wave i at a place [rad].
  double Angle(std::size_t i, double t, double x, double y) const;

  std::vector<Wave> waves_;
  std::vector<Terms> terms_;  ///< of each wave
  double depth_ = 1;
};

/// How a spectrum is taken apart into waves.
struct WaveChoice {
  int count = 100;
  std::uint32_t seed = 1;
  double direction = 0;  ///< mean direction [rad]
  double spreading = 0;  ///< exponent n of cos^n of the angle from the mean direction; 0: long-crested
  double depth = 300;    ///< [m]
};

/// One wave in each of `count` equal parts of the frequencies of the spectrum, with random phase and, with
/// spreading, a random direction. Its place in the middle half of the part is random, so that the sea does
/// not repeat and no two waves are so near that they beat for hours. The energy of each is that of its part.
/// The same seed gives the same sea on every machine.
std::vector<Wave> MakeWaves(const WaveSpectrum& spectrum, const WaveChoice& choice);

}  // namespace davit
