#include "framework/arithmetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "framework/nearest_name.h"

namespace davit {

ArithmeticResult EvaluateArithmetic(std::string_view text, std::span<const NamedNumber> names) {
  const auto find = [names](std::string_view name, Fault* fault) -> std::optional<double> {
    const auto known = std::ranges::find(names, name, &NamedNumber::name);
    if (known != names.end()) return known->value;
    std::vector<std::string> candidates;
    for (const NamedNumber& one : names) candidates.emplace_back(one.name);
    *fault = {"nothing is named " + Quoted(name), SuggestName("there are", name, candidates)};
    return std::nullopt;
  };
  return EvaluateConstant(text, {.find = find});
}

std::string ToArithmeticText(double value) {
  constexpr double kWholeBelow = 9007199254740992.0;  // 2^53
  if (std::abs(value) < kWholeBelow && value == std::trunc(value)) {
    return fmt::format("{}", static_cast<long long>(value));
  }
  return fmt::format("{}", value);
}

}  // namespace davit
