#pragma once

#include <string_view>

namespace davit {

/// `_event.origintype` of events between charts, and the type of a `<send>`.
inline constexpr std::string_view kScxmlProcessor = "http://www.w3.org/TR/scxml/#SCXMLEventProcessor";
/// The type of an `<invoke>`.
inline constexpr std::string_view kScxmlService = "http://www.w3.org/TR/scxml/";

constexpr bool IsScxmlProcessor(std::string_view type) {
  return type.empty() || type == kScxmlProcessor || type == "scxml";
}
constexpr bool IsScxmlService(std::string_view type) {
  return type.empty() || type == kScxmlService || type == "http://www.w3.org/TR/scxml" || type == "scxml";
}

}  // namespace davit
