#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "framework/archive.h"
#include "simulator/solvers/fastest_rate.h"
#include "simulator/solvers/integrator.h"

namespace davit {

/// Method `auto`: an explicit method as long as its steps are not limited by stability, else an implicit one.
///
/// What counts is the pace of a method, its cost for a second of simulated time. The cost is counted in
/// evaluations (with what the linear algebra of an implicit step costs in these), not timed: a run takes the
/// same steps on every machine. Every kLookEvery steps it looks whether the other method may have the better
/// pace:
///   - an implicit one, where stability limits the explicit step h: h |lambda| is near the limit, with the
///     largest eigenvalue lambda of df/dy (FastestRate); and after many steps, whatever limits them;
///   - an explicit one, where steps that are stable with that eigenvalue would cost less.
/// Then it tries the other one. After kTrial steps the one with the better pace goes on; a trial that has
/// failed is not repeated for a number of steps that grows with each failure. An explicit method that finds
/// no step at all hands over at once.
class SwitchingIntegrator final : public Integrator {
 public:
  /// States of an island without a sparse Jacobian, up to which an implicit method is tried.
  static constexpr std::size_t kMostDense = 1000;

  static constexpr std::string_view kMethod = "auto";
  static constexpr std::string_view kExplicitMethod = "runge_kutta_dopri5";

  SwitchingIntegrator(const SolverProblem& problem, const IntegratorOptions& options);

  void Resize(const SolverProblem& problem) override;
  void Restart(double t, std::span<const double> y, RestartKind kind) override;
  void AdvanceTo(double t_end, double t_stop, std::span<double> y) override;
  double StepTowards(double t_stop) override;
  void ValueAt(double t, std::span<double> y) override { active().ValueAt(t, y); }
  bool has_values_inside() const override { return true; }
  bool can_be_archived() const override { return methods_[active_]->can_be_archived(); }
  void ArchiveMemory(Archive& archive) override;
  void set_progress_watch(ProgressWatch* watch) override;
  void set_profile(SolverProfile* profile) override;
  std::string_view method_in_use() const override { return names_[active_]; }

 private:
  static constexpr int kExplicit = 0;
  static constexpr int kImplicit = 1;
  static constexpr std::uint64_t kLookEvery = 20;  ///< steps
  static constexpr std::uint64_t kFirstLook = 10;
  static constexpr std::uint64_t kTrial = 2 * kLookEvery;
  static constexpr std::uint64_t kLeastPatience = 100;  ///< steps
  static constexpr std::uint64_t kMostPatience = 20'000;
  /// After so many steps of an explicit method the implicit one is tried anyway: where states move to and fro
  /// across a kink, the eigenvalues on one side say nothing.
  static constexpr std::uint64_t kUnseenLimit = 2000;
  /// Of the explicit method: the largest stable h |lambda| on the negative real axis, ...
  static constexpr double kStabilityLimit = 3.3;
  /// ... the least one that may be the limit of an oscillation: near the imaginary axis, ...
  static constexpr double kNearLimit = 0.8;
  /// ... and what a step costs, with a share of rejected ones.
  static constexpr double kExplicitCost = 7;
  /// A trial ends early with a pace that is better by this factor: long steps soon come to where all is
  /// different.
  static constexpr double kClearlyBetter = 0.3;
  /// An explicit method is tried where its pace should be better by this factor.
  static constexpr double kWorthTrying = 0.6;

  Integrator& active() { return *methods_[active_]; }
  int other() const { return kImplicit - active_; }
  void TakeSize(const SolverProblem& problem);
  void Look();
  /// Whether the other method may have the better pace.
  bool SeesReason();
  void SwitchTo(int method);
  /// A method was no good: it is not tried for some time.
  void LosePatience(int method);
  void TakeCounters();
  void BeginWindow();
  std::uint64_t Attempts() const;
  /// Since the window began.
  double Pace() const;

  const SolverProblem& problem_;
  std::unique_ptr<Integrator> methods_[2];  ///< the implicit one can be missing
  std::string_view names_[2];
  int active_ = kExplicit;
  double t_ = 0;     ///< reached
  double step_ = 0;  ///< length of the last step [s]
  std::uint64_t own_evaluations_ = 0;
  std::uint64_t switches_ = 0;

  std::uint64_t steps_in_use_ = 0;      ///< since the last switch
  std::uint64_t patience_[2] = {0, 0};  ///< steps before a method is tried
  bool is_trial_ = false;
  double pace_before_ = 0;                ///< of the other method, before the trial
  bool was_near_limit_ = false;           ///< at the last look
  double pace_ = 0;                       ///< before the last look, in evaluations for a second
  double window_begin_ = 0;               ///< the last look, or switch [s]
  std::uint64_t window_evaluations_ = 0;  ///< of the method in use, up to then
  std::uint64_t window_attempts_ = 0;     ///< likewise
  FastestRate fastest_;
  std::vector<double> y_, slope_, nominal_;  ///< work space
};

}  // namespace davit
