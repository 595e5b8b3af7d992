#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "simulator/call_watch.h"
#include "simulator/network/network.h"
#include "simulator/network/step_executor.h"
#include "simulator/network/worker_pool.h"

namespace davit {

/// One TimeStep of a network: the phases of all its rates, tick by tick.
///
/// In each tick come the operators of inputs, the signals, PreIntegrate, the C phase, the Q phase in which
/// islands advance, PostIntegrate, and the operators of outputs, of the rates whose TimeStep ends or begins
/// there. Call sequence: Start, then Run for each
/// step. Both throw SimulationFailure.
class StepLoop {
 public:
  /// `network` must outlive the loop.
  explicit StepLoop(Network& network)
      : network_(network),
        only_rate_(network.ticks == 1 && network.rates.size() == 1 ? network.rates.front().get() : nullptr) {}

  /// A run begins with this many threads at most; results do not depend on it.
  void Start(unsigned threads, ThreadUse use);
  /// Step number n, counted from 0, from t0 to t1. Solvers may run on as far as `horizon`.
  void Run(std::uint64_t n, double t0, double t1, double horizon);
  /// Whether time can stop inside a TimeStep: no fixed-step components, one TimeStep for all.
  bool is_divisible() const;
  /// The beginning of a step, from t0 to t1, where a time inside is wanted; then parts of it and its rest, in
  /// which held signals stay as they are. Pre: is_divisible().
  void RunFirstPart(double t0, double t1, double horizon);
  void RunPart(double t0, double t1, double horizon);
  void RunRest(double t0, double t1, double horizon);
  /// A wish to give up a TimeStep that is under way; null: none.
  void set_interrupt(const std::atomic<bool>* interrupt) {
    for (auto& island : network_.islands) island->set_interrupt(interrupt);
  }
  /// Observer of all calls of the code of components; null: none.
  void set_watch(CallWatch* watch);
  /// How many threads share a step; after Start.
  unsigned threads_in_use() const;

 private:
  /// `tick` counts from the origin.
  void RunTick(std::uint64_t tick, double t_begin, double t_end, double horizon);
  void PostIntegrate(std::uint64_t tick, double t);
  void PreIntegrate(Rate& rate, double t);
  void LookAtIndicators(double t) {
    if (!network_.indicators.is_empty()) network_.indicators.LookAt(t);
  }
  void CallPostIntegrate(const std::vector<DynamicSimComponent*>& components, double t);
  void AdvanceIslands(double t0, double t1, double horizon);
  void RunPhases(std::uint64_t tick, double t_begin, double t_end, double horizon);
  /// Calls `visit` for each rate with a step point at the tick.
  template <class Visit>
  void ForEachRateAt(std::uint64_t tick, const Visit& visit) {
    if (only_rate_ != nullptr) [[likely]]
      return visit(*only_rate_);
    for (auto& rate : network_.rates) {
      if (rate->IsStepPoint(tick)) visit(*rate);
    }
  }
  /// For a step of all rates.
  void ChooseWatches();
  /// Throws where a state of a fixed-step (TLM) component is not finite.
  void CheckFinite(double t) const;
  [[noreturn]] static void ThrowNotFinite(const StateVectors& states, double t);

  Network& network_;
  Rate* only_rate_;  ///< where all advance with the TimeStep of the manager, else null
  CallWatch* watch_ = nullptr;
  std::vector<CallWatch*> schedule_watches_;  ///< by rate; empty without a watch
  std::unique_ptr<WorkerPool> pool_;          ///< null with one thread
};

}  // namespace davit
