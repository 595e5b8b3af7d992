#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "framework/fault.h"
#include "framework/syntax/expression_functions.h"
#include "framework/syntax/expression_lexer.h"

namespace davit {

/// What names mean in an expression of constants.
struct ExpressionConstants {
  /// The number of a name, or nothing; `fault` may say why.
  std::function<std::optional<double>(std::string_view name, Fault* fault)> find;
  std::span<const ExpressionFunction> functions = kExpressionFunctions;
};

struct ConstantResult {
  double value = 0;
  Fault fault;  ///< empty where there is a value, which is finite
};

/// The value of an expression of numbers without units, names and functions. `pi` is one unless `find` has
/// it. In Hopsan's dialect a condition is a number, 1 if it is true, and a number above 0 is true.
ConstantResult EvaluateConstant(std::string_view text, const ExpressionConstants& constants,
                                ExpressionDialect dialect = ExpressionDialect::kDavit);

}  // namespace davit
