#pragma once

#include <vector>

#include "framework/component.h"
#include "framework/item_name.h"
#include "framework/variable.h"

namespace davit {

/// All variables of `owner`: primary ones first, in the order of declaration, then derivatives, parameters
/// and those of the ports. With `only`, those of the items with this name (and index, if it has one).
std::vector<Variable> ListVariables(Component& owner, const ItemName* only = nullptr);

}  // namespace davit
