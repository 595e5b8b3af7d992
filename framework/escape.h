#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace davit {

/// `text` with other texts in the places of some characters.
inline std::string Escape(std::string_view text,
                          std::initializer_list<std::pair<char, std::string_view>> escapes) {
  std::string escaped;
  for (const char c : text) {
    const auto* const found = std::ranges::find(escapes, c, &std::pair<char, std::string_view>::first);
    if (found == escapes.end()) {
      escaped += c;
    } else {
      escaped += found->second;
    }
  }
  return escaped;
}

}  // namespace davit
