#pragma once

#include <array>
#include <cmath>
#include <string_view>

namespace davit {

/// A mathematical function of one or two numbers.
struct ExpressionFunction {
  std::string_view name;
  double (*one)(double) = nullptr;
  double (*two)(double, double) = nullptr;
};

/// Those of every expression of davit. Here, so that evaluations see them.
inline constexpr auto kExpressionFunctions = std::to_array<ExpressionFunction>({
    {"abs", [](double x) { return std::abs(x); }, nullptr},
    {"acos", [](double x) { return std::acos(x); }, nullptr},
    {"asin", [](double x) { return std::asin(x); }, nullptr},
    {"atan", [](double x) { return std::atan(x); }, nullptr},
    {"atan2", nullptr, [](double y, double x) { return std::atan2(y, x); }},
    {"ceil", [](double x) { return std::ceil(x); }, nullptr},
    {"cos", [](double x) { return std::cos(x); }, nullptr},
    {"exp", [](double x) { return std::exp(x); }, nullptr},
    {"floor", [](double x) { return std::floor(x); }, nullptr},
    {"hypot", nullptr, [](double x, double y) { return std::hypot(x, y); }},
    {"log", [](double x) { return std::log(x); }, nullptr},
    {"log10", [](double x) { return std::log10(x); }, nullptr},
    {"max", nullptr, [](double x, double y) { return x > y || std::isnan(x) ? x : y; }},
    {"min", nullptr, [](double x, double y) { return x < y || std::isnan(x) ? x : y; }},
    {"pow", nullptr, [](double x, double y) { return std::pow(x, y); }},
    {"round", [](double x) { return std::round(x); }, nullptr},
    {"sign", [](double x) { return (x > 0 ? 1.0 : 0.0) - (x < 0 ? 1.0 : 0.0); }, nullptr},
    {"sin", [](double x) { return std::sin(x); }, nullptr},
    {"sqrt", [](double x) { return std::sqrt(x); }, nullptr},
    {"tan", [](double x) { return std::tan(x); }, nullptr},
    {"tanh", [](double x) { return std::tanh(x); }, nullptr},
});

}  // namespace davit
