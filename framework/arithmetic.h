#pragma once

#include <span>
#include <string>
#include <string_view>

#include "framework/fault.h"

namespace davit {

/// A name that an arithmetic text may use.
struct NamedNumber {
  std::string_view name;
  double value = 0;
};

struct ArithmeticResult {
  double value = 0;
  Fault fault;  ///< empty where there is a value, which is finite
};

/// The value of a text such as `2*(i-1)/n`: numbers, `names`, `pi`, + - * / %, parentheses, and the functions
/// abs ceil cos exp floor log max min pow round sin sqrt tan.
ArithmeticResult EvaluateArithmetic(std::string_view text, std::span<const NamedNumber> names);

/// A number as a text that reads back as the same number; whole numbers without a point.
std::string ToArithmeticText(double value);

}  // namespace davit
