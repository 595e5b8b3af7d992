#pragma once

#include <string>
#include <string_view>

namespace davit {

/// What a URI means: `a%20b` is `a b`. What is no code stays.
std::string DecodePercent(std::string_view text);

}  // namespace davit
