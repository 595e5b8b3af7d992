#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "framework/registry.h"

namespace davit {

class Island;
class SolverProfile;

/// Parts of a step. Islands advance inside of the network, several at a time where threads share the step.
enum class StepPart : std::uint8_t {
  kNetwork,  ///< signals, fixed-step (TLM) components, islands
  kIsland,   ///< one island; of the watch of that island
  kCharts,
  kOutput,  ///< observers and lines on events
};

/// Watches every call of the code of models in a step: evaluations, hooks, guards. Results have the
/// same bits with a watch. Run and RunBatch are called from all threads that share the step, those of an
/// island by one at a time.
class CallWatch {
 public:
  virtual ~CallWatch() = default;
  /// Calls `code`, which is the function `name` of `component`, once. What it throws is passed on.
  virtual void Run(const Component& component, std::string_view name, const std::function<void()>& code) = 0;
  /// Calls `run` for `count` components of one type, which a run without a watch evaluates in one go; here
  /// one by one, each by Run.
  virtual void RunBatch(BatchEvaluation run, Component* const* components, std::size_t count, double t);
  /// Who watches an island, and the fixed-step components of a rate; asked when these are made, or the watch
  /// is set.
  virtual CallWatch* ForIsland(const Island& /*island*/) { return this; }
  virtual CallWatch* ForSchedule() { return this; }
  /// Before all members of an island are evaluated once, and before each step of a rate: who watches this
  /// time; null: nobody.
  virtual CallWatch* ForEvaluation() { return this; }
  /// Before members of an island are evaluated one by one for a Jacobian: the same.
  virtual CallWatch* ForJacobian() { return ForEvaluation(); }
  /// Of an island: who keeps account of its solver; null: nobody. It must outlive the island.
  virtual SolverProfile* solver_profile() { return nullptr; }
  virtual void Begin(StepPart /*part*/) {}
  virtual void End(StepPart /*part*/) {}
};

/// Shows a watch, which may be null, where a part of a step begins and ends.
class WatchedPart {
 public:
  WatchedPart(CallWatch* watch, StepPart part) : watch_(watch), part_(part) {
    if (watch_ != nullptr) watch_->Begin(part_);
  }
  ~WatchedPart() {
    if (watch_ != nullptr) watch_->End(part_);
  }
  WatchedPart(const WatchedPart&) = delete;
  WatchedPart& operator=(const WatchedPart&) = delete;

 private:
  CallWatch* watch_;
  StepPart part_;
};

}  // namespace davit
