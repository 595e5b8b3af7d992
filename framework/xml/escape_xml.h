#pragma once

#include <string>
#include <string_view>

namespace davit {

/// A text as it is written in XML, between tags or in an attribute with double quotes.
std::string EscapeXml(std::string_view text);

}  // namespace davit
