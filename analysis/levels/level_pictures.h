#pragma once

#include <string>
#include <string_view>

#include "analysis/levels/level_result.h"
#include "results/gnuplot_script.h"

namespace davit {

/// The gnuplot script of a study of levels: for each group over time the share of a tolerance that its lowest
/// level takes in a window (colour) and the level chosen (hatching); below, the cost of all runs over their
/// error.
std::string MakeLevelPicture(const LevelsResult& result, std::string_view title, PictureFormat format);

}  // namespace davit
