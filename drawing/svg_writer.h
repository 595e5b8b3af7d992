#pragma once

#include <string>

#include "drawing/diagram.h"
#include "framework/system.h"

namespace davit {

/// The SVG of a diagram whose places and lines are found.
std::string WriteSvg(System& system, const Diagram& diagram);

}  // namespace davit
