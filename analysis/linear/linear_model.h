#pragma once

#include <Eigen/Core>
#include <complex>
#include <string>
#include <vector>

namespace davit {

/// A number of the tree in a linear model: the change of it from the operating point.
struct LinearVariable {
  std::string name;       ///< its path: `load.x`
  std::string unit = {};  ///< SI; empty if dimensionless
  double value = 0;       ///< at the operating point
};

/// A wave that a line delays: w(t) = z(t - time).
struct LinearDelay {
  std::string name;  ///< of the wave that arrives: `line.a.c`
  double time = 0;   ///< [s]
};

/// What a system does near an operating point, in SI, with the changes x of its n states, u of its m inputs
/// and y of its p outputs:
///
///     x' = A x + B u + B_delay w
///     y  = C x + D u + D_delay w
///     z  = C_delay x + D_input u + D_wave w,   w_i(t) = z_i(t - delays[i].time)
///
/// Without lines there are no delays, and A, B, C, D are all of it. CloseDelays makes such a model of one
/// that has delays.
struct LinearModel {
  std::vector<LinearVariable> states, inputs, outputs;
  Eigen::MatrixXd A, B, C, D;

  std::vector<LinearDelay> delays;
  Eigen::MatrixXd B_delay, D_delay;          ///< n x d and p x d
  Eigen::MatrixXd C_delay, D_input, D_wave;  ///< d x n, d x m and d x d

  /// Sizes all matrices for the present numbers of variables and delays, with zeros.
  void SetZero();
};

/// The same model without delays: each is replaced by its Pade approximant with `order` poles,
///
///     exp(-s T) ~ N(-s T)/N(s T),   N(x) = sum_k (2n - k)! n!/((2n)! k! (n - k)!) x^k,
///
/// whose gain is 1 at all frequencies; the phase is right to 0.01 rad up to omega T = 0.5 (order 1), 1.5 (2),
/// 2.8 (3), 4.2 (4), 7.3 (6). Where waves that are reflected whole at both ends would pass each other at
/// once, the approximant has a zero less than poles; its gain falls at high frequencies. The states are named
/// `line.a.c[pade 1]`, ... and come last. Throws std::invalid_argument for an order that is not in 1 ..
/// kLargestPadeOrder.
LinearModel CloseDelays(const LinearModel& model, int order);
inline constexpr int kLargestPadeOrder = 12;

/// p x m: the transfer function C (s I - A)^-1 B + D, with delays exp(-s T) in place of w. Not finite at a
/// pole.
Eigen::MatrixXcd TransferAt(const LinearModel& model, std::complex<double> s);

/// p x m: how far rounding may have moved TransferAt, from the sizes of what is added up in it. What is not
/// larger is 0 for all that is known.
Eigen::MatrixXd TransferRoundingAt(const LinearModel& model, std::complex<double> s);

/// TransferAt of a real s, with 0 where only rounding is left.
Eigen::MatrixXd RealTransferAt(const LinearModel& model, double s);

}  // namespace davit
