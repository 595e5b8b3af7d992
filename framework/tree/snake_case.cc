#include "framework/tree/snake_case.h"

#include <cstddef>

namespace davit {

std::string SnakeCase(std::string_view type) {
  const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  std::string text;
  for (std::size_t i = 0; i < type.size(); ++i) {
    if (is_upper(type[i]) && i > 0 && !is_upper(type[i - 1])) text += '_';
    text += is_upper(type[i]) ? static_cast<char>(type[i] - 'A' + 'a') : type[i];
  }
  return text;
}

}  // namespace davit
