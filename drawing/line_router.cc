#include "drawing/line_router.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <queue>
#include <vector>

namespace davit {
namespace {

constexpr int kBorder = 6;                     // cells around everything
constexpr std::size_t kMostVisited = 300'000;  // states of one search
constexpr std::size_t kMostCells = 40'000'000;

// Costs of a cell, in cells of way.
constexpr float kBend = 4;
constexpr float kCrossing = 3;
constexpr float kOverlap = 40;
constexpr float kShared = 0.75F;  // with another line of the net; the least of all
constexpr float kBeside = 0.6F;   // another line beside this one
constexpr float kLabel = 7;
constexpr float kMark = 20;  // the symbol of a mark
constexpr float kNearSymbol = 1.5F;

struct Cell {
  int x = 0, y = 0;
  bool operator==(const Cell&) const = default;
};

constexpr std::array<Cell, 4> kSteps{Cell{-1, 0}, Cell{0, -1}, Cell{1, 0}, Cell{0, 1}};  // as Side

class Router {
 public:
  Router(Diagram& diagram, std::size_t most_visited) : diagram_(diagram), most_visited_in_all_(most_visited) {
    const DiagramBox& box = diagram.box;
    left_ = static_cast<int>(std::floor(box.left / kGrid)) - kBorder;
    top_ = static_cast<int>(std::floor(box.top / kGrid)) - kBorder;
    width_ = static_cast<int>(std::ceil(box.right / kGrid)) + kBorder - left_ + 1;
    height_ = static_cast<int>(std::ceil(box.bottom / kGrid)) + kBorder - top_ + 1;
    const std::size_t cells = static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_);
    has_cells_ = cells <= kMostCells;
    if (!has_cells_) return;
    ground_.assign(cells, 0);
    is_blocked_.assign(cells, false);
    for (auto& used : used_) used.assign(cells, 0);
    best_.assign(4 * cells, 0);
    came_.assign(4 * cells, 0);
    seen_.assign(4 * cells, 0);
    for (const DiagramNode& node : diagram.nodes) AddNode(node);
  }

  void Route() {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < diagram_.lines.size(); ++i) {
      if (diagram_.lines[i].mark == DiagramLine::Mark::kNone) {
        order.push_back(i);
      } else {
        RouteToMark(diagram_.lines[i]);
      }
    }
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return Length(diagram_.lines[i]); });
    // Power first: signals find their way around it.
    std::stable_partition(order.begin(), order.end(),
                          [&](std::size_t i) { return diagram_.lines[i].route == nullptr; });
    for (const std::size_t i : order) RouteLine(diagram_.lines[i]);
  }

 private:
  std::size_t IndexOf(const Cell& cell) const {
    return static_cast<std::size_t>(cell.y) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(cell.x);
  }
  bool IsInside(const Cell& cell) const {
    return cell.x >= 0 && cell.y >= 0 && cell.x < width_ && cell.y < height_;
  }
  Cell CellAt(const DiagramPoint& at) const {
    return {static_cast<int>(std::lround(at.x / kGrid)) - left_,
            static_cast<int>(std::lround(at.y / kGrid)) - top_};
  }
  DiagramPoint PointAt(const Cell& cell) const { return {kGrid * (cell.x + left_), kGrid * (cell.y + top_)}; }

  double Length(const DiagramLine& line) const {
    const DiagramPoint a = AnchorOf(line.from), b = AnchorOf(line.to);
    return std::abs(a.x - b.x) + std::abs(a.y - b.y);
  }
  DiagramPoint AnchorOf(const DiagramEnd& end) const {
    const DiagramNode& node = diagram_.nodes[end.node];
    return node.symbol.anchors.empty() ? DiagramPoint{node.place.x, node.place.y}
                                       : node.At(node.symbol.anchors[end.anchor]);
  }
  int SideOf(const DiagramEnd& end) const {
    const DiagramNode& node = diagram_.nodes[end.node];
    return node.symbol.anchors.empty() ? 0
                                       : static_cast<int>(node.Turned(node.symbol.anchors[end.anchor].side));
  }

  template <class Visit>
  void ForCells(const DiagramBox& box, double grow, Visit visit) {
    const int x0 = static_cast<int>(std::ceil((box.left - grow) / kGrid)) - left_;
    const int x1 = static_cast<int>(std::floor((box.right + grow) / kGrid)) - left_;
    const int y0 = static_cast<int>(std::ceil((box.top - grow) / kGrid)) - top_;
    const int y1 = static_cast<int>(std::floor((box.bottom + grow) / kGrid)) - top_;
    for (int y = std::max(0, y0); y <= std::min(height_ - 1, y1); ++y) {
      for (int x = std::max(0, x0); x <= std::min(width_ - 1, x1); ++x) visit(IndexOf({x, y}));
    }
  }

  void AddNode(const DiagramNode& node) {
    const DiagramBox box = node.box().MovedBy(node.place.x, node.place.y);
    ForCells(box, kGrid, [&](std::size_t i) { ground_[i] = std::max(ground_[i], kNearSymbol); });
    ForCells(box, 0, [&](std::size_t i) { is_blocked_[i] = true; });
    ForCells(node.label_box().MovedBy(node.place.x, node.place.y), 2,
             [&](std::size_t i) { ground_[i] = std::max(ground_[i], kLabel); });
  }

  /// A short line out of the symbol.
  void RouteToMark(DiagramLine& line) {
    const bool is_to = line.mark == DiagramLine::Mark::kTo;
    const DiagramEnd& own = is_to ? line.from : line.to;
    const DiagramPoint at = AnchorOf(own);
    const int side = SideOf(own);
    const Cell& step = kSteps[static_cast<std::size_t>(side)];
    line.points = {at, {at.x + 2 * kGrid * step.x, at.y + 2 * kGrid * step.y}};
    if (step.y == 0) line.points.push_back({line.points.back().x, at.y + kGrid});
    if (has_cells_) {
      Use(line);
      const DiagramPoint& end = line.points.back();
      ForCells({end.x - kGrid, end.y, end.x + kGrid, end.y + kGrid}, 0,
               [&](std::size_t i) { ground_[i] = std::max(ground_[i], kMark); });
    }
    if (!is_to) std::ranges::reverse(line.points);
  }

  void RouteLine(DiagramLine& line) {
    const DiagramPoint a = AnchorOf(line.from), b = AnchorOf(line.to);
    const int side_a = SideOf(line.from), side_b = SideOf(line.to);
    std::vector<Cell> way;
    if (has_cells_ && visited_in_all_ < most_visited_in_all_)
      way = Search(CellAt(a), side_a, CellAt(b), side_b, static_cast<std::int32_t>(line.net) + 1);
    line.points.clear();
    if (way.empty()) {
      line.points = Straight(a, side_a, b, side_b);
    } else {
      for (const Cell& cell : way) line.points.push_back(PointAt(cell));
    }
    RemoveStraightPoints(line.points);
    if (has_cells_) Use(line);
  }

  static std::vector<DiagramPoint> Straight(const DiagramPoint& a, int side_a, const DiagramPoint& b,
                                            int side_b) {
    const Cell& out_a = kSteps[static_cast<std::size_t>(side_a)];
    const Cell& out_b = kSteps[static_cast<std::size_t>(side_b)];
    const DiagramPoint from{a.x + kGrid * out_a.x, a.y + kGrid * out_a.y};
    const DiagramPoint to{b.x + kGrid * out_b.x, b.y + kGrid * out_b.y};
    const double middle = std::round((from.x + to.x) / 2 / kGrid) * kGrid;
    return {a, from, {middle, from.y}, {middle, to.y}, to, b};
  }

  static void RemoveStraightPoints(std::vector<DiagramPoint>& points) {
    std::vector<DiagramPoint> kept;
    for (const DiagramPoint& point : points) {
      if (!kept.empty() && kept.back().x == point.x && kept.back().y == point.y) continue;
      while (kept.size() >= 2) {
        const DiagramPoint &p = kept[kept.size() - 2], &q = kept.back();
        const bool is_straight = (p.x == q.x && q.x == point.x) || (p.y == q.y && q.y == point.y);
        if (!is_straight) break;
        kept.pop_back();
      }
      kept.push_back(point);
    }
    points = std::move(kept);
  }

  /// The cells of a line belong to its net, by direction: 0 level, 1 upright.
  void Use(const DiagramLine& line) {
    const auto net = static_cast<std::int32_t>(line.net) + 1;
    for (std::size_t i = 1; i < line.points.size(); ++i) {
      Cell at = CellAt(line.points[i - 1]);
      const Cell end = CellAt(line.points[i]);
      const std::size_t axis = at.y == end.y ? 0 : 1;
      const Cell step{(end.x > at.x) - (end.x < at.x), (end.y > at.y) - (end.y < at.y)};
      if (step.x != 0 && step.y != 0) continue;
      for (;;) {
        if (IsInside(at)) used_[axis][IndexOf(at)] = net;
        if (at == end) break;
        at.x += step.x;
        at.y += step.y;
      }
    }
  }

  float CostOf(const Cell& cell, std::size_t axis, std::int32_t net) const {
    const std::size_t i = IndexOf(cell);
    float cost = 1 + ground_[i];
    const std::int32_t along = used_[axis][i], across = used_[1 - axis][i];
    if (along == net) return kShared;
    if (across == net) return 1;
    if (along != 0) cost += kOverlap;
    if (across != 0) cost += kCrossing;
    for (const int side : {-1, 1}) {
      const Cell beside = axis == 0 ? Cell{cell.x, cell.y + side} : Cell{cell.x + side, cell.y};
      if (!IsInside(beside)) continue;
      const std::int32_t other = used_[axis][IndexOf(beside)];
      if (other != 0 && other != net) cost += kBeside;
    }
    return cost;
  }

  struct Open {
    float least;
    std::uint32_t state;
    bool operator<(const Open& other) const {
      return least != other.least ? least > other.least : state > other.state;
    }
  };

  /// From cell a, left to `side_a`, to cell b, entered from `side_b`; empty where none was found.
  std::vector<Cell> Search(const Cell& a, int side_a, const Cell& b, int side_b, std::int32_t net) {
    const Cell out_a = kSteps[static_cast<std::size_t>(side_a)],
               out_b = kSteps[static_cast<std::size_t>(side_b)];
    const Cell start{a.x + out_a.x, a.y + out_a.y}, goal{b.x + out_b.x, b.y + out_b.y};
    if (!IsInside(start) || !IsInside(goal)) return {};
    if (start == b && goal == a) return {a, b};
    const auto state_of = [&](const Cell& cell, int side) {
      return static_cast<std::uint32_t>(4 * IndexOf(cell) + static_cast<std::size_t>(side));
    };
    const auto rest = [&](const Cell& cell) {
      return kShared * static_cast<float>(std::abs(cell.x - goal.x) + std::abs(cell.y - goal.y));
    };
    ++round_;
    std::priority_queue<Open> open;
    const std::uint32_t first = state_of(start, side_a);
    const int last_side = (side_b + 2) % 4;
    best_[first] = 0;
    seen_[first] = round_;
    came_[first] = first;
    open.push({rest(start), first});
    std::size_t visited = 0;
    while (!open.empty() && ++visited < kMostVisited) {
      const Open now = open.top();
      open.pop();
      const std::size_t index = now.state / 4;
      const int side = static_cast<int>(now.state % 4);
      const Cell cell{static_cast<int>(index % static_cast<std::size_t>(width_)),
                      static_cast<int>(index / static_cast<std::size_t>(width_))};
      if (now.least > best_[now.state] + rest(cell) + 1e-3F) continue;
      if (cell == goal && side == last_side) {
        visited_in_all_ += visited;
        return WayTo(now.state, a, b);
      }
      for (int next = 0; next < 4; ++next) {
        if ((next + 2) % 4 == side && !(cell == start)) continue;
        const Cell step = kSteps[static_cast<std::size_t>(next)];
        // A turn on the spot, or a step on.
        const bool is_turn = next != side;
        const Cell to = is_turn ? cell : Cell{cell.x + step.x, cell.y + step.y};
        if (!IsInside(to)) continue;
        if (!is_turn && is_blocked_[IndexOf(to)] && !(to == goal)) continue;
        if (is_turn && (next + 2) % 4 == side) continue;
        const float cost =
            best_[now.state] + (is_turn ? kBend : CostOf(to, static_cast<std::size_t>(next % 2), net));
        const std::uint32_t state = state_of(to, next);
        if (seen_[state] == round_ && best_[state] <= cost) continue;
        seen_[state] = round_;
        best_[state] = cost;
        came_[state] = now.state;
        open.push({cost + rest(to), state});
      }
    }
    visited_in_all_ += visited;
    return {};
  }

  std::vector<Cell> WayTo(std::uint32_t state, const Cell& a, const Cell& b) const {
    std::vector<Cell> way{b};
    for (;;) {
      const std::size_t index = state / 4;
      way.push_back({static_cast<int>(index % static_cast<std::size_t>(width_)),
                     static_cast<int>(index / static_cast<std::size_t>(width_))});
      if (came_[state] == state) break;
      state = came_[state];
    }
    way.push_back(a);
    std::ranges::reverse(way);
    return way;
  }

  Diagram& diagram_;
  const std::size_t most_visited_in_all_;
  int left_ = 0, top_ = 0, width_ = 0, height_ = 0;
  bool has_cells_ = false;
  std::vector<float> ground_;  ///< what a cell costs besides its way
  std::vector<bool> is_blocked_;
  std::array<std::vector<std::int32_t>, 2> used_;  ///< by direction: the net + 1 there
  std::vector<float> best_;                        ///< by state: cell and direction
  std::vector<std::uint32_t> came_;
  std::vector<std::uint32_t> seen_;  ///< in which search
  std::uint32_t round_ = 0;
  std::size_t visited_in_all_ = 0;
};

}  // namespace

void RouteLines(Diagram& diagram, std::size_t most_visited) {
  bool is_first = true;
  const auto include = [&](const DiagramBox& box) {
    if (is_first) diagram.box = box;
    is_first = false;
    diagram.box.Include(box);
  };
  for (const DiagramNode& node : diagram.nodes) {
    include(node.box().MovedBy(node.place.x, node.place.y));
    include(node.label_box().MovedBy(node.place.x, node.place.y));
  }
  for (std::size_t f = 1; f < diagram.frames.size(); ++f) include(diagram.frames[f].box);
  for (const DiagramNote& note : diagram.notes) include(note.box);
  Router(diagram, most_visited).Route();
  for (const DiagramLine& line : diagram.lines) {
    for (const DiagramPoint& point : line.points)
      include({point.x - 12, point.y - 12, point.x + 12, point.y + 16});
  }
}

}  // namespace davit
