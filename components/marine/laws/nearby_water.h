#pragma once

#include <Eigen/Core>
#include <limits>

#include "components/marine/laws/waves.h"

namespace davit {

/// The motion of the water of a WaveField around a place that moves, as the field gives it, for a fraction of
/// the cost.
///
/// Time, x, y and z have fixed grids. From the middle of its cell, the angle of a wave changes by at most
/// 0.375 and k z by at most 0.125, so that its sine, cosine and decay are polynomials of Taylor, whose
/// remainder is below the rounding (0.375^14/14!). A value depends on time and place alone, whichever was
/// asked for before.
class NearbyWater {
 public:
  NearbyWater() = default;
  /// Only this takes memory from the heap.
  explicit NearbyWater(const WaveField& field);

  double Elevation(double t, double x, double y);
  WaterMotion At(double t, const Eigen::Vector3d& place);

 private:
  using Values = Eigen::ArrayXd;  ///< of each wave
  /// A coordinate with its grid.
  struct Axis {
    double step = 1;
    double cell = std::numeric_limits<double>::quiet_NaN();  ///< the last one
    double value = std::numeric_limits<double>::quiet_NaN();
    /// Whether the value is in another cell than the last one.
    bool Enter(double to);
    double middle() const { return (cell + 0.5) * step; }
    double offset() const { return value - middle(); }
  };
  void TurnTo(double t, double x, double y);
  void SinkTo(double z);

  double depth_ = 1;
  Values amplitude_, frequency_, number_, cosine_, sine_, phase_, speed_;
  Axis t_, x_, y_, z_;
  Values middle_c_, middle_s_;            ///< of the angle in the middle of the cell
  Values middle_down_, middle_mirrored_;  ///< as of WaveField, there
  Values c_, s_, across_, upright_;       ///< at the last place
  Values angle_, square_;
};

}  // namespace davit
