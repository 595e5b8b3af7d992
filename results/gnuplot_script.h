#pragma once

#include <span>
#include <string>
#include <string_view>

#include "results/curve.h"
#include "results/gnuplot_style.h"
#include "results/panel.h"

namespace davit {

/// Which axes are logarithmic. What is not positive has no place on one and is left out. Levels stay linear.
struct LogAxes {
  bool x = false;
  bool y = false;
};

/// The gnuplot script that draws `panels` above each other, with all data in it; the picture goes to
/// gnuplot's standard output. Names are passed as plain text: nothing in them is taken for a command, an
/// index or markup.
///
/// Pre: each curve has values, and there is at least one panel with a curve. With several results
/// the colour shows the result and the dashes the signal, or the other way round where there are many
/// signals, as long as both suffice; later results are drawn thinner, so that curves which cover each other
/// are seen.
std::string MakeGnuplotScript(std::span<const Curve> curves, std::span<const Panel> panels,
                              const XAxis& x_axis, std::string_view title, PictureFormat format,
                              LogAxes log = {});

}  // namespace davit
