#include "components/signal/number_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "framework/nearest_name.h"

namespace davit {
namespace {

constexpr std::string_view kSpaces = " \t\r\n";
constexpr std::string_view kSeparators = " \t\r\n,";
constexpr std::string_view kRemedy = "write plain numbers in SI without units, such as 0 2.5 10";

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

}  // namespace

NumberListResult ParseNumberList(std::string_view text) {
  NumberListResult result;
  std::size_t begin = text.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) return {{}, fmt::format("empty; {}", kRemedy)};
  while (true) {
    const std::size_t end = std::min(text.find_first_of(kSeparators, begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    const std::size_t entry = result.numbers.size() + 1;
    if (word.empty()) {
      return {{}, fmt::format("entry {} is missing beside a comma; write it, or remove the comma", entry)};
    }
    double number = 0;
    if (const std::string fault = ReadNumber(word, number); !fault.empty()) {
      return {{}, fmt::format("entry {}, {}, {}; {}", entry, Quoted(word), fault, kRemedy)};
    }
    result.numbers.push_back(number);
    begin = text.find_first_not_of(kSpaces, end);
    if (begin == std::string_view::npos) return result;
    if (text[begin] == ',') begin = std::min(text.find_first_not_of(kSpaces, begin + 1), text.size());
  }
}

}  // namespace davit
