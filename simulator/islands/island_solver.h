#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "framework/archive.h"
#include "simulator/islands/checked_jacobian.h"
#include "simulator/solvers/integrator.h"
#include "simulator/solvers/outside_integrator.h"
#include "simulator/solvers/progress_watch.h"

namespace davit {

class IntegrationError;

/// The solver of an island: its options, its integrator with the problem and the Jacobian that it gets, and
/// what was done by integrators that were replaced.
class IslandSolver {
 public:
  IslandSolver(IslandEquations& equations, IslandPlan& plan);
  IslandSolver(const IslandSolver&) = delete;
  IslandSolver& operator=(const IslandSolver&) = delete;

  const IntegratorOptions& options() const { return options_; }
  const SolverProblem& problem() const { return problem_; }
  CheckedJacobian& jacobian() { return jacobian_; }
  /// After Start.
  Integrator& integrator() { return *integrator_; }
  ProgressWatch& progress() { return progress_; }
  IntegratorCounters counters() const {
    return integrator_ == nullptr ? IntegratorCounters{} : past_ + integrator_->counters();
  }
  std::string_view method_in_use() const;
  /// Whether states that are not in use take no part in the integration at all.
  bool is_packed() const { return !is_outside_ && FindOdeMethod(options_.method)->can_resize; }
  /// Whether the method chooses its steps.
  bool is_adaptive() const { return !is_outside_ && FindOdeMethod(options_.method)->is_adaptive; }

  void set_profile(SolverProfile* profile);
  void ChooseMethod(std::string_view method) { options_.method = method; }
  /// All states keep their places, also those not in use: their derivatives are 0.
  void SolveOutside() { is_outside_ = true; }
  void GiveStates(double t, std::span<const double> y) { outside_->Give(t, y); }

  /// For a run: makes the Jacobian and the integrator.
  void Start();
  /// Another integrator takes the place of the present one, with the Jacobian that it needs.
  void Replace();
  /// The same, for want of an archive of what it remembers. Returns false, and keeps it, where it has one.
  bool ReplaceUnarchived();
  /// From now on difference quotients of all equations make the Jacobian.
  void DropJacobian();
  /// The states in use are others.
  void StatesArranged();
  /// Finds the algebraic unknowns and derivatives that belong to the differential states in the vectors of
  /// the island; `with` restarts there. Only of implicit equations. Throws IntegrationError.
  void FindConsistent(Integrator& with, double t, double t_next, bool starts_from_slope);
  /// With an integrator of its own: that of the run goes on from what it remembers.
  void FindConsistentAside(double t, double t_next);
  /// Of a run without progress: names the part that answers fastest within a step of `h` [s], if that is the
  /// reason. `y` is work space.
  void BlameFastestMode(IntegrationError& error, double h, std::vector<double>& y);

  void ArchiveMemory(Archive& archive);

 private:
  void MakeJacobian();
  void Make();
  void FillProblem();
  /// To the profile, if there is one.
  void Show();

  IslandEquations& equations_;
  CheckedJacobian jacobian_;
  IntegratorOptions options_;
  SolverProblem problem_;
  std::unique_ptr<Integrator> integrator_;
  IntegratorCounters past_;  ///< of integrators that were replaced
  bool is_outside_ = false;
  OutsideIntegrator* outside_ = nullptr;  ///< the integrator, where it is solved outside
  SolverProfile* profile_ = nullptr;
  ProgressWatch progress_;
};

}  // namespace davit
