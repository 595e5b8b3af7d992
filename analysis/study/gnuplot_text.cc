#include "analysis/study/gnuplot_text.h"

#include <fmt/format.h>

#include <cmath>

namespace davit {

std::string GnuplotText(std::string_view text) {
  std::string literal = "'";
  for (const char c : text) {
    if (c == '\'') literal += '\'';
    literal += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  }
  return literal + '\'';
}

std::string GnuplotNumber(double value) {
  return std::isfinite(value) ? fmt::format("{:.9g}", value) : "NaN";
}

std::string GnuplotHead(double width, double height, std::size_t rows, std::size_t columns,
                        std::string_view title, PictureFormat format) {
  const bool is_svg = format == PictureFormat::kSvg;
  return fmt::format(
      "set encoding utf8\n"
      "set terminal {} size {:.0f},{:.0f} noenhanced rounded background '#FFFFFF' font '{},11'\n"
      "set datafile missing 'NaN'\n"
      "set multiplot layout {},{} title {}\n"
      "set grid linecolor rgb '#D8DEE4'\n"
      "set tics textcolor rgb '#202020'\n",
      is_svg ? "svg" : "pngcairo", width, height, is_svg ? "DejaVu Sans, Arial, sans-serif" : "Sans", rows,
      columns, GnuplotText(title));
}

}  // namespace davit
