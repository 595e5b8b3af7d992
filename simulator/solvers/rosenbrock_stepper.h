#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "framework/archive.h"
#include "simulator/solvers/difference_quotients.h"
#include "simulator/solvers/iteration_matrix.h"
#include "simulator/solvers/jacobian_pattern.h"
#include "simulator/solvers/solver_profile.h"

namespace davit {

/// Linearly implicit Rosenbrock method, stiffly accurate, with the coefficients of `Tableau`. One step
/// solves, for each stage i,
///
///   (I/(gamma h) - J) g_i = f(t + c_i h, y + sum_j a_ij g_j) + sum_j (k_ij/h) g_j + h d_i df/dt
///
/// with J = df/dy, recomputed in every step. The last stage is the error estimate. A step follows the concept
/// of odeint's error steppers, with `std::vector<double>` as state; the arithmetic is Eigen's. Nothing is
/// allocated after the first step.
template <class Tableau>
class RosenbrockStepper {
 public:
  using State = std::vector<double>;

  /// Sizes the work space for `smallest` to `size` states; `nominal` are typical sizes of the states for the
  /// difference quotients. An empty pattern means a full one.
  RosenbrockStepper(std::size_t size, std::vector<double> nominal, JacobianPattern pattern = {},
                    std::size_t smallest = std::numeric_limits<std::size_t>::max())
      : nominal_(std::move(nominal)),
        pattern_(pattern.size() == size ? std::move(pattern) : JacobianPattern::Full(size)),
        jacobian_(pattern_.nonzeros()),
        quotients_(size),
        matrix_(smallest, size) {
    for (State* v : {&increments_, &dfdt_, &slope_, &stage_}) v->assign(size, 0.0);
    g_.setZero(static_cast<Eigen::Index>(size), kStages);
    matrix_.Resize(pattern_);
  }
  RosenbrockStepper(const RosenbrockStepper&) = delete;
  RosenbrockStepper& operator=(const RosenbrockStepper&) = delete;

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
    {
      const TimedPart part(profile_, SolverProfile::Part::kFactors);
      matrix_.Factor(1.0 / (Tableau::gamma * dt), jacobian_);
    }
    StageOf<0>(y, ddt, dt);
    [&]<std::size_t... i>(std::index_sequence<i...>) {
      (..., (EvaluateStage<i + 1>(system, y, t, dt), StageOf<i + 1>(y, slope_, dt)));
    }
    (std::make_index_sequence<kStages - 1>());
    const auto error = Stage(kStages - 1, y.size());
    Vector(y_error) = error;
    Vector(y_out) = Vector(stage_) + error;
  }

  /// By state: how far the first stage of the last DoStep goes, g_0 = (I/(gamma h) - J)^-1 (f + gamma h
  /// df/dt). Of y' = lambda y the step itself goes between g_0, where lambda h is large, and g_0/gamma, where
  /// it is small.
  std::span<const double> first_stage() const { return {g_.data(), dfdt_.size()}; }

  /// y(t) inside the last step by the continuous extension. Its order is one less than that of the steps, and
  /// less than that for a stiff component that follows a slow one.
  void Interpolate(double t, State& y, const State& y_old, double t_old, const State& y_new,
                   double t_new) const {
    const double s = (t - t_old) / (t_new - t_old);
    for (std::size_t j = 0; j < y_new.size(); ++j) {
      // A state that does not move stays to the bit.
      y[j] = y_old[j] + s * ((y_new[j] - y_old[j]) + (1 - s) * ExtensionOf(j).At(s));
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
      const Extension c = ExtensionOf(j);
      const double slope = (y_new[j] - y_old[j] + (1 - 2 * s) * c.At(s) + s * (1 - s) * c.SlopeAt(s)) / h;
      y_error[j] = slope_[j] - slope;
    }
    Solve(y_error.data());
  }

  /// See Integrator::set_profile.
  void set_profile(SolverProfile* profile) { profile_ = profile; }

  /// About how many operations the linear algebra of a step takes.
  double OperationsOfStep() const { return matrix_.Operations(kStages); }

  /// The last step, with what Interpolate and a further DoStep from its beginning need.
  void ArchiveMemory(Archive& archive) {
    archive(dfdt_, jacobian_);
    for (int stage = 0; stage < kStages; ++stage) {
      for (std::size_t i = 0; i < dfdt_.size(); ++i) archive(g_(static_cast<Eigen::Index>(i), stage));
    }
    archive(matrix_);
  }

 private:
  static constexpr int kStages = Tableau::kStages;

  /// The polynomial that the continuous extension has beside the straight line, in units of s (1 - s).
  struct Extension {
    double coefficients[3];

    double At(double s) const { return coefficients[0] + s * (coefficients[1] + s * coefficients[2]); }
    double SlopeAt(double s) const { return coefficients[1] + 2 * s * coefficients[2]; }
  };
  Extension ExtensionOf(std::size_t state) const {
    static_assert(Tableau::kDense <= 3);
    Extension extension{};
    for (int i = 0; i < Tableau::kDense; ++i) {
      for (int j = 0; j < kStages; ++j) {
        extension.coefficients[i] += Tableau::h[i][j] * g_(static_cast<Eigen::Index>(state), j);
      }
    }
    return extension;
  }

  void Solve(double* b) {
    const TimedPart part(profile_, SolverProfile::Part::kSolves);
    matrix_.Solve(b);
  }
  auto Stage(std::size_t i, std::size_t n) {
    return g_.col(static_cast<Eigen::Index>(i)).head(static_cast<Eigen::Index>(n));
  }
  /// Leaves what f is asked at in `stage_`, and f there in `slope_`.
  template <std::size_t i, class System>
  void EvaluateStage(System& system, const State& y, double t, double dt) {
    auto stage = Vector(stage_);
    [&]<std::size_t... j>(std::index_sequence<j...>) {
      stage = (Vector(y) + ... + (Tableau::a[i][j] * Stage(j, y.size())));
    }
    (std::make_index_sequence<i>());
    system(stage_, slope_, t + Tableau::c[i] * dt);
  }
  /// Solves for g_i.
  template <std::size_t i>
  void StageOf(const State& y, const State& slope, double dt) {
    auto g = Stage(i, y.size());
    [&]<std::size_t... j>(std::index_sequence<j...>) {
      const auto forcing = Vector(slope) + (dt * Tableau::d[i]) * Vector(std::as_const(dfdt_));
      if constexpr (i == 0) {
        g = forcing;
      } else if constexpr (Tableau::d[i] == 0) {
        g = (Vector(slope) + ... + ((Tableau::k[i][j] / dt) * Stage(j, y.size())));
      } else {
        g = (forcing + ... + ((Tableau::k[i][j] / dt) * Stage(j, y.size())));
      }
    }
    (std::make_index_sequence<i>());
    Solve(g.data());
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
  SolverProfile* profile_ = nullptr;
  State increments_, dfdt_, slope_, stage_;
  Eigen::MatrixXd g_;  ///< by state and stage
};

}  // namespace davit
