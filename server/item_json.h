#pragma once

#include <nlohmann/json.hpp>

namespace davit {

class Item;

/// The fields of DescribeItem as JSON. Infinite numbers are left out: JSON has none.
nlohmann::json ItemToJson(const Item& item);

}  // namespace davit
