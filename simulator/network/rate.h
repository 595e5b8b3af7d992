#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "simulator/events/mode_watch.h"
#include "simulator/network/step_executor.h"
#include "simulator/network/tlm_schedule.h"

namespace davit {

class Island;

/// All that advances with one TimeStep: fixed-step (TLM) components and islands.
///
/// The TimeStep of the manager is cut into ticks, so that the TimeStep of every rate is a whole number of
/// them.
struct Rate {
  Rate(std::uint64_t ticks_of_rate, double time_step, TlmSchedule::Plan plan)
      : ticks(ticks_of_rate), h(time_step), tlm(std::move(plan)) {}

  std::uint64_t ticks;  ///< in one TimeStep of this rate
  double h;             ///< that TimeStep [s]
  TlmSchedule tlm;
  std::vector<Island*> islands;
  std::vector<DynamicSimComponent*> components;
  // Those that have such hooks.
  std::vector<DynamicSimComponent*> pre_integrated, post_integrated;
  /// Those of post_integrated that have it after each step, asked for or not.
  std::vector<DynamicSimComponent*> always_post_integrated;

  /// Whether nothing happens between its phases: it has no islands and no PreIntegrate.
  bool has_no_exchange() const { return islands.empty() && pre_integrated.empty(); }
  void AddHooks(DynamicSimComponent& component);
  /// Those with PostIntegrate after the step that ends.
  const std::vector<DynamicSimComponent*>& TakePostIntegrated() {
    return tlm.TakePostIntegrateRequest() ? post_integrated : always_post_integrated;
  }

  ModeWatch modes;  ///< of the fixed-step components

  std::unique_ptr<StepExecutor> executor;  ///< of a run
  double step_begin = 0;                   ///< [s]

  /// Whether one of its TimeSteps ends, and the next begins, at a tick counted from the first step point.
  bool IsStepPoint(std::uint64_t tick) const { return ticks == 1 || tick % ticks == 0; }
};

}  // namespace davit
