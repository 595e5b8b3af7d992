#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace davit {

/// Writes the SVG elements of a symbol. All units are those of the drawing. The class of an element says how
/// it looks: `s` a line, `b` a line around a filled body, `k` filled with the colour of lines, `d` a dashed
/// pilot line, `t` a thin line.
class Pen {
 public:
  struct Point {
    double x, y;
  };

  /// `d` as in an SVG path.
  Pen& Path(std::string_view d, std::string_view look = "s");
  Pen& Line(double x1, double y1, double x2, double y2, std::string_view look = "s");
  Pen& Polyline(std::initializer_list<Point> points, std::string_view look = "s");
  Pen& Polygon(std::initializer_list<Point> points, std::string_view look = "b");
  Pen& Rect(double x, double y, double width, double height, std::string_view look = "b", double corner = 0);
  Pen& Circle(double x, double y, double r, std::string_view look = "b");
  /// A line with a filled head at its end.
  Pen& Arrow(double x1, double y1, double x2, double y2, double head = 6, std::string_view look = "s");
  /// A spring between two points.
  Pen& Spring(double x1, double y1, double x2, double y2, double breadth = 10, int turns = 4);
  /// Something that moves with a signal: between the places `from` and `to` while the signal goes from `low`
  /// to `high`; it is shown where it is at `now`. `draw` writes what moves. `is_valve`: boxes of a valve.
  struct Motion {
    std::string signal;
    Point from{}, to{};
    double low = 0, high = 1;
    double now = 0;
    bool is_valve = false;
  };
  Pen& Moving(const Motion& motion, const Pen& what);
  /// Any element.
  Pen& Add(std::string_view element) {
    text_ += element;
    return *this;
  }

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// A number as short as it is exact to a thousandth.
std::string SvgNumber(double number);

}  // namespace davit
