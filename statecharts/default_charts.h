#pragma once

#include <span>
#include <string_view>

namespace davit {

/// A chart of `statecharts/charts/`, built into the program.
struct BuiltInChart {
  std::string_view model;  ///< whose components it belongs to: `hydraulic.Cylinder`
  std::string_view text;   ///< the SCXML document
};

/// All of them, by model.
std::span<const BuiltInChart> BuiltInCharts();
/// The text of the chart of a model; empty where there is none.
std::string_view FindBuiltInChart(std::string_view model);

}  // namespace davit
