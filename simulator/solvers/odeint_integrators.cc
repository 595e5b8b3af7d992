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

#include "simulator/solvers/adaptive_integrator.h"
#include "simulator/solvers/error_norm.h"
#include "simulator/solvers/ida_integrator.h"
#include "simulator/solvers/integration_error.h"
#include "simulator/solvers/integrator.h"
#include "simulator/solvers/right_hand_side.h"
#include "simulator/solvers/rosenbrock_integrator.h"
#include "simulator/solvers/switching_integrator.h"
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

/// Methods without error control: equal steps of at most `fixed_step` between the times that are asked for. A
/// step may be longer by rounding: late in a run, the difference of two step points differs from TimeStep in
/// many digits.
template <class Stepper>
class FixedIntegrator final : public Integrator {
 public:
  FixedIntegrator(const SolverProblem& problem, const IntegratorOptions& options)
      : rhs_(problem, counters_),
        step_(options.fixed_step),
        y_(problem.size),
        slope_(problem.size),
        y_old_(y_),
        inside_(y_) {
    assert(step_ > 0);
    stepper_.adjust_size(y_);
  }

  void Resize(const SolverProblem& problem) override {
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

/// Embedded Runge-Kutta pairs. dopri5 has a continuous extension of its own; for the others a value inside
/// the last step is made by one shorter step of the same method from its beginning, which has its full order.
template <class ErrorStepper>
class RungeKuttaIntegrator final : public AdaptiveIntegrator {
 public:
  RungeKuttaIntegrator(const SolverProblem& problem, const IntegratorOptions& options)
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

  void ResizeMethod(const SolverProblem& problem) override {
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
  BulirschStoerIntegrator(const SolverProblem& problem, const IntegratorOptions& options)
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
  void ResizeMethod(const SolverProblem& problem) override {
    for (State* v : {&scaled_y_, &scaled_ddt_, &scaled_out_, &y_, &ddt_}) v->resize(problem.size);
    stepper_.adjust_size(y_);
  }

 private:
  State scaled_y_, scaled_ddt_, scaled_out_, y_, ddt_;
  BulirschStoer stepper_;
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
std::unique_ptr<Integrator> Make(const SolverProblem& problem, const IntegratorOptions& options) {
  return std::make_unique<Implementation>(problem, options);
}

struct MethodEntry {
  OdeMethod method;
  std::unique_ptr<Integrator> (*make)(const SolverProblem&, const IntegratorOptions&);
};

const std::array<MethodEntry, 12>& Entries() {
  static const std::array<MethodEntry, 12> entries{{
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
        "extrapolation of variable order; stops at every communication point"},
       Make<BulirschStoerIntegrator>},
      {{"rosenbrock4", 4, true, true, true, true,
        "linearly implicit, for stiff islands of up to some hundred states"},
       Make<RosenbrockIntegrator<Rodas>>},
      {{"rodas5p", 5, true, true, true, true,
        "linearly implicit, for stiff islands; half the steps of rosenbrock4 at small tolerances"},
       Make<RosenbrockIntegrator<Rodas5p>>},
      {{"ida", 5, true, true, false, true,
        "SUNDIALS IDA, BDF of variable order; for stiff islands of any size"},
       MakeIdaIntegrator},
      {{SwitchingIntegrator::kMethod, 5, true, true, true, true,
        "runge_kutta_dopri5 as long as stability does not limit its steps, else rodas5p or ida"},
       Make<SwitchingIntegrator>},
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

std::unique_ptr<Integrator> MakeIntegrator(const SolverProblem& problem, const IntegratorOptions& options) {
  if (problem.size == 0) return std::make_unique<NoIntegrator>();
  for (const MethodEntry& entry : Entries()) {
    if (entry.method.name == options.method) return entry.make(problem, options);
  }
  assert(false);
  return nullptr;
}

}  // namespace davit
