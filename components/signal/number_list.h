#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace davit {

/// Numbers, or a text that says what is wrong and what would be right.
struct NumberListResult {
  std::vector<double> numbers;  ///< empty where there is a fault
  std::string fault;
};

/// Reads plain finite numbers separated by spaces, or by a comma with or without spaces: `0 5 10`, `0, 5,
/// 10`. At least one is required. Independent of the locale.
NumberListResult ParseNumberList(std::string_view text);

}  // namespace davit
