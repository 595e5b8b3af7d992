#include "drawing/diagram.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

#include "drawing/symbols/symbol_table.h"
#include "framework/tree/note_board.h"
#include "framework/tree/subsystem.h"
#include "framework/xml/element_reader.h"
#include "simulator/charts/statechart.h"

namespace davit {
namespace {

constexpr double kLetter = 6.3;  // a character of names and notes, across
constexpr double kNoteLine = 14;
constexpr double kNoteBase = 11;             // from the top of a line to the base of its letters
constexpr std::size_t kMostLinesOfHub = 16;  // at one port; beyond, they end in marks
constexpr std::size_t kMostRoutesOfSignal = 8;

bool IsFrame(const Component& component) { return dynamic_cast<const Subsystem*>(&component) != nullptr; }

/// What is drawn with a mark wherever it is connected: reservoirs and what does not move.
bool IsReference(const Component& component) {
  const std::string_view model = component.model().name;
  return model == "hydraulic.Tank" || model == "pneumatic.Exhaust" || model == "electrical.Ground" ||
         model == "mechanical.Fixed";
}

std::size_t CharactersOf(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](unsigned char byte) { return (byte & 0xc0U) != 0x80U; }));
}

class Maker {
 public:
  explicit Maker(System& system) : system_(system) {}

  Diagram Make() {
    AddFrames();
    for (Component* component : system_.components()) {
      if (IsDrawn(*component)) AddNode(*component);
    }
    AddNotes();
    AddConnections();
    for (const auto* routes : {&system_.routes(), &system_.sampled_routes()}) {
      for (const Route& route : *routes) AddRoute(route);
    }
    MarkHubs();
    NumberNets();
    lines_of_.resize(diagram_.nodes.size());
    for (std::size_t l = 0; l < diagram_.lines.size(); ++l) {
      const DiagramLine& line = diagram_.lines[l];
      lines_of_[line.from.node].push_back(l);
      if (line.to.node != line.from.node) lines_of_[line.to.node].push_back(l);
    }
    for (std::size_t i = 0; i < diagram_.nodes.size(); ++i) AddSymbol(i);
    return std::move(diagram_);
  }

 private:
  bool StandsInFrame(const Component& component) const {
    return component.parent() != nullptr && frame_of_.contains(component.parent());
  }
  bool IsDrawn(const Component& component) const {
    if (!StandsInFrame(component) || IsFrame(component) || component.entry().is_operator) return false;
    if (const auto* chart = dynamic_cast<const Statechart*>(&component)) return !chart->chart().is_default();
    return component.model().name.find('.') != std::string_view::npos;
  }
  /// The component that is drawn for this one; null for parts such as the manager.
  const Component* Drawn(const Component& component) const {
    const Component* drawn = &component;
    while (drawn != nullptr && !node_of_.contains(drawn)) drawn = drawn->parent();
    return drawn;
  }

  void AddFrames() {
    frame_of_.emplace(&system_.root(), 0);
    diagram_.frames.push_back({&system_.root(), "", 0, {}});
    for (Component* component : system_.components()) {
      if (!IsFrame(*component) || !StandsInFrame(*component)) continue;
      const std::size_t parent = frame_of_.at(component->parent());
      frame_of_.emplace(component, diagram_.frames.size());
      diagram_.frames.push_back({component, component->path(), parent, {}});
    }
  }

  void AddNode(Component& component) {
    node_of_.emplace(&component, diagram_.nodes.size());
    DiagramNode node;
    node.component = &component;
    node.path = component.path();
    node.frame = frame_of_.at(component.parent());
    if (const DrawingPlace* place = system_.FindDrawingPlace(component)) node.place = *place;
    diagram_.nodes.push_back(std::move(node));
  }

  void AddNotes() {
    for (std::size_t f = 0; f < diagram_.frames.size(); ++f) {
      for (const DrawingNote& note : NotesOf(*diagram_.frames[f].component)) {
        DiagramNote drawn;
        drawn.note = &note;
        drawn.frame = f;
        drawn.lines = BreakLines(note.text, note.width);
        drawn.box = SizeOfNote(note, drawn.lines);
        diagram_.notes.push_back(std::move(drawn));
      }
    }
  }

  DiagramEnd EndOf(const Component& drawn, const std::string& path) const {
    const std::size_t node = node_of_.at(&drawn);
    const std::size_t above = diagram_.nodes[node].path.size() + 1;
    return {node, path.substr(std::min(above, path.size())), 0};
  }

  void AddConnections() {
    for (const Connection& connection : system_.connections()) {
      const Component* c = Drawn(*connection.c.owner);
      const Component* q = Drawn(*connection.q.owner);
      if (c == nullptr || q == nullptr) continue;
      DiagramLine line;
      line.connection = &connection;
      line.from = {node_of_.at(q), std::string(connection.q.port->label.name), 0};
      line.to = {node_of_.at(c), std::string(connection.c.port->label.name), 0};
      diagram_.lines.push_back(std::move(line));
    }
  }

  void AddRoute(const Route& route) {
    const Component* from = Drawn(route.from.owner());
    const Component* to = Drawn(*route.to_owner);
    if (from == nullptr || to == nullptr) return;
    if (from != &route.from.owner() && from == to) return;  // inside of the operators of one component
    DiagramLine line;
    line.route = &route;
    line.from = EndOf(*from, route.from.path());
    std::string to_path = route.to_path;
    if (route.to != nullptr && route.to->is_array) to_path += '[' + std::to_string(route.element) + ']';
    line.to = EndOf(*to, to_path);
    diagram_.lines.push_back(std::move(line));
  }

  void MarkHubs() {
    std::map<std::pair<std::size_t, std::string>, std::size_t> counts, seen;
    const auto key = [](const DiagramEnd& end) { return std::pair(end.node, end.name); };
    for (const DiagramLine& line : diagram_.lines) {
      ++counts[key(line.from)];
      ++counts[key(line.to)];
    }
    const auto is_beyond = [&](const DiagramLine& line, const DiagramEnd& end) {
      const Component& component = *diagram_.nodes[end.node].component;
      const std::size_t most = line.route != nullptr    ? kMostRoutesOfSignal
                               : IsReference(component) ? 1
                                                        : kMostLinesOfHub;
      return counts[key(end)] > most && seen[key(end)]++ > 0;
    };
    for (DiagramLine& line : diagram_.lines) {
      if (is_beyond(line, line.to)) {
        line.mark = DiagramLine::Mark::kTo;
      } else if (is_beyond(line, line.from)) {
        line.mark = DiagramLine::Mark::kFrom;
      }
    }
  }

  /// Routes from one signal are one net, and so are lines at one port.
  void NumberNets() {
    std::map<std::pair<std::size_t, std::string>, std::size_t> nets;
    for (DiagramLine& line : diagram_.lines) {
      if (line.mark != DiagramLine::Mark::kNone) {
        line.net =
            nets.try_emplace({diagram_.nodes.size(), std::to_string(nets.size())}, nets.size()).first->second;
        continue;
      }
      const bool is_from_many = line.connection == nullptr || !line.connection->c.port->is_array;
      const DiagramEnd& shared = is_from_many ? line.from : line.to;
      line.net = nets.try_emplace({shared.node, shared.name}, nets.size()).first->second;
    }
  }

  void AddSymbol(std::size_t index) {
    DiagramNode& node = diagram_.nodes[index];
    SymbolSubject subject{*node.component, node.path, {}};
    for (const std::size_t l : lines_of_[index]) {
      const DiagramLine& line = diagram_.lines[l];
      for (const auto& [end, other, mark] : {std::tuple(&line.from, &line.to, DiagramLine::Mark::kFrom),
                                             std::tuple(&line.to, &line.from, DiagramLine::Mark::kTo)}) {
        if (end->node != index || line.mark == mark) continue;
        auto known = std::ranges::find(subject.ends, end->name, &SymbolEnd::name);
        if (known == subject.ends.end()) {
          const bool is_output = line.route != nullptr && end == &line.from;
          subject.ends.push_back({end->name, line.connection != nullptr, is_output, 0, 0});
          known = subject.ends.end() - 1;
        }
        ++known->count;
        known->on_left += other->node < index ? 1 : 0;
      }
    }
    // Ports that nothing is connected to are shown too.
    for (const PortDeclaration& port : node.component->declarations().ports) {
      if (std::ranges::find(subject.ends, port.label.name, &SymbolEnd::name) == subject.ends.end() &&
          port.is_mandatory) {
        subject.ends.push_back({std::string(port.label.name), true, false, 0, 0});
      }
    }
    node.symbol = MakeSymbol(subject);
  }

  System& system_;
  Diagram diagram_;
  std::vector<std::vector<std::size_t>> lines_of_;  ///< by node
  std::unordered_map<const Component*, std::size_t> frame_of_;
  std::unordered_map<const Component*, std::size_t> node_of_;
};

}  // namespace

Diagram Diagram::Of(System& system) { return Maker(system).Make(); }

double LabelWidth(std::string_view text) { return kLetter * static_cast<double>(text.size()); }

std::vector<std::string> BreakLines(std::string_view text, std::optional<double> width) {
  const std::size_t most = width ? static_cast<std::size_t>(*width / kLetter) : std::string_view::npos;
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin <= text.size() && !text.empty();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.emplace_back();
    std::size_t length = 0;
    ForEachWord(text.substr(begin, end - begin), [&](std::string_view word) {
      const std::size_t letters = CharactersOf(word);
      if (length > 0 && length + 1 + letters > most) {
        lines.emplace_back();
        length = 0;
      }
      if (length > 0) lines.back() += ' ';
      lines.back() += word;
      length += (length > 0 ? 1 : 0) + letters;
      return true;
    });
    begin = end + 1;
  }
  return lines;
}

DiagramBox SizeOfNote(const DrawingNote& note, const std::vector<std::string>& lines) {
  double width = note.width.value_or(0);
  for (const std::string& line : lines)
    width = std::max(width, kLetter * static_cast<double>(CharactersOf(line)));
  return {0, 0, width, note.height + kNoteLine * static_cast<double>(lines.size())};
}

DiagramBox DiagramNote::picture_box() const {
  return {box.left, box.top, box.left + note->width.value_or(0), box.top + note->height};
}

DiagramPoint DiagramNote::At(std::size_t line) const {
  return {box.left, box.top + note->height + kNoteBase + kNoteLine * static_cast<double>(line)};
}

void DiagramBox::Include(const DiagramBox& other) {
  left = std::min(left, other.left);
  top = std::min(top, other.top);
  right = std::max(right, other.right);
  bottom = std::max(bottom, other.bottom);
}

DiagramPoint DiagramNode::Turned(double x, double y) const {
  if (place.is_mirrored) x = -x;
  switch (place.rotation) {
    case 90: return {-y, x};
    case 180: return {-x, -y};
    case 270: return {y, -x};
    default: return {x, y};
  }
}

Side DiagramNode::Turned(Side side) const {
  if (place.is_mirrored && side == Side::kLeft) {
    side = Side::kRight;
  } else if (place.is_mirrored && side == Side::kRight) {
    side = Side::kLeft;
  }
  return static_cast<Side>((static_cast<int>(side) + place.rotation / 90) % 4);
}

DiagramPoint DiagramNode::At(const Anchor& anchor) const {
  const DiagramPoint at = Turned(anchor.x, anchor.y);
  return {place.x + at.x, place.y + at.y};
}

DiagramBox DiagramNode::box() const {
  const bool is_upright = place.rotation % 180 == 0;
  const double half_width = (is_upright ? symbol.width : symbol.height) / 2;
  const double half_height = (is_upright ? symbol.height : symbol.width) / 2;
  return {-half_width, -half_height, half_width, half_height};
}

DiagramBox DiagramNode::label_box() const {
  const double width = LabelWidth(component->name());
  const double left = label_begins_there ? label.x : label.x - width / 2;
  return {left, label.y - 7, left + width, label.y + 5};
}

}  // namespace davit
