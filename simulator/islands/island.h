#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/archive.h"
#include "simulator/input_ramp.h"
#include "simulator/islands/island_equations.h"
#include "simulator/islands/island_plan.h"
#include "simulator/islands/island_solver.h"
#include "simulator/islands/island_stepper.h"
#include "simulator/left_limit.h"

namespace davit {

/// Components that are joined without a delay: their equations, the solver of these, and the stepper that
/// takes both from step point to step point.
///
/// Made by BuildNetwork. Call sequence: PrepareBatches and Start, then for each step UpdateLatches, Advance,
/// EvaluateAt.
class Island {
 public:
  /// An algebraic unknown that the search for consistent values has moved.
  struct Moved {
    std::size_t state;
    double from, to;
  };

  /// Moves the states of the members into the vectors of the island and points their inputs at what they
  /// read.
  explicit Island(IslandPlan plan)
      : equations_(plan), solver_(equations_, plan), stepper_(equations_, solver_) {}

  const std::vector<DynamicSimComponent*>& members() const { return equations_.members(); }
  const StateVectors& states() const { return equations_.states(); }
  StateVectors& states() { return equations_.states(); }
  const IntegratorOptions& options() const { return solver_.options(); }
  /// What the solver has done; nothing before Start.
  IntegratorCounters counters() const { return solver_.counters(); }
  /// Whether SUNDIALS IDA solves it: a member is algebraic.
  bool is_implicit() const { return equations_.is_implicit(); }
  const SolverProblem& problem() const { return solver_.problem(); }
  /// Of its solver: which of the states each equation may read; empty for all of them. After Start.
  const JacobianPattern& jacobian_pattern() const { return problem().pattern; }
  /// Whether inputs hold values over a step.
  bool holds_signals() const { return equations_.holds_signals(); }
  bool HoldsValueOf(std::span<DynamicSimComponent* const> components) const {
    return equations_.HoldsValueOf(components);
  }
  /// The residual of the equations at y and y'. Only of a DAE island.
  void EvaluateResidual(double t, const double* y, const double* ddt, double* residual) {
    equations_.EvaluateResidual(t, y, ddt, residual);
  }
  /// What is wrong with the Jacobian, once, as soon as it is found; else empty.
  std::string TakeJacobianFault() { return solver_.jacobian().TakeFault(); }
  std::uint64_t event_count() const { return locator().count(); }
  std::string_view method_in_use() const { return solver_.method_in_use(); }
  bool has_guards() const { return !locator().is_empty(); }
  IslandStepper::EventLog& event_log() { return stepper_.event_log(); }
  /// The modes of the members.
  ModeWatch& modes() { return stepper_.modes(); }

  /// Shows models that evaluate several components at once which these are (ModelEntry::prepare_batch). Once,
  /// after all islands and schedules have been made.
  void PrepareBatches() { equations_.PrepareBatches(); }
  /// Observer of the calls of components; null: none. It must outlive the runs.
  void set_watch(CallWatch* watch);
  /// Who sees its solution from the next Start on; null: nobody. It must outlive the runs. States and steps
  /// are the same with it.
  void set_solution_watch(SolutionWatch* watch) { stepper_.set_solution_watch(watch); }
  SolutionWatch* solution_watch() const { return stepper_.solution_watch(); }
  /// A wish to give up a TimeStep that is under way; null: none. It must outlive the runs.
  void set_interrupt(const std::atomic<bool>* interrupt) { solver_.progress().set_interrupt(interrupt); }
  /// Whether the equations can be solved by an ODE method: those of a DAE island cannot, nor can events be
  /// located where it has no values inside its steps.
  bool CanUse(const OdeMethod& method) const;
  /// Before Start: the ODE method that it will have.
  void ChooseMethod(std::string_view method) { solver_.ChooseMethod(method); }
  /// At a step point of a run: another ODE method goes on from the present states. Allocates. Pre: CanUse.
  void ChangeMethod(std::string_view method);
  /// All states have their start values in y; makes the solver.
  void Start(double t);
  /// After Start and an evaluation: algebraic unknowns and derivatives get the values that belong to the
  /// differential states. Returns the unknowns that moved. Throws IntegrationError.
  std::vector<Moved> MakeConsistent(double t, double t_next);
  /// See IslandEquations.
  void TakeWaves() { equations_.TakeWaves(); }
  void HoldWaves() { equations_.HoldWaves(); }
  /// Takes over new values of held signals; a changed one restarts the solver.
  void UpdateLatches() { stepper_.set_new_latch(equations_.UpdateLatches()); }
  /// A step of the solver ends at t too, as if the run ended there.
  void EndStepsAt(double t) { stepper_.EndStepsAt(t); }
  /// Keeps the values of held signals for another part of the same step.
  void KeepLatches() { stepper_.set_new_latch(false); }
  /// Something changed the equations at the present step point.
  void RestartAtNextStep() { stepper_.RestartAtNextStep(); }
  /// An input or parameter was written at the present step point: the solver restarts there with the step
  /// size and scales that it has.
  void ContinueWithNewInput() { stepper_.ContinueWithNewInput(); }
  /// Integrates from the step point t0 to t1 and evaluates there. The solver may run on as far as `horizon`
  /// >= t1, the next time at which something from outside can change the equations. Throws IntegrationError
  /// and StepInterrupted.
  void Advance(double t0, double t1, double horizon);
  /// The states, by offset, whose derivatives no evaluation writes. Allocates.
  std::vector<std::size_t> FindUnwrittenDerivatives(double t) {
    return equations_.FindUnwrittenDerivatives(t);
  }
  /// Makes outputs, flows and derivatives those of the present states at t.
  void EvaluateAt(double t) { equations_.EvaluateAt(t); }
  /// Between two steps, makes all values those of the present states, inputs and parameters, for whoever
  /// reads them: algebraic unknowns and derivatives of a DAE island are solved for, and at a step point held
  /// signals and waves are those of the moment. `h` is the TimeStep [s]. Throws IntegrationError.
  void ShowPresent(double t, double h, bool is_step_point);
  /// What ShowPresent changes, but for what components have.
  void ArchiveShown(Archive& archive) { equations_.ArchiveShown(archive); }
  /// A member has taken states into use, or out of it (StateDeclaration::is_wanted), where it reacts to an
  /// event or between steps: the solver goes on with those that are in use then.
  void MarkOutdated() { states().memory.is_outdated = true; }
  bool is_outdated() const { return states().memory.is_outdated; }
  /// After options of members have changed, or MarkOutdated, at a step point: states that begin are in place
  /// with the values they had when they ended. AspectsChanged of the members and EvaluateAt follow. Allocates
  /// nothing.
  void RearrangeStates() { stepper_.RearrangeStates(); }
  /// From now on keeps what `read` gives of its members just before breaks. Valid as long as the island.
  const LeftLimit& KeepLeftLimit(std::function<double()> read) {
    return stepper_.KeepLeftLimit(std::move(read));
  }
  /// For Start: the states in use have places.
  void ArrangeStates() { equations_.Arrange(solver_.is_packed()); }
  /// Whether a state was set from outside since the solver last started.
  bool is_overridden() const { return states().memory.is_overridden; }

  // For solvers outside of davit (model exchange): they call the functions of `problem` at points of their
  // choice, and give the states that they have reached before each Advance. Not for DAE islands.
  /// Before Start. All states keep their places, also those not in use: their derivatives are 0.
  void SolveOutside() { solver_.SolveOutside(); }
  /// The states at t, to be taken over by the next Advance to t.
  void GiveStates(double t, std::span<const double> y) { solver_.GiveStates(t, y); }
  /// The next time at which a member declares a jump or a kink; infinity for none. After Start.
  double next_break() const { return stepper_.next_break(); }
  /// The guards of the members; their values are those of the last evaluation.
  const EventLocator& locator() const { return stepper_.locator(); }
  /// Writes df/dy at a point, entry by entry of jacobian_pattern(), column by column.
  void EvaluateJacobian(double t, const double* y, std::span<double> entries) {
    solver_.jacobian().Evaluate(t, y, entries);
  }

  /// Inputs of members that follow a polynomial from now on, in place of one value; an empty list ends it.
  void set_ramps(std::vector<InputRamp> ramps) { equations_.set_ramps(std::move(ramps)); }

  /// Makes the present step point one from which an island can restart that has the archive only: a solver
  /// that cannot be archived is replaced by a new one.
  void MakeRestartPoint();
  /// All that it remembers between two steps, except for what its members do. After MakeRestartPoint, or,
  /// when loading, after Start.
  void ArchiveMemory(Archive& archive);

 private:
  IslandEquations equations_;
  IslandSolver solver_;
  IslandStepper stepper_;
};

}  // namespace davit
