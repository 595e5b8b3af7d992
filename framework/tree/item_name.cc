#include "framework/tree/item_name.h"

#include <charconv>
#include <system_error>

namespace davit {

std::optional<ItemName> ParseItemName(std::string_view text) {
  ItemName item;
  const std::size_t end = text.find_first_of("[.");
  item.name = text.substr(0, end);
  if (end == std::string_view::npos) return item;
  text.remove_prefix(end);
  if (text.front() == '[') {
    const std::size_t close = text.find(']');
    if (close == std::string_view::npos) return std::nullopt;
    std::uint32_t index = 0;
    const auto [stop, error] = std::from_chars(text.data() + 1, text.data() + close, index);
    if (error != std::errc() || stop != text.data() + close) return std::nullopt;
    item.index = index;
    text.remove_prefix(close + 1);
  }
  if (text.empty()) return item;
  if (text.front() != '.') return std::nullopt;
  item.field = text.substr(1);
  return item;
}

}  // namespace davit
