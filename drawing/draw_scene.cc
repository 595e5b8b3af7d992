#include "drawing/draw_scene.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "drawing/styles.h"
#include "framework/xml/escape_xml.h"

namespace davit {
namespace {

using Point = Eigen::Vector3d;
using Flat = Eigen::Vector2d;

constexpr double kPixels = 900;       // width of the picture
constexpr double kSurround = 0.04;    // about the scene, of its size
constexpr double kThin = 1.0 / 400;   // width of what says none, of the size of all
constexpr double kExtent = 1e-3;      // of the size of a body: what is less is no extent
constexpr double kEyeLine = 0.05;     // of 1: seen flatter than this, the ground is a line
constexpr int kAround = 12;           // corners of a circle
constexpr double kPin = 0.24;         // radius of a pin, of the width of its plate
constexpr double kSeaShare = 0.1;     // of the size of the scene: how far the water reaches beyond it
constexpr int kSeaLines = 20;         // across the water, in each direction
constexpr int kSeaSteps = 64;         // of each line
const Point kSun(0.45, -0.75, 1.25);  // where the light comes from

/// Right, up, and towards the one who looks.
class Camera {
 public:
  explicit Camera(const SceneView& view)
      : towards_(Point(view.from[0], view.from[1], view.from[2]).normalized()) {
    right_ = Point::UnitZ().cross(towards_).normalized();
    up_ = towards_.cross(right_);
  }
  Flat See(const Point& place) const { return {place.dot(right_), place.dot(up_)}; }
  double Nearness(const Point& place) const { return place.dot(towards_); }
  const Point& towards() const { return towards_; }

 private:
  Point towards_, right_, up_;
};

/// Millimetres in the picture.
std::string Number(double metres) {
  const std::string text = fmt::format("{:.1f}", 1000 * metres);
  return text == "-0.0" ? "0" : text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
}
std::string Place(const Flat& flat) { return Number(flat.x()) + ',' + Number(-flat.y()); }
std::string Places(const std::vector<Flat>& all) {
  std::string text;
  for (const Flat& flat : all) text += (text.empty() ? "" : " ") + Place(flat);
  return text;
}

/// The corners of the smallest convex shape about points, in order.
std::vector<Flat> Hull(std::vector<Flat> points) {
  std::ranges::sort(points, [](const Flat& a, const Flat& b) {
    return a.x() < b.x() || (a.x() == b.x() && a.y() < b.y());
  });
  const auto half = [](const auto& all) {
    std::vector<Flat> chain;
    for (const Flat& point : all) {
      while (chain.size() > 1) {
        const Flat a = chain.back() - chain[chain.size() - 2], b = point - chain[chain.size() - 2];
        if (a.x() * b.y() - a.y() * b.x() > 0) break;
        chain.pop_back();
      }
      chain.push_back(point);
    }
    chain.pop_back();
    return chain;
  };
  if (points.size() < 3) return points;
  std::vector<Flat> hull = half(points);
  std::ranges::reverse(points);
  const std::vector<Flat> other = half(points);
  hull.insert(hull.end(), other.begin(), other.end());
  return hull;
}

/// The plane in which the points of a body lie: its normal; nothing where they are a line or lie in space.
std::optional<Point> FindPlane(const std::vector<Point>& points) {
  const Point& first = points.front();
  const auto farthest =
      std::ranges::max_element(points, {}, [&](const Point& p) { return (p - first).norm(); });
  const Point along = *farthest - first;
  const double size = along.norm();
  if (!(size > 0)) return std::nullopt;
  const auto across = [&](const Point& p) -> Point { return along.cross(p - first) / size; };
  const Point normal =
      across(*std::ranges::max_element(points, {}, [&](const Point& p) { return across(p).norm(); }));
  if (normal.norm() < kExtent * size) return std::nullopt;
  const Point unit = normal.normalized();
  const auto is_in = [&](const Point& p) { return std::abs(unit.dot(p - first)) < kExtent * size; };
  return std::ranges::all_of(points, is_in) ? std::optional(unit) : std::nullopt;
}

std::vector<Point> Circle(const Point& at, double radius, const Point& normal) {
  const Point x = normal.unitOrthogonal(), y = normal.cross(x);
  std::vector<Point> points;
  for (int i = 0; i < kAround; ++i) {
    const double angle = 2 * std::numbers::pi * i / kAround;
    points.push_back(at + radius * (std::cos(angle) * x + std::sin(angle) * y));
  }
  return points;
}

class Picture {
 public:
  Picture(const std::vector<ShownItem>& scene, const SceneState& state, const SceneView& view)
      : scene_(scene), state_(state), camera_(view), has_ground_(camera_.towards().z() > kEyeLine) {
    for (const auto& [component, item] : scene) {
      std::vector<Point> points;
      points.reserve(item.points.size());
      for (const ScenePoint& point : item.points) points.emplace_back(Of(point.x), Of(point.y), Of(point.z));
      const auto is_finite = [](const Point& p) { return p.allFinite(); };
      // A figure in the plane of the view from the side has no place in space.
      if (item.view == SceneItem::View::kSide || !std::ranges::all_of(points, is_finite)) points.clear();
      for (const Point& p : points) {
        if (item.kind == SceneItem::Kind::kLimit) continue;
        const double reach = std::max(item.radius, item.width / 2);
        low_ = low_.cwiseMin((p.array() - reach).matrix());
        high_ = high_.cwiseMax((p.array() + reach).matrix());
      }
      places_.push_back(std::move(points));
    }
    size_ = low_.x() <= high_.x() ? (high_ - low_).norm() : 1;
  }

  std::string Write(std::string_view title) {
    for (std::size_t i = 0; i < scene_.size(); ++i) {
      if (!places_[i].empty()) Add(i);
    }
    std::ranges::stable_sort(shapes_, {}, &Shape::nearness);
    std::string body;
    const auto water = std::ranges::find(scene_, SceneItem::Kind::kSurface,
                                         [](const ShownItem& one) { return one.item.kind; });
    if (water != scene_.end()) {
      body += Water(water->item.waves);
    } else if (has_ground_) {
      body += Grid() + "<g class=\"shadow\" stroke-linecap=\"round\">" + shadows_ + "</g>\n";
    }
    for (const Shape& shape : shapes_) body += shape.svg;
    body += traces_;
    const double margin = kSurround * size_;
    const double left = left_ - margin, top = -up_ - margin;
    const double width = right_ - left_ + 2 * margin, height = up_ - down_ + 2 * margin;
    const double pixel = width / kPixels;
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"scene\" viewBox=\"{} {} {} {}\" width=\"{:.0f}\" "
        "height=\"{:.0f}\">\n<title>{}</title>\n<style>\n{}"
        ".scene .body,.scene .side,.scene .dark,.scene .rod{{stroke-width:{};stroke-linejoin:round}}\n"
        ".scene .grid,.scene .limit,.scene .water{{stroke-width:{}}}.scene .trace{{stroke-width:{}}}\n"
        "</style>\n{}</svg>\n",
        Number(left), Number(top), Number(width), Number(height), kPixels, height / pixel, EscapeXml(title),
        DrawingCss("scene"), Number(pixel), Number(pixel), Number(1.5 * pixel), body);
  }

 private:
  struct Shape {
    double nearness;
    std::string svg;
  };

  double Of(const SceneCoordinate& one) const {
    return one.path().empty() ? one.number() : state_.value(one.path());
  }

  /// What of the picture a place needs, with a radius.
  Flat See(const Point& place, double radius = 0) {
    const Flat flat = camera_.See(place);
    left_ = std::min(left_, flat.x() - radius);
    right_ = std::max(right_, flat.x() + radius);
    down_ = std::min(down_, flat.y() - radius);
    up_ = std::max(up_, flat.y() + radius);
    return flat;
  }
  std::vector<Flat> See(const std::vector<Point>& places, double radius = 0) {
    std::vector<Flat> flats;
    flats.reserve(places.size());
    for (const Point& place : places) flats.push_back(See(place, radius));
    return flats;
  }
  /// On the plane z = 0, away from the sun.
  static Point Shadow(const Point& place) { return place - place.z() / kSun.z() * kSun; }

  void Add(std::size_t i) {
    const SceneItem& item = scene_[i].item;
    const std::vector<Point>& points = places_[i];
    const double width = std::max(item.width, kThin * size_);
    switch (item.kind) {
      case SceneItem::Kind::kHull: return AddHull(i, width);
      case SceneItem::Kind::kBody: return AddPlate(points, item.depth);
      case SceneItem::Kind::kSegment: return AddSegment(item, points[0], points[1], width);
      case SceneItem::Kind::kPolyline: {
        Shape shape{Middle(points), Line("polyline", "wire", Places(See(points)), width)};
        CastLine(points, width);
        return shapes_.push_back(std::move(shape));
      }
      case SceneItem::Kind::kCircle: return AddBall("body", points[0], std::max(item.radius, width / 2));
      case SceneItem::Kind::kLimit:
        shapes_.push_back(
            {Middle(points),
             fmt::format("<polyline class=\"limit\" stroke-dasharray=\"{0}\" points=\"{1}\"/>\n",
                         Number(size_ / 100), Places(See(points)))});
        return;
      case SceneItem::Kind::kTrace:
        if (i < state_.paths.size() && state_.paths[i].size() > 1) {
          std::vector<Flat> flats;
          for (const auto& [x, y, z] : state_.paths[i]) flats.push_back(See(Point(x, y, z)));
          traces_ += fmt::format("<polyline class=\"trace\" points=\"{}\"/>\n", Places(flats));
        }
        return;
      case SceneItem::Kind::kSurface: return;  // it has no points
    }
  }

  double Middle(const std::vector<Point>& points) const {
    double sum = 0;
    for (const Point& point : points) sum += camera_.Nearness(point);
    return sum / static_cast<double>(points.size());
  }

  static std::string Line(std::string_view element, std::string_view look, const std::string& points,
                          double width) {
    return fmt::format("<{} class=\"{}\" stroke-width=\"{}\" points=\"{}\"/>\n", element, look, Number(width),
                       points);
  }

  /// A plate around points that lie in a plane, or what is round about them.
  void AddHull(std::size_t i, double width) {
    const std::vector<Point>& points = places_[i];
    const SceneItem& item = scene_[i].item;
    const std::optional<Point> plane = FindPlane(points);
    if (!plane) {
      const std::vector<Flat> corners = Hull(See(points, width / 2));
      const double edge = width + 2 * size_ / kPixels;
      const std::string at = Places(corners);
      std::string svg = "<g stroke-linejoin=\"round\" stroke-linecap=\"round\">";
      svg += fmt::format("<polygon class=\"edge\" stroke-width=\"{}\" points=\"{}\"/>", Number(edge), at);
      svg += fmt::format("<polygon class=\"round\" stroke-width=\"{}\" points=\"{}\"/></g>\n", Number(width),
                         at);
      shapes_.push_back({Middle(points), svg});
      return CastLine(points, width);
    }
    const Point normal = plane->dot(camera_.towards()) < 0 ? Point(-*plane) : *plane;
    const Point half = (item.depth > 0 ? item.depth : width) / 2 * normal;
    std::vector<Point> face;
    for (const Point& point : points)
      std::ranges::copy(Circle(point, width / 2, normal), std::back_inserter(face));
    std::string pins;
    for (const Point& point : points) {
      if (!IsShared(point, i)) continue;
      std::vector<Point> pin = Circle(point, kPin * width, normal);
      for (Point& corner : pin) corner += half;
      pins += fmt::format("<polygon class=\"dark\" points=\"{}\"/>", Places(See(pin)));
    }
    AddSolid(Middle(points), face, half, pins);
  }

  void AddPlate(const std::vector<Point>& points, double depth) {
    const Point normal = FindPlane(points).value_or(camera_.towards());
    const Point half = depth / 2 * (normal.dot(camera_.towards()) < 0 ? Point(-normal) : normal);
    AddSolid(Middle(points), points, half, {});
  }

  /// The outline of a plate, and its near face with what is on it.
  void AddSolid(double nearness, const std::vector<Point>& face, const Point& half,
                const std::string& on_it) {
    std::vector<Point> near, both;
    for (const Point& point : face) {
      near.push_back(point + half);
      both.push_back(point - half);
    }
    both.insert(both.end(), near.begin(), near.end());
    std::string svg = "<g>";
    svg += fmt::format("<polygon class=\"side\" points=\"{}\"/>", Places(Hull(See(both))));
    svg += fmt::format("<polygon class=\"body\" points=\"{}\"/>{}</g>\n", Places(Hull(See(near))), on_it);
    shapes_.push_back({nearness, std::move(svg)});
    Cast(both);
  }

  void AddBall(std::string_view look, const Point& at, double radius) {
    const Flat flat = See(at, radius);
    shapes_.push_back(
        {camera_.Nearness(at), fmt::format("<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>\n", look,
                                           Number(flat.x()), Number(-flat.y()), Number(radius))});
    CastLine({at}, 2 * radius);
  }

  void AddSegment(const SceneItem& item, const Point& from, const Point& to, double width) {
    const double length = (to - from).norm();
    const bool has_barrel = item.barrel > 0;
    const Point end =
        has_barrel && length > 0 ? Point(from + std::min(item.barrel / length, 1.0) * (to - from)) : to;
    std::string svg;
    const auto bar = [&](const Point& a, const Point& b, double thickness, std::string_view look,
                         bool is_loaded) {
      const Flat p = See(a, thickness / 2), q = See(b, thickness / 2);
      const auto line = [&](std::string_view name, double wide, const std::string& more) {
        svg += fmt::format(
            "<line class=\"{}\" stroke-width=\"{}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{}/>", name,
            Number(wide), Number(p.x()), Number(-p.y()), Number(q.x()), Number(-q.y()), more);
      };
      line("edge", thickness + 2 * size_ / kPixels, "");
      line(look, thickness, "");
      const double force = item.force.path().empty() ? 0 : state_.value(item.force.path());
      const double share = state_.most_force > 0 ? std::min(std::abs(force) / state_.most_force, 1.0) : 0;
      if (is_loaded && share > 0)
        line(force > 0 ? "push" : "pull", thickness, fmt::format(" stroke-opacity=\"{:.3f}\"", share));
    };
    if (has_barrel) {
      bar(end, to, 0.6 * width, "rod-line", false);
      bar(from, end, width, "dark-line", true);
    } else {
      bar(from, to, width, item.force.path().empty() ? "body-line" : "rod-line", true);
    }
    const char* const cap = has_barrel ? "butt" : "round";
    shapes_.push_back({Middle({from, to}), fmt::format("<g stroke-linecap=\"{}\">{}</g>\n", cap, svg)});
    if (has_barrel) {
      AddBall("dark", from, 1.15 * width / 2);
      AddBall("rod", to, 0.9 * width / 2);
    }
    CastLine({from, to}, width);
  }

  bool IsShared(const Point& point, std::size_t own) const {
    for (std::size_t i = 0; i < scene_.size(); ++i) {
      const SceneItem::Kind kind = scene_[i].item.kind;
      if (i == own || kind == SceneItem::Kind::kTrace || kind == SceneItem::Kind::kLimit) continue;
      const auto is_near = [&](const Point& other) { return (other - point).norm() <= 1e-4 * size_; };
      if (std::ranges::any_of(places_[i], is_near)) return true;
    }
    return false;
  }

  void Cast(const std::vector<Point>& points) {
    if (!has_ground_) return;
    std::vector<Flat> flats;
    flats.reserve(points.size());
    for (const Point& point : points) flats.push_back(See(Shadow(point)));
    shadows_ += fmt::format("<polygon points=\"{}\"/>", Places(Hull(flats)));
  }
  void CastLine(const std::vector<Point>& points, double width) {
    if (!has_ground_) return;
    std::vector<Flat> flats;
    flats.reserve(points.size() + 1);
    for (const Point& point : points) flats.push_back(See(Shadow(point), width / 2));
    if (flats.size() == 1) flats.push_back(flats[0]);
    shadows_ += fmt::format("<polygon stroke-width=\"{}\" stroke-linejoin=\"round\" points=\"{}\"/>",
                            Number(width), Places(Hull(flats)));
  }

  /// Lines of the ground below the scene, one step beyond it.
  std::string Grid() {
    const double rough = size_ / 10, power = std::pow(10, std::floor(std::log10(rough)));
    const double step = (rough / power > 5 ? 10 : rough / power > 2 ? 5 : rough / power > 1 ? 2 : 1) * power;
    const auto first = [&](double low) { return std::floor(low / step) - 1; };
    const auto last = [&](double high) { return std::ceil(high / step) + 1; };
    const double x0 = first(low_.x()), x1 = last(high_.x()), y0 = first(low_.y()), y1 = last(high_.y());
    std::string d;
    const auto line = [&](double xa, double ya, double xb, double yb) {
      d += "M" + Place(See(Point(xa, ya, 0) * step)) + "L" + Place(See(Point(xb, yb, 0) * step));
    };
    for (double x = x0; x <= x1; ++x) line(x, y0, x, y1);
    for (double y = y0; y <= y1; ++y) line(x0, y, x1, y);
    return fmt::format("<path class=\"grid\" d=\"{}\"/>\n", d);
  }

  /// The surface about the scene, as lines along x and along y.
  std::string Water(const std::vector<SceneWave>& waves) {
    const Point middle = (low_ + high_) / 2;
    const double half = (high_ - low_).head<2>().maxCoeff() / 2 + kSeaShare * size_;
    const auto height = [&](double x, double y) {
      double z = 0;
      for (const SceneWave& wave : waves)
        z += wave.amplitude *
             std::cos(wave.frequency * state_.time -
                      wave.number * (x * std::cos(wave.direction) + y * std::sin(wave.direction)) +
                      wave.phase);
      return z;
    };
    std::string lines;
    for (int i = 0; i <= kSeaLines; ++i) {
      for (const bool along_x : {true, false}) {
        std::vector<Flat> flats;
        flats.reserve(kSeaSteps + 1);
        for (int k = 0; k <= kSeaSteps; ++k) {
          const double across = (2.0 * i / kSeaLines - 1) * half, along = (2.0 * k / kSeaSteps - 1) * half;
          const double x = middle.x() + (along_x ? along : across),
                       y = middle.y() + (along_x ? across : along);
          flats.push_back(See(Point(x, y, height(x, y))));
        }
        lines += fmt::format("<polyline class=\"water\" points=\"{}\"/>", Places(flats));
      }
    }
    return fmt::format("<g>{}</g>\n", lines);
  }

  const std::vector<ShownItem>& scene_;
  const SceneState& state_;
  Camera camera_;
  bool has_ground_;
  std::vector<std::vector<Point>> places_;  ///< by item; empty: it is not shown
  std::vector<Shape> shapes_;
  std::string shadows_, traces_;
  Point low_ = Point::Constant(std::numeric_limits<double>::infinity());
  Point high_ = Point::Constant(-std::numeric_limits<double>::infinity());
  double size_ = 1;
  double left_ = std::numeric_limits<double>::infinity(), right_ = -left_;
  double down_ = std::numeric_limits<double>::infinity(), up_ = -down_;
};

}  // namespace

std::span<const SceneView> SceneViews() {
  // Exactly from above, what is up would not be known.
  static constexpr std::array<SceneView, 4> kViews{
      {{"all", {0.62, -1, 0.42}}, {"side", {0, -1, 0}}, {"front", {1, 0, 0}}, {"top", {0, -1e-3, 1}}}};
  return kViews;
}

std::array<double, 2> Project(const SceneView& view, const std::array<double, 3>& place) {
  const Flat flat = Camera(view).See(Point(place[0], place[1], place[2]));
  return {flat.x(), flat.y()};
}

std::string DrawScene(const std::vector<ShownItem>& scene, const SceneState& state, const SceneView& view,
                      std::string_view title) {
  return Picture(scene, state, view).Write(title);
}

}  // namespace davit
