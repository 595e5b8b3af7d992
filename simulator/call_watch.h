#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

#include "framework/registry.h"

namespace davit {

/// Watches every call of the code of models in a step: evaluations, hooks, guards.
///
/// Components are then called one by one, also those that a normal run evaluates in one go; results have the
/// same bits. Run is called from all threads that share the step.
class CallWatch {
 public:
  virtual ~CallWatch() = default;
  /// Calls `code`, which is the function `name` of `component`, once. What it throws is passed on.
  virtual void Run(const Component& component, std::string_view name, const std::function<void()>& code) = 0;
};

/// RunBatch for a run that is watched.
void RunWatched(BatchEvaluation run, Component* const* components, std::size_t count, double t,
                CallWatch& watch);

}  // namespace davit
