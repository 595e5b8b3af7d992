#include "drawing/draw_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "drawing/diagram.h"
#include "drawing/line_router.h"
#include "drawing/place_nodes.h"
#include "drawing/svg_writer.h"
#include "framework/xml/escape_xml.h"

namespace davit {
namespace {

using ChangeKind = SystemDifference::Kind;
using ChangePart = SystemDifference::Part;
/// The two ends of a line by their paths, in the order of the alphabet.
using LineEnds = std::pair<std::string, std::string>;

constexpr double kRoomOfChange = 6;  // around a component

/// As the sheet of the studio has them (web/src/studio/styles), in both themes.
constexpr std::string_view kCssOfChanges =
    "<style>\n"
    ".davit .change{stroke-width:1.5}.davit .change-line{fill:none;stroke-width:9;stroke-linejoin:round;"
    "opacity:.45}\n"
    ".davit .change.is-added{fill:#1f663822;stroke:#1f6638}"
    ".davit .change.is-changed{fill:#7d540022;stroke:#7d5400;stroke-dasharray:6 3}"
    ".davit .change.is-removed{fill:#b3261e22;stroke:#b3261e;stroke-dasharray:2 3}\n"
    ".davit .change-line.is-added{stroke:#1f6638}.davit .change-line.is-changed{stroke:#7d5400}"
    ".davit .change-line.is-removed{stroke:#b3261e;stroke-width:3;stroke-dasharray:6 5;opacity:1}\n"
    "@media (prefers-color-scheme:dark){"
    ".davit .change.is-added{fill:#6cc98a22;stroke:#6cc98a}"
    ".davit .change.is-changed{fill:#dcae4a22;stroke:#dcae4a}"
    ".davit .change.is-removed{fill:#f2766b22;stroke:#f2766b}"
    ".davit .change-line.is-added{stroke:#6cc98a}.davit .change-line.is-changed{stroke:#dcae4a}"
    ".davit .change-line.is-removed{stroke:#f2766b}}\n"
    "</style>\n";

LineEnds Sorted(std::string a, std::string b) {
  return a < b ? LineEnds{std::move(a), std::move(b)} : LineEnds{std::move(b), std::move(a)};
}

/// `boom: a.x - b.y` splits into the sub-system, empty for the system itself, and the ends.
struct WrittenLine {
  std::string scope, from, to;
};
std::optional<WrittenLine> LineOfDifference(const SystemDifference& one) {
  if (one.part != ChangePart::kConnection && one.part != ChangePart::kRoute) return std::nullopt;
  WrittenLine line;
  std::string_view path = one.path;
  if (const std::size_t colon = path.find(": "); colon != std::string_view::npos) {
    line.scope = path.substr(0, colon);
    path.remove_prefix(colon + 2);
  }
  const std::size_t middle = path.find(one.part == ChangePart::kConnection ? " - " : " > ");
  if (middle == std::string_view::npos) return std::nullopt;
  line.from = path.substr(0, middle);
  line.to = path.substr(middle + 3);
  return line;
}

/// What of one version is marked.
class ChangesOfVersion {
 public:
  ChangesOfVersion(System& system, const std::vector<SystemDifference>& differences) : system_(system) {
    for (const SystemDifference& one : differences) {
      if (one.part == ChangePart::kComponent || one.part == ChangePart::kChart) {
        std::string path = one.path;  // of a chart inside of a sub-system `boom: watch`
        if (const std::size_t colon = path.find(": "); colon != std::string::npos)
          path.replace(colon, 2, ".");
        const bool is_whole = one.name.empty() && one.kind != ChangeKind::kChanged;
        if (is_whole) {
          components_[path] = one.kind;
        } else {
          components_.try_emplace(path, ChangeKind::kChanged);
        }
      } else if (const std::optional<WrittenLine> line = LineOfDifference(one)) {
        lines_.emplace(Sorted(EndOf(*line, line->from, one.part), EndOf(*line, line->to, one.part)),
                       one.kind);
      }
    }
  }

  std::optional<ChangeKind> OfComponent(const std::string& path) const {
    const auto found = components_.find(path);
    return found == components_.end() ? std::nullopt : std::optional(found->second);
  }
  std::optional<ChangeKind> OfLine(const DiagramLine& line) const {
    const auto found = lines_.find(line.connection != nullptr
                                       ? Sorted(line.connection->c.path, line.connection->q.path)
                                       : Sorted(line.route->from.path(), std::string(line.route->to_path)));
    return found == lines_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  /// As the system has it: a port that a sub-system exposes is that of a component.
  std::string EndOf(const WrittenLine& line, const std::string& end, ChangePart part) const {
    Fault ignored;
    const Component* scope =
        line.scope.empty() ? &system_.root() : system_.FindComponent(system_.root(), line.scope, &ignored);
    std::string whole = line.scope.empty() ? end : line.scope + '.' + end;
    if (scope == nullptr || part != ChangePart::kConnection) return whole;
    const std::optional<PortRef> port = system_.FindPort(*scope, end, &ignored);
    return port ? port->path : whole;
  }

  System& system_;
  std::map<std::string, ChangeKind> components_;
  std::map<LineEnds, ChangeKind> lines_;
};

std::string BoxOfChange(const DiagramBox& box, const std::string& path, ChangeKind kind) {
  return fmt::format(
      "<rect class=\"change is-{0}\" data-path=\"{1}\" x=\"{2}\" y=\"{3}\" width=\"{4}\" height=\"{5}\" "
      "rx=\"6\"><title>{1}: {0}</title></rect>\n",
      ToText(kind), EscapeXml(path), box.left - kRoomOfChange, box.top - kRoomOfChange,
      box.width() + 2 * kRoomOfChange, box.height() + 2 * kRoomOfChange);
}

std::string LineOfChange(const std::vector<DiagramPoint>& points, ChangeKind kind) {
  std::string d;
  for (const DiagramPoint& point : points)
    d += fmt::format("{}{} {}", d.empty() ? "M" : "L", point.x, point.y);
  return fmt::format("<path class=\"change-line is-{}\" d=\"{}\"/>\n", ToText(kind), d);
}

Diagram PlacedDiagram(System& system) {
  Diagram diagram = Diagram::Of(system);
  PlaceNodes(system, diagram);
  RouteLines(diagram);
  return diagram;
}

}  // namespace

std::string DrawChanges(System& now, System& before, const std::vector<SystemDifference>& differences) {
  Diagram diagram = PlacedDiagram(now);
  const Diagram old = PlacedDiagram(before);
  const ChangesOfVersion changes(now, differences), gone(before, differences);
  std::string marks{kCssOfChanges};
  marks += "<g class=\"changes\">\n";
  for (std::size_t f = 1; f < diagram.frames.size(); ++f) {
    const DiagramFrame& frame = diagram.frames[f];
    if (const auto kind = changes.OfComponent(frame.path)) marks += BoxOfChange(frame.box, frame.path, *kind);
  }
  for (const DiagramNode& node : diagram.nodes) {
    if (const auto kind = changes.OfComponent(node.path))
      marks += BoxOfChange(node.box().MovedBy(node.place.x, node.place.y), node.path, *kind);
  }
  for (const DiagramLine& line : diagram.lines) {
    const auto kind = changes.OfLine(line);
    if (kind && *kind != ChangeKind::kRemoved && !line.points.empty())
      marks += LineOfChange(line.points, *kind);
  }
  for (const DiagramLine& line : old.lines) {
    if (gone.OfLine(line) != ChangeKind::kRemoved || line.points.empty()) continue;
    marks += LineOfChange(line.points, ChangeKind::kRemoved);
    for (const DiagramPoint& point : line.points) diagram.box.Include({point.x, point.y, point.x, point.y});
  }
  std::set<std::size_t> gone_frames;  // what is inside of them goes with them
  for (std::size_t f = 1; f < old.frames.size(); ++f) {
    const DiagramFrame& frame = old.frames[f];
    const bool is_inside = gone_frames.contains(frame.parent);
    if (!is_inside && gone.OfComponent(frame.path) != ChangeKind::kRemoved) continue;
    gone_frames.insert(f);
    diagram.box.Include(frame.box);
    marks += BoxOfChange(frame.box, frame.path, ChangeKind::kRemoved);
  }
  for (const DiagramNode& node : old.nodes) {
    if (!gone_frames.contains(node.frame) && gone.OfComponent(node.path) != ChangeKind::kRemoved) continue;
    const DiagramBox box = node.box().MovedBy(node.place.x, node.place.y);
    diagram.box.Include(box);
    marks += BoxOfChange(box, node.path, ChangeKind::kRemoved) + SymbolAlone(node);
  }
  return WriteSvg(now, diagram, marks + "</g>\n");
}

}  // namespace davit
