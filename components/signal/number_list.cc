#include "components/signal/number_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "framework/nearest_name.h"

namespace davit {
namespace {

constexpr std::string_view kSpaces = " \t\r\n";
constexpr std::string_view kSeparators = " \t\r\n,";
constexpr std::string_view kRemedy =
    "write numbers and at most one unit, after the last of them, such as 0 2.5 10 mm";

/// The fault of the entry `word`, or empty after it was read into `number`.
std::string ReadNumber(std::string_view word, double& number) {
  std::string_view digits = word;
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error == std::errc::result_out_of_range) return "is too large or too small for a double";
  if (error != std::errc() || end != digits.data() + digits.size()) return "is not a number";
  if (!std::isfinite(number)) return "is not finite";
  return {};
}

/// Where the unit begins that follows the last number; the length of `text` where there is none. A unit has
/// no digit first, and nothing that could be a number after it.
std::size_t BeginOfUnit(std::string_view text) {
  std::size_t begin = text.find_last_of(kSeparators);
  begin = begin == std::string_view::npos ? 0 : begin + 1;
  std::size_t unit = text.size();
  // A unit may have spaces, as kg/(m s2) has.
  while (true) {
    double number = 0;
    if (ReadNumber(text.substr(begin, text.find_first_of(kSeparators, begin) - begin), number).empty())
      return unit;
    unit = begin;
    if (begin == 0) return unit;
    const std::size_t end = text.find_last_not_of(kSpaces, begin - 1);
    if (end == std::string_view::npos || text[end] == ',') return unit;
    begin = text.find_last_of(kSeparators, end);
    begin = begin == std::string_view::npos ? 0 : begin + 1;
  }
}

/// `text` without a unit at its end, which goes to `unit`; as it is where there is none that is known.
std::string_view WithoutUnit(std::string_view text, const UnitSystem& units, std::optional<Unit>& unit) {
  const std::size_t begin = BeginOfUnit(text);
  if (begin == 0 || begin >= text.size()) return text;
  if (text.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz%", begin) ==
      std::string_view::npos)
    return text;  // a dash, a bracket: no unit
  unit = units.Find(text.substr(begin));
  return unit ? text.substr(0, text.find_last_not_of(kSpaces, begin - 1) + 1) : text;
}

}  // namespace

NumberListResult ParseNumberList(std::string_view all, const UnitSystem& units) {
  NumberListResult result;
  std::optional<Unit> unit;
  const std::string_view text = WithoutUnit(all.substr(0, all.find_last_not_of(kSpaces) + 1), units, unit);
  std::size_t begin = text.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) return {{}, fmt::format("empty; {}", kRemedy)};
  while (true) {
    const std::size_t end = std::min(text.find_first_of(kSeparators, begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    const std::size_t entry = result.numbers.size() + 1;
    if (word.empty()) {
      return {{}, fmt::format("entry {} is missing next to a comma; write it, or remove the comma", entry)};
    }
    double number = 0;
    if (const std::string fault = ReadNumber(word, number); !fault.empty()) {
      return {{}, fmt::format("entry {}, {}, {}; {}", entry, Quoted(word), fault, kRemedy)};
    }
    result.numbers.push_back(unit ? unit->ToSi(number) : number);
    begin = text.find_first_not_of(kSpaces, end);
    if (begin == std::string_view::npos) break;
    if (text[begin] == ',') begin = std::min(text.find_first_not_of(kSpaces, begin + 1), text.size());
  }
  if (unit) result.dimension = unit->dimension;
  return result;
}

NumberListResult ParseNumberListIn(std::string_view wanted, std::string_view text, const UnitSystem& units) {
  NumberListResult result = ParseNumberList(text, units);
  if (!result.dimension || *result.dimension == units.Find(wanted)->dimension) return result;
  return {{},
          fmt::format("{0} is {1}, but {2} is needed; write for example 0 2.5 10 {2}", Quoted(text),
                      ToText(*result.dimension), wanted)};
}

std::vector<double> ReadNumberList(const Property<std::string>& list, std::string_view unit,
                                   const Component& owner, Diagnostics& diagnostics) {
  NumberListResult result = ParseNumberListIn(unit, list.value(), UnitSystem());
  if (!result.fault.empty()) {
    diagnostics.Error(owner.location(), owner.DisplayPath(),
                      fmt::format("{}: {}", list.label().name, result.fault));
  }
  return std::move(result.numbers);
}

}  // namespace davit
