#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "framework/archive.h"
#include "framework/item.h"
#include "simulator/events/break_times.h"
#include "simulator/events/event_locator.h"
#include "simulator/events/mode_watch.h"
#include "simulator/islands/island_equations.h"
#include "simulator/islands/island_solver.h"
#include "simulator/left_limit.h"
#include "simulator/solution_watch.h"
#include "simulator/step_observer.h"
#include "simulator/step_reaction.h"

namespace davit {

/// Advances an island from step point to step point: through events, breaks, changes of modes, and changes of
/// its states.
class IslandStepper {
 public:
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

  IslandStepper(IslandEquations& equations, IslandSolver& solver);
  IslandStepper(const IslandStepper&) = delete;
  IslandStepper& operator=(const IslandStepper&) = delete;

  const EventLocator& locator() const { return locator_; }
  EventLog& event_log() { return event_log_; }
  ModeWatch& modes() { return modes_; }
  double next_break() const { return breaks_.next(); }
  void set_watch(CallWatch* watch) { locator_.set_watch(watch); }
  /// Before Start.
  void set_solution_watch(SolutionWatch* watch) { solution_watch_ = watch; }
  SolutionWatch* solution_watch() const { return solution_watch_; }
  void EndStepsAt(double t) { steps_end_ = t; }
  void RestartAtNextStep() { needs_restart_ = true; }
  void ContinueWithNewInput() { has_new_input_ = true; }
  void set_new_latch(bool has_new) { has_new_latch_ = has_new; }
  const LeftLimit& KeepLeftLimit(std::function<double()> read) {
    return left_limits_.emplace_back(LeftLimit{.read = std::move(read)});
  }

  /// For a run, after equations and solver.
  void Start(double t);
  /// Another integrator goes on from the present states.
  void SolverReplaced();
  /// See Island.
  void RearrangeStates();
  void Advance(double t0, double t1, double horizon);
  /// From now on the solver does without the Jacobian of the island.
  void DropJacobian();
  void ArchiveMemory(Archive& archive);

 private:
  StateVectors& states() { return equations_.states(); }
  IslandEquations::Window& window() { return equations_.window(); }
  const IslandEquations::Window& window() const { return equations_.window(); }
  Integrator& integrator() const { return solver_.integrator(); }

  void Integrate(double t0, double t1, double horizon);
  void RestartSolver(double t, Integrator::RestartKind kind);
  /// Whether each step of the solver is looked at, for guards or modes.
  bool LooksInside() const {
    const bool is_watched = !modes_.is_empty() || tells_steps_ || solution_watch_ != nullptr;
    return !locator_.is_empty() || (is_watched && integrator().has_values_inside());
  }
  /// Advances the solver to t_end in steps that see the waves of the sources (LongestStep). Returns the time
  /// reached: before t_end where an event has moved the next break.
  double AdvanceInSteps(double t_begin, double t_end, double t_stop);
  /// The longest step [s] from t on that the members allow, if the method chooses its steps.
  double LongestStep(double t) const;
  /// Advances the solver to t_end, through all events before. Returns the time reached, likewise.
  double AdvanceSolver(double t_end, double t_stop);
  /// A step of the solver; returns where it ends.
  double TryStep(double t_stop);
  /// The same for a method without values inside its steps, and with a watch: between step points the
  /// solution is a cubic, through states and derivatives at its ends.
  void AdvanceShown(double t_end, double t_stop);
  /// Shows the watch the solution up to t, which lies inside of the solver's last step.
  void ShowSolution(double t);
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

  IslandEquations& equations_;
  IslandSolver& solver_;
  std::vector<StepReaction*> reactions_;  ///< of members, to steps of the solver
  bool tells_steps_ = false;              ///< one of these wants to be told of them
  BreakTimes breaks_;
  std::deque<LeftLimit> left_limits_;
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
  SolutionWatch* solution_watch_ = nullptr;
  double shown_ = 0;            ///< up to which the watch has seen the solution
  bool is_shown_anew_ = false;  ///< the solver has restarted there
  std::vector<double> inside_y_, inside_ddt_;
  bool needs_restart_ = true;
  bool has_new_latch_ = false;
  bool has_new_input_ = false;   ///< since the last step
  bool is_slope_known_ = false;  ///< the derivatives belong to the states at the step point reached
};

}  // namespace davit
