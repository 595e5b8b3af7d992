#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "framework/archive.h"
#include "framework/item.h"
#include "framework/registry.h"
#include "simulator/break_reaction.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/events/event_locator.h"
#include "simulator/events/mode_watch.h"
#include "simulator/input_ramp.h"
#include "simulator/left_limit.h"
#include "simulator/network/couplings.h"
#include "simulator/network/evaluation_batches.h"
#include "simulator/network/island_jacobian.h"
#include "simulator/network/jacobian_check.h"
#include "simulator/network/signal_binding.h"
#include "simulator/network/state_layout.h"
#include "simulator/network/state_vectors.h"
#include "simulator/shown_outputs.h"
#include "simulator/solvers/ida_integrator.h"
#include "simulator/solvers/integrator.h"
#include "simulator/solvers/jacobian_pattern.h"
#include "simulator/solvers/outside_integrator.h"
#include "simulator/solvers/progress_watch.h"
#include "simulator/step_observer.h"
#include "simulator/step_reaction.h"

namespace davit {

class IntegrationError;

/// Components that are joined without a delay, with the vectors of their states and the order of their
/// evaluations.
///
/// Made by BuildNetwork. Call sequence: PrepareBatches and Start, then for each step UpdateLatches, Advance,
/// EvaluateAt.
class Island {
 public:
  /// What the passes of BuildNetwork have found out about an island. Lists "by batch" are as long as
  /// `batches`.
  struct Plan {
    std::vector<DynamicSimComponent*> members;
    std::vector<Component*> evaluated;  ///< in the order of evaluation
    std::vector<EvaluationBatch> batches;
    StateLayout layout;
    IntegratorOptions options;
    bool is_dae = false;
    Couplings couplings;
    SignalBinding signals;
    DerivativeOrder derivatives;  ///< of `signals`
    std::vector<double*> waves;   ///< at the boundary
  };
  /// A state, or its derivative, that inputs of this island read.
  struct Published {
    const StateSlot* slot = nullptr;
    double value = 0;

    void ArchiveMemory(Archive& archive) { archive(value); }
  };
  /// A value from outside, held over a step.
  struct Latch {
    Item from;
    double value = 0;

    void ArchiveMemory(Archive& archive) { archive(value); }
  };

  /// A wave from a line at the border: known at the beginning of a step and at its end, linear between.
  struct Wave {
    double* c = nullptr;
    double at_begin = 0;
    double at_end = 0;

    void ArchiveMemory(Archive& archive) { archive(at_begin, at_end); }
  };

  /// An output of an algebraic member that is an unknown z of the island: its readers see z, and the equation
  /// is 0 = z - (what the member computes).
  struct SolvedOutput {
    double* value = nullptr;
    std::uint32_t offset = 0;
    double computed = 0;

    void ArchiveMemory(Archive& archive) { archive(computed); }
  };
  /// What was recorded at events of the step: for each event and each watcher a row before and one after.
  struct EventLog {
    struct Watcher {
      StepObserver* observer = nullptr;
      std::vector<std::uint32_t> columns;
      std::vector<Item> variables;
      std::vector<double> values;  ///< row by row
    };
    struct Entry {
      const Guard* guard;
      double t;
      bool rests;
    };
    std::vector<double> times;  ///< of the rows
    std::vector<Entry> entries;
    std::vector<Watcher> watchers;
  };
  /// An algebraic unknown that the search for consistent values has moved.
  struct Moved {
    std::size_t state;
    double from, to;
  };

  /// Moves the states of the members into the vectors of the island and points their inputs at what they
  /// read.
  explicit Island(Plan plan);
  Island(const Island&) = delete;
  Island& operator=(const Island&) = delete;

  const std::vector<DynamicSimComponent*>& members() const { return members_; }
  const StateVectors& states() const { return states_; }
  StateVectors& states() { return states_; }
  const IntegratorOptions& options() const { return options_; }
  /// What the solver has done; nothing before Start.
  IntegratorCounters counters() const {
    return integrator_ == nullptr ? IntegratorCounters{} : past_counters_ + integrator_->counters();
  }

  /// Whether SUNDIALS IDA solves it: a member is algebraic.
  bool is_dae() const { return is_dae_; }
  const DaeProblem& dae_problem() const { return dae_problem_; }
  const OdeProblem& ode_problem() const { return problem_; }
  /// Of its solver: which of the states each equation may read; empty for all of them. After Start.
  const JacobianPattern& jacobian_pattern() const {
    return is_dae_ ? dae_problem_.pattern : problem_.pattern;
  }
  /// Whether inputs hold values over a step.
  bool holds_signals() const { return !latches_.empty(); }
  /// Whether an input holds a value of one of these components over a step.
  bool HoldsValueOf(std::span<DynamicSimComponent* const> components) const {
    return std::ranges::any_of(latches_, [&](const Latch& latch) {
      return std::ranges::find(components, &latch.from.owner()) != components.end();
    });
  }
  /// The residual of the equations at y and y'. Only of a DAE island.
  void EvaluateResidual(double t, const double* y, const double* ddt, double* residual);
  /// What is wrong with the Jacobian, once, as soon as it is found; else empty.
  std::string TakeJacobianFault() { return std::exchange(jacobian_fault_, {}); }
  std::uint64_t event_count() const { return locator_.count(); }
  std::string_view method_in_use() const {
    const std::string_view method = integrator_ == nullptr ? "" : integrator_->method_in_use();
    return method.empty() ? std::string_view(options_.method) : method;
  }
  bool has_guards() const { return !locator_.is_empty(); }
  EventLog& event_log() { return event_log_; }
  /// The modes of the members.
  ModeWatch& modes() { return modes_; }

  /// Shows models that evaluate several components at once which these are (ModelEntry::prepare_batch). Once,
  /// after all islands and schedules have been made.
  void PrepareBatches();
  /// Observer of the calls of components; null: none. It must outlive the runs.
  void set_watch(CallWatch* watch) {
    watch_ = watch;
    locator_.set_watch(watch);
    profile_ = watch == nullptr ? nullptr : watch->solver_profile();
    if (integrator_ != nullptr) ShowSolver();
  }
  /// A wish to give up a TimeStep that is under way; null: none. It must outlive the runs.
  void set_interrupt(const std::atomic<bool>* interrupt) { progress_.set_interrupt(interrupt); }
  /// Whether the equations can be solved by an ODE method: those of a DAE island cannot, nor can events be
  /// located where it has no values inside its steps.
  bool CanUse(const OdeMethod& method) const;
  /// Before Start: the ODE method that it will have.
  void ChooseMethod(std::string_view method) { options_.method = method; }
  /// At a step point of a run: another ODE method goes on from the present states. Allocates. Pre: CanUse.
  void ChangeMethod(std::string_view method);
  /// All states have their start values in y; makes the solver.
  void Start(double t);
  /// After Start and an evaluation: algebraic unknowns and derivatives get the values that belong to the
  /// differential states. Returns the unknowns that moved. Throws IntegrationError.
  std::vector<Moved> MakeConsistent(double t, double t_next);
  /// Takes the waves at the border as they are, not as between two step points.
  void TakeWaves();
  /// Remembers the waves at the border as they are at the beginning of a step, before new ones are written.
  void HoldWaves();
  /// Takes over new values of held signals; a changed one restarts the solver.
  void UpdateLatches();
  /// A step of the solver ends at t too, as if the run ended there.
  void EndStepsAt(double t) { steps_end_ = t; }
  /// Keeps the values of held signals for another part of the same step.
  void KeepLatches() { has_new_latch_ = false; }
  /// Something changed the equations at the present step point.
  void RestartAtNextStep() { needs_restart_ = true; }
  /// An input or parameter was written at the present step point: the solver restarts there with the step
  /// size and scales that it has.
  void ContinueWithNewInput() { has_new_input_ = true; }
  /// Integrates from the step point t0 to t1 and evaluates there. The solver may run on as far as `horizon`
  /// >= t1, the next time at which something from outside can change the equations. Throws IntegrationError
  /// and StepInterrupted.
  void Advance(double t0, double t1, double horizon);
  /// The states, by offset, whose derivatives no evaluation writes; of an algebraic island none, DaeCheck
  /// says more. Allocates.
  std::vector<std::size_t> FindUnwrittenDerivatives(double t);
  /// Makes outputs, flows and derivatives those of the present states at t.
  void EvaluateAt(double t) {
    if (is_dae_) {
      states_.memory.residual = states_.residual.data();
      ShowSolvedOutputs(states_.y.data());
    }
    Evaluate(states_.y.data(), states_.ddt.data(), t);
    for (ShownOutputs* member : shown_outputs_) member->ShowOutputs(t);
  }
  /// Between two steps, makes all values those of the present states, inputs and parameters, for whoever
  /// reads them: algebraic unknowns and derivatives of a DAE island are solved for, and at a step point held
  /// signals and waves are those of the moment. `h` is the TimeStep [s]. Throws IntegrationError.
  void ShowPresent(double t, double h, bool is_step_point);
  /// What ShowPresent changes, but for what components have.
  void ArchiveShown(Archive& archive) {
    archive(states_, published_states_, published_derivatives_, latches_, waves_, solved_);
  }
  /// A member has taken states into use, or out of it (StateDeclaration::is_wanted), where it reacts to an
  /// event or between steps: the solver goes on with those that are in use then.
  void MarkOutdated() { states_.memory.is_outdated = true; }
  bool is_outdated() const { return states_.memory.is_outdated; }
  /// After options of members have changed, or MarkOutdated, at a step point: states that begin are in place
  /// with the values they had when they ended. AspectsChanged of the members and EvaluateAt follow. Allocates
  /// nothing.
  void RearrangeStates();
  /// Whether states that are not in use take no part in the integration at all.
  bool is_packed() const {
    return !is_dae_ && !is_solved_outside_ && FindOdeMethod(options_.method)->can_resize;
  }
  /// From now on keeps what `read` gives of its members just before breaks. Valid as long as the island.
  const LeftLimit& KeepLeftLimit(std::function<double()> read) {
    return left_limits_.emplace_back(LeftLimit{.read = std::move(read)});
  }
  /// For Start: the states in use have places.
  void ArrangeStates() { states_.Arrange(is_packed()); }
  /// Whether a state was set from outside since the solver last started.
  bool is_overridden() const { return states_.memory.is_overridden; }

  // For solvers outside of davit (model exchange): they call `ode_problem().evaluate` at points of their
  // choice, and give the states that they have reached before each Advance. Not for DAE islands.
  /// Before Start. All states keep their places, also those not in use: their derivatives are 0.
  void SolveOutside() { is_solved_outside_ = true; }
  /// The states at t, to be taken over by the next Advance to t.
  void GiveStates(double t, std::span<const double> y) { outside_->Give(t, y); }
  /// The next time at which a member declares a jump or a kink; infinity for none. After Start.
  double next_break() const { return next_break_; }
  /// The guards of the members; their values are those of the last evaluation.
  const EventLocator& locator() const { return locator_; }
  /// Writes df/dy at a point, entry by entry of jacobian_pattern(), column by column.
  void EvaluateJacobian(double t, const double* y, std::span<double> entries);

  /// Inputs of members that follow a polynomial from now on, in place of one value; an empty list ends it.
  void set_ramps(std::vector<InputRamp> ramps) { ramps_ = std::move(ramps); }

  /// Makes the present step point one from which an island can restart that has the archive only: a solver
  /// that cannot be archived is replaced by a new one.
  void MakeRestartPoint();
  /// All that it remembers between two steps, except for what its members do. After MakeRestartPoint, or,
  /// when loading, after Start.
  void ArchiveMemory(Archive& archive);

 private:
  /// A batch, and what is known after it.
  struct Batch {
    BatchEvaluation evaluate = nullptr;
    std::size_t begin = 0;  ///< into the list of components
    std::size_t count = 0;
    std::size_t derivatives_end = 0;  ///< published derivatives that are known after this batch
    std::size_t solved_end = 0;       ///< outputs solved for that have been computed after this batch
  };

  // Of the constructor.
  void TakeStates(const StateLayout& layout);
  void TakeBatches(const Plan& plan);
  void BindInputs(const SignalBinding& signals);
  void MakeDaeProblem();
  void PrepareJacobian(Plan& plan);
  void MakeJacobian();
  /// Whether a member has so many states, all of which may read each other, that method auto does without an
  /// implicit method.
  bool HasLargeBlock() const;
  /// To the profile, if there is one.
  void ShowSolver();
  /// From now on difference quotients of all equations make the Jacobian.
  void DropJacobian();
  /// Thrown out of a solver to begin the step anew without the Jacobian.
  struct WrongJacobian {};
  void CheckJacobian(const LinearizationPoint& point, const double* entries, double& cost);
  /// See OdeProblem and DaeProblem.
  double Linearize(const LinearizationPoint& point, double* entries);
  double TimeSeenAt(double t) const { return std::min(std::max(t, t_floor_), t_ceiling_); }
  void Evaluate(const double* y, double* ddt, double t);
  /// Of Evaluate: the derivatives of states that are not in use, and all the rest.
  void ClearIdle(double* ddt) const;
  void EvaluateMembers(const double* y, double* ddt, double t);
  void ListCopies();
  void FillProblem();
  void MakeOdeIntegrator();
  void Integrate(double t0, double t1, double horizon);
  void ShowSolvedOutputs(const double* y) {
    for (const SolvedOutput& output : solved_) *output.value = y[output.offset];
  }
  void MakeSolver();
  /// After a failure: the states are those of the last step point, not what the solver tried.
  void ShowStepPoint();
  /// Of a run without progress: names the part that answers fastest, if that is the reason.
  void BlameFastestMode(IntegrationError& error);
  void RestartSolver(double t, Integrator::RestartKind kind);
  /// Whether y inside the steps of the solver is known.
  bool HasValuesInside() const { return is_dae_ || integrator_->has_values_inside(); }
  /// Whether each step of the solver is looked at, for guards or modes.
  bool LooksInside() const {
    return !locator_.is_empty() || ((!modes_.is_empty() || tells_steps_) && HasValuesInside());
  }
  /// Advances the solver to t_end in steps that see the waves of the sources (LongestStep). Returns the time
  /// reached: before t_end where an event has moved the next break.
  double AdvanceInSteps(double t_begin, double t_end, double t_stop);
  /// The longest step [s] from t on that the members allow, if the method chooses its steps.
  double LongestStep(double t) const;
  /// Advances the solver to t_end, through all events before. Returns the time reached, likewise.
  double AdvanceSolver(double t_end, double t_stop);
  /// Tells members, once, of the step that the solver has ended at solver_time_. Returns whether there was an
  /// event.
  bool CompleteSolverStep();
  /// After an event at t: the solver restarts from what members have changed.
  void RestartAfterEvent(double t);
  /// After an event at t: whether the next break is another than it was.
  bool HasMovedBreak(double t);
  /// Everything at a time inside the last step of the solver.
  void EvaluateInside(double t);
  void RunEvents(double t);
  void LogEventRow(double t);
  /// A guess, without an evaluation, whether modes are others at the end of the solver's step: states are
  /// those of the end, all else is what was evaluated last, there or close by.
  bool SeesModeChange();
  /// Looks at the modes at a time up to which the solver has come.
  void LookAtModes(double t);
  /// At a break at `t`, before anything reacts to it.
  void TakeLeftLimits(double t);
  /// What members do at the break at `t`. Returns whether the solver has to restart.
  bool ReactAtBreak(double t);
  /// The next break after t, and the limit it sets to evaluations before it.
  void LookForBreak(double t);

  CallWatch* watch_ = nullptr;
  SolverProfile* profile_ = nullptr;
  std::vector<DynamicSimComponent*> members_;
  std::vector<DynamicSimComponent*> timed_;      ///< those that declare break times
  std::vector<BreakReaction*> break_reactions_;  ///< of `timed_`
  std::vector<ShownOutputs*> shown_outputs_;     ///< of members
  std::vector<StepReaction*> reactions_;         ///< of members, to steps of the solver
  bool tells_steps_ = false;                     ///< one of these wants to be told of them
  std::vector<Component*> evaluated_;            ///< in the order of evaluation
  std::vector<Batch> batches_;
  // Inputs point into these and `latches_`, which keep their places from the constructor on.
  std::vector<Published> published_states_;
  std::vector<Published> published_derivatives_;
  std::vector<std::size_t> derivative_order_;  ///< in which they become known
  /// The same two lists as they are gone through in each evaluation.
  struct Copy {
    std::uint32_t offset;
    double* to;
  };
  std::vector<Copy> copied_states_, copied_derivatives_;
  /// Published states that are not in use: their values come from their components.
  std::vector<Published*> shown_states_;
  std::vector<Latch> latches_;
  std::vector<Wave> waves_;
  std::vector<InputRamp> ramps_;
  std::deque<LeftLimit> left_limits_;
  double step_begin_ = 0;
  double step_end_ = 0;

  StateVectors states_;
  Couplings couplings_;                        ///< until the Jacobian takes them
  IslandJacobian::Surroundings surroundings_;  ///< likewise
  std::unique_ptr<IslandJacobian> jacobian_;
  std::vector<double> base_ddt_, base_residual_, moved_ddt_;  ///< work space of Linearize
  JacobianCheck jacobian_check_;
  std::string jacobian_fault_;  ///< found by the check, not yet reported
  bool has_wrong_pattern_ = false;
  bool can_repeat_ = false;  ///< the step, from its beginning

  IntegratorOptions options_;
  OdeProblem problem_;
  std::unique_ptr<Integrator> integrator_;
  IntegratorCounters past_counters_;  ///< of solvers that MakeRestartPoint has replaced

  bool is_solved_outside_ = false;
  OutsideIntegrator* outside_ = nullptr;  ///< the integrator, where it is solved outside

  bool is_dae_ = false;
  DaeProblem dae_problem_;
  IdaIntegrator* ida_ = nullptr;         ///< the integrator of a DAE island
  std::vector<SolvedOutput> solved_;     ///< in the order of their evaluation
  std::vector<std::uint32_t> explicit_;  ///< states of members that compute their derivatives
  std::vector<double> slopes_;           ///< work space: y' as members read and write it

  ProgressWatch progress_;
  EventLocator locator_;
  bool has_watched_ = false;  ///< since Start
  EventLog event_log_;
  ModeWatch modes_;
  double mode_time_ = 0;                                         ///< up to which modes have been looked at
  bool may_change_mode_ = false;                                 ///< at the end of the solver's last step
  double solver_time_ = 0;                                       ///< that the solver has reached
  double solver_begin_ = 0;                                      ///< of its last step
  double steps_end_ = std::numeric_limits<double>::infinity();   ///< see EndStepsAt
  double completed_ = -std::numeric_limits<double>::infinity();  ///< the end of the last step told
  double next_event_ = std::numeric_limits<double>::infinity();
  std::vector<double> inside_y_, inside_ddt_;
  bool needs_restart_ = true;
  bool has_new_latch_ = false;
  bool has_new_input_ = false;   ///< since the last step
  bool is_slope_known_ = false;  ///< the derivatives belong to the states at the step point reached
  double next_break_ = std::numeric_limits<double>::infinity();
  // Evaluations before a break see a time before it, those after it a time not before it.
  double t_floor_ = -std::numeric_limits<double>::infinity();
  double t_ceiling_ = std::numeric_limits<double>::infinity();
  int quick_breaks_ = 0;  ///< in close succession
};

}  // namespace davit
