#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "framework/archive.h"
#include "simulator/solvers/difference_quotients.h"
#include "simulator/solvers/iteration_matrix.h"
#include "simulator/solvers/jacobian_pattern.h"

namespace davit {

/// The numbers of RODAS (Hairer and Wanner, Solving Ordinary Differential Equations II, 1996, section IV.7).
/// Those that come with odeint are the same but for the sign of d4, with which order 4 is lost where f
/// depends on time.
struct RodasCoefficients {
  static constexpr double gamma = 0.25;
  static constexpr double c2 = 0.386, c3 = 0.21, c4 = 0.63;
  static constexpr double d1 = 0.25, d2 = -0.1043, d3 = 0.1035, d4 = -0.03620000000000023;
  static constexpr double a21 = 1.544;
  static constexpr double a31 = 0.9466785280815826, a32 = 0.2557011698983284;
  static constexpr double a41 = 3.314825187068521, a42 = 2.896124015972201, a43 = 0.9986419139977817;
  static constexpr double a51 = 1.221224509226641, a52 = 6.019134481288629, a53 = 12.53708332932087,
                          a54 = -0.6878860361058950;
  static constexpr double c21 = -5.6688;
  static constexpr double c31 = -2.430093356833875, c32 = -0.2063599157091915;
  static constexpr double c41 = -0.1073529058151375, c42 = -9.594562251023355, c43 = -20.47028614809616;
  static constexpr double c51 = 7.496443313967647, c52 = -10.24680431464352, c53 = -33.99990352819905,
                          c54 = 11.70890893206160;
  static constexpr double c61 = 8.083246795921522, c62 = -7.981132988064893, c63 = -31.52159432874371,
                          c64 = 16.31930543123136, c65 = -6.058818238834054;
  // Of the dense output.
  static constexpr double d21 = 10.12623508344586, d22 = -7.487995877610167, d23 = -34.80091861555747,
                          d24 = -7.992771707568823, d25 = 1.025137723295662;
  static constexpr double d31 = -0.6762803392801253, d32 = 6.087714651680015, d33 = 16.43084320892478,
                          d34 = 24.76722511418386, d35 = -6.594389125716872;
};

/// Linearly implicit Rosenbrock method of order 4 with six stages and an embedded order 3, stiffly accurate
/// (RODAS). One step solves, for each stage i,
///
///   (I/(gamma h) - J) g_i = f(t + c_i h, y + sum_j a_ij g_j) + sum_j (c_ij/h) g_j + h d_i df/dt
///
/// with J = df/dy, recomputed in every step. A step follows the concept of odeint's error steppers, with
/// `std::vector<double>` as state; the arithmetic is Eigen's. Nothing is allocated after the first step, but
/// see IterationMatrix.
class Rosenbrock4Stepper {
 public:
  using State = std::vector<double>;
  static constexpr int kErrorOrder = 3;

  /// Sizes the work space for `smallest` to `size` states; `nominal` are typical sizes of the states for the
  /// difference quotients. An empty pattern means a full one.
  Rosenbrock4Stepper(std::size_t size, std::vector<double> nominal, JacobianPattern pattern = {},
                     std::size_t smallest = std::numeric_limits<std::size_t>::max())
      : nominal_(std::move(nominal)),
        pattern_(pattern.size() == size ? std::move(pattern) : JacobianPattern::Full(size)),
        jacobian_(pattern_.nonzeros()),
        quotients_(size),
        matrix_(smallest, size) {
    for (State* v : {&increments_, &dfdt_, &slope_, &stage_}) v->assign(size, 0.0);
    for (Eigen::VectorXd* v : {&g1_, &g2_, &g3_, &g4_, &g5_}) v->setZero(static_cast<Eigen::Index>(size));
    matrix_.Resize(pattern_);
  }
  Rosenbrock4Stepper(const Rosenbrock4Stepper&) = delete;
  Rosenbrock4Stepper& operator=(const Rosenbrock4Stepper&) = delete;

  /// Another number of states, within what the work space was sized for, and a pattern that is a part of that
  /// of the constructor.
  void Resize(const std::vector<double>& nominal, const JacobianPattern& pattern) {
    nominal_ = nominal;
    pattern_ = pattern;  // in place: allocates nothing
    if (pattern.size() != nominal.size()) pattern_ = JacobianPattern::Full(nominal.size());
    jacobian_.assign(pattern_.nonzeros(), 0.0);
    for (State* v : {&increments_, &dfdt_, &slope_, &stage_}) v->assign(nominal.size(), 0.0);
    matrix_.Resize(pattern_);
  }

  /// How far each state may be shifted for derivatives at y.
  const State& FindIncrements(const State& y) {
    for (std::size_t i = 0; i < y.size(); ++i) increments_[i] = Increment(y[i], nominal_[i]);
    return increments_;
  }
  /// The entries of J, column by column, for those who compute them another way.
  State& jacobian() { return jacobian_; }

  /// J at (t, y), where f(t, y) = `ddt`.
  template <class System>
  void Linearize(System& system, const State& y, const State& ddt, double t) {
    quotients_.Fill(pattern_, y, ddt, FindIncrements(y), jacobian_,
                    [&](const State& shifted, State& slope) { system(shifted, slope, t); });
  }
  /// df/dt at (t, y), where f(t, y) = `ddt`. `t_limit` is a time > t that f must not be asked beyond. Before
  /// t the right-hand side may be another one: t can be the time of a jump.
  template <class System>
  void LinearizeInTime(System& system, const State& y, const State& ddt, double t, double t_limit) {
    const double root = std::sqrt(std::numeric_limits<double>::epsilon());
    const double exact = std::min(t + root * std::max(std::abs(t), 1e-3), t_limit) - t;
    system(y, slope_, t + exact);
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double change = slope_[i] - ddt[i];
      dfdt_[i] = std::isfinite(change) ? change / exact : 0;  // f ends there: the stages will see it
    }
  }

  /// One step of size `dt` from y at t with slope `ddt`, after the linearizations; writes y(t + dt) and its
  /// error estimate.
  template <class System>
  void DoStep(System& system, const State& y, const State& ddt, double t, State& y_out, double dt,
              State& y_error) {
    constexpr RodasCoefficients k;
    const auto n = static_cast<Eigen::Index>(y.size());
    auto g1 = g1_.head(n), g2 = g2_.head(n), g3 = g3_.head(n), g4 = g4_.head(n), g5 = g5_.head(n);
    const auto y0 = Vector(y);
    const auto dfdt = Vector(dfdt_);
    auto stage = Vector(stage_);
    const auto slope = Vector(slope_);
    matrix_.Factor(1.0 / (k.gamma * dt), jacobian_);

    g1 = Vector(ddt) + dt * k.d1 * dfdt;
    matrix_.Solve(g1.data());

    stage = y0 + k.a21 * g1;
    system(stage_, slope_, t + k.c2 * dt);
    g2 = slope + dt * k.d2 * dfdt + (k.c21 / dt) * g1;
    matrix_.Solve(g2.data());

    stage = y0 + k.a31 * g1 + k.a32 * g2;
    system(stage_, slope_, t + k.c3 * dt);
    g3 = slope + dt * k.d3 * dfdt + (k.c31 * g1 + k.c32 * g2) / dt;
    matrix_.Solve(g3.data());

    stage = y0 + k.a41 * g1 + k.a42 * g2 + k.a43 * g3;
    system(stage_, slope_, t + k.c4 * dt);
    g4 = slope + dt * k.d4 * dfdt + (k.c41 * g1 + k.c42 * g2 + k.c43 * g3) / dt;
    matrix_.Solve(g4.data());

    stage = y0 + k.a51 * g1 + k.a52 * g2 + k.a53 * g3 + k.a54 * g4;
    system(stage_, slope_, t + dt);
    g5 = slope + (k.c51 * g1 + k.c52 * g2 + k.c53 * g3 + k.c54 * g4) / dt;
    matrix_.Solve(g5.data());

    stage += g5;
    system(stage_, slope_, t + dt);
    auto error = Vector(y_error);
    error = slope + (k.c61 * g1 + k.c62 * g2 + k.c63 * g3 + k.c64 * g4 + k.c65 * g5) / dt;
    matrix_.Solve(y_error.data());
    Vector(y_out) = stage + error;
  }

  /// y(t) inside the last step by the continuous extension of RODAS. Its order is 3, but only 2 for a stiff
  /// component that follows a slow one.
  void Interpolate(double t, State& y, const State& y_old, double t_old, const State& y_new,
                   double t_new) const {
    const double s = (t - t_old) / (t_new - t_old);
    for (std::size_t j = 0; j < y_new.size(); ++j) {
      const Extension c = ExtensionOf(static_cast<Eigen::Index>(j));
      // A state that does not move stays to the bit.
      y[j] = y_old[j] + s * ((y_new[j] - y_old[j]) + (1 - s) * (c.first + s * c.second));
    }
  }

  /// How far Interpolate is from the truth: its defect d = f(t, y) - y' at one third of the last step, seen
  /// through the matrix of the step,  (I/(gamma h) - J) e = d,  which is gamma h d where nothing is stiff and
  /// the distance to the slow solution where it is.
  template <class System>
  void EstimateInterpolationError(System& system, const State& y_old, double t_old, const State& y_new,
                                  double t_new, State& y_error) {
    constexpr double s = 1.0 / 3;
    const double h = t_new - t_old;
    Interpolate(t_old + s * h, stage_, y_old, t_old, y_new, t_new);
    system(stage_, slope_, t_old + s * h);
    for (std::size_t j = 0; j < y_new.size(); ++j) {
      const Extension c = ExtensionOf(static_cast<Eigen::Index>(j));
      const double slope =
          (y_new[j] - y_old[j] + (1 - 2 * s) * (c.first + s * c.second) + s * (1 - s) * c.second) / h;
      y_error[j] = slope_[j] - slope;
    }
    matrix_.Solve(y_error.data());
  }

  /// The last step, with what Interpolate and a further DoStep from its beginning need.
  void ArchiveMemory(Archive& archive) {
    archive(dfdt_, jacobian_);
    for (Eigen::VectorXd* g : {&g1_, &g2_, &g3_, &g4_, &g5_}) {
      for (Eigen::Index i = 0; i < static_cast<Eigen::Index>(dfdt_.size()); ++i) archive((*g)[i]);
    }
    archive(matrix_);
  }

 private:
  struct Extension {
    double first, second;
  };
  Extension ExtensionOf(Eigen::Index i) const {
    constexpr RodasCoefficients k;
    return {k.d21 * g1_[i] + k.d22 * g2_[i] + k.d23 * g3_[i] + k.d24 * g4_[i] + k.d25 * g5_[i],
            k.d31 * g1_[i] + k.d32 * g2_[i] + k.d33 * g3_[i] + k.d34 * g4_[i] + k.d35 * g5_[i]};
  }
  static Eigen::Map<Eigen::VectorXd> Vector(State& v) {
    return {v.data(), static_cast<Eigen::Index>(v.size())};
  }
  static Eigen::Map<const Eigen::VectorXd> Vector(const State& v) {
    return {v.data(), static_cast<Eigen::Index>(v.size())};
  }

  std::vector<double> nominal_;
  JacobianPattern pattern_;
  State jacobian_;
  DifferenceQuotients quotients_;
  IterationMatrix matrix_;
  State increments_, dfdt_, slope_, stage_;
  Eigen::VectorXd g1_, g2_, g3_, g4_, g5_;  ///< their first elements, one for each state
};

}  // namespace davit
