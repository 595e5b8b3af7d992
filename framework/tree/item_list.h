#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "framework/component.h"
#include "framework/item.h"
#include "framework/tree/item_name.h"

namespace davit {

/// All items of `owner`. First its signals: primary ones in the order of declaration, then derivatives,
/// parameters and those of the ports; then the properties and start values that are no signals. With `only`,
/// those of this name (and index, if it has one). Of each array without an index at most the first
/// `most_elements`.
std::vector<Item> ListItems(Component& owner, const ItemName* only = nullptr,
                            std::size_t most_elements = std::numeric_limits<std::size_t>::max());

}  // namespace davit
