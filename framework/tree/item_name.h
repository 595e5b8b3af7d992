#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace davit {

/// The parts of an item's name: `pos[3].ddt` -> name `pos`, index 3, field `ddt`.
struct ItemName {
  std::string_view name;
  std::optional<std::uint32_t> index;
  std::string_view field;
};

/// Nothing for a text that cannot be the name of an item, such as `pos[3`.
std::optional<ItemName> ParseItemName(std::string_view text);

}  // namespace davit
