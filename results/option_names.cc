#include "results/option_names.h"

#include <algorithm>

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

}  // namespace davit
