#include "statecharts/default_charts.h"

#include <algorithm>

namespace davit {

std::string_view FindBuiltInChart(std::string_view model) {
  const std::span<const BuiltInChart> charts = BuiltInCharts();
  const auto found = std::ranges::find(charts, model, &BuiltInChart::model);
  return found == charts.end() ? std::string_view() : found->text;
}

}  // namespace davit
