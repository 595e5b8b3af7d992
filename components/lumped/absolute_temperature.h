#pragma once

#include <fmt/format.h>

#include "framework/component.h"
#include "framework/diagnostics.h"

namespace davit {

/// Reports a temperature that starts at 0 K or below.
inline void CheckAbsoluteTemperature(const Component& owner, const StateDeclaration& temperature,
                                     Diagnostics& diagnostics) {
  if (temperature.start[0] > 0) return;
  diagnostics.Error(owner.location(), owner.DisplayPath(),
                    fmt::format("its start {} is {} K; temperatures are absolute, so give more than 0 K",
                                temperature.label.name, temperature.start[0]));
}

}  // namespace davit
