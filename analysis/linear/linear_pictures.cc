#include "analysis/linear/linear_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "results/curve.h"
#include "results/panel.h"

namespace davit {
namespace {

constexpr double kPlaneWidth = 740;  // without the legend

/// Whether one unit can have one length on both axes, and the picture still shows both.
bool HasSimilarExtents(const PlanePicture& picture) {
  constexpr double kMostRatio = 4;
  double low_x = 0, high_x = 0, low_y = 0, high_y = 0;
  for (const PlanePicture::Series& series : picture.series) {
    for (const std::complex<double>& point : series.points) {
      if (!std::isfinite(point.real()) || !std::isfinite(point.imag())) continue;
      low_x = std::min(low_x, point.real());
      high_x = std::max(high_x, point.real());
      low_y = std::min(low_y, point.imag());
      high_y = std::max(high_y, point.imag());
    }
  }
  const double x = high_x - low_x, y = high_y - low_y;
  return x <= kMostRatio * y && y <= kMostRatio * x && x > 0;
}

std::string_view StyleText(PlanePicture::Style style) {
  switch (style) {
    case PlanePicture::Style::kCross: return "points pt 2 ps 1.1 lw 1.6";
    case PlanePicture::Style::kCircle: return "points pt 6 ps 1.2 lw 1.6";
    case PlanePicture::Style::kSmallCross: return "points pt 2 ps 0.5 lw 1.2";
    default: return "lines lw 1.8";
  }
}

}  // namespace

AxisPicture::PanelOf& AxisPicture::PanelWith(const std::string& label, bool is_log) {
  const auto found = std::ranges::find(panels, label, &PanelOf::label);
  return found != panels.end() ? *found : panels.emplace_back(PanelOf{.label = label, .is_log = is_log});
}

std::string UnitOfGain(const std::string& output, const std::string& input) {
  if (input == output) return {};
  if (input.empty()) return output;
  const auto closed = [](const std::string& unit, std::string_view operators) {
    return unit.find_first_of(operators) == std::string::npos ? unit : "(" + unit + ")";
  };
  return (output.empty() ? "1" : closed(output, "/")) + "/" + closed(input, "./");
}

std::string GainLabel(const std::string& unit_of_gain) {
  return unit_of_gain.empty() ? "Gain [dB]" : fmt::format("Gain [dB re 1 {}]", unit_of_gain);
}

std::string AxisPictureScript(const AxisPicture& picture, PictureFormat format) {
  std::vector<Curve> curves;
  std::vector<Panel> panels;
  bool is_log_y = !picture.panels.empty();
  for (const AxisPicture::PanelOf& from : picture.panels) {
    Panel panel;
    panel.label = from.label;
    is_log_y = is_log_y && from.is_log;
    for (const AxisPicture::Series& series : from.series) {
      panel.curves.push_back(curves.size());
      Curve curve;
      curve.path = curve.label = series.label;
      curve.signal = curves.size();
      curve.time = curve.x = &picture.x;
      curve.values = &series.values;
      curves.push_back(std::move(curve));
    }
    panels.push_back(std::move(panel));
  }
  return MakeGnuplotScript(curves, panels, {.label = picture.x_label}, picture.title, format,
                           {.x = picture.is_log_x, .y = is_log_y});
}

std::string PlanePictureScript(const PlanePicture& picture, PictureFormat format) {
  std::size_t longest = 0;
  for (const PlanePicture::Series& series : picture.series) longest = std::max(longest, series.label.size());
  const double width = kPlaneWidth + LegendWidth(longest);
  std::string script = GnuplotStyle(width, 640, format);
  script += fmt::format("set rmargin at screen {:.6f}\nset title {} font ',13'\n", kPlaneWidth / width,
                        GnuplotText(picture.title));
  script +=
      "set xlabel " + GnuplotText(picture.x_label) + "\nset ylabel " + GnuplotText(picture.y_label) + "\n";
  script += "set xzeroaxis lc rgb '#90A4AE' lw 1 dt 1\nset yzeroaxis lc rgb '#90A4AE' lw 1 dt 1\n";
  script += "set offsets graph 0.06, graph 0.06, graph 0.06, graph 0.06\n";
  if (HasSimilarExtents(picture)) script += "set size ratio -1\n";
  std::string plot, data;
  const auto add = [&](const std::string& label, const std::string& style) {
    plot += fmt::format("{}'-' using 1:2 with {} title {}", plot.empty() ? "plot " : ", ", style,
                        label.empty() ? "''" : GnuplotText(label));
  };
  for (std::size_t i = 0; i < picture.series.size(); ++i) {
    const PlanePicture::Series& series = picture.series[i];
    std::string points;
    for (const std::complex<double>& point : series.points) {
      if (std::isfinite(point.real()) && std::isfinite(point.imag()))
        points += fmt::format("{:.10g} {:.10g}\n", point.real(), point.imag());
    }
    if (points.empty()) continue;
    add(series.label,
        fmt::format("{} lc rgb '{}'", StyleText(series.style), kPlotColours[i % kPlotColours.size()]));
    data += points + "e\n";
  }
  if (picture.marks_minus_one) {
    add("-1", "points pt 1 ps 1.4 lw 2 lc rgb '#D50000'");
    data += "-1 0\ne\n";
  }
  if (plot.empty()) {
    add("", "points");
    data += "0 0\ne\n";
  }
  return script + plot + "\n" + data;
}

}  // namespace davit
