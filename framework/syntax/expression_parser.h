#pragma once

#include <string_view>

#include "framework/syntax/expression_lexer.h"
#include "framework/syntax/expression_tree.h"

namespace davit {

class ExpressionUnits;

/// Reads an expression of a chart, an equation, a measure, a formula of a system file or, in its dialect, a
/// Hopsan model:
///
///     numbers 1.5e3, with a unit 250 bar, strings 'text', names pump.p q[2], calls f(x, y), ( )
///     ! not - +   * / %   + -   < <= > >= lt le gt ge   == != eq ne   && and   || or   c ? a : b
///
/// It knows neither names nor functions. Without `units` a number has no unit.
ExpressionTree ParseExpression(std::string_view text, const ExpressionUnits* units,
                               ExpressionDialect dialect = ExpressionDialect::kDavit);

}  // namespace davit
