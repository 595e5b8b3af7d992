#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "framework/archive.h"
#include "simulator/solvers/integrator.h"

namespace davit {

/// Takes the states from a solver outside of davit, which has reached them (model exchange).
///
/// Before each AdvanceTo or StepTowards the states at its end are given. Between the state before and the one
/// given nothing is known: in the first moment of the step the values follow the equations, so that it can be
/// seen to which side a value departs, and from then on they stay. So an event is found at the time that the
/// solver outside has located. Where the states are changed by an event before the given
/// time, a solver of davit's own integrates the rest.
class OutsideIntegrator final : public Integrator {
 public:
  /// `problem` must outlive it; its size does not change. `options` are those of its own solver.
  OutsideIntegrator(const SolverProblem& problem, IntegratorOptions options);

  /// The states at t, which is not before the time reached.
  void Give(double t, std::span<const double> y);

  void Restart(double t, std::span<const double> y, RestartKind kind) override;
  void AdvanceTo(double t_end, double t_stop, std::span<double> y) override;
  double StepTowards(double t_stop) override;
  void ValueAt(double t, std::span<double> y) override;
  bool has_values_inside() const override { return true; }
  bool can_be_archived() const override { return true; }
  void ArchiveMemory(Archive& archive) override;

 private:
  void Evaluate(double t, const std::vector<double>& y, std::vector<double>& ddt);

  const SolverProblem& problem_;
  std::unique_ptr<Integrator> own_;
  bool is_own_active_ = false;
  double t_old_ = 0;  ///< where the values inside begin
  double t_new_ = 0;  ///< the time reached
  double t_given_ = -std::numeric_limits<double>::infinity();
  std::vector<double> y_old_, y_given_;
  std::vector<double> slope_, middle_;  ///< work space
};

}  // namespace davit
