#include "server/item_json.h"

#include <cmath>
#include <string>
#include <type_traits>

#include "session/describe_item.h"

namespace davit {

nlohmann::json ItemToJson(const Item& item) {
  nlohmann::json json;
  DescribeItem(item, [&](std::string_view name, const auto& value) {
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, double>) {
      if (!std::isfinite(value)) return;
    }
    json[std::string(name)] = value;
  });
  return json;
}

}  // namespace davit
