#include "drawing/place_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>

#include "drawing/column_layout.h"
#include "drawing/dot_program.h"

namespace davit {
namespace {

constexpr double kMargin = 16;  // around a symbol, where lines run
constexpr double kLabelHeight = 14;
constexpr double kMarkRoom = 24;  // beside a symbol where a line ends in a mark
constexpr double kFrameMargin = 24;
constexpr double kFrameTitle = 16;
constexpr std::size_t kMostStraightened = 3000;
constexpr std::size_t kManyEntities = 400;  // beyond, dot looks for a good order less long

double Snap(double value) { return std::round(value / kGrid) * kGrid; }
double SnapUp(double value) { return std::ceil(value / (2 * kGrid)) * 2 * kGrid; }

/// A component, or a frame, in the frame that contains it.
struct Entity {
  bool is_frame = false;
  std::size_t index = 0;
  DiagramBox box;          ///< with its room, about its place
  DiagramPoint place;      ///< in the frame
  bool is_placed = false;  ///< by the system file
};

struct Edge {
  std::size_t from, to;
  bool is_route;
  auto operator<=>(const Edge&) const = default;
};

class Placer {
 public:
  Placer(const System& system, Diagram& diagram, std::size_t most_by_dot)
      : system_(system), diagram_(diagram), most_by_dot_(most_by_dot) {
    contents_.resize(diagram.frames.size());
    places_.resize(diagram.frames.size());
  }

  void Place() {
    for (std::size_t i = 0; i < diagram_.nodes.size(); ++i) PutLabel(i, false);
    // Frames inside others come later: their sizes are needed first.
    for (std::size_t f = diagram_.frames.size(); f-- > 0;) PlaceFrame(f);
    MoveInto(0, {0, 0});
  }

  /// Moves components up or down a little, where that makes a line straight and nothing is in the way.
  void Straighten() {
    constexpr int kRounds = 4;
    constexpr double kMost = 40;
    for (int round = 0; round < kRounds; ++round) {
      std::vector<std::size_t> order(diagram_.nodes.size());
      for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
      // To and fro, so that a bend can leave the drawing on either side.
      std::ranges::stable_sort(
          order, {}, [&](std::size_t i) { return (round % 2 == 0 ? 1 : -1) * diagram_.nodes[i].place.x; });
      for (const std::size_t i : order) {
        DiagramNode& node = diagram_.nodes[i];
        if (system_.FindDrawingPlace(*node.component) != nullptr) continue;
        const double before = Bends(i);
        if (before == 0) continue;
        const double y = node.place.y;
        double best = y, least = before;
        for (const double by : WantedMoves(i)) {
          if (std::abs(by) > kMost || by == 0) continue;
          node.place.y = y + by;
          const double now = Bends(i);
          if (now < least && IsFree(i)) {
            least = now;
            best = node.place.y;
          }
        }
        node.place.y = best;
      }
    }
  }

  void PutLabels() {
    for (std::size_t i = 0; i < diagram_.nodes.size(); ++i) PutLabel(i, true);
  }

  void MirrorNodes() {
    for (std::size_t i = 0; i < diagram_.nodes.size(); ++i) {
      DiagramNode& node = diagram_.nodes[i];
      if (system_.FindDrawingPlace(*node.component) != nullptr) continue;
      const double straight = Mismatch(i);
      node.place.is_mirrored = true;
      // Signals are read from left to right, unless a block belongs to a loop as a whole.
      const double mirrored = Mismatch(i);
      const bool has_ports = !node.component->declarations().ports.empty();
      node.place.is_mirrored = has_ports ? mirrored < straight : mirrored == 0 && straight > 0;
    }
  }

  void ChooseAnchors() {
    std::set<std::tuple<std::size_t, std::size_t>> taken;
    std::vector<std::size_t> order(diagram_.lines.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto length = [&](std::size_t i) {
      const DrawingPlace& a = diagram_.nodes[diagram_.lines[i].from.node].place;
      const DrawingPlace& b = diagram_.nodes[diagram_.lines[i].to.node].place;
      return std::abs(a.x - b.x) + std::abs(a.y - b.y);
    };
    std::ranges::stable_sort(order, {}, length);
    for (const std::size_t i : order) {
      DiagramLine& line = diagram_.lines[i];
      if (line.mark != DiagramLine::Mark::kFrom) ChooseAnchor(line.from, line.to, taken);
      if (line.mark != DiagramLine::Mark::kTo) ChooseAnchor(line.to, line.from, taken);
    }
  }

 private:
  /// How many lines lead to the wrong side of a symbol; those of power count twice.
  double Mismatch(std::size_t index) const {
    const DiagramNode& node = diagram_.nodes[index];
    double sum = 0;
    for (const std::size_t l : LinesOf(index)) {
      const DiagramLine& line = diagram_.lines[l];
      if (line.mark != DiagramLine::Mark::kNone) continue;
      const bool is_from = line.from.node == index;
      const DiagramEnd& own = is_from ? line.from : line.to;
      const DiagramNode& other = diagram_.nodes[is_from ? line.to.node : line.from.node];
      std::size_t anchors = 0;
      bool is_wrong = false;
      for (const Anchor& anchor : node.symbol.anchors) {
        if (anchor.name != own.name) continue;
        ++anchors;
        const double ahead = other.place.x - node.At(anchor).x;
        const Side side = node.Turned(anchor.side);
        is_wrong = (side == Side::kLeft && ahead > 0) || (side == Side::kRight && ahead < 0);
      }
      if (anchors == 1 && is_wrong) sum += line.route != nullptr ? 1 : 2;
    }
    return sum;
  }

  /// How far the ends of the lines of a node that could be straight are from each other, and how many.
  template <class Visit>
  void ForFacing(std::size_t index, Visit visit) const {
    for (const std::size_t l : LinesOf(index)) {
      const DiagramLine& line = diagram_.lines[l];
      if (line.mark != DiagramLine::Mark::kNone) continue;
      const bool is_from = line.from.node == index;
      const DiagramEnd &own = is_from ? line.from : line.to, &other = is_from ? line.to : line.from;
      const DiagramNode &node = diagram_.nodes[own.node], &far = diagram_.nodes[other.node];
      if (node.symbol.anchors.empty() || far.symbol.anchors.empty()) continue;
      const Anchor &a = node.symbol.anchors[own.anchor], &b = far.symbol.anchors[other.anchor];
      const Side side = node.Turned(a.side), far_side = far.Turned(b.side);
      const DiagramPoint at = node.At(a), there = far.At(b);
      const bool faces = (side == Side::kRight && far_side == Side::kLeft && at.x < there.x) ||
                         (side == Side::kLeft && far_side == Side::kRight && at.x > there.x);
      if (faces) visit(there.y - at.y, line.route != nullptr ? 1.0 : 2.0);
    }
  }
  double Bends(std::size_t index) const {
    double sum = 0;
    ForFacing(index, [&](double away, double weight) {
      if (away != 0) sum += weight * (1 + std::min(std::abs(away), 400.0) * 1e-3);
    });
    return sum;
  }
  std::vector<double> WantedMoves(std::size_t index) const {
    std::vector<double> moves;
    ForFacing(index, [&](double away, double) { moves.push_back(away); });
    return moves;
  }
  /// Whether nothing else of its frame is where a node is.
  bool IsFree(std::size_t index) const {
    const DiagramNode& node = diagram_.nodes[index];
    const auto room = [&](std::size_t i) {
      DiagramBox box = diagram_.nodes[i].box();
      box.Include(diagram_.nodes[i].label_box());
      return box.MovedBy(diagram_.nodes[i].place.x, diagram_.nodes[i].place.y);
    };
    DiagramBox own = room(index);
    own = {own.left - kMargin, own.top - kMargin, own.right + kMargin, own.bottom + kMargin};
    if (node.frame != 0) {
      const DiagramBox& frame = diagram_.frames[node.frame].box;
      if (own.top < frame.top + kFrameTitle || own.bottom > frame.bottom) return false;
    }
    const auto overlaps = [&](const DiagramBox& other) {
      return own.left < other.right && other.left < own.right && own.top < other.bottom &&
             other.top < own.bottom;
    };
    for (std::size_t i = 0; i < diagram_.nodes.size(); ++i) {
      if (i != index && std::abs(diagram_.nodes[i].place.y - node.place.y) < 400 && overlaps(room(i)))
        return false;
    }
    for (std::size_t f = 1; f < diagram_.frames.size(); ++f) {
      if (!IsInside(f, node.frame) && overlaps(diagram_.frames[f].box)) return false;
    }
    return true;
  }
  /// Whether a frame is `other` or contains it.
  bool IsInside(std::size_t frame, std::size_t other) const {
    for (; other != 0; other = diagram_.frames[other].parent) {
      if (other == frame) return true;
    }
    return false;
  }

  const std::vector<std::size_t>& LinesOf(std::size_t node) const {
    if (lines_of_.empty()) {
      lines_of_.resize(diagram_.nodes.size());
      for (std::size_t i = 0; i < diagram_.lines.size(); ++i) {
        lines_of_[diagram_.lines[i].from.node].push_back(i);
        if (diagram_.lines[i].to.node != diagram_.lines[i].from.node)
          lines_of_[diagram_.lines[i].to.node].push_back(i);
      }
    }
    return lines_of_[node];
  }

  void ChooseAnchor(DiagramEnd& end, const DiagramEnd& other,
                    std::set<std::tuple<std::size_t, std::size_t>>& taken) {
    const DiagramNode& node = diagram_.nodes[end.node];
    const DrawingPlace& goal = diagram_.nodes[other.node].place;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a < node.symbol.anchors.size(); ++a) {
      const Anchor& anchor = node.symbol.anchors[a];
      if (anchor.name != end.name) continue;
      const DiagramPoint at = node.At(anchor);
      const Side side = node.Turned(anchor.side);
      const double out_x = side == Side::kLeft ? -kMargin : side == Side::kRight ? kMargin : 0;
      const double out_y = side == Side::kTop ? -kMargin : side == Side::kBottom ? kMargin : 0;
      double cost = std::abs(at.x + out_x - goal.x) + std::abs(at.y + out_y - goal.y);
      // A line that leaves on the far side goes around the symbol.
      const DiagramBox box = node.box();
      if (out_x * (goal.x - node.place.x) < 0) cost += box.height();
      if (out_y * (goal.y - node.place.y) < 0) cost += box.width();
      if (taken.contains({end.node, a})) cost += 1e6;
      if (cost < least) {
        least = cost;
        end.anchor = a;
      }
    }
    taken.insert({end.node, end.anchor});
  }

  /// Below the symbol, or where no line leaves.
  void PutLabel(std::size_t index, bool has_anchors) {
    DiagramNode& node = diagram_.nodes[index];
    std::set<Side> used;
    double low = std::numeric_limits<double>::infinity(), right = 0;
    for (const std::size_t l : LinesOf(index)) {
      for (const DiagramEnd* end : {&diagram_.lines[l].from, &diagram_.lines[l].to}) {
        if (end->node != index) continue;
        for (std::size_t a = 0; a < node.symbol.anchors.size(); ++a) {
          const Anchor& anchor = node.symbol.anchors[a];
          if (anchor.name != end->name || (has_anchors && a != end->anchor)) continue;
          const Side side = node.Turned(anchor.side);
          used.insert(side);
          if (side != Side::kBottom) continue;
          const DiagramPoint at = node.Turned(anchor.x, anchor.y);
          low = std::min(low, at.x);
          right = std::max(right, at.x);
        }
      }
    }
    const DiagramBox box = node.box();
    node.label_begins_there = false;
    if (!used.contains(Side::kBottom)) {
      node.label = {0, box.bottom + 11};
    } else if (!used.contains(Side::kTop)) {
      node.label = {0, box.top - 6};
    } else {
      node.label = {right + kGrid + 4, box.bottom + 11};
      node.label_begins_there = true;
    }
  }

  /// The symbol with its name, and room for lines.
  DiagramBox RoomOf(std::size_t index) const {
    const DiagramNode& node = diagram_.nodes[index];
    DiagramBox box = node.box();
    box.Include(node.label_box());
    DiagramBox room{box.left - kMargin, box.top - kMargin, box.right + kMargin, box.bottom + kMargin};
    for (const std::size_t l : LinesOf(index)) {
      const DiagramLine& line = diagram_.lines[l];
      const bool is_here = (line.mark == DiagramLine::Mark::kTo && line.from.node == index) ||
                           (line.mark == DiagramLine::Mark::kFrom && line.to.node == index);
      if (!is_here) continue;
      const std::string& name = line.from.node == index ? line.from.name : line.to.name;
      for (const Anchor& anchor : node.symbol.anchors) {
        if (anchor.name != name) continue;
        switch (node.Turned(anchor.side)) {
          case Side::kLeft: room.left = std::min(room.left, node.box().left - kMargin - kMarkRoom); break;
          case Side::kRight: room.right = std::max(room.right, node.box().right + kMargin + kMarkRoom); break;
          case Side::kTop: room.top = std::min(room.top, node.box().top - kMargin - kMarkRoom); break;
          case Side::kBottom:
            room.bottom = std::max(room.bottom, node.box().bottom + kMargin + kMarkRoom);
            break;
        }
      }
    }
    return room;
  }

  void PlaceFrame(std::size_t f) {
    std::vector<Entity>& entities = contents_[f];
    std::unordered_map<std::size_t, std::size_t> of_node, of_frame;
    for (std::size_t i = 0; i < diagram_.nodes.size(); ++i) {
      if (diagram_.nodes[i].frame != f) continue;
      of_node.emplace(i, entities.size());
      Entity entity{false, i, RoomOf(i), {}, false};
      if (const DrawingPlace* place = system_.FindDrawingPlace(*diagram_.nodes[i].component)) {
        entity.is_placed = true;
        entity.place = {Snap(place->x), Snap(place->y)};
      }
      entities.push_back(entity);
    }
    for (std::size_t i = f + 1; i < diagram_.frames.size(); ++i) {
      if (diagram_.frames[i].parent != f) continue;
      of_frame.emplace(i, entities.size());
      const double half_width = SnapUp(places_[i].width() / 2), half_height = SnapUp(places_[i].height() / 2);
      Entity entity{true, i, {-half_width, -half_height, half_width, half_height}, {}, false};
      if (const DrawingPlace* place = system_.FindDrawingPlace(*diagram_.frames[i].component)) {
        entity.is_placed = true;
        entity.place = {Snap(place->x), Snap(place->y)};
      }
      entities.push_back(entity);
    }
    if (std::ranges::any_of(entities, [](const Entity& e) { return !e.is_placed; })) {
      FindPlaces(entities, EdgesInside(f, of_node, of_frame));
    }
    DiagramBox box{0, 0, 0, 0};
    bool is_first = true;
    for (const Entity& entity : entities) {
      const DiagramBox at = entity.box.MovedBy(entity.place.x, entity.place.y);
      if (is_first) box = at;
      is_first = false;
      box.Include(at);
    }
    for (DiagramNote& note : diagram_.notes) {
      if (note.frame != f) continue;
      note.box = note.box.MovedBy(Snap(note.note->x), Snap(note.note->y));
      if (is_first) box = note.box;
      is_first = false;
      box.Include(note.box);
    }
    if (f > 0) {
      box.left -= kFrameMargin - kMargin;
      box.right += kFrameMargin - kMargin;
      box.bottom += kFrameMargin - kMargin;
      box.top -= kFrameTitle;
      const double least = LabelWidth(diagram_.frames[f].component->name()) + 2 * kGrid;
      box.right = std::max(box.right, box.left + least);
    }
    places_[f] = box;
  }

  /// The frame or node of `f` that contains a node; nothing where it lies outside.
  std::optional<std::size_t> EntityAt(std::size_t f, std::size_t node,
                                      const std::unordered_map<std::size_t, std::size_t>& of_node,
                                      const std::unordered_map<std::size_t, std::size_t>& of_frame) const {
    std::size_t frame = diagram_.nodes[node].frame;
    if (frame == f) return of_node.at(node);
    while (frame != 0) {
      if (diagram_.frames[frame].parent == f) return of_frame.at(frame);
      frame = diagram_.frames[frame].parent;
    }
    return std::nullopt;
  }

  /// Whether a connection leads from left to right: as both symbols would have it; where they differ, in the
  /// order of the file, for authors follow the power.
  bool LeadsRight(const DiagramLine& line) const {
    const int lean = LeanOf(line.from) - LeanOf(line.to);
    return lean != 0 ? lean > 0 : line.from.node < line.to.node;
  }
  int LeanOf(const DiagramEnd& end) const {
    int sum = 0;
    for (const Anchor& anchor : diagram_.nodes[end.node].symbol.anchors) {
      if (anchor.name == end.name) sum += anchor.lean;
    }
    return std::clamp(sum, -1, 1);
  }

  std::vector<Edge> EdgesInside(std::size_t f, const std::unordered_map<std::size_t, std::size_t>& of_node,
                                const std::unordered_map<std::size_t, std::size_t>& of_frame) const {
    std::vector<Edge> edges;
    for (const DiagramLine& line : diagram_.lines) {
      if (line.mark != DiagramLine::Mark::kNone) continue;
      const auto from = EntityAt(f, line.from.node, of_node, of_frame);
      const auto to = EntityAt(f, line.to.node, of_node, of_frame);
      if (!from || !to || *from == *to) continue;
      const bool is_route = line.route != nullptr;
      if (is_route || LeadsRight(line)) {
        edges.push_back({*from, *to, is_route});
      } else {
        edges.push_back({*to, *from, is_route});
      }
    }
    return edges;
  }

  void FindPlaces(std::vector<Entity>& entities, const std::vector<Edge>& edges) {
    std::vector<DiagramPoint> middles(entities.size());
    if (entities.size() <= kManyEntities) {
      std::vector<std::size_t> all(entities.size());
      std::iota(all.begin(), all.end(), std::size_t{0});
      middles = Arrange(entities, all, edges);
    } else {
      Pack(entities, edges, middles);
    }
    for (std::size_t i = 0; i < entities.size(); ++i) {
      if (entities[i].is_placed) continue;
      // dot places the middle of the room, which need not be that of the symbol.
      const DiagramBox& box = entities[i].box;
      entities[i].place = {Snap(middles[i].x - (box.left + box.right) / 2),
                           Snap(middles[i].y - (box.top + box.bottom) / 2)};
    }
    SetAside(entities, middles);
  }

  /// Where dot puts the middles of these entities, whose edges are `edges` by their number in all.
  std::vector<DiagramPoint> Arrange(const std::vector<Entity>& entities,
                                    const std::vector<std::size_t>& these, const std::vector<Edge>& edges) {
    std::unordered_map<std::size_t, std::size_t> number;
    for (std::size_t i = 0; i < these.size(); ++i) number.emplace(these[i], i);
    if (these.size() > most_by_dot_) {
      std::vector<DiagramBox> boxes;
      boxes.reserve(these.size());
      for (const std::size_t i : these) boxes.push_back(entities[i].box);
      std::vector<std::pair<std::size_t, std::size_t>> joined;
      joined.reserve(edges.size());
      for (const Edge& edge : edges) joined.emplace_back(number.at(edge.from), number.at(edge.to));
      return PlaceInColumns(boxes, joined);
    }
    std::string graph = "digraph system {\n  graph [rankdir=LR, nodesep=0.12, ranksep=0.25, splines=false";
    if (these.size() > kManyEntities) graph += ", nslimit=1, nslimit1=1, mclimit=0.2";
    graph += "]\n  node [shape=box, fixedsize=true, label=\"\"]\n";
    for (std::size_t i = 0; i < these.size(); ++i) {
      const DiagramBox& box = entities[these[i]].box;
      graph += fmt::format("  n{} [width={:.4f}, height={:.4f}]\n", i, box.width() / 72, box.height() / 72);
    }
    std::vector<Edge> own;
    own.reserve(edges.size());
    for (const Edge& edge : edges) own.push_back({number.at(edge.from), number.at(edge.to), edge.is_route});
    const std::vector<bool> leads_back = FindLeadingBack(these.size(), own);
    for (std::size_t i = 0; i < own.size(); ++i) {
      graph += fmt::format("  n{} -> n{} [weight={}{}]\n", own[i].from, own[i].to, own[i].is_route ? 1 : 4,
                           leads_back[i] ? ", constraint=false" : "");
    }
    graph += "}\n";
    const auto [known, is_new] = drawn_.try_emplace(graph);
    if (is_new) known->second = RunDot(graph, these.size());
    return known->second;
  }

  /// Parts that nothing joins are arranged alone, equal ones once, and set in rows.
  void Pack(const std::vector<Entity>& entities, const std::vector<Edge>& edges,
            std::vector<DiagramPoint>& middles) {
    std::vector<std::size_t> root(entities.size());
    std::iota(root.begin(), root.end(), std::size_t{0});
    const auto find = [&](std::size_t i) {
      while (root[i] != i) i = root[i] = root[root[i]];
      return i;
    };
    for (const Edge& edge : edges)
      root[std::max(find(edge.from), find(edge.to))] = std::min(find(edge.from), find(edge.to));
    std::map<std::size_t, std::vector<std::size_t>> parts;
    std::map<std::size_t, std::vector<Edge>> edges_of;
    for (std::size_t i = 0; i < entities.size(); ++i) parts[find(i)].push_back(i);
    for (const Edge& edge : edges) edges_of[find(edge.from)].push_back(edge);

    struct Part {
      const std::vector<std::size_t>* members;
      std::vector<DiagramPoint> places;
      DiagramBox box;
    };
    std::vector<Part> arranged;
    double area = 0, widest = 0;
    for (const auto& [first, members] : parts) {
      Part part{&members, Arrange(entities, members, edges_of[first]), {}};
      for (std::size_t k = 0; k < members.size(); ++k) {
        const DiagramBox& room = entities[members[k]].box;
        const DiagramBox at =
            DiagramBox{-room.width() / 2, -room.height() / 2, room.width() / 2, room.height() / 2}.MovedBy(
                part.places[k].x, part.places[k].y);
        if (k == 0) part.box = at;
        part.box.Include(at);
      }
      area += part.box.width() * part.box.height();
      widest = std::max(widest, part.box.width());
      arranged.push_back(std::move(part));
    }
    constexpr double kAspect = 1.6;
    const double row = std::max(widest, std::sqrt(kAspect * area));
    double x = 0, y = 0, height = 0;
    for (const Part& part : arranged) {
      if (x > 0 && x + part.box.width() > row) {
        y += height;
        x = height = 0;
      }
      for (std::size_t k = 0; k < part.members->size(); ++k)
        middles[(*part.members)[k]] = {x + part.places[k].x - part.box.left,
                                       y + part.places[k].y - part.box.top};
      x += part.box.width();
      height = std::max(height, part.box.height());
    }
  }

  /// Routes that lead back, such as those of sensors, do not shape the layout.
  static std::vector<bool> FindLeadingBack(std::size_t count, const std::vector<Edge>& edges) {
    std::vector<bool> leads_back(edges.size());
    if (count > kManyEntities) return leads_back;
    std::vector<std::vector<std::size_t>> followers(count);
    const auto is_reached = [&](std::size_t from, std::size_t to) {
      std::vector<bool> is_seen(count);
      std::vector<std::size_t> open{from};
      while (!open.empty()) {
        const std::size_t at = open.back();
        open.pop_back();
        if (at == to) return true;
        if (is_seen[at]) continue;
        is_seen[at] = true;
        open.insert(open.end(), followers[at].begin(), followers[at].end());
      }
      return false;
    };
    for (const bool is_route : {false, true}) {
      for (std::size_t i = 0; i < edges.size(); ++i) {
        if (edges[i].is_route != is_route) continue;
        leads_back[i] = is_reached(edges[i].to, edges[i].from);
        if (!leads_back[i]) followers[edges[i].from].push_back(edges[i].to);
      }
    }
    return leads_back;
  }

  static std::vector<DiagramPoint> RunDot(const std::string& graph, std::size_t count) {
    std::vector<DiagramPoint> middles(count);
    std::istringstream answer(DrawWithDot(graph, "plain"));
    std::string line;
    double height = 0;
    while (std::getline(answer, line)) {
      std::istringstream words(line);
      std::string kind;
      words >> kind;
      if (kind == "graph") {
        double scale = 1, width = 0;
        words >> scale >> width >> height;
      } else if (kind == "node") {
        std::string name;
        double x = 0, y = 0;
        words >> name >> x >> y;
        const std::size_t i = std::stoul(name.substr(1));
        if (i < count) middles[i] = {72 * x, 72 * (height - y)};
      }
    }
    return middles;
  }

  /// Where some are placed by the file: the others keep their places to each other, and give way.
  static void SetAside(std::vector<Entity>& entities, const std::vector<DiagramPoint>& middles) {
    DiagramPoint shift;
    std::vector<const Entity*> placed;
    for (std::size_t i = 0; i < entities.size(); ++i) {
      if (!entities[i].is_placed) continue;
      placed.push_back(&entities[i]);
      shift.x += entities[i].place.x - middles[i].x;
      shift.y += entities[i].place.y - middles[i].y;
    }
    if (placed.empty()) return;
    const double count = static_cast<double>(placed.size());
    const auto overlaps = [](const DiagramBox& a, const DiagramBox& b) {
      return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    };
    for (Entity& entity : entities) {
      if (entity.is_placed) continue;
      const DiagramPoint wanted{Snap(entity.place.x + shift.x / count),
                                Snap(entity.place.y + shift.y / count)};
      const auto is_free = [&](const DiagramPoint& at) {
        const DiagramBox box = entity.box.MovedBy(at.x, at.y);
        return std::ranges::none_of(placed, [&](const Entity* other) {
          return overlaps(box, other->box.MovedBy(other->place.x, other->place.y));
        });
      };
      entity.place = wanted;
      constexpr int kMostRings = 400;
      for (int ring = 1; ring < kMostRings && !is_free(entity.place); ++ring) {
        for (const auto& [dx, dy] :
             {std::pair(0, 1), {0, -1}, {1, 0}, {-1, 0}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}}) {
          entity.place = {wanted.x + 2 * kGrid * ring * dx, wanted.y + 2 * kGrid * ring * dy};
          if (is_free(entity.place)) break;
        }
      }
      placed.push_back(&entity);
    }
  }

  /// Gives what is inside a frame its place in the drawing, where the frame's origin lies at `origin`.
  void MoveInto(std::size_t f, const DiagramPoint& origin) {
    diagram_.frames[f].box = places_[f].MovedBy(origin.x, origin.y);
    for (DiagramNote& note : diagram_.notes) {
      if (note.frame == f) note.box = note.box.MovedBy(origin.x, origin.y);
    }
    for (const Entity& entity : contents_[f]) {
      const DiagramPoint at{origin.x + entity.place.x, origin.y + entity.place.y};
      if (entity.is_frame) {
        const DiagramBox& inside = places_[entity.index];
        // The place is that of the middle, unless the file inside has places: then it is that of its origin.
        const bool has_origin = entity.is_placed && HasPlaces(entity.index);
        MoveInto(entity.index, has_origin ? at
                                          : DiagramPoint{Snap(at.x - (inside.left + inside.right) / 2),
                                                         Snap(at.y - (inside.top + inside.bottom) / 2)});
      } else {
        diagram_.nodes[entity.index].place.x = at.x;
        diagram_.nodes[entity.index].place.y = at.y;
      }
    }
  }
  bool HasPlaces(std::size_t f) const {
    return std::ranges::any_of(contents_[f], [](const Entity& entity) { return entity.is_placed; });
  }

  const System& system_;
  Diagram& diagram_;
  const std::size_t most_by_dot_;
  mutable std::vector<std::vector<std::size_t>> lines_of_;
  std::vector<std::vector<Entity>> contents_;  ///< by frame
  std::vector<DiagramBox> places_;             ///< by frame: its box, from its own origin
  std::map<std::string, std::vector<DiagramPoint>> drawn_;
};

}  // namespace

void PlaceNodes(const System& system, Diagram& diagram, std::size_t most_by_dot) {
  Placer placer(system, diagram, most_by_dot);
  placer.Place();
  placer.MirrorNodes();
  placer.ChooseAnchors();
  if (diagram.nodes.size() <= kMostStraightened) {
    placer.Straighten();
    placer.ChooseAnchors();
  }
  placer.PutLabels();
}

}  // namespace davit
