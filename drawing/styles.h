#pragma once

#include <span>
#include <string_view>

namespace davit {

/// How symbols and lines look: drawing/styles/symbols.css, built into the program, and into the page of the
/// editor. A page may set its variables; a file has their values.
struct DrawingStyle {
  std::string_view name;
  std::string_view text;
};
std::span<const DrawingStyle> DrawingStyles();

}  // namespace davit
