#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/study/study_table.h"
#include "results/gnuplot_script.h"

namespace davit {

/// The gnuplot script of a picture of a table, whose first columns after `case` are `varied` items. A panel
/// for each measure: a curve over one varied number, one curve for each combination of the others that are
/// lists; contours over two varied numbers of a grid; otherwise a scatter matrix of all numbers. Failed cases
/// are left out. Empty where there is nothing to draw.
std::string MakeStudyPlot(const std::vector<StudyColumn>& columns,
                          const std::map<std::uint64_t, std::string>& rows, std::size_t varied, bool is_grid,
                          std::string_view title, PictureFormat format);

}  // namespace davit
