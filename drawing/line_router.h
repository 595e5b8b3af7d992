#pragma once

#include "drawing/diagram.h"

namespace davit {

/// Finds the way of each line of a diagram: along the grid, around symbols, with few bends and few crossings
/// (A* search, P. E. Hart, N. J. Nilsson, B. Raphael, 1968). Short lines come first. A line whose search
/// takes too long, as may happen in drawings of thousands of components, is drawn with at most three bends
/// across whatever lies there. Pre: PlaceNodes.
void RouteLines(Diagram& diagram);

}  // namespace davit
