#include "statecharts/time_text.h"

#include <array>
#include <charconv>
#include <utility>

namespace davit {

std::optional<double> ParseTime(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) return std::nullopt;
  text = text.substr(begin, text.find_last_not_of(kSpaces) + 1 - begin);
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  while (text.starts_with(' ')) text.remove_prefix(1);
  constexpr std::array<std::pair<std::string_view, double>, 5> kUnits{
      {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"min", 60}, {"h", 3600}}};
  for (const auto& [unit, seconds] : kUnits) {
    if (text != unit) continue;
    constexpr double kLongest = 1e9;
    const double time = unit == "ms" ? value / 1e3 : unit == "us" ? value / 1e6 : value * seconds;
    if (time >= 0 && time <= kLongest) return time;
  }
  return std::nullopt;
}

}  // namespace davit
