#include "results/curve.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace davit {
namespace {

const std::vector<std::string>* OptionsOf(const ResultTable& table, std::size_t i) {
  return i < table.options.size() && !table.options[i].empty() ? &table.options[i] : nullptr;
}

}  // namespace

std::vector<Curve> MakeCurves(std::span<const NamedResult> results) {
  std::map<std::string_view, std::size_t> signal_of;
  std::vector<std::vector<Curve>> curves_of;  // by signal
  for (std::size_t r = 0; r < results.size(); ++r) {
    const ResultTable& table = *results[r].table;
    for (std::size_t i = 0; i < table.names.size(); ++i) {
      const std::string_view path = table.names[i];
      const auto [found, is_new] = signal_of.emplace(path, curves_of.size());
      if (is_new) curves_of.emplace_back();
      std::string label = results.size() > 1 ? results[r].name + ": " + table.names[i] : table.names[i];
      curves_of[found->second].push_back({.path = path,
                                          .unit = table.units[i],
                                          .label = std::move(label),
                                          .signal = found->second,
                                          .result = r,
                                          .time = &table.time,
                                          .x = &table.time,
                                          .values = &table.columns[i],
                                          .options = OptionsOf(table, i)});
    }
  }
  std::vector<Curve> all;
  for (std::vector<Curve>& curves : curves_of) {
    std::string_view unit;
    for (const Curve& curve : curves) {
      if (unit.empty()) unit = curve.unit;
    }
    for (Curve& curve : curves) {
      if (curve.unit.empty()) curve.unit = unit;
      all.push_back(std::move(curve));
    }
  }
  return all;
}

XAxis DrawOver(std::string_view path, std::vector<Curve>& curves) {
  std::map<std::size_t, const std::vector<double>*> x_of;  // by result
  std::string unit;
  double largest = 0;
  for (const Curve& curve : curves) {
    if (curve.path != path) continue;
    x_of[curve.result] = curve.values;
    unit = curve.unit;
    for (const double value : *curve.values) {
      if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
    }
  }
  std::string name(path);
  std::erase_if(curves, [&](const Curve& curve) { return curve.path == name; });
  for (Curve& curve : curves) curve.x = x_of.at(curve.result);
  const DisplayUnit shown = FindDisplayUnit(unit, largest);
  if (!unit.empty()) name += " [" + shown.unit + "]";
  return {.label = std::move(name), .factor = shown.factor};
}

}  // namespace davit
