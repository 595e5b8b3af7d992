#include "results/gnuplot_style.h"

#include <fmt/format.h>

namespace davit {

std::string GnuplotText(std::string_view text) {
  std::string literal = "'";
  for (const char c : text) {
    if (c == '\'') literal += '\'';
    literal += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  }
  return literal + '\'';
}

std::string GnuplotStyle(double width, double height, PictureFormat format) {
  const bool is_svg = format == PictureFormat::kSvg;
  return fmt::format(
      "set encoding utf8\n"
      "set terminal {} size {:.0f},{:.0f} noenhanced rounded background '#FFFFFF' font '{},11'\n"
      "set border 3 linecolor rgb '#606060' linewidth 0.8\n"
      "set tics nomirror out scale 0.5 textcolor rgb '#202020'\n"
      "set grid xtics ytics back linetype 1 linecolor rgb '#DDDDDD' linewidth 0.6\n"
      "set minussign\n"
      "set key at graph 1, graph 1 left top Left reverse samplen 2.2 spacing 1.1 textcolor rgb '#202020'\n",
      is_svg ? "svg" : "pngcairo", width, height, is_svg ? "DejaVu Sans, Arial, sans-serif" : "Sans");
}

double LegendWidth(std::size_t characters) {
  constexpr double kCharacterWidth = 8;
  constexpr double kSampleWidth = 58;  // and the space around
  return kSampleWidth + kCharacterWidth * static_cast<double>(characters);
}

}  // namespace davit
