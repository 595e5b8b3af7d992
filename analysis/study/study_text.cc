#include "analysis/study/study_text.h"

#include <charconv>
#include <system_error>

namespace davit {

std::string_view TrimBlanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

std::vector<std::string_view> SplitOutside(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (text[i] != separator || depth > 0) continue;
    parts.push_back(TrimBlanks(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  parts.push_back(TrimBlanks(text.substr(begin)));
  return parts;
}

std::size_t ParseLeadingNumber(std::string_view text, double& number) {
  const std::size_t plus = text.starts_with('+') ? 1 : 0;
  const char* const begin = text.data() + plus;
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), number);
  return error == std::errc() ? static_cast<std::size_t>(end - text.data()) : 0;
}

}  // namespace davit
