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
  explicit StepLoop(Network& network) : network_(network) {}

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
  void RunPostIntegrate(const Rate& rate, double t);
  void AdvanceIslands(double t0, double t1, double horizon);
  void RunPhases(std::uint64_t tick, double t_begin, double t_end, double horizon);
  /// For a step of all rates.
  void ChooseWatches();
  /// Throws where a state of a fixed-step (TLM) component is not finite.
  void CheckFinite(double t) const;

  Network& network_;
  CallWatch* watch_ = nullptr;
  std::vector<CallWatch*> schedule_watches_;  ///< by rate; empty without a watch
  std::unique_ptr<WorkerPool> pool_;          ///< null with one thread
};

}  // namespace davit
