#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "results/gnuplot_script.h"

namespace davit {

/// The bars of one measure.
struct TornadoPanel {
  std::string label;
  std::vector<std::string> names;
  std::vector<double> values;      ///< by name; NaN: no bar
  std::vector<double> inner = {};  ///< second, thinner bars inside of the first; empty: none
};

/// The gnuplot script of bars from 0, the longest on top, a panel for each measure below each other.
/// `axis`: what the values are.
std::string MakeTornadoPlot(const std::vector<TornadoPanel>& panels, std::string_view axis,
                            std::string_view title, PictureFormat format);

}  // namespace davit
