#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "results/result_table.h"

namespace davit {

/// One of the diagrams of a figure, which stand above each other with one time axis.
struct Panel {
  std::string label;  ///< of the y axis: `Pressure [bar]`; none for levels
  double factor = 1;  ///< shown = factor * SI
  bool is_level = false;
  std::vector<std::size_t> columns;  ///< of the result
};

/// Whether a column records the level of a component: named `level` or `x.level`, without a unit, and with
/// positions of levels (0 Ideal, 1 Standard, 2 Advanced, further ones) or NaN as values.
bool IsLevelColumn(const ResultTable& table, std::size_t column);

/// One panel for each unit of `columns`, in the order of their first signals, and one for levels at the
/// bottom. Where no unit is known at all, signals with the same last word of their path share a panel.
std::vector<Panel> MakePanels(const ResultTable& table, std::span<const std::size_t> columns);

}  // namespace davit
