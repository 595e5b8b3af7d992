#include "results/panel.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

#include "framework/level.h"
#include "results/display_unit.h"

namespace davit {
namespace {

constexpr double kLastLevel = 9;
constexpr std::size_t kMostNames = 500;  // on an axis; more are drawn as numbers

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

/// Whether the names of one are the first of the other.
bool Agree(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(std::min(a.size(), b.size())),
                    b.begin());
}

void AddNamed(std::size_t curve, const std::vector<std::string>& options, std::vector<Panel>& panels) {
  auto found =
      std::ranges::find_if(panels, [&](const Panel& panel) { return Agree(panel.options, options); });
  if (found == panels.end()) found = panels.insert(panels.end(), Panel{});
  if (found->options.size() < options.size()) found->options = options;
  found->curves.push_back(curve);
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
  std::vector<Panel> named;
  for (const std::size_t i : chosen) {
    if (curves[i].options != nullptr && curves[i].options->size() <= kMostNames) {
      AddNamed(i, *curves[i].options, named);
      continue;
    }
    if (IsLevel(curves[i])) {
      AddNamed(i, {kLevelNames.begin(), kLevelNames.end()}, named);
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
  std::ranges::move(named, std::back_inserter(result));
  return result;
}

}  // namespace davit
