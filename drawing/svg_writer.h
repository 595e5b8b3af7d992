#pragma once

#include <string>

#include "drawing/diagram.h"
#include "framework/system.h"

namespace davit {

/// The SVG of a diagram whose places and lines are found. `ground`: what lies below all of it, as SVG.
std::string WriteSvg(System& system, const Diagram& diagram, const std::string& ground = {});

/// The symbol of a component with its name, at its place.
std::string SymbolAlone(const DiagramNode& node);

}  // namespace davit
