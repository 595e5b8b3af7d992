#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace davit {

/// Without spaces and tabs around.
std::string_view TrimBlanks(std::string_view text);

/// The parts between `separator`, where it is not inside of parentheses; trimmed.
std::vector<std::string_view> SplitOutside(std::string_view text, char separator);

/// Reads the number that a text begins with, independent of the locale; how many characters it has, 0 where
/// there is none.
std::size_t ParseLeadingNumber(std::string_view text, double& number);

}  // namespace davit
