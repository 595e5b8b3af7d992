#include "components/signal/signal_integrator.h"

#include <fmt/format.h>

#include "components/signal/limit.h"

namespace davit {

void SignalIntegrator::PostIntegrate() {
  const double limited = Limit(y, low, high);
  if (y < limited || y > limited) y.OverrideStateValue(limited);
}

void SignalIntegrator::Configure(Diagnostics& diagnostics) { CheckLimits(*this, low, high, diagnostics); }

void SignalIntegrator::CheckConnections(Diagnostics& diagnostics) {
  const double start = declarations().states.front().start.front();
  if (!(low < high) || (start >= low && start <= high)) return;
  diagnostics.Error(
      location(), DisplayPath(),
      fmt::format(
          "the start value y = {} lies outside the limits {} .. {}; set one between them with <Start y=...>",
          start, static_cast<double>(low), static_cast<double>(high)));
}

}  // namespace davit
