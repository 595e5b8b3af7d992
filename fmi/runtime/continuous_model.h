#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "session/simulation.h"
#include "simulator/solvers/integrator.h"

namespace davit {

/// What event mode has found.
struct FmuEventInfo {
  bool is_terminated = false;
  bool has_changed_states = false;                              ///< or derivatives: the solver begins anew
  double next_event = std::numeric_limits<double>::infinity();  ///< [s]
};

/// A system whose differential equations a master integrates (model exchange).
///
/// Call sequence: constructor, before the simulation is initialised; Begin when it has its first values; then
/// Update ends an event, SetTime and SetStates move through continuous time, CompleteStep accepts what was
/// reached, EnterEvent begins an event there. Values of items are those of the last Refresh.
///
/// Throws as Simulation does.
class ContinuousModel {
 public:
  /// Throws std::runtime_error where the system cannot be solved from outside.
  explicit ContinuousModel(Simulation& simulation);

  /// What a snapshot of the simulation lacks.
  struct Memory {
    double time = 0;
    std::vector<double> states = {};
    bool has_changed_states = false;
    bool is_terminated = false;
    double wanted_step_point = std::numeric_limits<double>::infinity();

    friend bool operator==(const Memory&, const Memory&) = default;
  };
  /// Before the snapshot of the simulation is taken.
  Memory Save();
  /// After the simulation was loaded. Throws std::invalid_argument where it does not fit.
  void Load(const Memory& memory);

  void Begin();
  std::size_t state_count() const { return states_.size(); }
  std::size_t indicator_count() const;
  /// `owner.name` of each.
  std::vector<std::string> StateNames() const;
  std::vector<std::string> GuardNames() const;
  const std::vector<double>& states() const { return states_; }
  double time() const { return time_; }
  /// The time of the last event or completed step.
  double reached() const { return std::max(manager_.time(), completed_time_); }

  /// The earliest time that SetTime may go back to.
  double earliest() const { return earliest_; }

  void SetTime(double t) {
    if (t == time_) return;
    time_ = t;
    Invalidate();
  }
  /// Pre: as many as state_count().
  void SetStates(std::span<const double> states) {
    if (is_refreshed_ && std::ranges::equal(states, states_)) return;
    if (!states.empty()) std::memcpy(states_.data(), states.data(), states.size_bytes());
    Invalidate();
  }
  /// An input was written.
  void MarkChanged() { Invalidate(); }
  /// A parameter, a level or an option was written in event mode: the next step point is an event, as models
  /// may look at it there.
  void MarkWritten();
  /// Makes all values those of the present time and states.
  void Refresh() {
    if (!is_refreshed_) Evaluate();
  }
  const std::vector<double>& Derivatives() {
    Refresh();
    return derivatives_;
  }
  void Indicators(std::span<double> values);
  double Indicator(std::size_t number);
  double Nominal(std::size_t state) const;
  /// The derivatives of the equations over the states times `seed`: dy'/dy seed. The matrix is made once for
  /// each point.
  std::vector<double> DirectionalDerivative(std::span<const double> seed);

  /// The master accepts the present time and states. Returns whether there is an event.
  bool CompleteStep();
  void EnterEvent();
  FmuEventInfo Update();

 private:
  /// Share of a TimeStep within which a master means the step point: it may have summed up its times.
  static constexpr double kSamePoint = 1e-6;

  /// Time, states or what equations read besides are others now.
  void Invalidate() { is_refreshed_ = has_jacobian_ = false; }
  void Evaluate();
  void Linearize();
  /// Takes the present time and states over into the run: what happens until there, happens.
  void Advance();
  bool IsTimeEvent() const;
  /// Whether the present time and states mean nothing to the run: it stays behind until something does.
  bool IsQuiet();
  /// Whether an indicator comes so close to zero that its event may be simultaneous; remembers the values.
  bool IsNearEvent();
  void ForgetLooks();
  /// After the run, or the last completed step, has come further.
  void SetEarliest() { earliest_ = reached() - same_point_; }
  /// Whether sources have a jump or a kink at the present time.
  bool IsBreak() const;
  /// Whether sources swing with the time: solvers that run ahead of events may step over whole periods.
  bool HasWaves() const;
  /// Whether a guard means an event now, or as good as now: solvers may stop at the very zero of an
  /// indicator. Then the states are those after it.
  bool LeanToEvent();
  /// Whether derivatives are others than before the event.
  bool HasJumped();
  double NextEvent() const;
  /// Where a solver has to stop so that it sees how sources swing with the time.
  double NextWaveMark() const;
  void TakeStates();
  /// Whether states in use are others than `before`; those that are not keep the values of the master.
  bool HaveChanged(const std::vector<double>& before);
  /// t, or the step point that it means: the master may have summed up its times.
  double StepPointNear(double t) const;
  void GiveStates(double t);
  /// Restores what items show to the run's own.
  void ShowRun();

  Simulation& simulation_;
  SimulatorManager& manager_;
  double time_ = 0;
  double completed_time_ = 0;  ///< of the last completed step
  double earliest_ = 0;
  double same_point_ = 0;                                        ///< [s]
  double same_ = 0;                                              ///< times closer than this are equal
  double next_event_ = std::numeric_limits<double>::infinity();  ///< as NextEvent, after the last event
  double wanted_step_point_ = std::numeric_limits<double>::infinity();
  bool has_looks_ = false;  ///< alarms, checks or modes want to see step points
  /// The equations of an island, and where its states begin.
  struct Part {
    const SolverProblem* problem;
    std::size_t first;
  };
  std::vector<Part> parts_;
  std::vector<double> states_, derivatives_;
  std::vector<double> given_, accepted_;    ///< work space
  std::vector<double> base_, base_slopes_;  ///< work space of LeanToEvent
  std::vector<double> looked_;              ///< indicators at the last completed step since the last event
  double looked_time_ = 0;
  std::vector<double> before_;    ///< derivatives before the event
  std::vector<double> jacobian_;  ///< the entries of all islands, if it has been made at the present point
  bool has_jacobian_ = false;
  bool is_refreshed_ = false;
  bool has_changed_states_ = false;
  bool is_terminated_ = false;
  bool has_new_equations_ = false;  ///< since the event began
};

}  // namespace davit
