#include "analysis/sensitivity/tornado_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/study/gnuplot_text.h"

namespace davit {
namespace {

constexpr std::size_t kMostBars = 25;  // of a panel; the shortest are left out

}  // namespace

std::string MakeTornadoPlot(const std::vector<TornadoPanel>& panels, std::string_view axis,
                            std::string_view title, PictureFormat format) {
  std::size_t bars = 0;
  for (const TornadoPanel& panel : panels) bars = std::max(bars, std::min(panel.names.size(), kMostBars));
  const double height = 70 + static_cast<double>(panels.size()) * (90 + 26 * static_cast<double>(bars));
  std::string script = GnuplotHead(760, height, panels.size(), 1, title, format);
  std::size_t longest = 0;
  double low = 0, high = 0;  // of all panels, so that their bars compare
  for (const TornadoPanel& panel : panels) {
    for (const std::string& name : panel.names) longest = std::max(longest, name.size());
    for (const double value : panel.values) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  const double room = low < high ? 0.05 * (high - low) : 1;
  script += fmt::format(
      "set key off\nset style fill solid noborder\nset lmargin {}\nset border 1\nset ytics scale 0\n"
      "set grid noytics\nset xrange [{}:{}]\n",
      longest + 4, low < 0 ? low - room : 0, high > 0 || low == high ? high + room : 0);
  for (std::size_t p = 0; p < panels.size(); ++p) {
    const TornadoPanel& panel = panels[p];
    std::vector<std::size_t> order(panel.names.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto size = [&](std::size_t i) {
      return std::isfinite(panel.values[i]) ? std::abs(panel.values[i]) : -1;
    };
    std::ranges::stable_sort(order, std::ranges::greater(), size);
    if (order.size() > kMostBars) order.resize(kMostBars);
    script += fmt::format("$p{} << EOD\n", p);
    std::string labels;
    for (std::size_t row = 0; row < order.size(); ++row) {
      const std::size_t i = order[row];
      const double inner = panel.inner.empty() ? 0 : panel.inner[i];
      script +=
          fmt::format("{} {} {}\n", order.size() - row, GnuplotNumber(panel.values[i]), GnuplotNumber(inner));
      labels += fmt::format("{}{} {}", row == 0 ? "" : ", ", GnuplotText(panel.names[i]), order.size() - row);
    }
    script += fmt::format("EOD\nset title {}\nset xlabel {}\nset ytics ({})\nset yrange [0.3:{}.7]\n",
                          GnuplotText(panel.label), GnuplotText(axis), labels, order.size());
    script += "set arrow 1 from 0,graph 0 to 0,graph 1 nohead linecolor rgb '#404040'\n";
    script += fmt::format(
        "plot $p{0} using (0):1:(0):2:($1-0.35):($1+0.35) with boxxyerror linecolor rgb '#56B4E9'", p);
    if (!panel.inner.empty())
      script += fmt::format(
          ", $p{0} using (0):1:(0):3:($1-0.18):($1+0.18) with boxxyerror linecolor rgb '#0072B2'", p);
    script += '\n';
  }
  return script + "unset multiplot\n";
}

}  // namespace davit
