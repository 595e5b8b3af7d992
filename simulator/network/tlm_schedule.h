#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

#include "framework/archive.h"
#include "framework/item.h"
#include "framework/registry.h"
#include "simulator/component_fault.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/islands/state_vectors.h"
#include "simulator/passes/signal_binding.h"
#include "simulator/tlm_component.h"

namespace davit {

/// Everything that advances with the fixed TimeStep: signals, TLM components (C) and what is between delays
/// (Q).
///
/// Made by BuildNetwork. Call sequence: InitializeWaves and EvaluateAt once, then for each step
/// UpdateLatches, Extrapolate and the three phases (StepExecutor), all for the time t at the end of the step.
/// Within the C and the Q phase components do not see each other, so their order is free.
class TlmSchedule {
 public:
  /// Components of one type and block that follow each other.
  struct Batch {
    BatchStep run = nullptr;
    std::uint32_t block = 0;  ///< FindStepBlocks
    std::size_t begin = 0;    ///< into the list of components of the phase
    std::size_t count = 0;
  };
  struct Phase {
    std::vector<Component*> components;
    /// How far down the system each is: neighbours share data, and what has one place may depend on each
    /// other.
    std::vector<std::uint32_t> places;
    std::vector<Batch> batches;

    /// In the order of the blocks.
    void Add(Component* component, BatchStep run, std::uint32_t place = 0, std::uint32_t block = 0) {
      const bool is_new = batches.empty() || batches.back().run != run || batches.back().block != block;
      if (is_new) batches.push_back({run, block, components.size(), 0});
      components.push_back(component);
      places.push_back(place);
      ++batches.back().count;
    }
    void Run(double t, CallWatch* watch) const {
      for (const Batch& batch : batches) RunBatch(batch.run, &components[batch.begin], batch.count, t, watch);
    }
  };
  /// A value that a C or Q component reads as it was at the beginning of the step.
  struct Latch {
    Item from;
    double value = 0;

    void ArchiveMemory(Archive& archive) { archive(value); }
  };

  /// A state that signals read before its owner has taken the step: y + h y', so that a sensor costs no
  /// order.
  struct Extrapolated {
    std::uint32_t offset = 0;
    double value = 0;

    void ArchiveMemory(Archive& archive) { archive(value); }
  };

  /// What the passes of BuildNetwork have found out about a schedule.
  struct Plan {
    std::vector<DynamicSimComponent*> members;
    Phase signals, c, q;
    Phase evaluations;  ///< efforts, then flows of all but TlmComponents, at the start time
    std::vector<TlmComponent*> waves;
    std::vector<TlmComponent*> portless;  ///< TlmComponents that run with the signals
    SignalBinding binding;
  };

  /// Moves the states of the members into the vectors of the schedule, points their inputs at what they read
  /// and sizes their work space.
  explicit TlmSchedule(Plan plan);
  TlmSchedule(const TlmSchedule&) = delete;
  TlmSchedule& operator=(const TlmSchedule&) = delete;

  /// Observer of the calls of components; null: none.
  CallWatch* watch() const { return watch_; }
  void set_watch(CallWatch* watch) { watch_ = watch; }
  bool is_empty() const {
    return signals_.components.empty() && c_.components.empty() && q_.components.empty();
  }
  std::size_t component_count() const {
    return signals_.components.size() + c_.components.size() + q_.components.size();
  }
  const StateVectors& states() const { return states_; }
  StateVectors& states() { return states_; }
  /// All that offer waves or are written for fixed steps only.
  const std::vector<TlmComponent*>& tlm_components() const { return waves_; }

  /// Shows each component to a model that evaluates several at once: here it is alone
  /// (ModelEntry::prepare_batch). Once, after all islands and schedules have been made.
  void PrepareBatches();
  /// Waves at the start time; all states have their start values.
  void InitializeWaves();
  /// Makes outputs, flows and derivatives of all but TlmComponents those of the present states and waves;
  /// states count as not overridden from then on.
  void EvaluateAt(double t);
  /// After a state was overridden from outside at the step point t: brings motion, waves, flows and
  /// derivatives in line with it. Does nothing otherwise.
  void RestartOverridden(double t) {
    if (states_.memory.is_overridden) Restart(t);
  }
  /// Makes the states that signals read those at the end of a step of length h, before the signals run.
  void Extrapolate(double h) {
    if (part_ != nullptr) [[unlikely]]
      return ExtrapolatePart(h);
    for (Extrapolated& e : extrapolated_) e.value = states_.y[e.offset] + h * states_.ddt[e.offset];
  }
  void UpdateLatches() {
    if (part_ != nullptr) [[unlikely]]
      return UpdateLatchesOfPart();
    for (Latch& latch : latches_) latch.value = latch.from.Read();
  }
  /// Whether all states are finite.
  bool IsFinite() const { return part_ == nullptr ? states_.IsFinite() : IsPartFinite(); }
  /// What runs after the latches: signals, then C, then Q. Signals of different places do not see each other.
  const Phase& signal_phase() const { return signals_; }
  const Phase& c_phase() const { return c_; }
  const Phase& q_phase() const { return q_; }
  /// Whether a component has asked for PostIntegrate since the last call.
  bool TakePostIntegrateRequest() {
    if (!is_post_integrate_asked_.load(std::memory_order_relaxed)) [[likely]]
      return false;
    is_post_integrate_asked_.store(false, std::memory_order_relaxed);
    return true;
  }
  void ArchiveMemory(Archive& archive) { archive(states_, latches_, extrapolated_); }
  /// Between two steps, makes all but what TlmComponents compute that of the present states, inputs and
  /// parameters, for whoever reads it; a state that was overridden moves waves, too.
  void ShowPresent(double t) {
    if (states_.memory.is_overridden) return Restart(t);
    EvaluateAt(t);
  }
  /// What ShowPresent changes, but for what components have.
  void ArchiveShown(Archive& archive);

  // For a run whose parts advance in several processes.
  /// What some of the components have here: their states and what their inputs read.
  struct Part {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> states;  ///< begin and end of stretches, ascending
    std::vector<Latch*> latches;
    std::vector<Extrapolated*> extrapolated;
  };
  Part PartOf(const std::vector<DynamicSimComponent*>& components);
  /// From here on only these components take steps. Between two steps; executors made before must not run.
  void Keep(const std::unordered_set<const Component*>& components, Part part);
  void ArchivePart(Archive& archive, Part& part);

 private:
  void ExtrapolatePart(double h);
  void UpdateLatchesOfPart();
  bool IsPartFinite() const;
  void BindInputs(const SignalBinding& binding);
  void Restart(double t);

  CallWatch* watch_ = nullptr;
  Phase signals_, c_, q_;
  Phase evaluations_;  ///< efforts, then flows of all but TlmComponents, at the start time
  std::vector<TlmComponent*> waves_;
  std::vector<TlmComponent*> portless_;
  std::vector<std::uint64_t> motions_;  ///< work space of Restart, one for each of `waves_`
  std::vector<Latch> latches_;  ///< inputs point into both, which keep their places from the constructor on
  std::vector<Extrapolated> extrapolated_;
  StateVectors states_;
  std::unique_ptr<Part> part_;                       ///< null: all
  std::atomic<bool> is_post_integrate_asked_{true};  // what components have begun with is not known
};

}  // namespace davit
