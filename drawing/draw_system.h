#pragma once

#include <string>

#include "framework/system.h"

namespace davit {

/// The drawing of a system as SVG, with symbols in the style of ISO 1219-1. Places are those of `<Layout>`,
/// for the rest found by Graphviz; the same system gives the same bytes. Values such as the place of a piston
/// are those that items have now. docs/drawing.md says what is in it for a live view.
///
/// Pre: the system is loaded without errors and its manager has its charts (as in a Simulation), no step is
/// under way. Throws std::runtime_error where Graphviz is missing or fails.
std::string DrawSystem(System& system);

/// A drawing for a file: viewers that know no variables of CSS (librsvg, Inkscape, Word) show its colours
/// too.
std::string WithoutVariables(std::string drawing);

}  // namespace davit
