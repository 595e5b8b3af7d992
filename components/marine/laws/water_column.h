#pragma once

#include <complex>
#include <limits>
#include <vector>

#include "components/marine/laws/harmonic_sum.h"
#include "components/marine/laws/waves.h"

namespace davit {

/// The vertical motion of the water below one place of a WaveField, as it gives it, at a cost that does not
/// grow with the number of waves.
///
/// Over the depth the motion is a polynomial of Taylor about the middle of a layer with |k (z - z0)| <= 0.2,
/// whose remainder is below the rounding (0.2^11/11!). The layers are a fixed grid.
class WaterColumn {
 public:
  struct Motion {
    double velocity = 0;      ///< upwards [m/s]
    double acceleration = 0;  ///< upwards [m/s2]
  };

  WaterColumn() = default;
  WaterColumn(const WaveField& field, double x, double y);

  double Elevation(double t);
  /// z is 0 at the mean water level, positive upwards.
  Motion At(double t, double z);

 private:
  static constexpr std::size_t kDegree = 10;
  void EnterLayer(double layer);

  std::vector<Wave> waves_;
  std::vector<std::complex<double>> at_place_;  ///< of each wave exp(i(phase - k x))
  double depth_ = 1;
  double layer_height_ = 1;
  double layer_ = std::numeric_limits<double>::quiet_NaN();
  HarmonicSum elevation_, motion_;  ///< of the motion each derivative over z at the middle of the layer
};

}  // namespace davit
