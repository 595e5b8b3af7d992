#include "results/panel.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "results/display_unit.h"

namespace davit {
namespace {

constexpr double kLastLevel = 9;

std::string_view LastWord(std::string_view path) { return path.substr(path.rfind('.') + 1); }

/// `-` and `1` are other ways to write that there is no unit.
std::string_view UnitOf(const ResultTable& table, std::size_t column) {
  const std::string_view unit = table.units[column];
  return unit == "-" || unit == "1" ? std::string_view() : unit;
}

double LargestAbsolute(const ResultTable& table, std::span<const std::size_t> columns) {
  double largest = 0;
  for (const std::size_t column : columns) {
    for (const double value : table.columns[column]) {
      if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
    }
  }
  return largest;
}

}  // namespace

bool IsLevelColumn(const ResultTable& table, std::size_t column) {
  const auto is_level = [](double value) {
    return std::isnan(value) || (value >= 0 && value <= kLastLevel && value == std::trunc(value));
  };
  return LastWord(table.names[column]) == "level" && UnitOf(table, column).empty() &&
         std::ranges::all_of(table.columns[column], is_level);
}

std::vector<Panel> MakePanels(const ResultTable& table, std::span<const std::size_t> columns) {
  const bool has_units = std::ranges::any_of(table.units, [](const auto& unit) { return !unit.empty(); });
  std::vector<std::pair<std::string_view, Panel>> panels;  // with what their signals have in common
  Panel levels{.label = {}, .factor = 1, .is_level = true, .columns = {}};
  for (const std::size_t column : columns) {
    if (IsLevelColumn(table, column)) {
      levels.columns.push_back(column);
      continue;
    }
    const std::string_view common = has_units ? UnitOf(table, column) : LastWord(table.names[column]);
    auto found = std::ranges::find(panels, common, [](const auto& panel) { return panel.first; });
    if (found == panels.end()) found = panels.insert(panels.end(), {common, Panel{}});
    found->second.columns.push_back(column);
  }

  std::vector<Panel> result;
  for (auto& [common, panel] : panels) {
    panel.label = common;
    if (has_units) {
      const DisplayUnit shown = FindDisplayUnit(common, LargestAbsolute(table, panel.columns));
      panel.label = shown.Label();
      panel.factor = shown.factor;
    }
    result.push_back(std::move(panel));
  }
  if (!levels.columns.empty()) result.push_back(std::move(levels));
  return result;
}

}  // namespace davit
