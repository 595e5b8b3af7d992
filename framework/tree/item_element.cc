#include "framework/tree/item_element.h"

#include <algorithm>

namespace davit {

bool IsOfRefusedItem(std::string_view item, const std::vector<std::string>& refused) {
  return std::ranges::any_of(refused, [&](const std::string& name) {
    return name.empty() ||
           (item.starts_with(name) && (item.size() == name.size() || item[name.size()] == '_'));
  });
}

}  // namespace davit
