#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/numeric/odeint/stepper/adams_bashforth_moulton.hpp>
#include <boost/numeric/odeint/stepper/bulirsch_stoer.hpp>
#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/euler.hpp>
#include <boost/numeric/odeint/stepper/modified_midpoint.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta4.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_cash_karp54.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "simulator/solvers/error_norm.h"
#include "simulator/solvers/ida_integrator.h"
#include "simulator/solvers/integration_error.h"
#include "simulator/solvers/integrator.h"
#include "simulator/solvers/rosenbrock4_stepper.h"
#include "simulator/solvers/vector_algebra.h"

namespace davit {
namespace {

namespace odeint = boost::numeric::odeint;
using State = std::vector<double>;

/// odeint's steppers for our states.
using Euler = odeint::euler<State, double, State, double, VectorAlgebra>;
using ModifiedMidpoint = odeint::modified_midpoint<State, double, State, double, VectorAlgebra>;
using RungeKutta4 = odeint::runge_kutta4<State, double, State, double, VectorAlgebra>;
using AdamsBashforthMoulton = odeint::adams_bashforth_moulton<5, State, double, State, double, VectorAlgebra>;
using CashKarp = odeint::runge_kutta_cash_karp54<State, double, State, double, VectorAlgebra>;
using DormandPrince = odeint::runge_kutta_dopri5<State, double, State, double, VectorAlgebra>;
using Fehlberg = odeint::runge_kutta_fehlberg78<State, double, State, double, VectorAlgebra>;
using BulirschStoer = odeint::bulirsch_stoer<State, double, State, double, VectorAlgebra>;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

/// The first value that is not finite, or `size`.
std::size_t FindNotFinite(const State& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) return i;
  }
  return values.size();
}

/// The problem as odeint calls it; counts the calls.
class RightHandSide {
 public:
  RightHandSide(const OdeProblem& problem, IntegratorCounters& counters)
      : problem_(&problem), counters_(&counters) {}
  void operator()(const State& y, State& ddt, double t) const {
    ++counters_->evaluations;
    problem_->evaluate(problem_->context, y.data(), ddt.data(), t);
  }
  /// Where a value came from that is not finite: a step spreads it over the states that are coupled. `y` is
  /// still good.
  std::size_t FindOrigin(const State& y, State& ddt, double t, std::size_t otherwise) const {
    (*this)(y, ddt, t);
    const std::size_t origin = FindNotFinite(ddt);
    return origin < ddt.size() ? origin : otherwise;
  }

 private:
  const OdeProblem* problem_;
  IntegratorCounters* counters_;
};

std::vector<double> Nominal(const OdeProblem& problem) {
  return problem.nominal.empty() ? std::vector<double>(problem.size, 1.0) : problem.nominal;
}

/// Methods without error control: equal steps of at most `fixed_step` between the times that are asked for. A
/// step may be longer by rounding: late in a run, the difference of two step points differs from TimeStep in
/// many digits.
template <class Stepper>
class FixedIntegrator final : public Integrator {
 public:
  FixedIntegrator(const OdeProblem& problem, const IntegratorOptions& options)
      : rhs_(problem, counters_),
        step_(options.fixed_step),
        y_(problem.size),
        slope_(problem.size),
        y_old_(y_),
        inside_(y_) {
    assert(step_ > 0);
    stepper_.adjust_size(y_);
  }

  void Resize(const OdeProblem& problem) override {
    for (State* v : {&y_, &slope_, &y_old_, &inside_}) v->assign(problem.size, 0.0);
    stepper_.adjust_size(y_);
  }

  void Restart(double t, std::span<const double> y, RestartKind /*kind*/) override {
    t_ = t;
    std::copy(y.begin(), y.end(), y_.begin());
    has_slope_ = false;
    // A multistep method starts again with its one-step starter.
    if constexpr (kHasHistory) stepper_.reset();
  }

  void GiveSlope(std::span<const double> ddt) override {
    if constexpr (kHasHistory) return;
    std::copy(ddt.begin(), ddt.end(), slope_.begin());
    has_slope_ = true;
  }

  void AdvanceTo(double t_end, double /*t_stop*/, std::span<double> y) override {
    const std::uint64_t count = Count(t_end);
    const double dt = (t_end - t_) / static_cast<double>(count);
    if constexpr (kHasHistory) {
      if (std::abs(dt - last_dt_) > Slack(t_end) * step_) stepper_.reset();
      last_dt_ = dt;
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      if (progress_ != nullptr) progress_->CheckInterrupt(t_ + static_cast<double>(i) * dt);
      DoStep(t_ + static_cast<double>(i) * dt, dt);
    }
    t_ = t_end;
    counters_.steps += count;
    if (const std::size_t bad = FindNotFinite(y_); bad < y_.size()) {
      std::copy(y.begin(), y.end(), y_.begin());
      throw IntegrationError("the value is not finite", t_end, rhs_.FindOrigin(y_, slope_, t_end, bad));
    }
    std::copy(y_.begin(), y_.end(), y.begin());
  }

  double StepTowards(double t_stop) override {
    const std::uint64_t count = Count(t_stop);
    const double dt = (t_stop - t_) / static_cast<double>(count);
    y_old_ = y_;
    t_old_ = t_;
    if (progress_ != nullptr) progress_->CheckInterrupt(t_);
    DoStep(t_, dt);
    t_ = count == 1 ? t_stop : t_ + dt;
    ++counters_.steps;
    if (const std::size_t bad = FindNotFinite(y_); bad < y_.size()) {
      y_ = y_old_;
      throw IntegrationError("the value is not finite", t_, rhs_.FindOrigin(y_, slope_, t_old_, bad));
    }
    return t_;
  }
  /// A shorter step of the same method from the beginning.
  void ValueAt(double t, std::span<double> y) override {
    if constexpr (!kHasHistory) {
      inside_ = t == t_ ? y_ : y_old_;
      if (t > t_old_ && t < t_) {
        rhs_(inside_, slope_, t_old_);
        stepper_.do_step(rhs_, inside_, slope_, t_old_, t - t_old_);
      }
      std::copy(inside_.begin(), inside_.end(), y.begin());
    }
  }
  bool has_values_inside() const override { return !kHasHistory; }
  bool can_be_archived() const override { return !kHasHistory; }
  void ArchiveMemory(Archive& archive) override { archive(y_, slope_, y_old_, has_slope_, t_, t_old_); }

 private:
  static constexpr bool kHasHistory = requires(Stepper stepper) { stepper.reset(); };

  /// Shares of a step that count as rounding.
  double Slack(double t_end) const {
    return 1e-9 + 4 * kEpsilon * std::max(std::abs(t_), std::abs(t_end)) / step_;
  }
  std::uint64_t Count(double t_end) const {
    return static_cast<std::uint64_t>(std::max(1.0, std::ceil((t_end - t_) / step_ - Slack(t_end))));
  }
  void DoStep(double t, double dt) {
    if constexpr (!kHasHistory) {
      if (!std::exchange(has_slope_, false)) {
        rhs_(y_, slope_, t);
      } else {
        ++counters_.evaluations;  // by whoever gave it
      }
      stepper_.do_step(rhs_, y_, slope_, t, dt);
    } else {
      stepper_.do_step(rhs_, y_, t, dt);
    }
  }

  RightHandSide rhs_;
  double step_;
  double last_dt_ = 0;
  State y_, slope_, y_old_, inside_;
  bool has_slope_ = false;  ///< slope_ is y' at t_
  double t_ = 0;
  double t_old_ = 0;
  Stepper stepper_;
};

/// What all methods with error control share: the chain of accepted steps, step sizes, clipping and failure.
///
/// A method adds `TryStep` (one attempt from y_old_ at t_old_) and `Interpolate` (y inside the last step).
class AdaptiveIntegrator : public Integrator {
 public:
  AdaptiveIntegrator(const OdeProblem& problem, const IntegratorOptions& options, int order)
      : rhs_(problem, counters_),
        nominal_(Nominal(problem)),
        min_step_(options.min_step),
        max_step_(options.max_step),
        order_(order),
        absolute_tolerance_(options.absolute_tolerance),
        absolute_(nominal_),
        y_old_(problem.size),
        y_new_(problem.size),
        ddt_old_(problem.size),
        ddt_new_(problem.size),
        direction_(problem.size),
        shifted_(problem.size),
        slope_there_(problem.size) {
    for (double& a : absolute_) a *= absolute_tolerance_;
    norm_ = ErrorNorm(options.relative_tolerance, absolute_);
  }
  // Members point at each other.
  AdaptiveIntegrator(const AdaptiveIntegrator&) = delete;
  AdaptiveIntegrator& operator=(const AdaptiveIntegrator&) = delete;

  void Resize(const OdeProblem& problem) override {
    nominal_ = problem.nominal;
    absolute_.resize(problem.size);
    for (std::size_t i = 0; i < problem.size; ++i) absolute_[i] = nominal_[i] * absolute_tolerance_;
    for (State* v : {&y_old_, &y_new_, &ddt_old_, &ddt_new_, &direction_, &shifted_, &slope_there_}) {
      v->assign(problem.size, 0.0);
    }
    ResizeMethod(problem);
  }

  void Restart(double t, std::span<const double> y, RestartKind kind) override {
    t_old_ = t_new_ = t;
    std::copy(y.begin(), y.end(), y_new_.begin());
    has_slope_ = false;
    if (kind == RestartKind::kNewProblem) dt_ = 0;
    ForgetHistory();
  }

  void AdvanceTo(double t_end, double t_stop, std::span<double> y) override {
    while (t_new_ < t_end) Step(t_stop);
    AdaptiveIntegrator::ValueAt(t_end, y);
  }

  double StepTowards(double t_stop) override {
    Step(t_stop);
    return t_new_;
  }
  void ValueAt(double t, std::span<double> y) override {
    if (t == t_new_) {
      std::copy(y_new_.begin(), y_new_.end(), y.begin());
    } else if (t == t_old_) {
      std::copy(y_old_.begin(), y_old_.end(), y.begin());
    } else {
      Interpolate(t, y);
    }
  }
  bool has_values_inside() const override { return true; }
  void ArchiveMemory(Archive& archive) override {
    archive(y_old_, y_new_, ddt_old_, ddt_new_, t_old_, t_new_, t_limit_, dt_, has_slope_, direction_);
  }

 protected:
  /// Tries a step of size dt from (t_old_, y_old_, ddt_old_); on success writes y_new_ (and ddt_new_ where
  /// `kGivesSlope`), and in any case the size to try next.
  virtual bool TryStep(double& dt) = 0;
  virtual void Interpolate(double t, std::span<double> y) = 0;
  virtual void ForgetHistory() {}
  virtual void ResizeMethod(const OdeProblem& problem) = 0;
  /// The state with the largest error of the last attempt, or, where the method does not tell, the one that
  /// moves most.
  virtual std::size_t FindWorstError() { return FindFastest(); }
  std::size_t FindFastest() const {
    std::size_t fastest = 0;
    double most = 0;
    for (std::size_t i = 0; i < y_old_.size(); ++i) {
      const double speed = std::abs(ddt_old_[i]) / (absolute_[i] + std::abs(y_old_[i]));
      if (speed <= most) continue;
      most = speed;
      fastest = i;
    }
    return fastest;
  }
  /// The largest stable h |lambda| of an explicit method; 0 for implicit ones.
  virtual double stability_limit() const { return 0; }
  /// Whether TryStep also writes ddt_new_.
  virtual bool gives_slope() const { return false; }

  RightHandSide rhs_;
  std::vector<double> nominal_;
  double min_step_;
  double max_step_;
  int order_;
  double absolute_tolerance_;
  State absolute_;
  ErrorNorm norm_;
  State y_old_, y_new_, ddt_old_, ddt_new_;
  double t_old_ = 0;
  double t_new_ = 0;
  double t_limit_ = 0;         ///< the right-hand side must not be asked beyond
  bool is_evaluated_ = false;  ///< the last evaluation was that of ddt_old_, for the first attempt of a step

 private:
  void Step(double t_stop) {
    std::swap(y_old_, y_new_);
    std::swap(ddt_old_, ddt_new_);
    t_old_ = t_new_;
    t_limit_ = t_stop;
    if (y_old_.empty()) {  // no state is in use
      t_new_ = t_stop;
      return;
    }
    is_evaluated_ = !has_slope_;
    if (!has_slope_) {
      rhs_(y_old_, ddt_old_, t_old_);
      if (const std::size_t bad = FindNotFinite(ddt_old_); bad < ddt_old_.size()) {
        throw IntegrationError("the derivative is not finite", t_old_, bad);
      }
    }
    if (dt_ == 0) {
      dt_ = EstimateFirstStep(t_stop - t_old_);
      is_evaluated_ = false;
    }
    const double smallest = std::max(min_step_, SpacingAfter(t_old_));
    double dt = std::min(std::max(dt_, smallest), max_step_);
    const double rest = t_stop - t_old_;
    bool is_last = dt >= rest * (1 - 1e-12);
    if (is_last) dt = rest;
    const double proposed = dt_;
    double tried = dt;
    bool is_rejected = false;
    while (!TryStep(dt)) {
      ++counters_.rejected;
      is_rejected = true;
      if (progress_ != nullptr) progress_->Reject(1, FindWorstError());
      if (!(dt < tried))
        dt = tried / 2;  // an extrapolation method may ask for a larger step: never twice the same
      if (dt < smallest && dt < rest) Fail(tried, dt);
      tried = dt;
      is_last = false;
    }
    t_new_ = is_last ? t_stop : t_old_ + tried;
    // A step cut at t_stop says nothing against the size that was wanted.
    dt_ = is_last && !is_rejected ? std::max(proposed, dt) : dt;
    has_slope_ = gives_slope();
    ++counters_.steps;
    if (progress_ != nullptr) progress_->Accept(t_new_, y_new_);
    if (counters_.steps % kLookEvery == 0 && stability_limit() > 0) LookAtStability(tried);
  }

  /// Compares the step with the largest eigenvalue of df/dy, which a power iteration follows: one product
  /// each time, by a difference quotient.
  void LookAtStability(double h) {
    const std::size_t n = y_old_.size();
    double length = 0;
    for (std::size_t i = 0; i < n; ++i) length = std::max(length, std::abs(direction_[i]) / nominal_[i]);
    if (!(length > 0)) {
      for (std::size_t i = 0; i < n; ++i) direction_[i] = nominal_[i] * (i % 2 == 0 ? 1.0 : -1.0);
      length = 1;
    }
    const double share = 1e-6 / length;
    for (std::size_t i = 0; i < n; ++i) shifted_[i] = y_old_[i] + share * direction_[i];
    rhs_(shifted_, slope_there_, t_old_);
    double growth = 0;
    for (std::size_t i = 0; i < n; ++i) {
      direction_[i] = (slope_there_[i] - ddt_old_[i]) / share;
      growth = std::max(growth, std::abs(direction_[i]) / nominal_[i]);
    }
    if (!std::isfinite(growth)) {
      std::fill(direction_.begin(), direction_.end(), 0.0);
      return;
    }
    for (std::size_t i = 0; i < n; ++i) direction_[i] /= growth > 0 ? growth : 1.0;
    ++counters_.looked_at;
    if (h * growth / length > 0.6 * stability_limit()) ++counters_.at_limit;
  }

  static constexpr std::uint64_t kLookEvery = 50;
  /// From t to the next number: a smaller step ends where it began.
  static double SpacingAfter(double t) {
    return std::nextafter(t, std::numeric_limits<double>::infinity()) - t;
  }

  /// First step size after Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, section
  /// II.4.
  double EstimateFirstStep(double longest) {
    const double d0 = norm_.Compute(y_old_, y_old_);
    const double d1 = norm_.Compute(y_old_, ddt_old_);
    const double h0 = std::min(d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1, longest);
    for (std::size_t i = 0; i < y_old_.size(); ++i) y_new_[i] = y_old_[i] + h0 * ddt_old_[i];
    rhs_(y_new_, ddt_new_, std::min(t_old_ + h0, t_limit_));
    for (std::size_t i = 0; i < y_old_.size(); ++i) ddt_new_[i] -= ddt_old_[i];
    const double d2 = norm_.Compute(y_old_, ddt_new_) / h0;
    const double steepest = std::max(d1, d2);
    const double h1 =
        steepest <= 1e-15 ? std::max(1e-6, h0 * 1e-3) : std::pow(0.01 / steepest, 1.0 / (order_ + 1));
    const double h = std::min({100 * h0, h1, longest});
    return std::isfinite(h) && h > 0 ? h : std::min(1e-9, longest);
  }

  /// Where a value came from that is not finite. A method may look further ahead than its step is long, for
  /// the derivative with time: where the last attempt shows nothing, so do times after it.
  std::size_t FindOriginAhead(double tried, std::size_t otherwise) {
    const double furthest = std::max(tried, 1e-6 * std::abs(t_old_));
    for (double ahead = tried; ahead > 0 && ahead <= furthest; ahead *= 10) {
      const double t = std::min(t_old_ + ahead, t_limit_);
      const std::size_t origin = rhs_.FindOrigin(y_old_, ddt_new_, t, y_old_.size());
      if (origin < y_old_.size()) return origin;
      if (t >= t_limit_) break;
    }
    return otherwise;
  }

  /// `tried` is the size of the last attempt, `dt` what it asked for next.
  [[noreturn]] void Fail(double tried, double dt) {
    std::size_t worst = FindNotFinite(y_new_);
    const bool is_finite = worst == y_new_.size();
    if (is_finite) {
      worst = FindFastest();
    } else {
      worst = FindOriginAhead(tried, worst);
    }
    std::swap(y_old_, y_new_);
    t_new_ = t_old_;
    throw IntegrationError(
        !is_finite       ? std::string("the value is not finite")
        : dt < min_step_ ? fmt::format("a step of {:.3g} s is needed, min_step is {:.3g} s", dt, min_step_)
                         : fmt::format("the step size collapsed to {:.3g} s", dt),
        t_old_, worst);
  }

  double dt_ = 0;  ///< to be tried next; 0 asks for an estimate
  bool has_slope_ = false;
  State direction_, shifted_, slope_there_;  ///< of LookAtStability
};

/// Embedded Runge-Kutta pairs. dopri5 has a continuous extension of its own; for the others a value inside
/// the last step is made by one shorter step of the same method from its beginning, which has its full order.
template <class ErrorStepper>
class RungeKuttaIntegrator final : public AdaptiveIntegrator {
 public:
  RungeKuttaIntegrator(const OdeProblem& problem, const IntegratorOptions& options)
      : AdaptiveIntegrator(problem, options, ErrorStepper::order_value),
        controlled_(norm_, typename Controlled::step_adjuster_type(
                               std::isfinite(options.max_step) ? options.max_step : 0)),
        inside_(problem.size) {
    RungeKuttaIntegrator::ResizeMethod(problem);
  }

  bool can_be_archived() const override { return true; }
  void ArchiveMemory(Archive& archive) override {
    AdaptiveIntegrator::ArchiveMemory(archive);
    if constexpr (kIsFsal) {
      for (State* stage : FindStages()) archive(*stage);
    }
  }

 protected:
  bool TryStep(double& dt) override {
    double t = t_old_;
    odeint::controlled_step_result result;
    if constexpr (kIsFsal) {
      result = controlled_.try_step(rhs_, y_old_, ddt_old_, t, y_new_, ddt_new_, dt);
    } else {
      result = controlled_.try_step(rhs_, y_old_, ddt_old_, t, y_new_, dt);
    }
    return result == odeint::success;
  }

  void Interpolate(double t, std::span<double> y) override {
    if constexpr (kIsFsal) {
      controlled_.stepper().calc_state(t, inside_, y_old_, ddt_old_, t_old_, y_new_, ddt_new_, t_new_);
    } else {
      controlled_.stepper().do_step(rhs_, y_old_, ddt_old_, t_old_, inside_, t - t_old_);
    }
    std::copy(inside_.begin(), inside_.end(), y.begin());
  }

  bool gives_slope() const override { return kIsFsal; }

  void ResizeMethod(const OdeProblem& problem) override {
    inside_.resize(problem.size);
    controlled_.adjust_size(inside_);
    controlled_.stepper().adjust_size(inside_);  // the controlled one leaves it out
  }

  // About what h times the largest eigenvalue of df/dy may be on the negative real axis.
  double stability_limit() const override {
    return std::is_same_v<ErrorStepper, DormandPrince> ? 3.3
           : std::is_same_v<ErrorStepper, CashKarp>    ? 3.7
                                                       : 4.2;
  }

 private:
  static constexpr bool kIsFsal =
      std::is_same_v<typename ErrorStepper::stepper_category, odeint::explicit_error_stepper_fsal_tag>;
  using Controlled = odeint::controlled_runge_kutta<ErrorStepper, ErrorNorm>;

  /// The slopes inside the last step, which its continuous extension needs. odeint keeps them to itself, but
  /// hands them to the right-hand side to be written: one that writes nothing finds them.
  std::vector<State*> FindStages() {
    std::vector<State*> stages;
    State slope_there(inside_.size());
    const auto find = [&](const State& /*y*/, State& ddt, double /*t*/) {
      if (&ddt != &slope_there) stages.push_back(&ddt);
    };
    controlled_.stepper().do_step(find, y_old_, ddt_old_, t_old_, inside_, slope_there, 0.0);
    return stages;
  }

  Controlled controlled_;
  State inside_;
};

/// Extrapolation (Bulirsch and Stoer). Its steps end at every time that is asked for.
class BulirschStoerIntegrator final : public AdaptiveIntegrator {
 public:
  BulirschStoerIntegrator(const OdeProblem& problem, const IntegratorOptions& options)
      : AdaptiveIntegrator(problem, options, 8),
        scaled_y_(problem.size),
        scaled_ddt_(problem.size),
        scaled_out_(problem.size),
        y_(problem.size),
        ddt_(problem.size),
        stepper_(options.absolute_tolerance, options.relative_tolerance, 1.0, 0.0) {
    stepper_.adjust_size(y_);
  }

  void AdvanceTo(double t_end, double /*t_stop*/, std::span<double> y) override {
    AdaptiveIntegrator::AdvanceTo(t_end, t_end, y);
  }
  bool has_values_inside() const override { return false; }

 protected:
  // odeint's error control takes one absolute tolerance only, so the states are handed over in units of their
  // nominal values.
  bool TryStep(double& dt) override {
    for (std::size_t i = 0; i < y_old_.size(); ++i) {
      scaled_y_[i] = y_old_[i] / nominal_[i];
      scaled_ddt_[i] = ddt_old_[i] / nominal_[i];
    }
    const auto scaled_rhs = [this](const State& z, State& dzdt, double t) {
      for (std::size_t i = 0; i < z.size(); ++i) y_[i] = z[i] * nominal_[i];
      rhs_(y_, ddt_, t);
      for (std::size_t i = 0; i < z.size(); ++i) dzdt[i] = ddt_[i] / nominal_[i];
    };
    double t = t_old_;
    if (stepper_.try_step(scaled_rhs, scaled_y_, scaled_ddt_, t, scaled_out_, dt) != odeint::success)
      return false;
    for (std::size_t i = 0; i < y_old_.size(); ++i) y_new_[i] = scaled_out_[i] * nominal_[i];
    if (FindNotFinite(y_new_) < y_new_.size()) {  // odeint takes a NaN error for a small one
      dt = 0.1 * (t - t_old_);
      return false;
    }
    return true;
  }
  void Interpolate(double /*t*/, std::span<double> /*y*/) override { assert(false); }
  void ForgetHistory() override { stepper_.reset(); }
  void ResizeMethod(const OdeProblem& problem) override {
    for (State* v : {&scaled_y_, &scaled_ddt_, &scaled_out_, &y_, &ddt_}) v->resize(problem.size);
    stepper_.adjust_size(y_);
  }

 private:
  State scaled_y_, scaled_ddt_, scaled_out_, y_, ddt_;
  BulirschStoer stepper_;
};

class Rosenbrock4Integrator final : public AdaptiveIntegrator {
 public:
  Rosenbrock4Integrator(const OdeProblem& problem, const IntegratorOptions& options)
      : AdaptiveIntegrator(problem, options, 4),
        problem_(problem),
        stepper_(problem.size, Nominal(problem), problem.pattern,
                 problem.largest > 0 ? problem.smallest : problem.size),
        error_(problem.size),
        inside_(problem.size) {}

  bool can_be_archived() const override { return true; }
  void ArchiveMemory(Archive& archive) override {
    AdaptiveIntegrator::ArchiveMemory(archive);
    archive(stepper_, is_linearized_, is_extension_checked_, is_extension_good_);
  }

 protected:
  bool TryStep(double& dt) override {
    if (!is_linearized_) Linearize();
    stepper_.DoStep(rhs_, y_old_, ddt_old_, t_old_, y_new_, dt, error_);
    const double error = norm_.Compute(y_new_, error_);
    constexpr double kExponent = 1.0 / (Rosenbrock4Stepper::kErrorOrder + 1);
    const double factor = std::clamp(0.9 * std::pow(std::max(error, 1e-10), -kExponent), 0.2, 5.0);
    dt = std::min(dt * (error > 1 ? std::min(factor, 0.9) : factor), max_step_);
    is_linearized_ = error > 1;
    is_extension_checked_ = false;
    return error <= 1;
  }

  void Linearize() {
    if (problem_.linearize == nullptr) {
      stepper_.Linearize(rhs_, y_old_, ddt_old_, t_old_);
    } else {
      const LinearizationPoint point{.t = t_old_,
                                     .y = y_old_.data(),
                                     .ddt = ddt_old_.data(),
                                     .increments = stepper_.FindIncrements(y_old_).data(),
                                     .is_evaluated = is_evaluated_};
      CountEvaluations(problem_.linearize(problem_.context, point, stepper_.jacobian().data()));
    }
    stepper_.LinearizeInTime(rhs_, y_old_, ddt_old_, t_old_, t_limit_);
  }

  // Stiffly accurate steps can be so long that the continuous extension says nothing about what lies inside.
  // Then a value inside is made by a shorter step with the same Jacobian.
  void Interpolate(double t, std::span<double> y) override {
    if (!is_extension_checked_) {
      stepper_.EstimateInterpolationError(rhs_, y_old_, t_old_, y_new_, t_new_, error_);
      is_extension_good_ = norm_.Compute(y_new_, error_) <= kLargestExtensionError;
      is_extension_checked_ = true;
    }
    if (is_extension_good_) {
      stepper_.Interpolate(t, inside_, y_old_, t_old_, y_new_, t_new_);
    } else {
      stepper_.DoStep(rhs_, y_old_, ddt_old_, t_old_, inside_, t - t_old_, error_);
    }
    std::copy(inside_.begin(), inside_.end(), y.begin());
  }

  std::size_t FindWorstError() override { return norm_.FindWorst(y_new_, error_); }
  void ForgetHistory() override { is_linearized_ = false; }
  void ResizeMethod(const OdeProblem& problem) override {
    stepper_.Resize(problem.nominal, problem.pattern);
    error_.resize(problem.size);
    inside_.resize(problem.size);
    is_linearized_ = false;
  }

 private:
  /// In units of the tolerance. An error inside a step does not add to that of later ones.
  static constexpr double kLargestExtensionError = 5;

  const OdeProblem& problem_;
  Rosenbrock4Stepper stepper_;
  State error_, inside_;
  bool is_linearized_ = false;  ///< the Jacobian belongs to y_old_: a step was just rejected
  bool is_extension_checked_ = false;
  bool is_extension_good_ = false;
};

/// An island without states: nothing to integrate.
class NoIntegrator final : public Integrator {
 public:
  void Restart(double /*t*/, std::span<const double> /*y*/, RestartKind /*kind*/) override {}
  void AdvanceTo(double /*t_end*/, double /*t_stop*/, std::span<double> /*y*/) override {}
  double StepTowards(double t_stop) override { return t_stop; }
  bool has_values_inside() const override { return true; }
  bool can_be_archived() const override { return true; }
};

template <class Implementation>
std::unique_ptr<Integrator> Make(const OdeProblem& problem, const IntegratorOptions& options) {
  return std::make_unique<Implementation>(problem, options);
}

struct MethodEntry {
  OdeMethod method;
  std::unique_ptr<Integrator> (*make)(const OdeProblem&, const IntegratorOptions&);
};

const std::array<MethodEntry, 10>& Entries() {
  static const std::array<MethodEntry, 10> entries{{
      {{"euler", 1, false, true, true, false, "explicit Euler"}, Make<FixedIntegrator<Euler>>},
      {{"modified_midpoint", 2, false, true, true, false, "modified midpoint rule, two stages"},
       Make<FixedIntegrator<ModifiedMidpoint>>},
      {{"runge_kutta4", 4, false, true, true, false, "classical Runge-Kutta"},
       Make<FixedIntegrator<RungeKutta4>>},
      {{"adams_bashforth_moulton", 5, false, false, false, false,
        "predictor and corrector over five steps; restarts after each discontinuity"},
       Make<FixedIntegrator<AdamsBashforthMoulton>>},
      {{"runge_kutta_cash_karp54", 5, true, true, true, false, "Cash-Karp pair"},
       Make<RungeKuttaIntegrator<CashKarp>>},
      {{"runge_kutta_dopri5", 5, true, true, true, false,
        "Dormand-Prince pair with dense output; a good first choice"},
       Make<RungeKuttaIntegrator<DormandPrince>>},
      {{"runge_kutta_fehlberg78", 8, true, true, true, false,
        "Fehlberg pair; smooth problems at small tolerances; it does not see the error of states that only "
        "integrate a source"},
       Make<RungeKuttaIntegrator<Fehlberg>>},
      {{"bulirsch_stoer", 8, true, false, true, false,
        "extrapolation of variable order; stops at every step point"},
       Make<BulirschStoerIntegrator>},
      {{"rosenbrock4", 4, true, true, true, true,
        "linearly implicit, for stiff islands of up to some hundred states"},
       Make<Rosenbrock4Integrator>},
      {{"ida", 5, true, true, false, true,
        "SUNDIALS IDA, BDF of variable order; for stiff islands of any size"},
       [](const OdeProblem& problem, const IntegratorOptions& options) -> std::unique_ptr<Integrator> {
         return IdaIntegrator::Make(problem, options);
       }},
  }};
  return entries;
}

}  // namespace

std::span<const OdeMethod> OdeMethods() {
  static const std::vector<OdeMethod> methods = [] {
    std::vector<OdeMethod> all;
    for (const MethodEntry& entry : Entries()) all.push_back(entry.method);
    return all;
  }();
  return methods;
}

const OdeMethod* FindOdeMethod(std::string_view name) {
  for (const OdeMethod& method : OdeMethods()) {
    if (method.name == name) return &method;
  }
  return nullptr;
}

std::unique_ptr<Integrator> MakeIntegrator(const OdeProblem& problem, const IntegratorOptions& options) {
  if (problem.size == 0) return std::make_unique<NoIntegrator>();
  for (const MethodEntry& entry : Entries()) {
    if (entry.method.name == options.method) return entry.make(problem, options);
  }
  assert(false);
  return nullptr;
}

}  // namespace davit
