#pragma once

#include <cstddef>

#include "drawing/diagram.h"

namespace davit {

inline constexpr std::size_t kMostVisitedOfDrawing = 60'000'000;

/// Finds the way of each line of a diagram: along the grid, around symbols, with few bends and few crossings
/// (A* search, P. E. Hart, N. J. Nilsson, B. Raphael, 1968). Short lines come first. A line whose search
/// takes too long, as may happen in drawings of thousands of components, is drawn with at most three bends
/// across whatever lies there. Pre: PlaceNodes.
///
/// `most_visited`: how many places all searches together may look at.
void RouteLines(Diagram& diagram, std::size_t most_visited = kMostVisitedOfDrawing);

}  // namespace davit
