#include "analysis/linear/linear_pictures.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "results/curve.h"
#include "results/panel.h"

namespace davit {
namespace {

/// Okabe and Ito, Color Universal Design (2008), as in gnuplot_script.cc.
constexpr std::array<std::string_view, 7> kPlaneColours{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                        "#E69F00", "#56B4E9", "#404040"};

std::string PlaneLiteral(std::string_view text) {
  std::string literal = "'";
  for (const char c : text) {
    if (c == '\'') literal += '\'';
    literal += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return literal + '\'';
}

std::string_view StyleText(PlanePicture::Style style) {
  switch (style) {
    case PlanePicture::Style::kCross: return "points pt 2 ps 1.1 lw 1.6";
    case PlanePicture::Style::kCircle: return "points pt 6 ps 1.2 lw 1.6";
    case PlanePicture::Style::kDots: return "points pt 7 ps 0.45";
    default: return "lines lw 1.8";
  }
}

}  // namespace

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
  std::string script = "set encoding utf8\n";
  script +=
      format == PictureFormat::kSvg
          ? "set terminal svg size 820,640 noenhanced rounded background '#FFFFFF' font 'DejaVu Sans, "
            "Arial, sans-serif,11'\n"
          : "set terminal pngcairo size 820,640 noenhanced rounded background '#FFFFFF' font 'Sans,11'\n";
  script += "set title " + PlaneLiteral(picture.title) + "\n";
  script +=
      "set xlabel " + PlaneLiteral(picture.x_label) + "\nset ylabel " + PlaneLiteral(picture.y_label) + "\n";
  script += "set grid lc rgb '#D8DDE0' lw 1\nset border lc rgb '#607D8B'\nset key below left Left reverse\n";
  script += "set xzeroaxis lc rgb '#90A4AE' lw 1 dt 1\nset yzeroaxis lc rgb '#90A4AE' lw 1 dt 1\n";
  script += "set offsets graph 0.06, graph 0.06, graph 0.06, graph 0.06\n";
  if (picture.is_equal) script += "set size ratio -1\n";
  std::string plot, data;
  const auto add = [&](const std::string& label, const std::string& style) {
    plot += fmt::format("{}'-' using 1:2 with {} title {}", plot.empty() ? "plot " : ", ", style,
                        label.empty() ? "''" : PlaneLiteral(label));
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
        fmt::format("{} lc rgb '{}'", StyleText(series.style), kPlaneColours[i % kPlaneColours.size()]));
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
