#include "analysis/study/constraint.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/study/study_text.h"

namespace davit {

void AddConstraint(const std::string& text, const SourceLocation& place,
                   std::vector<MeasureDefinition>& measures, Objective::Layout& layout,
                   Diagnostics& diagnostics) {
  const std::size_t at_most = text.find("<=");
  const std::size_t at_least = text.find(">=");
  const std::size_t sign = std::min(at_most, at_least);
  if (sign == std::string::npos) {
    return diagnostics.Error(
        place, {}, "there is neither '<=' nor '>='; write for example 'max(cylinder.p_a) <= 250 bar'");
  }
  const std::size_t number = layout.constraints.size() + 1;
  layout.constraints.push_back({measures.size(), measures.size() + 1, sign == at_most});
  measures.push_back({fmt::format("constraint{}", number), text.substr(0, sign), place});
  measures.push_back({fmt::format("limit{}", number), text.substr(sign + 2), place});
}

void CheckConstraints(const Objective::Layout& layout, const std::vector<MeasureDefinition>& definitions,
                      const MeasureSet& compiled, Diagnostics& diagnostics) {
  const auto dimensions = compiled.dimensions();
  const auto unit_text = [&](std::size_t measure) {
    const std::string& unit = compiled.units()[measure];
    return unit.empty() ? std::string("a number") : unit;
  };
  for (const auto& constraint : layout.constraints) {
    const auto& left = dimensions[constraint.left];
    const auto& right = dimensions[constraint.right];
    double ignored = 0;
    const std::string_view limit = TrimBlanks(definitions[constraint.right].text);
    const bool is_bare = ParseLeadingNumber(limit, ignored) == limit.size();
    if (!left || !right || *left == *right || is_bare) continue;
    diagnostics.Error(definitions[constraint.right].place, {},
                      fmt::format("the left side is {}, the right side {}; both must have the same dimension",
                                  unit_text(constraint.left), unit_text(constraint.right)));
  }
}

}  // namespace davit
