#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/archive.h"
#include "simulator/solvers/error_norm.h"

namespace davit {

/// Finds accepted steps of a linearly implicit method that follow no solution.
///
/// Behind a law that is bent within the tolerances, such as q ~ sqrt(dp) of a wide port beside a small
/// volume, the stages of a long step fall on both sides of the root, and the method has fixed points and
/// cycles that the differential equation has not (Iserles, Stability and dynamics of numerical methods for
/// nonlinear ordinary differential equations, IMA Journal of Numerical Analysis 10, 1990). Their error
/// estimate is below the tolerance and grows with the step, so the controller keeps the step where it is, in
/// balance with the estimate, for ever. Only steps that resolve the law lead out; at rest in the steep part
/// of the law the method is stable with long steps again.
///
/// A step goes astray in a state if its error estimate is larger than c tol, which limits the step or nearly
/// does, and, with its move m and the tolerance tol,
///   1. m g < g^2/2 and |g| > c tol, where g is the first stage, the tangent solved with the matrix of the
///      step: for y' = lambda y, lambda < 0, and an L-stable method m/g is between 1 and 1/gamma; or
///   2. m m' < 0 and both larger than c tol/2, with m' of the step before.
/// Both happen where a solution turns, and while the method damps a stiff oscillation that errors have
/// excited, by some 20 % a step; but no solution that steps resolve turns in each of them. So the 20th step
/// in a row that goes astray in a state is spurious (c = 0.1), and for 20 steps after it the second one in a
/// row in the same state (c = 0.01). While other states move by more than 30 tolerances the run gets on, and
/// the first of these is only the 100th: a speed near 0 has a tolerance so small that it always does.
class SpuriousSteps {
 public:
  /// The step to try next, as a share of a spurious one.
  static constexpr double kShorter = 0.1;

  void Resize(std::size_t size) {
    move_.assign(size, 0.0);
    astray_.assign(size, 0);
    in_doubt_.assign(size, 0);
  }
  /// The next step follows none.
  void Forget() { Resize(move_.size()); }

  /// Whether the step from y_old to y_new is spurious.
  bool Look(std::span<const double> y_old, std::span<const double> y_new, std::span<const double> first_stage,
            std::span<const double> error, const ErrorNorm& norm) {
    bool gets_on = false;
    for (std::size_t i = 0; i < move_.size(); ++i) {
      const double m = y_new[i] - y_old[i], g = first_stage[i];
      const double tol = norm.Tolerance(i, y_new[i]);
      const double c_tol = (in_doubt_[i] > 0 ? kLeastInDoubt : kLeast) * tol;
      const bool turns = m * move_[i] < 0 && std::min(std::abs(m), std::abs(move_[i])) > 0.5 * c_tol;
      const bool is_against_tangent = std::abs(g) > c_tol && m * g < 0.5 * g * g;
      const bool is_astray = std::abs(error[i]) > c_tol && (turns || is_against_tangent);
      gets_on = gets_on || (!is_astray && std::abs(m) > kGetsOn * tol);
      move_[i] = m;
      astray_[i] = is_astray ? static_cast<std::uint8_t>(std::min<int>(astray_[i], kTooMany - 1) + 1)
                             : std::uint8_t{0};
      if (in_doubt_[i] > 0) --in_doubt_[i];
    }
    bool is_spurious = false;
    for (std::size_t i = 0; i < move_.size(); ++i) {
      if (astray_[i] < (in_doubt_[i] > 0 ? kManyInDoubt : gets_on ? kTooMany : kMany)) continue;
      is_spurious = true;
      astray_[i] = 0;
      in_doubt_[i] = kDoubt;
    }
    return is_spurious;
  }

  void ArchiveMemory(Archive& archive) { archive(move_, astray_, in_doubt_); }

 private:
  static constexpr double kLeast = 0.1, kLeastInDoubt = 0.01;
  static constexpr double kGetsOn = 30;  // tolerances
  static constexpr std::uint8_t kMany = 20, kManyInDoubt = 2, kTooMany = 100;
  static constexpr std::uint8_t kDoubt = 20;  // steps

  std::vector<double> move_;            ///< in the last step
  std::vector<std::uint8_t> astray_;    ///< so many steps in a row
  std::vector<std::uint8_t> in_doubt_;  ///< for so many steps
};

}  // namespace davit
