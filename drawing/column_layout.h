#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "drawing/diagram.h"

namespace davit {

/// Puts boxes into columns from left to right along their edges, each box near those that it is joined with;
/// columns that would reach too far go on below the first ones. No two boxes overlap. The time is in
/// proportion to the graph: for what Graphviz would need minutes for.
///
/// Only sizes of `boxes` count. Edges are pairs of their numbers; one that closes a circle is left out of
/// account. Returns the middles.
std::vector<DiagramPoint> PlaceInColumns(std::span<const DiagramBox> boxes,
                                         std::span<const std::pair<std::size_t, std::size_t>> edges);

}  // namespace davit
