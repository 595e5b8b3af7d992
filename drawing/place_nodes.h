#pragma once

#include <cstddef>
#include <cstdint>

#include "drawing/diagram.h"
#include "framework/system.h"

namespace davit {

/// Gives every component and frame of a diagram its place. Those that `<Layout>` places stay there; the rest
/// is placed by the program dot of Graphviz, one run for each system file that looks different, from left to
/// right along the connections. Then symbols are mirrored where that shortens their lines, labels are put
/// where no line leaves, and each line gets its anchors.
///
/// All places are multiples of kGrid. Throws std::runtime_error where Graphviz is missing or fails.
///
/// Where more than `most_by_dot` hang together, they are put into columns instead, which takes no time.
void PlaceNodes(const System& system, Diagram& diagram, std::size_t most_by_dot = SIZE_MAX);

}  // namespace davit
