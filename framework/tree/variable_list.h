#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "framework/component.h"
#include "framework/tree/item_name.h"
#include "framework/tree/variable.h"

namespace davit {

/// All variables of `owner`: primary ones first, in the order of declaration, then derivatives, parameters
/// and those of the ports. With `only`, those of the items with this name (and index, if it has one). Of
/// each array without an index at most the first `most_elements`.
std::vector<Variable> ListVariables(Component& owner, const ItemName* only = nullptr,
                                    std::size_t most_elements = std::numeric_limits<std::size_t>::max());

}  // namespace davit
