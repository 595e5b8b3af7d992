#pragma once

#include <string_view>

#include "framework/fault.h"

namespace davit {

/// Whether a text names an event as SCXML has it: words of letters, digits, `_`, `-` and `:`, joined by dots.
bool IsEventName(std::string_view name);

/// The fault of a text that names no event.
Fault NoEventNameFault(std::string_view text);

}  // namespace davit
