#include "framework/option_condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "framework/aspect.h"
#include "framework/component.h"

namespace davit {

OptionCondition::OptionCondition(const PropertyBase& choice, std::uint32_t options) {
  clauses_[0] = {&choice, options};
}

bool OptionCondition::Clause::holds() const {
  return choice != nullptr && ((options >> static_cast<std::uint32_t>(choice->ToNumber())) & 1U) != 0;
}

bool OptionCondition::holds() const { return is_always() || std::ranges::any_of(clauses_, &Clause::holds); }

bool OptionCondition::HoldsAt(const Component& component, Level level) const {
  const std::vector<AspectBase*>& aspects = component.declarations().aspects;
  return is_always() || std::ranges::any_of(clauses_, [&](const Clause& clause) {
           const auto aspect = std::ranges::find(aspects, clause.choice);
           if (aspect == aspects.end()) return clause.holds();
           const auto number = static_cast<std::size_t>(aspect - aspects.begin());
           return ((clause.options >> component.OptionAt(level, number)) & 1U) != 0;
         });
}

bool OptionCondition::is_ruled_out() const {
  return !holds() && std::ranges::all_of(clauses_, [](const Clause& clause) {
    return clause.choice == nullptr || clause.choice->tunability() == Tunability::kStructural;
  });
}

std::string OptionCondition::ToText() const {
  std::string text;
  for (const Clause& clause : clauses_) {
    if (clause.choice == nullptr) break;
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < clause.choice->options().size(); ++i) {
      if (((clause.options >> i) & 1U) != 0) names.push_back(clause.choice->options()[i]);
    }
    text += fmt::format("{}{} = ", text.empty() ? "" : ", or ", clause.choice->label().name);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string_view separator = i == 0 ? "" : i + 1 < names.size() ? ", " : " or ";
      text.append(separator).append(names[i]);
    }
  }
  return text;
}

std::string OptionCondition::PresentText() const {
  std::string text;
  for (const Clause& clause : clauses_) {
    if (clause.choice == nullptr) break;
    text += fmt::format("{}{} is {}", text.empty() ? "" : ", ", clause.choice->label().name,
                        clause.choice->ToText());
  }
  return text;
}

OptionCondition operator||(const OptionCondition& a, const OptionCondition& b) {
  if (a.is_always() || b.is_always()) return {};
  OptionCondition either = a;
  for (const OptionCondition::Clause& clause : b.clauses_) {
    if (clause.choice == nullptr) break;
    const auto free = std::ranges::find(either.clauses_, nullptr, &OptionCondition::Clause::choice);
    if (free == either.clauses_.end()) throw std::length_error("a condition of more than three choices");
    *free = clause;
  }
  return either;
}

}  // namespace davit
