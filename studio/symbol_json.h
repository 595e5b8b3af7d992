#pragma once

#include "drawing/symbols/symbol.h"
#include "studio/json_text.h"

namespace davit {

/// A symbol: its box, its shapes as SVG about the origin, its words, and where lines meet it.
Json SymbolToJson(const Symbol& symbol);

std::string_view ToText(Side side);

}  // namespace davit
