#include "hopsan/import/hmf_expression.h"

#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "framework/nearest_name.h"
#include "framework/syntax/expression_value.h"

namespace davit::hopsan {
namespace {

/// Not those of davit: max and min ignore NaN.
constexpr auto kFunctions = std::to_array<ExpressionFunction>({
    {.name = "abs", .one = [](double x) { return std::abs(x); }},
    {.name = "acos", .one = [](double x) { return std::acos(x); }},
    {.name = "asin", .one = [](double x) { return std::asin(x); }},
    {.name = "atan", .one = [](double x) { return std::atan(x); }},
    {.name = "ceil", .one = [](double x) { return std::ceil(x); }},
    {.name = "cos", .one = [](double x) { return std::cos(x); }},
    {.name = "cosh", .one = [](double x) { return std::cosh(x); }},
    {.name = "exp", .one = [](double x) { return std::exp(x); }},
    {.name = "floor", .one = [](double x) { return std::floor(x); }},
    {.name = "log", .one = [](double x) { return std::log(x); }},
    {.name = "log10", .one = [](double x) { return std::log10(x); }},
    {.name = "sin", .one = [](double x) { return std::sin(x); }},
    {.name = "sinh", .one = [](double x) { return std::sinh(x); }},
    {.name = "sqrt", .one = [](double x) { return std::sqrt(x); }},
    {.name = "tan", .one = [](double x) { return std::tan(x); }},
    {.name = "tanh", .one = [](double x) { return std::tanh(x); }},
    {.name = "atan2", .two = [](double x, double y) { return std::atan2(x, y); }},
    {.name = "fmod", .two = [](double x, double y) { return std::fmod(x, y); }},
    {.name = "max", .two = [](double x, double y) { return std::fmax(x, y); }},
    {.name = "min", .two = [](double x, double y) { return std::fmin(x, y); }},
    {.name = "pow", .two = [](double x, double y) { return std::pow(x, y); }},
});

}  // namespace

std::optional<double> EvaluateHmfExpression(std::string_view text, const NameLookup& names, Fault* fault) {
  const auto find = [&names](std::string_view name, Fault* why) {
    if (name == "pi") return std::optional(std::numbers::pi);
    const std::optional<double> value = names(name, why);
    if (!value && why->what.empty())
      *why = {"no parameter " + Quoted(name), "name a parameter of an enclosing system, or self.NAME"};
    return value;
  };
  ConstantResult result =
      EvaluateConstant(text, {.find = find, .functions = kFunctions}, ExpressionDialect::kHopsan);
  if (!result.fault) return result.value;
  *fault = std::move(result.fault);
  return std::nullopt;
}

}  // namespace davit::hopsan
