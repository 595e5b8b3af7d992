#include "drawing/symbols/pen.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "framework/xml/escape_xml.h"

namespace davit {
namespace {

std::string Points(std::initializer_list<Pen::Point> points) {
  std::string text;
  for (const Pen::Point& point : points) {
    if (!text.empty()) text += ' ';
    text += SvgNumber(point.x) + ',' + SvgNumber(point.y);
  }
  return text;
}

}  // namespace

std::string SvgNumber(double number) {
  std::string text = fmt::format("{:.3f}", number);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

Pen& Pen::Path(std::string_view d, std::string_view look) {
  text_ += fmt::format("<path class=\"{}\" d=\"{}\"/>", look, d);
  return *this;
}

Pen& Pen::Line(double x1, double y1, double x2, double y2, std::string_view look) {
  return Path(fmt::format("M{} {}L{} {}", SvgNumber(x1), SvgNumber(y1), SvgNumber(x2), SvgNumber(y2)), look);
}

Pen& Pen::Polyline(std::initializer_list<Point> points, std::string_view look) {
  text_ += fmt::format("<polyline class=\"{}\" points=\"{}\"/>", look, Points(points));
  return *this;
}

Pen& Pen::Polygon(std::initializer_list<Point> points, std::string_view look) {
  text_ += fmt::format("<polygon class=\"{}\" points=\"{}\"/>", look, Points(points));
  return *this;
}

Pen& Pen::Rect(double x, double y, double width, double height, std::string_view look, double corner) {
  text_ += fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", look, SvgNumber(x),
                       SvgNumber(y), SvgNumber(width), SvgNumber(height));
  if (corner > 0) text_ += fmt::format(" rx=\"{}\"", SvgNumber(corner));
  text_ += "/>";
  return *this;
}

Pen& Pen::Circle(double x, double y, double r, std::string_view look) {
  text_ += fmt::format("<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>", look, SvgNumber(x),
                       SvgNumber(y), SvgNumber(r));
  return *this;
}

Pen& Pen::Arrow(double x1, double y1, double x2, double y2, double head, std::string_view look) {
  const double length = std::hypot(x2 - x1, y2 - y1);
  const double ux = (x2 - x1) / length, uy = (y2 - y1) / length;
  const double bx = x2 - head * ux, by = y2 - head * uy, half = 0.4 * head;
  Line(x1, y1, bx, by, look);
  return Polygon({{x2, y2}, {bx - half * uy, by + half * ux}, {bx + half * uy, by - half * ux}}, "k");
}

Pen& Pen::Spring(double x1, double y1, double x2, double y2, double breadth, int turns) {
  const double length = std::hypot(x2 - x1, y2 - y1);
  const double ux = (x2 - x1) / length, uy = (y2 - y1) / length;
  std::string d = fmt::format("M{} {}", SvgNumber(x1), SvgNumber(y1));
  for (int i = 0; i < 2 * turns; ++i) {
    const double along = length * (i + 0.5) / (2 * turns), across = (i % 2 == 0 ? 0.5 : -0.5) * breadth;
    d += fmt::format("L{} {}", SvgNumber(x1 + along * ux - across * uy),
                     SvgNumber(y1 + along * uy + across * ux));
  }
  d += fmt::format("L{} {}", SvgNumber(x2), SvgNumber(y2));
  return Path(d);
}

Pen& Pen::Moving(const Motion& motion, const Pen& what) {
  const double span = motion.high - motion.low;
  const double share = span == 0 ? 0 : std::clamp((motion.now - motion.low) / span, 0.0, 1.0);
  const double x = motion.from.x + share * (motion.to.x - motion.from.x);
  const double y = motion.from.y + share * (motion.to.y - motion.from.y);
  text_ += fmt::format(
      "<g class=\"moving\" data-signal=\"{}\" data-{}=\"{} {} {} {}\" data-range=\"{:.12g} {:.12g}\" "
      "transform=\"translate({} {})\">{}</g>",
      EscapeXml(motion.signal), motion.is_valve ? "box" : "move", SvgNumber(motion.from.x),
      SvgNumber(motion.from.y), SvgNumber(motion.to.x), SvgNumber(motion.to.y), motion.low, motion.high,
      SvgNumber(x), SvgNumber(y), what.text());
  return *this;
}

}  // namespace davit
