#pragma once

#include <string>
#include <string_view>

namespace davit {

/// Whether a text names an event as SCXML has it: words of letters, digits, `_`, `-` and `:`, joined by dots.
bool IsEventName(std::string_view name);

/// What is wrong with a text that names no event; what would be right.
std::string NoEventNameFault(std::string_view text);

}  // namespace davit
