#include "components/signal/limit.h"

#include <fmt/format.h>

namespace davit {

void CheckLimits(const Component& component, double low, double high, Diagnostics& diagnostics) {
  if (low < high) return;
  diagnostics.Error(
      component.location(), component.DisplayPath(),
      fmt::format("low = {} is not below high = {}; make low the smaller of the two", low, high));
}

}  // namespace davit
