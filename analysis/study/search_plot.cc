#include "analysis/study/search_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include "analysis/study/gnuplot_text.h"
#include "analysis/study/population_search.h"
#include "results/display_unit.h"

namespace davit {
namespace {

/// An axis of one objective.
struct SearchAxis {
  std::string label;
  double factor = 1;
};

SearchAxis AxisOf(std::span<const Evaluation* const> cases, std::size_t i, const ShownObjective& shown) {
  double largest = 0;
  for (const Evaluation* one : cases) largest = std::max(largest, std::abs(one->objectives[i]));
  const DisplayUnit unit = FindDisplayUnit(shown.unit, largest);
  return {shown.unit.empty() ? shown.name : shown.name + " [" + unit.unit + "]", shown.sign * unit.factor};
}

}  // namespace

std::string MakeSearchPlot(const std::vector<Evaluation>& cases,
                           const std::vector<ShownObjective>& objectives, std::string_view title,
                           PictureFormat format) {
  std::vector<const Evaluation*> valid;
  for (const Evaluation& one : cases) {
    if (one.is_valid) valid.push_back(&one);
  }
  if (valid.empty()) return {};
  constexpr std::string_view kLongestLegend = "cases that break a constraint";
  std::string script = GnuplotHead(900, 460, 1, 1, title, format);
  const bool is_front = objectives.size() > 1;
  const SearchAxis first = AxisOf(valid, 0, objectives[0]);
  const SearchAxis second = is_front ? AxisOf(valid, 1, objectives[1]) : SearchAxis();
  const auto row = [&](const Evaluation& one) {
    return is_front ? fmt::format("{} {}\n", GnuplotNumber(first.factor * one.objectives[0]),
                                  GnuplotNumber(second.factor * one.objectives[1]))
                    : fmt::format("{} {}\n", one.number, GnuplotNumber(first.factor * one.objectives[0]));
  };
  std::string holding, breaking, line;
  const Evaluation* best = nullptr;
  for (const Evaluation* one : valid) {
    (one->violation > 0 ? breaking : holding) += row(*one);
    if (is_front) continue;
    if (best == nullptr || IsBetter(*one, *best)) best = one;
    if (best->violation <= 0)
      line += fmt::format("{} {}\n", one->number, GnuplotNumber(first.factor * best->objectives[0]));
  }
  if (is_front) {
    for (const Evaluation& one : FrontOf(cases)) line += row(one);
  }
  script += fmt::format("set xlabel {}\nset ylabel {}\nset rmargin at screen {:.6f}\n",
                        GnuplotText(is_front ? first.label : "case"),
                        GnuplotText(is_front ? second.label : first.label),
                        1 - LegendWidth(kLongestLegend.size()) / 900);
  std::string plots;
  const auto add = [&](std::string_view name, const std::string& rows, std::string_view style,
                       std::string_view legend) {
    if (rows.empty()) return;
    script += fmt::format("${} << EOD\n{}EOD\n", name, rows);
    plots += fmt::format("{}${} using 1:2 with {} title {}", plots.empty() ? "" : ", ", name, style,
                         GnuplotText(legend));
  };
  add("breaking", breaking, "points pointtype 7 pointsize 0.4 linecolor rgb '#E6C9B8'", kLongestLegend);
  add("holding", holding, "points pointtype 7 pointsize 0.45 linecolor rgb '#9FB8C8'", "cases");
  add("line", line,
      is_front ? "points pointtype 7 pointsize 0.7 linecolor rgb '#D55E00'"
               : "steps linewidth 2 linecolor rgb '#D55E00'",
      is_front ? "Pareto front" : "best so far");
  return script + "plot " + plots + "\nunset multiplot\n";
}

}  // namespace davit
