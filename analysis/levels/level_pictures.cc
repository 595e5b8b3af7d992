#include "analysis/levels/level_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "analysis/study/gnuplot_text.h"

namespace davit {
namespace {

constexpr double kLeastShare = 1e-4;  // of a tolerance; below it the colour does not change

/// By group and window: the share of a tolerance that the lowest rung takes alone.
std::map<std::pair<std::size_t, std::size_t>, double> SharesOfLowest(const LevelsResult& result) {
  std::map<std::pair<std::size_t, std::size_t>, double> shares;
  for (const LevelEffect& effect : result.effects) {
    if (effect.rung == 0 && effect.is_usable)
      shares[{effect.group, effect.window}] = std::max(ShareOf(result.metrics, effect.errors), kLeastShare);
  }
  return shares;
}

std::string MapPanel(const LevelsResult& result) {
  const std::size_t groups = result.groups.size();
  const auto shares = SharesOfLowest(result);
  const LevelSchedule& schedule = result.chosen().schedule;
  std::string colours, tics;
  std::map<std::string, std::string> hatched;  // by name of the rung
  for (std::size_t g = 0; g < groups; ++g) {
    const auto y = static_cast<double>(groups - 1 - g);
    tics += fmt::format("{}{} {:.0f}", g == 0 ? "" : ", ", GnuplotText(result.groups[g].name), y);
    for (std::size_t w = 0; w < result.ends.size(); ++w) {
      const std::string box =
          fmt::format("{:.9g} {:.0f} {:.9g} {:.9g} {:.3f} {:.3f}", (result.starts[w] + result.ends[w]) / 2, y,
                      result.starts[w], result.ends[w], y - 0.42, y + 0.42);
      const auto share = shares.find({g, w});
      colours += fmt::format("{} {}\n", box, share == shares.end() ? "NaN" : GnuplotNumber(share->second));
      if (schedule[g][w] + 1 < result.groups[g].rungs.size())
        hatched[result.groups[g].rungs[schedule[g][w]]] += box + "\n";
    }
  }
  std::string script = fmt::format(
      "set title 'colour: share of the tolerance that the lowest level takes in a window; hatching: level "
      "chosen'\n"
      "set xlabel 'time [s]'\nset xrange [{:.9g}:{:.9g}]\nset yrange [-0.6:{:.9g}]\nset ytics ({})\n"
      "set logscale cb\nset cbrange [{}:1]\nset palette defined (0 '#F2F6FA', 0.5 '#F4C28C', 1 '#C0392B')\n"
      "set key outside below\n$colours << EOD\n{}EOD\n",
      result.starts.front(), result.ends.back(), static_cast<double>(groups) - 0.4, tics, kLeastShare,
      colours);
  std::string plots =
      "plot $colours using 1:2:3:4:5:6:7 with boxxyerror fillstyle solid linecolor palette notitle";
  int pattern = 0;
  for (const auto& [rung, boxes] : hatched) {
    static constexpr int kPatterns[] = {4, 5, 1, 2};
    script += fmt::format("$level{} << EOD\n{}EOD\n", pattern, boxes);
    plots += fmt::format(
        ", $level{} using 1:2:3:4:5:6 with boxxyerror fillstyle transparent pattern {} linecolor rgb "
        "'#205080' title {}",
        pattern, kPatterns[pattern % 4], GnuplotText(rung));
    ++pattern;
  }
  return script + plots + "\n";
}

/// Of the many runs of a search only the result has its name.
std::string FrontPanel(const LevelsResult& result) {
  const auto row = [&](const LevelPoint& point, bool is_named) {
    if (!point.fault.empty()) return std::string();
    const double cost =
        static_cast<double>(point.cost.evaluations) / static_cast<double>(result.reference.evaluations);
    return fmt::format("{} {} \"{}\"\n", GnuplotNumber(std::max(point.share, kLeastShare)),
                       GnuplotNumber(cost), is_named ? point.name : "");
  };
  std::string fixed, tried;
  for (const LevelPoint& point : result.fixed) fixed += row(point, true);
  for (const LevelPoint& point : result.tried) tried += row(point, &point == &result.chosen());
  std::string charts;
  for (const LevelChart& chart : result.charts) charts += row(chart.point, &chart == &result.chosen_chart());
  std::string script =
      "set title 'cost over error'\nunset colorbox\nset autoscale x\nset autoscale y\nset ytics auto\n"
      "set xlabel 'largest share of a tolerance'\nset ylabel 'evaluations / reference'\nset logscale x\n"
      "set arrow 1 from 1, graph 0 to 1, graph 1 nohead dashtype 2 linecolor rgb '#808080'\n"
      "set offsets graph 0.1, graph 0.25, graph 0.1, graph 0.1\n";
  script += fmt::format("$fixed << EOD\n{}EOD\n$tried << EOD\n{}EOD\n", fixed, tried);
  if (!charts.empty()) script += fmt::format("$charts << EOD\n{}EOD\n", charts);
  return script +
         "plot $fixed using 1:2 with points pointtype 7 linecolor rgb '#0072B2' title 'fixed levels', "
         "$tried using 1:2 with points pointtype 7 linecolor rgb '#D55E00' title 'schedules', "
         "$fixed using 1:2:3 with labels left offset 1,0 notitle, "
         "$tried using 1:2:3 with labels left offset 1,0 notitle" +
         (charts.empty() ? "\n"
                         : ", $charts using 1:2 with points pointtype 5 linecolor rgb '#009E73' title "
                           "'charts', $charts using 1:2:3 with labels left offset 1,0 notitle\n");
}

}  // namespace

std::string MakeLevelPicture(const LevelsResult& result, std::string_view title, PictureFormat format) {
  const double height = 420 + 26 * static_cast<double>(result.groups.size());
  return GnuplotHead(960, height + 240, 2, 1, title, format) + MapPanel(result) + FrontPanel(result) +
         "unset multiplot\n";
}

}  // namespace davit
