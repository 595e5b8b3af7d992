#pragma once

#include <Eigen/Core>
#include <functional>

namespace davit {

/// The derivatives of some values along one unknown, with what is known of their errors.
struct DirectionalDerivative {
  Eigen::VectorXd slope;
  Eigen::VectorXd error;  ///< estimated, absolute
  /// By value: whether the slopes to both sides differ, so that `slope` is the mean of two.
  Eigen::Array<bool, Eigen::Dynamic, 1> has_kink;
};

/// Central differences with steps that shrink by 4 from `step` on, extrapolated to step 0 (L. F. Richardson;
/// C. J. F. Ridders, Accurate computation of F'(x) and F'(x)F''(x), Adv. Eng. Software 4, 1982). Of each
/// value the entry of the tableau is taken whose estimated error, that of rounding included, is smallest.
///
/// `values(x)` gives all values where the unknown is x; values that are not finite have a NaN as slope.
DirectionalDerivative Differentiate(double at, double step,
                                    const std::function<Eigen::VectorXd(double x)>& values);

}  // namespace davit
