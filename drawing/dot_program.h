#pragma once

#include <string>
#include <string_view>

namespace davit {

/// Draws a graph in the DOT language with the program dot of Graphviz. `format` is as in `dot -Tsvg`. Throws
/// std::runtime_error where the program is missing or fails.
std::string DrawWithDot(std::string_view graph, const std::string& format);

}  // namespace davit
