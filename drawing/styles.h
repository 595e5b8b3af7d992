#pragma once

#include <algorithm>
#include <span>
#include <string_view>

namespace davit {

/// How drawings look, built into the program: `symbols` those of symbols and lines, also in the page of the
/// editor, which may set its variables while a file has their values; `scene` those of mechanisms.
struct DrawingStyle {
  std::string_view name;
  std::string_view text;
};
std::span<const DrawingStyle> DrawingStyles();

/// Pre: there is one of this name.
inline std::string_view DrawingCss(std::string_view name) {
  return std::ranges::find(DrawingStyles(), name, &DrawingStyle::name)->text;
}

}  // namespace davit
