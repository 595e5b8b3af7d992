#include "results/gnuplot_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "results/decimation.h"

namespace davit {
namespace {

// Sizes in pixels.
constexpr double kSmallestWidth = 1000;
constexpr double kSmallestPlotWidth = 640;
constexpr double kLeftMargin = 96;
constexpr double kTopMargin = 46;
constexpr double kBottomMargin = 58;
constexpr double kGap = 22;  // between panels
constexpr double kPanelHeight = 198;
constexpr double kLeastNamedHeight = 110;
constexpr double kNamedRowHeight = 30;
constexpr double kCharacterWidth = 8;
constexpr double kLegendLineHeight = 18.8;
constexpr std::size_t kLongestLegendName = 60;

constexpr std::size_t kBinCount = 1000;  // of a curve: at most 4000 points, finer than the pixels

constexpr std::array<std::string_view, 4> kDashes{"1", "(10,5)", "(3,4)", "(10,4,2,4)"};

/// What repeats in each panel.
struct Frame {
  double width = 0;
  double height = 0;
  double left = 0;
  double right = 0;  // from the left edge
};

bool IsUtf8Continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

std::size_t CountCharacters(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, IsUtf8Continuation));
}

/// The end of a path says most.
std::string LegendName(std::string_view name) {
  if (name.size() <= kLongestLegendName) return std::string(name);
  name.remove_prefix(name.size() - kLongestLegendName);
  while (!name.empty() && IsUtf8Continuation(name.front())) name.remove_prefix(1);
  return "…" + std::string(name);
}

bool HasNames(const Panel& panel) { return !panel.options.empty(); }

double HeightOf(const Panel& panel) {
  // With less than a line to spare gnuplot breaks the legend into columns.
  const double legend = kLegendLineHeight * (static_cast<double>(panel.curves.size()) + 1);
  if (!HasNames(panel)) return std::max(kPanelHeight, legend);
  return std::max({kLeastNamedHeight, kNamedRowHeight * static_cast<double>(panel.options.size()), legend});
}

/// Values beyond are hardly results of a model that works, and gnuplot's arithmetic on axes would overflow.
bool IsDrawable(double value) {
  constexpr double kLargest = 1e290;
  return std::abs(value) <= kLargest;
}

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void Include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  double largest() const { return std::max(std::abs(low), std::abs(high)); }
};

/// With room above and below; a constant is in the middle.
Range Widened(Range range, double share) {
  if (range.low > range.high) return {-1, 1};
  constexpr double kRounding = 1e-9;  // noise below is no change
  constexpr double kSmallest = 1e-290;
  if (range.largest() < kSmallest) return {-1, 1};
  double room = share * (range.high - range.low);
  if (range.high - range.low <= kRounding * range.largest()) {
    room = 0.1 * range.largest();
  }
  return {range.low - room, range.high + room};
}

/// The same on a logarithmic axis.
Range WidenedLog(Range range, double factor) {
  if (range.low > range.high) return {1, 10};
  return {range.low / factor, range.high * factor};
}

/// Digits that distinguish the numbers on an axis; 6 unless the range is small beside its values.
int AxisDigits(const Range& range) {
  constexpr int kUsual = 6;
  constexpr int kMost = 15;
  const double ratio = range.largest() / (range.high - range.low);
  return ratio < 1e3 ? kUsual : std::clamp(static_cast<int>(std::ceil(std::log10(ratio))) + 3, kUsual, kMost);
}

class ScriptWriter {
 public:
  ScriptWriter(std::span<const Curve> curves, std::span<const Panel> panels, const XAxis& x_axis, LogAxes log)
      : curves_(curves), panels_(panels), x_axis_(x_axis), log_(log) {
    for (const Panel& panel : panels) {
      for (const std::size_t i : panel.curves) {
        for (const double x : *curves[i].x) {
          if (HasPlaceOnX(x)) x_.Include(x * x_axis.factor);
        }
      }
    }
    if (!(x_.low < x_.high)) x_ = log.x ? WidenedLog(x_, 1.1) : Widened(x_, 0);
    for (const Panel& panel : panels)
      ranges_.push_back(IsLog(panel) ? WidenedLog(RangeOf(panel), 1.3) : Widened(RangeOf(panel), 0.06));
    frame_ = MakeFrame();
  }

  std::string Write(std::string_view title, PictureFormat format) {
    script_ += GnuplotStyle(frame_.width, frame_.height, format);
    for (const Panel& panel : panels_) {
      for (const std::size_t i : panel.curves) WriteData(panel, i);
    }
    WriteTimeAxis();
    Line("set multiplot");
    double top = kTopMargin;
    for (std::size_t i = 0; i < panels_.size(); ++i) {
      if (i == 0) {
        Line("set label 1 {} at screen {:.5f}, screen {:.5f} center font ',13'", GnuplotText(title),
             (frame_.left + frame_.right) / 2 / frame_.width, 1 - kTopMargin / 2 / frame_.height);
      }
      WritePanel(i, top);
      if (i == 0) Line("unset label 1");
      top += HeightOf(panels_[i]) + kGap;
    }
    Line("unset multiplot");
    return std::move(script_);
  }

 private:
  template <typename... Arguments>
  void Line(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(script_), text, std::forward<Arguments>(arguments)...);
    script_ += '\n';
  }

  bool IsLog(const Panel& panel) const { return log_.y && !HasNames(panel); }
  bool HasPlaceOnX(double x) const { return IsDrawable(x) && (!log_.x || x > 0); }
  bool HasPlaceOnY(const Panel& panel, double y) const { return IsDrawable(y) && (!IsLog(panel) || y > 0); }

  Range RangeOf(const Panel& panel) const {
    Range range;
    for (const std::size_t i : panel.curves) {
      for (const double value : *curves_[i].values) {
        if (HasPlaceOnY(panel, value)) range.Include(value * panel.factor);
      }
    }
    return range;
  }

  bool HasValues(std::size_t i) const { return std::ranges::any_of(*curves_[i].values, IsDrawable); }

  std::string LegendTextOf(std::size_t i) const {
    return LegendName(curves_[i].label) + (HasValues(i) ? "" : " (no values)");
  }

  Frame MakeFrame() const {
    std::size_t longest_name = 0;
    std::size_t longest_option = 0;
    int most_digits = 0;
    double height = kTopMargin + kBottomMargin - kGap;
    for (std::size_t i = 0; i < panels_.size(); ++i) {
      height += HeightOf(panels_[i]) + kGap;
      if (!HasNames(panels_[i])) most_digits = std::max(most_digits, AxisDigits(ranges_[i]));
      for (const std::string& name : panels_[i].options)
        longest_option = std::max(longest_option, CountCharacters(name));
      for (const std::size_t k : panels_[i].curves) {
        longest_name = std::max(longest_name, CountCharacters(LegendTextOf(k)));
      }
    }
    const double left = std::max(kLeftMargin + kCharacterWidth * std::max(0, most_digits - 8),
                                 kCharacterWidth * static_cast<double>(longest_option + 2));
    const double legend = LegendWidth(longest_name);
    const double width = std::max(kSmallestWidth, std::ceil(left + kSmallestPlotWidth + legend));
    return {.width = width, .height = height, .left = left, .right = width - legend};
  }

  /// Options that hold at the same time are drawn a little apart.
  static double OptionShift(const Panel& panel, std::size_t position) {
    if (!HasNames(panel) || panel.curves.size() < 2) return 0;
    const auto count = static_cast<double>(panel.curves.size());
    const double step = std::min(0.12, 0.6 / (count - 1));
    return step * ((count - 1) / 2 - static_cast<double>(position));
  }

  /// Those that keep the peaks of both coordinates.
  static std::vector<std::size_t> RowsToDraw(const std::vector<double>& time, const std::vector<double>& x,
                                             const std::vector<double>& values) {
    std::vector<std::size_t> rows = Decimate(time, values, kBinCount);
    if (&x == &time) return rows;
    const std::vector<std::size_t> of_x = Decimate(time, x, kBinCount);
    std::vector<std::size_t> both;
    std::ranges::set_union(rows, of_x, std::back_inserter(both));
    return both;
  }

  /// A place on the x axis; times keep all digits.
  std::string Shown(double x) const {
    return x_axis_.factor == 1 ? fmt::format("{}", x) : fmt::format("{:.12g}", x * x_axis_.factor);
  }

  void WriteData(const Panel& panel, std::size_t i) {
    const std::vector<double>& time = *curves_[i].time;
    const std::vector<double>& x = *curves_[i].x;
    const std::vector<double>& values = *curves_[i].values;
    const auto position = static_cast<std::size_t>(std::ranges::find(panel.curves, i) - panel.curves.begin());
    const double shift = OptionShift(panel, position);
    Line("$curve{} << END", i);
    for (const std::size_t row : RowsToDraw(time, x, values)) {
      const bool is_drawable = HasPlaceOnY(panel, values[row]) && HasPlaceOnX(x[row]);
      if (is_drawable) {
        Line("{} {:.12g}", Shown(x[row]), values[row] * panel.factor + shift);
      } else {
        Line("{} NaN", HasPlaceOnX(x[row]) ? Shown(x[row]) : fmt::format("{}", x_.low));
      }
    }
    Line("END");
  }

  void WriteTimeAxis() {
    Line("set xrange [{}:{}]", x_.low, x_.high);
    if (log_.x) Line("set logscale x");
    Line("set lmargin at screen {:.6f}", frame_.left / frame_.width);
    Line("set rmargin at screen {:.6f}", frame_.right / frame_.width);
  }

  void WritePanel(std::size_t position, double top) {
    const Panel& panel = panels_[position];
    const bool is_last = position + 1 == panels_.size();
    const double bottom = top + HeightOf(panel);
    Line("set tmargin at screen {:.6f}", 1 - top / frame_.height);
    Line("set bmargin at screen {:.6f}", 1 - bottom / frame_.height);
    if (is_last) {
      Line("set format x '%.{}g'", AxisDigits(x_));
      Line("set xlabel {} textcolor rgb '#202020'", GnuplotText(x_axis_.label));
    } else {
      Line("set format x ''");
    }
    if (HasNames(panel)) {
      WriteOptionAxis(panel);
    } else {
      Line("set yrange [{}:{}]", ranges_[position].low, ranges_[position].high);
      if (log_.y) Line("set logscale y");
      Line("set format y '%.{}g'", AxisDigits(ranges_[position]));
      Line("set label 2 {} at screen {:.6f}, graph 0.5 center rotate textcolor rgb '#202020'",
           GnuplotText(panel.label), 18 / frame_.width);
    }
    WritePlot(panel);
  }

  void WriteOptionAxis(const Panel& panel) {
    constexpr std::size_t kLeastRows = 3;
    const double highest =
        std::max(RangeOf(panel).high, static_cast<double>(std::min(kLeastRows, panel.options.size()) - 1));
    if (log_.y) Line("unset logscale y");
    Line("set yrange [-0.5:{}]", highest + 0.5);
    Line("set grid noytics");
    Line("unset label 2");  // the names say it
    Line("unset object");
    std::string tics;
    for (std::size_t option = 0; static_cast<double>(option) <= highest; ++option) {
      const std::string name = option < panel.options.size() ? panel.options[option] : fmt::to_string(option);
      tics += fmt::format("{}{} {}", option == 0 ? "" : ", ", GnuplotText(name), option);
      Line("set object {} rectangle from graph 0, first {} to graph 1, first {} behind", option + 1,
           static_cast<double>(option) - 0.45, static_cast<double>(option) + 0.45);
      Line("set object {} fillcolor rgb '#F1F4F7' fillstyle solid noborder", option + 1);
    }
    Line("set ytics ({})", tics);
  }

  /// How a curve is distinguished from the others of its panel.
  struct Pen {
    std::size_t colour, dashes;
    double extra_width;
  };
  Pen PenOf(const Panel& panel, std::size_t position) const {
    std::vector<std::size_t> signals;
    std::size_t last_result = 0;
    for (const std::size_t i : panel.curves) {
      if (std::ranges::find(signals, curves_[i].signal) == signals.end())
        signals.push_back(curves_[i].signal);
      last_result = std::max(last_result, curves_[i].result);
    }
    const Curve& curve = curves_[panel.curves[position]];
    const auto signal = static_cast<std::size_t>(std::ranges::find(signals, curve.signal) - signals.begin());
    constexpr double kStep = 0.9;
    const double extra = kStep * static_cast<double>(last_result - curve.result);
    if (last_result > 0) {
      if (last_result < kPlotColours.size() && signals.size() <= kDashes.size()) {
        return {curve.result, signal, extra};
      }
      if (signals.size() <= kPlotColours.size() && last_result < kDashes.size()) {
        return {signal, curve.result, extra};
      }
    }
    return {position % kPlotColours.size(), position / kPlotColours.size() % kDashes.size(), 0};
  }

  void WritePlot(const Panel& panel) {
    std::string curves;
    for (std::size_t position = 0; position < panel.curves.size(); ++position) {
      const std::size_t i = panel.curves[position];
      const bool has_values = HasValues(i);
      // gnuplot refuses data without a single number, but not a function without.
      const std::string data = has_values ? fmt::format("$curve{} using 1:2", i) : "NaN";
      std::string_view style = "lines";
      if (has_values && HasNames(panel)) style = "steps";
      if (has_values && panel.has_points) style = "linespoints pointtype 7 pointsize 0.5";
      const Pen pen = PenOf(panel, position);
      curves +=
          fmt::format("{}{} with {} linewidth {} linecolor rgb '{}' dashtype {} title {}",
                      position == 0 ? "" : ", ", data, style, (HasNames(panel) ? 2.2 : 1.6) + pen.extra_width,
                      kPlotColours[pen.colour], kDashes[pen.dashes], GnuplotText(LegendTextOf(i)));
    }
    Line("plot {}", curves);
  }

  std::span<const Curve> curves_;
  std::span<const Panel> panels_;
  XAxis x_axis_;
  LogAxes log_;
  Range x_;
  std::vector<Range> ranges_;
  Frame frame_;
  std::string script_;
};

}  // namespace

std::string MakeGnuplotScript(std::span<const Curve> curves, std::span<const Panel> panels,
                              const XAxis& x_axis, std::string_view title, PictureFormat format,
                              LogAxes log) {
  assert(!curves.empty() && !panels.empty());
  return ScriptWriter(curves, panels, x_axis, log).Write(title, format);
}

}  // namespace davit
