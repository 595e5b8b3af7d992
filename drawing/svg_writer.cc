#include "drawing/svg_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "drawing/styles.h"
#include "drawing/symbols/pen.h"
#include "framework/xml/escape_xml.h"
#include "framework/xml/picture_file.h"

namespace davit {
namespace {

constexpr double kEdge = 24;  // around the drawing

/// What the page calls the domains; those of plug-ins have their own names.
std::string ClassOf(const Domain& domain) {
  if (domain.name == "translational" || domain.name == "mechanical") return "mechanical";
  std::string name;
  for (const char c : domain.name) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
  return name;
}

std::string TransformOf(const DrawingPlace& place) {
  if (place.rotation == 0 && !place.is_mirrored) return {};
  std::string transform = place.rotation == 0 ? "" : fmt::format("rotate({})", place.rotation);
  if (place.is_mirrored) transform += transform.empty() ? "scale(-1 1)" : " scale(-1 1)";
  return fmt::format(" transform=\"{}\"", transform);
}

class Writer {
 public:
  Writer(System& system, const Diagram& diagram) : system_(system), diagram_(diagram) {}

  std::string Write(const std::string& ground) {
    DiagramBox box = diagram_.box;
    box = {box.left - kEdge, box.top - kEdge, box.right + kEdge, box.bottom + kEdge};
    text_ = fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"davit\" viewBox=\"{0} {1} {2} {3}\" width=\"{2}\" "
        "height=\"{3}\">\n<title>{4}</title>\n<style>\n{5}</style>\n"
        "<rect class=\"ground\" fill=\"none\" x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{3}\"/>\n",
        SvgNumber(box.left), SvgNumber(box.top), SvgNumber(box.width()), SvgNumber(box.height()),
        EscapeXml(system_.root().name()), DrawingCss("symbols"));
    text_ += ground;
    if (!diagram_.notes.empty()) AddNotes();
    for (std::size_t f = 1; f < diagram_.frames.size(); ++f) AddFrame(diagram_.frames[f]);
    text_ += "<g class=\"lines\" fill=\"none\" stroke=\"#263238\">\n";
    for (const DiagramLine& line : diagram_.lines) AddLine(line);
    AddDots();
    text_ += "</g>\n<g class=\"components\" fill=\"none\" stroke=\"#263238\">\n";
    for (const DiagramNode& node : diagram_.nodes) AddNode(node);
    return text_ + "</g>\n</svg>\n";
  }

 private:
  void AddFrame(const DiagramFrame& frame) {
    text_ += fmt::format(
        "<g class=\"subsystem\" id=\"component-{0}\" data-path=\"{0}\"><rect class=\"frame\" fill=\"none\" "
        "stroke=\"#90a4ae\" x=\"{1}\" y=\"{2}\" width=\"{3}\" height=\"{4}\" rx=\"6\"/>"
        "<text class=\"frame-name\" x=\"{5}\" y=\"{6}\">{7}</text></g>\n",
        EscapeXml(frame.path), SvgNumber(frame.box.left), SvgNumber(frame.box.top),
        SvgNumber(frame.box.width()), SvgNumber(frame.box.height()), SvgNumber(frame.box.left + 8),
        SvgNumber(frame.box.top + 13), EscapeXml(frame.component->name()));
  }

  /// Below everything else, so that a picture can be the ground of a part of the drawing.
  void AddNotes() {
    text_ += "<g class=\"notes\">\n";
    for (const DiagramNote& note : diagram_.notes) {
      text_ += "<g class=\"note\">";
      if (note.note->picture != nullptr) {
        const DiagramBox box = note.picture_box();
        text_ += fmt::format(
            "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" href=\"{}\"><title>{}</title></image>",
            SvgNumber(box.left), SvgNumber(box.top), SvgNumber(box.width()), SvgNumber(box.height()),
            ToDataUri(*note.note->picture), EscapeXml(note.note->file));
      }
      for (std::size_t i = 0; i < note.lines.size(); ++i) {
        const DiagramPoint at = note.At(i);
        text_ += fmt::format("<text class=\"note-line\" font-size=\"11\" x=\"{}\" y=\"{}\">{}</text>",
                             SvgNumber(at.x), SvgNumber(at.y), EscapeXml(note.lines[i]));
      }
      text_ += "</g>\n";
    }
    text_ += "</g>\n";
  }

  static std::string PathOf(const std::vector<DiagramPoint>& points) {
    std::string d;
    for (const DiagramPoint& point : points)
      d += fmt::format("{}{} {}", d.empty() ? "M" : "L", SvgNumber(point.x), SvgNumber(point.y));
    return d;
  }

  /// An attribute with the path of a variable at a connection, from the side that has one by that name.
  std::string Variable(const Connection& connection, std::string_view attribute,
                       std::string_view name) const {
    for (const PortRef* end : {&connection.q, &connection.c}) {
      const std::string path = end->path + '.' + std::string(name);
      Fault ignored;
      if (end->port->is_array) continue;
      if (system_.FindVariable(system_.root(), path, &ignored))
        return fmt::format(" data-{}=\"{}\"", attribute, EscapeXml(path));
    }
    return {};
  }

  void AddLine(const DiagramLine& line) {
    if (line.points.empty()) return;
    if (line.connection != nullptr) {
      const Connection& connection = *line.connection;
      const Domain& domain = *connection.c.port->domain;
      text_ += fmt::format("<path class=\"line {}\" data-c=\"{}\" data-q=\"{}\"{}{} d=\"{}\"/>",
                           ClassOf(domain), EscapeXml(connection.c.path), EscapeXml(connection.q.path),
                           Variable(connection, "effort", domain.effort.name),
                           Variable(connection, "flow", domain.variables.begin()->name), PathOf(line.points));
    } else {
      std::string to = line.route->to_path;
      if (line.route->to != nullptr && line.route->to->is_array)
        to += fmt::format("[{}]", line.route->element);
      text_ += fmt::format("<path class=\"route\" data-from=\"{}\" data-to=\"{}\" d=\"{}\"/>",
                           EscapeXml(line.route->from.path()), EscapeXml(to), PathOf(line.points));
      if (line.mark != DiagramLine::Mark::kTo) AddTip(line.points);
    }
    if (line.mark != DiagramLine::Mark::kNone) AddMark(line);
    text_ += '\n';
  }

  /// The head of an arrow at the end of a route.
  void AddTip(const std::vector<DiagramPoint>& points) {
    const DiagramPoint& end = points.back();
    const DiagramPoint& before = points[points.size() - 2];
    const double ux = (end.x > before.x) - (end.x < before.x), uy = (end.y > before.y) - (end.y < before.y);
    text_ +=
        fmt::format("<path class=\"tip\" d=\"M{} {}L{} {}L{} {}Z\"/>", SvgNumber(end.x), SvgNumber(end.y),
                    SvgNumber(end.x - 6 * ux - 2.6 * uy), SvgNumber(end.y - 6 * uy + 2.6 * ux),
                    SvgNumber(end.x - 6 * ux + 2.6 * uy), SvgNumber(end.y - 6 * uy - 2.6 * ux));
  }

  /// What stands for a component at the end of a line that does not lead there.
  void AddMark(const DiagramLine& line) {
    const bool is_to = line.mark == DiagramLine::Mark::kTo;
    const DiagramNode& node = diagram_.nodes[is_to ? line.to.node : line.from.node];
    const DiagramPoint& at = is_to ? line.points.back() : line.points.front();
    const std::string_view model = node.component->model().name;
    Pen pen;
    if (model == "hydraulic.Tank") {
      pen.Line(at.x, at.y, at.x, at.y + 6)
          .Polyline({{at.x - 9, at.y + 1}, {at.x - 9, at.y + 8}, {at.x + 9, at.y + 8}, {at.x + 9, at.y + 1}});
    } else if (model == "pneumatic.Exhaust") {
      pen.Polygon({{at.x - 6, at.y}, {at.x + 6, at.y}, {at.x, at.y + 9}});
    } else if (model == "electrical.Ground") {
      pen.Line(at.x - 8, at.y, at.x + 8, at.y).Line(at.x - 5, at.y + 3, at.x + 5, at.y + 3);
      pen.Line(at.x - 2, at.y + 6, at.x + 2, at.y + 6);
    } else if (model == "mechanical.Fixed") {
      pen.Line(at.x - 9, at.y, at.x + 9, at.y);
      for (const double x : {-9.0, -3.0, 3.0}) pen.Line(at.x + x, at.y + 6, at.x + x + 6, at.y, "t");
    } else {
      pen.Circle(at.x, at.y, 2.5, "k");
      const std::string name = line.route != nullptr && !is_to ? line.route->from.path() : node.path;
      pen.Add(fmt::format("<text class=\"inner\" font-size=\"8\" x=\"{}\" y=\"{}\">{}</text>",
                          SvgNumber(at.x), SvgNumber(at.y + 9), EscapeXml(name)));
    }
    text_ += fmt::format("<g class=\"mark\" data-path=\"{}\">{}</g>", EscapeXml(node.path), pen.text());
  }

  /// Where lines of one net part.
  void AddDots() {
    std::map<std::pair<std::size_t, std::pair<double, double>>, std::set<std::pair<int, int>>> leaving;
    std::map<std::size_t, std::set<std::pair<double, double>>> corners;
    for (const DiagramLine& line : diagram_.lines) {
      for (const DiagramPoint& point : line.points) corners[line.net].insert({point.x, point.y});
    }
    for (const DiagramLine& line : diagram_.lines) {
      const auto& places = corners[line.net];
      for (std::size_t i = 1; i < line.points.size(); ++i) {
        const DiagramPoint &a = line.points[i - 1], &b = line.points[i];
        const std::pair<int, int> way{(b.x > a.x) - (b.x < a.x), (b.y > a.y) - (b.y < a.y)};
        for (const auto& at : places) {
          const bool is_on =
              way.first != 0
                  ? at.second == a.y && at.first >= std::min(a.x, b.x) && at.first <= std::max(a.x, b.x)
                  : at.first == a.x && at.second >= std::min(a.y, b.y) && at.second <= std::max(a.y, b.y);
          if (!is_on) continue;
          auto& ways = leaving[{line.net, at}];
          if (at != std::pair(b.x, b.y)) ways.insert(way);
          if (at != std::pair(a.x, a.y)) ways.insert({-way.first, -way.second});
        }
      }
    }
    for (const auto& [where, ways] : leaving) {
      if (ways.size() < 3) continue;
      text_ += fmt::format("<circle class=\"dot\" cx=\"{}\" cy=\"{}\" r=\"3\"/>",
                           SvgNumber(where.second.first), SvgNumber(where.second.second));
    }
    text_ += '\n';
  }

  void AddNode(const DiagramNode& node) {
    const Component& component = *node.component;
    const std::string path = EscapeXml(node.path);
    text_ += fmt::format(
        "<g class=\"component\" id=\"component-{0}\" data-path=\"{0}\" data-model=\"{1}\" "
        "transform=\"translate({2} {3})\"><title>{0} ({1}): {4}</title><g class=\"symbol\"{5}>{6}</g>",
        path, EscapeXml(component.model().name), SvgNumber(node.place.x), SvgNumber(node.place.y),
        EscapeXml(component.model().text), TransformOf(node.place), node.symbol.shapes);
    for (const SymbolText& word : node.symbol.texts) {
      const DiagramPoint at = node.Turned(word.x, word.y);
      text_ += fmt::format("<text class=\"inner\" font-size=\"{}\" x=\"{}\" y=\"{}\">{}</text>",
                           SvgNumber(word.size), SvgNumber(at.x), SvgNumber(at.y), EscapeXml(word.text));
    }
    text_ += fmt::format("<text class=\"name\" text-anchor=\"{}\" x=\"{}\" y=\"{}\">{}</text>",
                         node.label_begins_there ? "start" : "middle", SvgNumber(node.label.x),
                         SvgNumber(node.label.y), EscapeXml(component.name()));
    const DiagramBox box = node.box();
    DiagramPoint badge{box.right + 6, box.top + 6};
    if (node.symbol.badge) badge = node.Turned(node.symbol.badge->first, node.symbol.badge->second);
    if (component.level() && !component.model().levels.is_empty()) {
      text_ += fmt::format(
          "<g class=\"level-badge\" data-path=\"{}\" transform=\"translate({} {})\"><title>level</title>"
          "<rect x=\"-6\" y=\"-6\" width=\"12\" height=\"12\" rx=\"3\"/><text class=\"inner\" x=\"0\" "
          "y=\"0.5\">{}</text></g>",
          path, SvgNumber(badge.x), SvgNumber(badge.y),
          EscapeXml(component.LevelName(*component.level()).substr(0, 1)));
    }
    if (!component.declarations().alarms.empty()) {
      text_ += fmt::format(
          "<g class=\"alarm-mark\" data-path=\"{}\" transform=\"translate({} {})\"><path d=\"M0 -9L9 "
          "7H-9Z\"/>"
          "<text class=\"inner\" x=\"0\" y=\"2\">!</text></g>",
          path, SvgNumber(box.left + 4), SvgNumber(box.top - 4));
    }
    text_ += "</g>\n";
  }

  System& system_;
  const Diagram& diagram_;
  std::string text_;
};

}  // namespace

std::string WriteSvg(System& system, const Diagram& diagram, const std::string& ground) {
  return Writer(system, diagram).Write(ground);
}

std::string SymbolAlone(const DiagramNode& node) {
  return fmt::format(
      "<g transform=\"translate({} {})\"><g class=\"symbol\"{}>{}</g>"
      "<text class=\"name\" text-anchor=\"{}\" x=\"{}\" y=\"{}\">{}</text></g>\n",
      SvgNumber(node.place.x), SvgNumber(node.place.y), TransformOf(node.place), node.symbol.shapes,
      node.label_begins_there ? "start" : "middle", SvgNumber(node.label.x), SvgNumber(node.label.y),
      EscapeXml(node.component->name()));
}

}  // namespace davit
