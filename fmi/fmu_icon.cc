#include "fmi/fmu_icon.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "fmi/png_writer.h"
#include "framework/xml/escape_xml.h"

namespace davit {
namespace {

constexpr double kSize = 128;                // of the picture
constexpr double kEdge = 12;                 // around the block
constexpr double kMark = 8;                  // half the size of a mark
constexpr double kBorder = 3;                // thickness of lines
constexpr std::size_t kMostMarksOfSide = 5;  // marks on one side

// Those of drawings.
constexpr std::uint32_t kLine = 0x263238;
constexpr std::uint32_t kFill = 0xffffff;
constexpr std::uint32_t kSignal = 0x78909c;
constexpr std::uint32_t kPort = 0x37474f;
constexpr std::uint32_t kBody = 0xe3e9ed;

struct Point {
  double x, y;
};
struct Shape {
  std::vector<Point> corners;
  std::uint32_t colour;
};

Shape Box(double left, double top, double right, double bottom, std::uint32_t colour) {
  return {{{left, top}, {right, top}, {right, bottom}, {left, bottom}}, colour};
}

/// A body with a line around it.
void AddBody(double left, double top, double right, double bottom, std::uint32_t fill,
             std::vector<Shape>& shapes) {
  shapes.push_back(Box(left, top, right, bottom, kLine));
  shapes.push_back(Box(left + kBorder, top + kBorder, right - kBorder, bottom - kBorder, fill));
}

/// Places along a side, evenly.
std::vector<double> Places(std::size_t count) {
  std::vector<double> places;
  count = std::min(count, kMostMarksOfSide);
  const double step = (kSize - 2 * kEdge) / static_cast<double>(count + 1);
  for (std::size_t i = 1; i <= count; ++i) places.push_back(kEdge + step * static_cast<double>(i));
  return places;
}

/// Later ones cover earlier ones.
std::vector<Shape> ListShapes(const FmuIconContent& content) {
  std::vector<Shape> shapes;
  const double far = kSize - kEdge;
  AddBody(kEdge, kEdge, far, far, kFill, shapes);
  // A cylinder (ISO 1219-1): body, piston, rod.
  const double middle = kSize / 2;
  AddBody(36, middle - 16, 84, middle + 16, kBody, shapes);
  shapes.push_back(Box(58, middle - 3, 98, middle + 3, kLine));
  shapes.push_back(Box(54, middle - 14, 61, middle + 14, kLine));
  for (const double y : Places(content.inputs))
    shapes.push_back({{{kEdge - kMark, y - kMark}, {kEdge + kMark, y}, {kEdge - kMark, y + kMark}}, kSignal});
  for (const double y : Places(content.outputs))
    shapes.push_back({{{far - kMark, y - kMark}, {far + kMark, y}, {far - kMark, y + kMark}}, kSignal});
  for (const double x : Places(content.ports))
    shapes.push_back(Box(x - kMark, far - kMark, x + kMark, far + kMark, kPort));
  return shapes;
}

bool Contains(const Shape& shape, double x, double y) {
  bool is_inside = false;
  for (std::size_t i = 0; i < shape.corners.size(); ++i) {
    const Point a = shape.corners[i], b = shape.corners[(i + 1) % shape.corners.size()];
    if ((a.y > y) != (b.y > y) && x < a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x)) is_inside = !is_inside;
  }
  return is_inside;
}

std::uint32_t ColourAt(const std::vector<Shape>& shapes, double x, double y) {
  std::uint32_t colour = kFill;
  for (const Shape& shape : shapes) {
    if (Contains(shape, x, y)) colour = shape.colour;
  }
  return colour;
}

/// Each point is the mean of a few places in it.
std::string Paint(const std::vector<Shape>& shapes) {
  constexpr auto kPoints = static_cast<std::uint32_t>(kSize);
  constexpr std::array kPlaces{0.25, 0.75};
  std::vector<std::uint32_t> colours;
  for (std::uint32_t row = 0; row < kPoints; ++row) {
    for (std::uint32_t column = 0; column < kPoints; ++column) {
      std::array<std::uint32_t, 3> sums{};
      for (const double dy : kPlaces) {
        for (const double dx : kPlaces) {
          const std::uint32_t colour = ColourAt(shapes, column + dx, row + dy);
          for (std::size_t c = 0; c < 3; ++c) sums[c] += colour >> 8 * c & 0xffU;
        }
      }
      std::uint32_t mean = 0;
      for (std::size_t c = 0; c < 3; ++c) mean |= sums[c] / 4 << 8 * c;
      colours.push_back(mean);
    }
  }
  return WritePng(kPoints, kPoints, colours);
}

std::string Write(const std::vector<Shape>& shapes, std::string_view name) {
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" "
      "height=\"{0}\" viewBox=\"0 0 {0} {0}\">\n",
      kSize);
  for (const Shape& shape : shapes) {
    text += "<polygon points=\"";
    for (const Point& corner : shape.corners)
      text += fmt::format("{}{:.6g},{:.6g}", &corner == shape.corners.data() ? "" : " ", corner.x, corner.y);
    text += fmt::format("\" fill=\"#{:06x}\"/>\n", shape.colour);
  }
  text += fmt::format(
      "<text x=\"{:.6g}\" y=\"{:.6g}\" font-family=\"Helvetica,Arial,sans-serif\" font-size=\"11\" "
      "text-anchor=\"middle\" fill=\"#{:06x}\">{}</text>\n",
      kSize / 2, kEdge + 18, kLine, EscapeXml(name));
  return text + "</svg>\n";
}

}  // namespace

FmuIcon MakeIcon(const FmuIconContent& content) {
  const std::vector<Shape> shapes = ListShapes(content);
  return {Write(shapes, content.name), Paint(shapes)};
}

}  // namespace davit
