#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/study/objective.h"
#include "results/gnuplot_script.h"

namespace davit {

/// An objective as it is drawn.
struct ShownObjective {
  std::string name;
  std::string unit;  ///< SI; empty without
  double sign = 1;   ///< -1: it is maximised, and its values are negative
};

/// The gnuplot script of a search: of one objective all cases in the order they were asked for, and the best
/// so far; of two all cases and the front that no other one dominates; of more those of the first two. Cases
/// without a value are left out, those that break a constraint are pale. Empty where nothing can be drawn.
std::string MakeSearchPlot(const std::vector<Evaluation>& cases,
                           const std::vector<ShownObjective>& objectives, std::string_view title,
                           PictureFormat format);

}  // namespace davit
