#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace davit {

/// Integrates powers over a piece of time on which they are continuous.
///
/// The formula is that of Lobatto with four points, exact up to the fifth power of t. Its extension to seven
/// points (W. Gander and W. Gautschi, Adaptive quadrature - revisited, BIT 40, 2000), exact up to the ninth,
/// estimates the error of each power. A power may bend inside a piece, as that of a wire that becomes slack:
/// the stretch with the largest estimate is halved until the estimates of each power add up to less than its
/// tolerance. Nothing but the powers themselves decides it: a wrong power is integrated as it is.
class PowerQuadrature {
 public:
  /// Powers at one time [W]. A power that came up later than others is 0 before.
  using Powers = std::vector<double>;
  using Look = std::function<Powers(double t)>;
  /// Takes powers at one time, and the time for which they count [s].
  using Add = std::function<void(const Powers& powers, double weight)>;
  struct Ends {
    Powers first = {}, last = {};
  };
  struct Scale {
    double size = 0;   ///< energy that the tolerance is a part of, if none of the powers gives more [J]
    double least = 0;  ///< the tolerance at least: what rounding leaves of energies [J]
  };

  /// Error of a power, as a part of the largest of the energies.
  static constexpr double kTolerance = 1e-8;
  /// Halvings of a piece at most: a power that jumps, or noise, is integrated no further.
  static constexpr std::size_t kMostHalvings = 60;

  void Integrate(double begin, double end, const Ends& ends, const Scale& scale, const Look& look,
                 const Add& add);

 private:
  static constexpr std::size_t kNodes = 7;
  /// A part of the piece, with the powers at its nodes; at the inner ones of the extension only where
  /// `is_extended`.
  struct Stretch {
    double begin = 0, end = 0;
    std::vector<Powers> at = std::vector<Powers>(kNodes);
    bool is_extended = false;
    double largest = 0;               ///< of `errors`
    std::vector<double> errors = {};  ///< estimates, by power [J]; empty: none is above the tolerance
  };

  static Stretch Measure(double begin, double end, Powers first, Powers last, const Look& look);
  /// Estimates its errors. Where powers are straight lines within the tolerance, the formula is far better
  /// than that, and no more looks are needed.
  static void Estimate(Stretch& stretch, double tolerance, const Look& look);
  static double ToleranceOf(const Stretch& whole, const Scale& scale);
};

}  // namespace davit
