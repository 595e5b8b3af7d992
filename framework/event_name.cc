#include "framework/event_name.h"

#include "framework/nearest_name.h"

namespace davit {

bool IsEventName(std::string_view name) {
  const auto is_inside = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == ':';
  };
  bool is_after_dot = true;
  for (const char c : name) {
    if (c == '.' ? is_after_dot : !is_inside(c)) return false;
    is_after_dot = c == '.';
  }
  return !is_after_dot;
}

Fault NoEventNameFault(std::string_view text) {
  return {Quoted(text) + " is not an event name", "write words joined by dots, such as operator.lift"};
}

}  // namespace davit
