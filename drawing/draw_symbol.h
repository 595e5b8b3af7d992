#pragma once

#include <string>

#include "framework/component.h"

namespace davit {

/// The symbol of a component as SVG, with the names of its ports and of the inputs it draws. A component
/// without ports has its outputs as well. Pre: it is configured.
std::string DrawSymbol(Component& component);

}  // namespace davit
