// States with many elements: each has an expression of its own, in which u[i-1] is a number.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "components/user/equation_reader.h"
#include "framework/nearest_name.h"
#include "framework/units/quantity.h"
#include "framework/xml/element_reader.h"

namespace davit {
namespace {

constexpr double kMostArrayElements = 1e6;
constexpr std::size_t kMostArrayText = std::size_t{128} << 20;

bool IsWordPart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// The end of the number or name that begins at `at`.
std::size_t EndOfWord(std::string_view text, std::size_t at) {
  while (at < text.size() && (IsWordPart(text[at]) || text[at] == '.')) ++at;
  return at;
}

}  // namespace

void EquationReader::ReadArray(const ItemElement& item) {
  CheckAttributes(item,
                  {"name", "unit", "size", "index", "start", "nominal", "der", "before", "after", "text"});
  const std::string name = TakeName(item);
  const Text unit = UnitOf(item);
  const Attribute* const der = Require(item, "der");
  const double nominal = Number(item, "nominal", unit, 1);
  if (!(nominal > 0))
    Error(item.Find("nominal")->location, "nominal: is not above 0; write the typical size of the state");
  const Attribute& size_text = *item.Find("size");
  const ArithmeticResult size = EvaluateArithmetic(size_text.value, {});
  if (size.fault || size.value != std::round(size.value) || size.value < 1 ||
      size.value > kMostArrayElements) {
    return Error(size_text.location, fmt::format("size: {} is not a whole number from 1 to 1000000{}",
                                                 Quoted(size_text.value), "; write the number of elements"));
  }
  const Attribute* const index = item.Find("index");
  if (index != nullptr && !IsName(index->value)) {
    return Error(index->location,
                 fmt::format("index: {} is not a name; use letters, digits and _, no digit first",
                             Quoted(index->value)));
  }
  if (name.empty() || der == nullptr) return;
  if (static_cast<double>(state_count_) + size.value > kMostArrayElements) {
    return Error(size_text.location,
                 "size: the component has more than 1000000 states; make several components of it");
  }

  Array& array = arrays_.emplace_back();
  array.name = name;
  array.size = static_cast<std::uint32_t>(size.value);
  array.index = index == nullptr ? "i" : index->value;
  array.before = item.Find("before");
  array.after = item.Find("after");
  array_of_.emplace(array.name, &array);
  const StateVariableArray& states = equations_.arrays.emplace_back(
      &component_, Keep(name), unit, TextOf(item), array.size, 0.0, nominal, OptionCondition{});
  StateDeclaration& declaration = component_.mutable_declarations().states.back();
  if (equations_.first_state == nullptr) equations_.first_state = declaration.slots;

  const Attribute* const start = item.Find("start");
  std::optional<double> same = 0.0;
  if (start != nullptr) {
    const QuantityResult quantity =
        unit == kAnyUnit ? ParseQuantity(start->value, units_) : ParseQuantity(start->value, unit, units_);
    same = quantity.value ? std::optional(quantity.value->si) : std::nullopt;
  }
  const std::optional<Dimension> dimension = DimensionOf(unit);
  const std::optional<Dimension> rate = RateOf(unit);
  for (std::uint32_t k = 0; k < array.size; ++k) {
    const NamedNumber element{array.index, static_cast<double>(k)};
    ArithmeticResult value{same.value_or(0), {}};
    if (!same) value = EvaluateArithmetic(start->value, std::span(&element, 1));
    if (value.fault) {
      Error(start->location, fmt::format("start: {} is neither a number with a unit nor a formula in SI: {}",
                                         Quoted(start->value), value.fault.ToText()));
      same = 0.0;
    }
    declaration.start[k] = value.value;
    StateSlot* const slot = declaration.slots + k;
    slot->memory->y[slot->offset] = value.value;
    const std::string element_name = fmt::format("{}[{}]", name, k);
    AddVariable(element_name, {Source::Kind::kState, state_count_++, nullptr, nullptr, slot}, dimension);
    Definition& definition = Define(element_name + ".ddt", der, {}, rate);
    definition.derivative = slot;
    definition.reader = Readable(states).id();
    definition.array = &array;
    definition.element = k;
  }
}

std::string EquationReader::ArrayFault(const Array& array, std::int64_t element) const {
  return fmt::format("{0}[{1}] does not exist, the elements are {0}[0] to {0}[{2}]; {3}", array.name, element,
                     array.size - 1,
                     element < 0 ? "give the value before the first element with the attribute before"
                                 : "give the value after the last element with the attribute after");
}

std::optional<std::string> EquationReader::WithElements(std::string_view text, const SourceLocation& place,
                                                        std::string_view what, const NamedNumber* element,
                                                        int depth) {
  constexpr int kDeepest = 8;
  if (arrays_.empty()) return std::string(text);
  const std::span<const NamedNumber> names(element, element == nullptr ? 0 : 1);
  const auto refuse = [&](const std::string& fault) {
    Error(place, fmt::format("{}: {}", what, fault));
    return std::nullopt;
  };
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = EndOfWord(text, at);
    if (end == at) {
      result += text[at++];
      continue;
    }
    const std::string_view word = text.substr(at, end - at);
    at = end;
    if (element != nullptr && word == element->name) {
      result += ToArithmeticText(element->value);
      continue;
    }
    const auto found = array_of_.find(word);
    if (found == array_of_.end()) {
      result += word;
      continue;
    }
    const Array& array = *found->second;
    const std::size_t close = end < text.size() && text[end] == '[' ? text.find(']', end) : text.npos;
    if (close == text.npos) {
      return refuse(
          fmt::format("{} has {} elements; write which, such as {}[0]", Quoted(word), array.size, word));
    }
    const ArithmeticResult number = EvaluateArithmetic(text.substr(end + 1, close - end - 1), names);
    if (number.fault) {
      return refuse(fmt::format("{}: {}", text.substr(end - word.size(), close + 1 - end + word.size()),
                                number.fault.ToText()));
    }
    if (number.value != std::round(number.value) || std::abs(number.value) > 2 * kMostArrayElements) {
      return refuse(fmt::format("{} is not a number of an element; {} has 0 to {}",
                                ToArithmeticText(number.value), word, array.size - 1));
    }
    const auto k = static_cast<std::int64_t>(number.value);
    at = close + 1;
    if (k >= 0 && k < array.size) {
      result += fmt::format("{}[{}]", word, k);
      continue;
    }
    const Attribute* const outside = k < 0 ? array.before : array.after;
    if (outside == nullptr) return refuse(ArrayFault(array, k));
    if (depth == kDeepest)
      return refuse("it reads itself without end; write an expression of elements that exist");
    const std::optional<std::string> value =
        WithElements(outside->value, outside->location, fmt::format("{} of {}", outside->name, Quoted(word)),
                     element, depth + 1);
    if (!value) return std::nullopt;
    result += '(' + *value + ')';
  }
  expanded_bytes_ += result.size();
  if (expanded_bytes_ > kMostArrayText) {
    return refuse(
        "the expressions of all elements take more than 128 MiB; take fewer elements, or write a model in "
        "C++");
  }
  return result;
}

}  // namespace davit
