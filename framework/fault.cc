#include "framework/fault.h"

#include <cctype>

namespace davit {

std::string Fault::ToText() const {
  if (what.empty() || remedy.empty()) return what + remedy;
  return what + "; " + remedy;
}

Fault ToFault(std::string_view text) {
  constexpr std::string_view kMark = "; ";
  bool is_quoted = false;
  for (std::size_t i = 1; i + kMark.size() < text.size(); ++i) {
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
    if (text[i] == '\'') is_quoted = is_quoted ? is_word(text[i + 1]) : !is_word(text[i - 1]);
    if (!is_quoted && text.substr(i).starts_with(kMark))
      return {std::string(text.substr(0, i)), std::string(text.substr(i + kMark.size()))};
  }
  return {std::string(text), {}};
}

}  // namespace davit
