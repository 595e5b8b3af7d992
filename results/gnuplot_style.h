#pragma once

#include <array>
#include <string>
#include <string_view>

namespace davit {

enum class PictureFormat { kSvg, kPng };

/// Okabe and Ito, Color Universal Design (2008), without the yellow that is too pale on white.
inline constexpr std::array<std::string_view, 7> kPlotColours{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                              "#E69F00", "#56B4E9", "#404040"};

/// `text` as a string of gnuplot that is taken literally.
std::string GnuplotText(std::string_view text);

/// How the script of each picture begins: its size in pixels, and the axes, the grid and the legend, which
/// is right of the diagram. The diagram leaves room for the legend, by `set rmargin`.
std::string GnuplotStyle(double width, double height, PictureFormat format);

/// Pixels of a legend whose longest text has so many characters.
double LegendWidth(std::size_t characters);

}  // namespace davit
