#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/archive.h"
#include "simulator/solvers/error_norm.h"
#include "simulator/solvers/fastest_rate.h"
#include "simulator/solvers/integrator.h"
#include "simulator/solvers/right_hand_side.h"

namespace davit {

/// What all methods with error control share: the chain of accepted steps, step sizes, clipping and failure.
///
/// A method adds `TryStep` (one attempt from y_old_ at t_old_) and `Interpolate` (y inside the last step).
class AdaptiveIntegrator : public Integrator {
 public:
  using State = std::vector<double>;

  AdaptiveIntegrator(const SolverProblem& problem, const IntegratorOptions& options, int order);
  // Members point at each other.
  AdaptiveIntegrator(const AdaptiveIntegrator&) = delete;
  AdaptiveIntegrator& operator=(const AdaptiveIntegrator&) = delete;

  void Resize(const SolverProblem& problem) override;
  void Restart(double t, std::span<const double> y, RestartKind kind) override;
  void ProposeStep(double h) override { dt_ = h; }
  void AdvanceTo(double t_end, double t_stop, std::span<double> y) override {
    while (t_new_ < t_end) Step(t_stop);
    AdaptiveIntegrator::ValueAt(t_end, y);
  }
  double StepTowards(double t_stop) override {
    Step(t_stop);
    return t_new_;
  }
  void ValueAt(double t, std::span<double> y) override;
  bool has_values_inside() const override { return true; }
  void ArchiveMemory(Archive& archive) override {
    archive(y_old_, y_new_, ddt_old_, ddt_new_, t_old_, t_new_, t_limit_, dt_, has_slope_, fastest_, parts_);
    archive(steps_since_look_);
  }

 protected:
  /// Tries a step of size dt from (t_old_, y_old_, ddt_old_); on success writes y_new_ (and ddt_new_ where
  /// `gives_slope`), and in any case the size to try next.
  virtual bool TryStep(double& dt) = 0;
  virtual void Interpolate(double t, std::span<double> y) = 0;
  virtual void ForgetHistory() {}
  virtual void ResizeMethod(const SolverProblem& problem) = 0;
  /// The state with the largest error of the last attempt, or, where the method does not tell, the one that
  /// moves most.
  virtual std::size_t FindWorstError() { return FindFastest(); }
  std::size_t FindFastest() const;
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
  static constexpr std::uint64_t kLookEvery = 50;

  void Step(double t_stop);
  /// Compares the step with the largest eigenvalue of df/dy.
  void LookAtStability(double h);
  double EstimateFirstStep(double longest);
  /// Where a value came from that is not finite. A method may look further ahead than its step is long, for
  /// the derivative with time: where the last attempt shows nothing, so do times after it.
  std::size_t FindOriginAhead(double tried, std::size_t otherwise);
  /// `tried` is the size of the last attempt, `dt` what it asked for next.
  [[noreturn]] void Fail(double tried, double dt);

  double dt_ = 0;  ///< to be tried next; 0 asks for an estimate
  bool has_slope_ = false;
  FastestRate fastest_;
  std::uint64_t steps_since_look_ = 0;  ///< LookAtStability; not of the counters, which begin with each run
};

}  // namespace davit
