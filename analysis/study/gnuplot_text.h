#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "results/gnuplot_style.h"

namespace davit {

/// A number as gnuplot reads it; NaN where it is not finite.
std::string GnuplotNumber(double value);
/// How the script of a picture of `width` x `height` pixels with `rows` x `columns` panels begins.
std::string GnuplotHead(double width, double height, std::size_t rows, std::size_t columns,
                        std::string_view title, PictureFormat format);

}  // namespace davit
