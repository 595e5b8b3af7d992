#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

namespace davit {

/// Force law of an end stop for a body that has run into it by delta > 0 with the speed delta'.
enum class EndStopModel : std::uint8_t {
  kSpringDamper,  ///< k delta + c max(0, delta'): jumps by c delta' on contact
  kHuntCrossley,  ///< max(0, k delta + c_h delta delta'): no jump, never pulls (K. H. Hunt, F. R. E.
                  ///< Crossley, 1975)
};
inline constexpr std::array<std::string_view, 2> kEndStopModelNames{"spring_damper", "hunt_crossley"};

/// Elastic stops at both ends of a stroke, x = 0 and x = stroke. With a limit they push with no more than
/// that, whatever runs into them.
struct EndStops {
  EndStopModel model = EndStopModel::kSpringDamper;
  double stroke = 0;                                       ///< [m]
  double stiffness = 0;                                    ///< k [N/m]
  double damping = 0;                                      ///< c [N s/m]
  double deflection = 1;                                   ///< [m] at which c_h delta is c
  double limit = std::numeric_limits<double>::infinity();  ///< largest force, at which a stop yields [N]

  /// Stops that deflect by `deflection` [m] under `max_force` [N], with the damping ratio zeta for the mass
  /// whose weight that force carries: c = 2 zeta sqrt(max_force/g k), g = 9.81 m/s2. The ratio for the
  /// moving mass m is DampingRatio(c, k, m).
  static EndStops ForForce(double max_force, double deflection, double zeta, double stroke) {
    const double k = max_force / deflection;
    return {.stroke = stroke,
            .stiffness = k,
            .damping = 2 * zeta * std::sqrt(max_force / 9.81 * k),
            .deflection = deflection};
  }

  /// Force [N] at x [m] and v = x' [m/s], positive against extension: to be subtracted from what extends.
  double Force(double x, double v) const {
    if (x > stroke) return Push(x - stroke, v);
    if (x < 0) return -Push(-x, -v);
    return 0;
  }
  /// Partial derivatives of the force by x [N/m] and by v [N s/m]; at a kink those of one side, on contact of
  /// the stop.
  struct Slopes {
    double x = 0;
    double v = 0;
  };
  Slopes ForceSlopes(double x, double v) const {
    if (x >= stroke) return PushSlopes(x - stroke, v);
    if (x <= 0) return PushSlopes(-x, -v);
    return {};
  }
  /// Energy [J] that a stop gives back from x [m] on, without the damping.
  double Energy(double x) const {
    const double delta = x > stroke ? x - stroke : x < 0 ? -x : 0;
    if (!(stiffness * delta > limit)) return stiffness * delta * delta / 2;
    return limit * (delta - limit / stiffness / 2);
  }

 private:
  double Push(double delta, double rate) const {
    const double force = model == EndStopModel::kSpringDamper
                             ? stiffness * delta + damping * std::max(0.0, rate)
                             : std::max(0.0, stiffness * delta + damping / deflection * delta * rate);
    return std::min(limit, force);
  }
  Slopes PushSlopes(double delta, double rate) const {
    if (!(Push(delta, rate) < limit)) return {};
    if (model == EndStopModel::kSpringDamper) return {stiffness, rate > 0 ? damping : 0};
    const double c_h = damping / deflection;
    const double k = stiffness + c_h * rate;
    return k > 0 ? Slopes{k, c_h * delta} : Slopes{};
  }
};

}  // namespace davit
