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
std::string_view UnitOf(const Curve& curve) {
  const std::string_view unit = curve.unit;
  return unit == "-" || unit == "1" ? std::string_view() : unit;
}

double LargestAbsolute(std::span<const Curve> curves, std::span<const std::size_t> chosen) {
  double largest = 0;
  for (const std::size_t i : chosen) {
    for (const double value : *curves[i].values) {
      if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
    }
  }
  return largest;
}

}  // namespace

bool IsLevel(const Curve& curve) {
  const auto is_level = [](double value) {
    return std::isnan(value) || (value >= 0 && value <= kLastLevel && value == std::trunc(value));
  };
  return LastWord(curve.path) == "level" && UnitOf(curve).empty() &&
         std::ranges::all_of(*curve.values, is_level);
}

std::vector<Panel> MakePanels(std::span<const Curve> curves, std::span<const std::size_t> chosen) {
  const bool has_units = std::ranges::any_of(curves, [](const auto& curve) { return !curve.unit.empty(); });
  std::vector<std::pair<std::string_view, Panel>> panels;  // with what their signals have in common
  Panel levels{.label = {}, .factor = 1, .is_level = true, .curves = {}};
  for (const std::size_t i : chosen) {
    if (IsLevel(curves[i])) {
      levels.curves.push_back(i);
      continue;
    }
    const std::string_view common = has_units ? UnitOf(curves[i]) : LastWord(curves[i].path);
    auto found = std::ranges::find(panels, common, [](const auto& panel) { return panel.first; });
    if (found == panels.end()) found = panels.insert(panels.end(), {common, Panel{}});
    found->second.curves.push_back(i);
  }

  std::vector<Panel> result;
  for (auto& [common, panel] : panels) {
    panel.label = common;
    if (has_units) {
      const DisplayUnit shown = FindDisplayUnit(common, LargestAbsolute(curves, panel.curves));
      panel.label = shown.Label();
      panel.factor = shown.factor;
    }
    result.push_back(std::move(panel));
  }
  if (!levels.curves.empty()) result.push_back(std::move(levels));
  return result;
}

}  // namespace davit
