#pragma once

#include <string>

#include "framework/diagnostics.h"

namespace davit {

/// All faults and warnings, a line each.
inline std::string TextOfFaults(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& one : diagnostics.all()) text += ToText(one) + '\n';
  return text;
}

}  // namespace davit
