#include "analysis/study/study_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

#include "analysis/study/gnuplot_text.h"
#include "analysis/study/study_text.h"
#include "results/csv_text.h"
#include "results/display_unit.h"
#include "results/gnuplot_script.h"

namespace davit {
namespace {

constexpr std::size_t kMostColumns = 8;  // of a scatter matrix
constexpr std::size_t kMostCurvesOfPanel = 12;

/// A column in the unit in which it is shown.
struct ShownColumn {
  std::string label;
  std::vector<double> values = {};
};

class StudyPlotWriter {
 public:
  StudyPlotWriter(const std::vector<StudyColumn>& columns, const std::map<std::uint64_t, std::string>& rows,
                  std::size_t varied)
      : columns_(columns), varied_(varied) {
    const std::size_t status = columns.size() - 3;
    for (const auto& [number, row] : rows) {
      std::vector<std::string> cells = SplitCsvLine(row);
      if (cells[status] == "done") cells_.push_back(std::move(cells));
    }
  }

  std::string Write(bool is_grid, std::string_view title, PictureFormat format) {
    std::vector<std::size_t> numbers;
    std::vector<std::size_t> choices;
    for (std::size_t i = 1; i <= varied_; ++i) (columns_[i].is_number ? numbers : choices).push_back(i);
    std::vector<std::size_t> measures;
    for (std::size_t i = varied_ + 1; i + 3 < columns_.size(); ++i) measures.push_back(i);
    if (cells_.empty() || numbers.empty() || measures.empty()) return {};
    // Of two numbers one that has few values is drawn as several curves.
    if (is_grid && numbers.size() == 1) {
      WriteCurves(numbers.front(), choices, measures, title, format);
    } else if (is_grid && numbers.size() == 2 && choices.empty() && CountOf(numbers[0]) > 2 &&
               CountOf(numbers[1]) > 2) {
      WriteContours(numbers[0], numbers[1], measures, title, format);
    } else if (is_grid && numbers.size() == 2) {
      const bool is_first_longer = CountOf(numbers[0]) >= CountOf(numbers[1]);
      choices.push_back(numbers[is_first_longer ? 1 : 0]);
      WriteCurves(numbers[is_first_longer ? 0 : 1], choices, measures, title, format);
    } else {
      numbers.insert(numbers.end(), measures.begin(), measures.end());
      if (numbers.size() > kMostColumns) numbers.resize(kMostColumns);
      WriteScatter(numbers, title, format);
    }
    return std::move(script_);
  }

 private:
  template <class... Arguments>
  void Line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(script_), format, std::forward<Arguments>(arguments)...);
    script_ += '\n';
  }

  std::size_t CountOf(std::size_t column) const {
    std::set<std::string> values;
    for (const auto& cells : cells_) values.insert(cells[column]);
    return values.size();
  }

  ShownColumn Shown(std::size_t column) const {
    std::vector<double> values;
    double largest = 0;
    for (const auto& cells : cells_) {
      double value = std::numeric_limits<double>::quiet_NaN();
      ParseLeadingNumber(cells[column], value);
      if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
      values.push_back(value);
    }
    const DisplayUnit unit = FindDisplayUnit(columns_[column].unit, largest);
    for (double& value : values) value *= unit.factor;
    const std::string shown = columns_[column].unit.empty() ? "" : " [" + unit.unit + "]";
    return {columns_[column].name + shown, std::move(values)};
  }

  void Begin(double width, double height, std::size_t rows, std::size_t columns, std::string_view title,
             PictureFormat format) {
    script_ += GnuplotHead(width, height, rows, columns, title, format);
  }

  void WriteCurves(std::size_t x, const std::vector<std::size_t>& choices,
                   const std::vector<std::size_t>& measures, std::string_view title, PictureFormat format) {
    const ShownColumn over = Shown(x);
    std::vector<ShownColumn> shown_choices;
    shown_choices.reserve(choices.size());
    for (const std::size_t choice : choices) shown_choices.push_back(Shown(choice));
    std::vector<std::string> names;
    std::vector<std::vector<std::size_t>> members;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      std::string name;
      for (std::size_t k = 0; k < choices.size(); ++k) {
        const StudyColumn& column = columns_[choices[k]];
        name += name.empty() ? "" : ", ";
        name += column.is_number ? shown_choices[k].label + " = " + GnuplotNumber(shown_choices[k].values[i])
                                 : column.name + " = " + cells_[i][choices[k]];
      }
      const auto known = std::ranges::find(names, name);
      if (known == names.end()) {
        if (names.size() == kMostCurvesOfPanel) continue;
        names.push_back(name);
        members.emplace_back();
        members.back().push_back(i);
      } else {
        members[static_cast<std::size_t>(known - names.begin())].push_back(i);
      }
    }
    std::deque<std::vector<double>> numbers;
    std::vector<Curve> curves;
    std::vector<Panel> panels;
    for (const std::size_t measure : measures) {
      const ShownColumn y = Shown(measure);
      panels.push_back({.label = y.label, .has_points = true, .curves = {}});
      for (std::size_t g = 0; g < names.size(); ++g) {
        std::ranges::stable_sort(members[g], {}, [&](std::size_t i) { return over.values[i]; });
        std::vector<double>& at = numbers.emplace_back();
        std::vector<double>& values = numbers.emplace_back();
        for (const std::size_t i : members[g]) {
          at.push_back(over.values[i]);
          values.push_back(y.values[i]);
        }
        panels.back().curves.push_back(curves.size());
        Curve curve{.path = {}, .unit = {}, .label = names[g], .signal = curves.size()};
        curve.time = curve.x = &at;
        curve.values = &values;
        curves.push_back(std::move(curve));
      }
    }
    script_ = MakeGnuplotScript(curves, panels, {.label = over.label}, title, format);
  }

  void WriteContours(std::size_t x, std::size_t y, const std::vector<std::size_t>& measures,
                     std::string_view title, PictureFormat format) {
    const ShownColumn over_x = Shown(x), over_y = Shown(y);
    Begin(900, 60 + 480 * static_cast<double>(measures.size()), measures.size(), 1, title, format);
    Line("set view map");
    Line("set contour base");
    Line("set cntrparam levels auto 8");
    // One label a line, near its middle: a line has about as many points as it crosses cells.
    const std::size_t cells = std::max(CountOf(x), CountOf(y));
    Line("set cntrlabel onecolor start {} interval {}", std::max<std::size_t>(cells / 2, 2), 4 * cells);
    Line("set pm3d interpolate 8,8");
    Line("set palette defined (0 '#F7FBFF', 0.5 '#56B4E9', 1 '#0072B2')");
    Line("set xlabel {}", GnuplotText(over_x.label));
    Line("set ylabel {}", GnuplotText(over_y.label));
    Line("unset grid");
    for (const std::size_t measure : measures) {
      const ShownColumn z = Shown(measure);
      std::vector<std::size_t> order(cells_.size());
      for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
      std::ranges::stable_sort(order, {},
                               [&](std::size_t i) { return std::pair(over_x.values[i], over_y.values[i]); });
      Line("$m{} << EOD", measure);
      for (std::size_t i = 0; i < order.size(); ++i) {
        const std::size_t at = order[i];
        if (i > 0 && over_x.values[at] != over_x.values[order[i - 1]]) Line("");
        Line("{} {} {}", GnuplotNumber(over_x.values[at]), GnuplotNumber(over_y.values[at]),
             GnuplotNumber(z.values[at]));
      }
      Line("EOD");
      Line("set cblabel {}", GnuplotText(z.label));
      Line(
          "splot $m{0} using 1:2:3 with pm3d nocontour notitle, $m{0} using 1:2:3 with lines nosurface "
          "linecolor rgb "
          "'#303030' notitle, $m{0} using 1:2:3 with labels nosurface font ',8' notitle",
          measure);
    }
    Line("unset multiplot");
  }

  void WriteScatter(const std::vector<std::size_t>& shown, std::string_view title, PictureFormat format) {
    const double side = std::max(500.0, 190 * static_cast<double>(shown.size()));
    Begin(side, side, shown.size(), shown.size(), title, format);
    Line("set key off");
    Line("set format '%.3g'");
    Line("set tics font ',7'");
    Line("set xtics rotate");
    std::vector<ShownColumn> columns;
    columns.reserve(shown.size());
    for (const std::size_t column : shown) columns.push_back(Shown(column));
    Line("$all << EOD");
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      std::string line;
      for (const ShownColumn& column : columns) line += GnuplotNumber(column.values[i]) + ' ';
      Line("{}", line);
    }
    Line("EOD");
    for (std::size_t row = 0; row < columns.size(); ++row) {
      for (std::size_t column = 0; column < columns.size(); ++column) {
        Line("set ylabel {} font ',8'", GnuplotText(column == 0 ? columns[row].label : ""));
        Line("set xlabel {} font ',8'", GnuplotText(row + 1 == columns.size() ? columns[column].label : ""));
        Line("plot $all using {}:{} with points pointtype 7 pointsize 0.35 linecolor rgb '#0072B2'",
             column + 1, row + 1);
      }
    }
    Line("unset multiplot");
  }

  const std::vector<StudyColumn>& columns_;
  std::size_t varied_;
  std::vector<std::vector<std::string>> cells_;  ///< of the cases that are done
  std::string script_;
};

}  // namespace

std::string MakeStudyPlot(const std::vector<StudyColumn>& columns,
                          const std::map<std::uint64_t, std::string>& rows, std::size_t varied, bool is_grid,
                          std::string_view title, PictureFormat format) {
  return StudyPlotWriter(columns, rows, varied).Write(is_grid, title, format);
}

}  // namespace davit
