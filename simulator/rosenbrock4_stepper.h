#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace davit {

/// Linearly implicit Rosenbrock method of order 4 with six stages and an embedded order 3, stiffly accurate (RODAS,
/// Hairer and Wanner, Solving Ordinary Differential Equations II, 1996, section IV.7). One step solves, for each
/// stage i,
///
///   (I/(gamma h) - J) g_i = f(t + c_i h, y + sum_j a_ij g_j) + sum_j (c_ij/h) g_j + h d_i df/dt
///
/// with J = df/dy by forward differences, taken anew in every step. A step follows the concept of odeint's error
/// steppers, with `std::vector<double>` as state; the arithmetic is Eigen's. Nothing is allocated after the first
/// step. `Coefficients` names the numbers gamma, a21..., c21..., d1..., and d21..., d31... of the dense output.
template <class Coefficients>
class Rosenbrock4Stepper {
 public:
  using State = std::vector<double>;
  static constexpr int kErrorOrder = 3;

  /// Sizes the work space; `nominal` are typical sizes of the states for the difference quotients.
  Rosenbrock4Stepper(std::size_t size, std::vector<double> nominal)
      : nominal_(std::move(nominal)), n_(static_cast<Eigen::Index>(size)), matrix_(n_, n_), jacobian_(n_, n_), lu_(n_) {
    for (State* v : {&dfdt_, &shifted_, &slope_, &stage_}) v->assign(size, 0.0);
    for (Eigen::VectorXd* g : {&g1_, &g2_, &g3_, &g4_, &g5_, &rhs_, &error_}) g->setZero(n_);
  }

  /// J and df/dt at (t, y), where f(t, y) = `ddt`. `t_limit` is a time > t that f must not be asked beyond.
  template <class System>
  void Linearize(System& system, const State& y, const State& ddt, double t, double t_limit) {
    const double root = std::sqrt(std::numeric_limits<double>::epsilon());
    shifted_ = y;
    for (Eigen::Index j = 0; j < n_; ++j) {
      const auto k = static_cast<std::size_t>(j);
      const double size = std::max(std::abs(y[k]), 1e-5 * nominal_[k]);
      // The increment goes where y is heading, so that a one-sided law is seen from the side that counts.
      const double increment = std::copysign(root * size, ddt[k]);
      shifted_[k] = y[k] + increment;
      const double exact = shifted_[k] - y[k];
      system(shifted_, slope_, t);
      for (Eigen::Index i = 0; i < n_; ++i) {
        const auto row = static_cast<std::size_t>(i);
        jacobian_(i, j) = (slope_[row] - ddt[row]) / exact;
      }
      shifted_[k] = y[k];
    }
    // Before t the right-hand side may be another one: t can be the time of a jump.
    const double exact = std::min(t + root * std::max(std::abs(t), 1e-3), t_limit) - t;
    system(y, slope_, t + exact);
    for (std::size_t i = 0; i < y.size(); ++i) dfdt_[i] = (slope_[i] - ddt[i]) / exact;
  }

  /// One step of size `dt` from y at t with slope `ddt`, after Linearize; writes y(t + dt) and its error estimate.
  template <class System>
  void DoStep(System& system, const State& y, const State& ddt, double t, State& y_out, double dt, State& y_error) {
    const Coefficients& k = coefficients_;
    matrix_ = -jacobian_;
    matrix_.diagonal().array() += 1.0 / (k.gamma * dt);
    lu_.compute(matrix_);
    const auto y0 = Vector(y);
    const auto dfdt = Vector(dfdt_);
    auto stage = Vector(stage_);
    const auto slope = Vector(slope_);

    rhs_ = Vector(ddt) + dt * k.d1 * dfdt;
    g1_ = lu_.solve(rhs_);

    stage = y0 + k.a21 * g1_;
    system(stage_, slope_, t + k.c2 * dt);
    rhs_ = slope + dt * k.d2 * dfdt + (k.c21 / dt) * g1_;
    g2_ = lu_.solve(rhs_);

    stage = y0 + k.a31 * g1_ + k.a32 * g2_;
    system(stage_, slope_, t + k.c3 * dt);
    rhs_ = slope + dt * k.d3 * dfdt + (k.c31 * g1_ + k.c32 * g2_) / dt;
    g3_ = lu_.solve(rhs_);

    stage = y0 + k.a41 * g1_ + k.a42 * g2_ + k.a43 * g3_;
    system(stage_, slope_, t + k.c4 * dt);
    rhs_ = slope + dt * k.d4 * dfdt + (k.c41 * g1_ + k.c42 * g2_ + k.c43 * g3_) / dt;
    g4_ = lu_.solve(rhs_);

    stage = y0 + k.a51 * g1_ + k.a52 * g2_ + k.a53 * g3_ + k.a54 * g4_;
    system(stage_, slope_, t + dt);
    rhs_ = slope + (k.c51 * g1_ + k.c52 * g2_ + k.c53 * g3_ + k.c54 * g4_) / dt;
    g5_ = lu_.solve(rhs_);

    stage += g5_;
    system(stage_, slope_, t + dt);
    rhs_ = slope + (k.c61 * g1_ + k.c62 * g2_ + k.c63 * g3_ + k.c64 * g4_ + k.c65 * g5_) / dt;
    error_ = lu_.solve(rhs_);

    Vector(y_error) = error_;
    Vector(y_out) = stage + error_;
  }

  /// y(t) inside the last step, of order 3: the continuous extension of RODAS.
  void Interpolate(double t, State& y, const State& y_old, double t_old, const State& y_new, double t_new) const {
    const Coefficients& k = coefficients_;
    const double s = (t - t_old) / (t_new - t_old);
    const double r = 1 - s;
    for (Eigen::Index i = 0; i < n_; ++i) {
      const double cont3 = k.d21 * g1_[i] + k.d22 * g2_[i] + k.d23 * g3_[i] + k.d24 * g4_[i] + k.d25 * g5_[i];
      const double cont4 = k.d31 * g1_[i] + k.d32 * g2_[i] + k.d33 * g3_[i] + k.d34 * g4_[i] + k.d35 * g5_[i];
      const auto j = static_cast<std::size_t>(i);
      y[j] = y_old[j] * r + s * (y_new[j] + r * (cont3 + s * cont4));
    }
  }

 private:
  Eigen::Map<Eigen::VectorXd> Vector(State& v) const { return {v.data(), n_}; }
  Eigen::Map<const Eigen::VectorXd> Vector(const State& v) const { return {v.data(), n_}; }

  Coefficients coefficients_;
  std::vector<double> nominal_;
  Eigen::Index n_;
  Eigen::MatrixXd matrix_, jacobian_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  Eigen::VectorXd g1_, g2_, g3_, g4_, g5_, rhs_, error_;
  State dfdt_, shifted_, slope_, stage_;
};

}  // namespace davit
