#pragma once

#include "framework/archive.h"

namespace davit {

/// The waves of a massless spring with a viscous damper in parallel; each end feels the motion of the other
/// one step late. x and v of the ends a and b are positive into the spring; for a shaft they are angles,
/// forces are torques.
///
/// The mean wave follows from the deformation x = x_a + x_b, which the owners of the ends integrate: so the
/// force has no drift, and k is exact for slow motion. The difference wave makes the ends meet (s = v_a +
/// v_b, al = filter, ' = one step ago):
///
///   Zk = k h/(1 - al),   Zc = Zk + d
///   mean = F(x') + Zk/2 (1 - 2 al) s',   F(x) = k x + preload
///   difference = -(1 - 2 al) difference' - k h (v_a' - v_b')
///   c_a = mean + difference + d v_b',   c_b = mean - difference + d v_a'
///
/// With al = 0 it is the lossless line of delay h, c_a = c_b' + 2 Zc v_b', written another way (where the
/// owners integrate by the trapezoidal rule). With al > 0 the usual filter, c_a = al c_a' + (1 - al) (c_b' +
/// 2 Zc v_b') (P. Krus, A. Jansson, J.-O. Palmberg, K. Weddfelt, Distributed simulation of hydromechanical
/// systems, 1990), would be a damper of the size k h al/(1 - al) besides, an error of first order in h. Here
/// the mean wave has (1 - 2 al) instead, which removes that: for a motion with the angle theta = omega h a
/// step the spring takes up the power of a damper k h al/(1 - al) (1 - cos theta), nothing when slow, most at
/// the ringing of the line. It never gives energy: both the mean (v_a = v_b) and the difference (v_a = -v_b)
/// have impedances with non-negative real parts. The spring is of second order in h, the damper of first.
///
/// Energy, with D the difference, r = v_a - v_b and T = D + Zk r/2: a step is exactly
///
///   h T r = E1 - E + 2 al h/Zk T^2,  E = h/(2 (1 - al) Zk) D^2
///
/// and where the owners integrate by the trapezoidal rule, the mean of the powers F s at both ends of a step,
/// times h, is the rise of F^2/(2 k) + k h^2/8 s^2.
class SpringWaves {
 public:
  struct Ends {
    double a = 0;
    double b = 0;
  };

  /// k [N/m], d [N s/m], 0 <= filter < 1, h [s]. During a run the forces of the ends do not drift apart by
  /// it: `v` are the velocities at present.
  void Set(double k, double d, double filter, double h, Ends v) {
    const double Zk_before = Zk_;
    kh_ = k * h;
    Zk_ = kh_ / (1 - filter);
    d_ = d;
    echo_ = 1 - 2 * filter;
    difference_ -= (Zk_ - Zk_before) * (v.a - v.b) / 2;
  }
  double Zc() const { return Zk_ + d_; }

  /// The waves with which both ends feel the force F + d (v_a + v_b).
  Ends Start(double F, Ends v) {
    difference_ = -Zk_ * (v.a - v.b) / 2;
    return {F - Zk_ * v.a + d_ * v.b, F - Zk_ * v.b + d_ * v.a};
  }
  /// The waves a step after the spring force was F and the ends moved with v.
  Ends Advance(double F, Ends v) {
    const double mean = F + Zk_ / 2 * echo_ * (v.a + v.b);
    difference_ = -echo_ * difference_ - kh_ * (v.a - v.b);
    return {mean + difference_ + d_ * v.b, mean - difference_ + d_ * v.a};
  }
  /// Of the difference wave, with the class comment: T [N], E [J] and what the filter takes [W].
  double DifferenceForce(Ends v) const { return difference_ + Zk_ / 2 * (v.a - v.b); }
  double DifferenceEnergy(double h) const {
    return Zk_ > 0 ? h / ((1 + echo_) * Zk_) * difference_ * difference_ : 0;
  }
  double DifferenceLoss(Ends v) const {
    const double T = DifferenceForce(v);
    return Zk_ > 0 ? (1 - echo_) / Zk_ * T * T : 0;
  }
  void ArchiveMemory(Archive& archive) { archive(kh_, Zk_, d_, echo_, difference_); }

 private:
  double kh_ = 0;          ///< [N s/m]
  double Zk_ = 0;          ///< impedance of the spring alone [N s/m]
  double d_ = 0;           ///< [N s/m]
  double echo_ = 1;        ///< 1 - 2 filter
  double difference_ = 0;  ///< half the difference of the spring's waves [N]
};

}  // namespace davit
