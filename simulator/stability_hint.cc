#include "simulator/stability_hint.h"

#include <fmt/format.h>

#include "simulator/islands/island.h"
#include "simulator/solvers/switching_integrator.h"

namespace davit {

bool IsLimitedByStability(const Island& island, std::uint64_t least) {
  const IntegratorCounters counters = island.counters();
  return counters.looked_at >= least && 2 * counters.at_limit >= counters.looked_at &&
         counters.implicit_steps == 0;
}

std::string StabilityHint(const Island& island) {
  const IntegratorCounters counters = island.counters();
  const bool is_auto = island.options().method == SwitchingIntegrator::kMethod;
  return fmt::format(
      "the step size is limited by stability, not accuracy (stiff), in {:.0f} % of the steps of {}; {}",
      100.0 * static_cast<double>(counters.at_limit) / static_cast<double>(counters.looked_at),
      island.method_in_use(),
      is_auto ? "an implicit method needs the reach of its arrays (DynamicSimComponent::Reads)"
              : "try auto, rodas5p or ida");
}

}  // namespace davit
