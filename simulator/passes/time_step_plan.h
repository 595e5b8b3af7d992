#pragma once

#include <cstdint>
#include <vector>

#include "framework/diagnostics.h"
#include "simulator/passes/system_index.h"
#include "simulator/tlm_component.h"

namespace davit {

/// The TimeSteps of a multirate system, as whole numbers of ticks.
struct TimeStepPlan {
  /// A line and how many of its steps the component at one of its ports takes for one.
  struct PartnerSteps {
    TlmComponent* line = nullptr;
    const PortBase* port = nullptr;
    std::uint64_t steps = 1;
  };

  std::uint64_t manager_ticks = 1;   ///< in one TimeStep of the manager
  std::vector<std::uint64_t> ticks;  ///< in one TimeStep of each component
  std::vector<std::uint64_t> rates;  ///< the different numbers of ticks; that of the manager first
  std::vector<PartnerSteps> partner_steps;

  /// The position in `rates` of a number of ticks. Pre: it is there.
  std::uint32_t RateOf(std::uint64_t rate_ticks) const;
};

/// Gives each component its TimeStep: its own, that of the sub-system around it, or `time_step`, that of the
/// manager [s].
///
/// A tick is the longest time of which the manager's and all shorter TimeSteps are whole multiples. A line
/// (TlmComponent::JoinsRates) takes the longest TimeStep that divides those of its neighbours. To
/// `diagnostics` go TimeSteps that are no whole multiple or fraction of the manager's, those without a common
/// tick, and different TimeSteps at the two ends of a connection to a TlmComponent that is no line.
TimeStepPlan PlanTimeSteps(const SystemIndex& index, double time_step, Diagnostics& diagnostics);

}  // namespace davit
