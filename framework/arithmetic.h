#pragma once

#include <span>
#include <string>
#include <string_view>

#include "framework/syntax/expression_value.h"

namespace davit {

/// A name that an arithmetic text may use.
struct NamedNumber {
  std::string_view name;
  double value = 0;
};

using ArithmeticResult = ConstantResult;

/// The value of an expression of numbers and `names`, such as `2*(i-1)/n`.
ArithmeticResult EvaluateArithmetic(std::string_view text, std::span<const NamedNumber> names);

/// A number as a text that reads back as the same number; whole numbers without a point.
std::string ToArithmeticText(double value);

}  // namespace davit
