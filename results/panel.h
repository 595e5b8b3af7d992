#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "results/curve.h"

namespace davit {

/// One of the diagrams of a figure, which are above each other with one time axis.
struct Panel {
  std::string label;        ///< of the y axis: `Pressure [bar]`; none where it has names
  double factor = 1;        ///< shown = factor * SI
  bool has_points = false;  ///< values are marked
  /// Of levels, aspects and modes: the names of the values 0, 1, 2 ..., which the axis shows.
  std::vector<std::string> options = {};
  std::vector<std::size_t> curves;  ///< their positions among all curves
};

/// Whether a curve of a result that has no names of options is the level of a component: named `level` or
/// `x.level`, without a unit, and with positions of levels (0 Ideal, 1 Standard, 2 Advanced, further ones) or
/// NaN as values.
bool IsLevel(const Curve& curve);

/// One panel for each unit of the `chosen` curves, in the order of their first ones. At the bottom, one for
/// each set of names of levels, aspects and modes: components whose levels are the same as far as both have
/// them share one. Where no unit is known at all, signals with the same last word of their path share a
/// panel.
std::vector<Panel> MakePanels(std::span<const Curve> curves, std::span<const std::size_t> chosen);

}  // namespace davit
