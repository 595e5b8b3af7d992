#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "framework/archive.h"
#include "framework/item.h"
#include "framework/registry.h"
#include "simulator/call_watch.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/input_ramp.h"
#include "simulator/islands/island_plan.h"
#include "simulator/islands/state_vectors.h"
#include "simulator/shown_outputs.h"
#include "simulator/sparing_evaluations.h"

namespace davit {

/// The equations of an island as a pure function of time and states: y' = f(t, y), or 0 = F(t, y, y') where a
/// member is algebraic. It has the vectors of the states, the order of evaluations, and what comes in from
/// outside: held values, waves and ramps.
class IslandEquations {
 public:
  /// A state, or its derivative, that inputs of this island read.
  struct Published {
    const StateSlot* slot = nullptr;
    double value = 0;

    void ArchiveMemory(Archive& archive) { archive(value); }
  };
  /// An output of an algebraic member that is an unknown z of the island: its readers see z, and the equation
  /// is 0 = z - (what the member computes).
  struct SolvedOutput {
    double* value = nullptr;
    std::uint32_t offset = 0;
    double computed = 0;

    void ArchiveMemory(Archive& archive) { archive(computed); }
  };
  /// The step under way [s], between whose ends waves are interpolated, and the times that members see:
  /// evaluations before a break see a time before it, those after it a time not before it.
  struct Window {
    double begin = 0;
    double end = 0;
    double floor = -std::numeric_limits<double>::infinity();
    double ceiling = std::numeric_limits<double>::infinity();

    double length() const { return end - begin; }
  };

  /// While it lives, evaluations are those of a solver, and nobody looks at their outputs.
  class Trials {
   public:
    explicit Trials(const IslandEquations& equations) : members_(equations.sparing_) { Set(true); }
    ~Trials() { Set(false); }
    Trials(const Trials&) = delete;
    Trials& operator=(const Trials&) = delete;

   private:
    void Set(bool is_trial) {
      for (SparingEvaluations* member : members_) member->SetTrial(is_trial);
    }

    std::span<SparingEvaluations* const> members_;
  };

  /// Moves the states of the members into its vectors and points their inputs at what they read.
  explicit IslandEquations(const IslandPlan& plan);
  IslandEquations(const IslandEquations&) = delete;
  IslandEquations& operator=(const IslandEquations&) = delete;

  const std::vector<DynamicSimComponent*>& members() const { return members_; }
  const StateVectors& states() const { return states_; }
  StateVectors& states() { return states_; }
  /// Whether they are 0 = F(t, y, y').
  bool is_implicit() const { return is_implicit_; }
  std::span<Published> published_states() { return published_states_; }
  std::span<Published> published_derivatives() { return published_derivatives_; }
  std::span<const SolvedOutput> solved() const { return solved_; }
  Window& window() { return window_; }
  const Window& window() const { return window_; }
  double TimeSeenAt(double t) const { return std::min(std::max(t, window_.floor), window_.ceiling); }
  CallWatch* watch() const { return watch_; }
  void set_watch(CallWatch* watch) { watch_ = watch; }

  /// Shows models that evaluate several components at once which these are (ModelEntry::prepare_batch).
  void PrepareBatches();
  /// Gives the states in use places, all where not `is_packed`.
  void Arrange(bool is_packed);
  /// For a run: values of the start.
  void Start(double t);

  void Evaluate(const double* y, double* ddt, double t);
  /// Pre: is_implicit.
  void EvaluateResidual(double t, const double* y, const double* ddt, double* residual);
  /// y' as members have read and written it in the last EvaluateResidual.
  const double* slopes() const { return slopes_.data(); }
  /// Makes all numbers of the members those of y at t; of implicit equations `ddt` is y'.
  void Show(const double* y, double* ddt, double t) {
    if (is_implicit_) {
      states_.memory.residual = states_.residual.data();
      ShowSolvedOutputs(y);
    }
    Evaluate(y, ddt, t);
  }
  /// The same of its own states, and shows them outside.
  void EvaluateAt(double t) {
    Show(states_.y.data(), states_.ddt.data(), t);
    for (ShownOutputs* member : shown_outputs_) member->ShowOutputs(t);
  }
  /// After a failure: the states are those of the last step point, not what the solver tried.
  void ShowStepPoint() {
    states_.memory.y = states_.y.data();
    states_.memory.ddt = states_.ddt.data();
  }
  /// The states, by offset, whose derivatives no evaluation writes; of implicit equations none, DaeCheck
  /// says more. Allocates.
  std::vector<std::size_t> FindUnwrittenDerivatives(double t);

  bool holds_signals() const { return !latches_.empty(); }
  /// Whether an input holds a value of one of these components over a step.
  bool HoldsValueOf(std::span<DynamicSimComponent* const> components) const;
  /// Takes over new values of held signals. Returns whether one has changed.
  bool UpdateLatches();
  bool has_waves() const { return !waves_.empty(); }
  /// Takes the waves at the border as they are, not as between two step points.
  void TakeWaves();
  /// Remembers the waves at the border as they are at the beginning of a step, before new ones are written,
  /// and those at its end, before an evaluation writes over them.
  void HoldWaves();
  void EndWaves();
  void set_ramps(std::vector<InputRamp> ramps) { ramps_ = std::move(ramps); }

  /// What an evaluation changes, but for what components have.
  void ArchiveShown(Archive& archive) {
    archive(states_, published_states_, published_derivatives_, latches_, waves_, solved_);
  }

 private:
  /// A batch, and what is known after it.
  struct Batch {
    BatchEvaluation evaluate = nullptr;
    std::size_t begin = 0;  ///< into the list of components
    std::size_t count = 0;
    std::size_t derivatives_end = 0;  ///< published derivatives that are known after this batch
    std::size_t solved_end = 0;       ///< outputs solved for that have been computed after this batch
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
  /// A published value as it is gone through in each evaluation.
  struct Copy {
    std::uint32_t offset;
    double* to;
  };

  // Of the constructor.
  void TakeStates(const StateLayout& layout);
  void TakeBatches(const IslandPlan& plan);
  void BindInputs(const SignalBinding& signals);

  void ListCopies();
  /// Of Evaluate: the derivatives of states that are not in use, and all the rest.
  void ClearIdle(double* ddt) const;
  void EvaluateMembers(const double* y, double* ddt, double t);
  void ShowSolvedOutputs(const double* y) {
    for (const SolvedOutput& output : solved_) *output.value = y[output.offset];
  }

  CallWatch* watch_ = nullptr;
  std::vector<DynamicSimComponent*> members_;
  std::vector<ShownOutputs*> shown_outputs_;  ///< of members
  std::vector<SparingEvaluations*> sparing_;  ///< members
  std::vector<Component*> evaluated_;         ///< in the order of evaluation
  std::vector<Batch> batches_;
  // Inputs point into these and `latches_`, which keep their places from the constructor on.
  std::vector<Published> published_states_;
  std::vector<Published> published_derivatives_;
  std::vector<std::size_t> derivative_order_;  ///< in which they become known
  std::vector<Copy> copied_states_, copied_derivatives_;
  /// Published states that are not in use: their values come from their components.
  std::vector<Published*> shown_states_;
  std::vector<Latch> latches_;
  std::vector<Wave> waves_;
  std::vector<InputRamp> ramps_;
  StateVectors states_;
  Window window_;
  bool is_implicit_ = false;
  std::vector<SolvedOutput> solved_;     ///< in the order of their evaluation
  std::vector<std::uint32_t> explicit_;  ///< states of members that compute their derivatives
  std::vector<double> slopes_;           ///< work space: y' as members read and write it
};

}  // namespace davit
