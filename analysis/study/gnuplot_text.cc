#include "analysis/study/gnuplot_text.h"

#include <fmt/format.h>

#include <cmath>

namespace davit {

std::string GnuplotNumber(double value) {
  return std::isfinite(value) ? fmt::format("{:.9g}", value) : "NaN";
}

std::string GnuplotHead(double width, double height, std::size_t rows, std::size_t columns,
                        std::string_view title, PictureFormat format) {
  return GnuplotStyle(width, height, format) +
         fmt::format("set datafile missing 'NaN'\nset multiplot layout {},{} title {} font ',13'\n", rows,
                     columns, GnuplotText(title));
}

}  // namespace davit
