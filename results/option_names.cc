#include "results/option_names.h"
#include "framework/counted.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace davit {

std::string JoinOptions(const std::vector<std::string>& options) {
  std::string text;
  for (std::size_t i = 0; i < options.size(); ++i) text.append(i == 0 ? "" : "|").append(options[i]);
  return text;
}

std::vector<std::string> SplitOptions(std::string_view text) {
  std::vector<std::string> options;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('|', begin), text.size());
    options.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return options;
}

std::string FaultOfOptions(const std::vector<std::string>& options, std::span<const double> values) {
  if (options.empty()) return {};
  const double last = static_cast<double>(options.size()) - 1;
  const auto wrong = std::ranges::find_if(
      values, [&](double value) { return std::isfinite(value) && (value < 0 || value > last); });
  if (wrong == values.end()) return {};
  return fmt::format(
      "the value {:.9g} is none of the {}; remove the options from its line, or give all of them", *wrong,
      Counted(options.size(), "option"));
}

}  // namespace davit
