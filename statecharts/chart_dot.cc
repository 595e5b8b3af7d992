#include "statecharts/chart_dot.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "framework/escape.h"
#include "statecharts/chart_label.h"

namespace davit {
namespace {

constexpr Index kRegionsInRow = 2;  ///< more side by side make drawings that are too wide to read

std::string EscapeDot(std::string_view text) {
  return Escape(text, {{'"', "\\\""}, {'\\', "\\\\"}, {'\n', " "}, {'\r', " "}, {'\t', " "}});
}

std::string Quote(std::string_view text) { return '"' + EscapeDot(text) + '"'; }

class DotDrawing {
 public:
  explicit DotDrawing(const Chart& chart) : chart_(chart) {}

  std::string Text() {
    text_ = fmt::format(
        "digraph {} {{\n"
        "  graph [compound=true, rankdir=TB, fontname=\"Helvetica\", fontsize=11, nodesep=0.35, "
        "ranksep=0.4]\n"
        "  node [fontname=\"Helvetica\", fontsize=10, shape=box, style=\"rounded,filled\", fillcolor=white, "
        "color=\"#334155\"]\n"
        "  edge [fontname=\"Helvetica\", fontsize=9, color=\"#334155\", arrowsize=0.7]\n",
        Quote(chart_.name.empty() ? chart_.file.stem().string() : chart_.name));
    AddContent(0, "  ");
    for (Index i = 0; i < chart_.transitions.size(); ++i) AddTransition(i);
    return text_ + "}\n";
  }

 private:
  bool IsCluster(StateId state) const {
    const StateKind kind = chart_.states[state].kind;
    return kind == StateKind::kCompound || kind == StateKind::kParallel;
  }
  std::string IdOf(StateId state) const { return "state-" + chart_.names[state].id; }

  static std::string IdOf(const Connector& connector) { return "connector-" + connector.id; }

  /// The node an edge to or from a state is drawn to; that of a cluster is any node inside.
  std::string NodeOf(StateId state) const {
    while (IsCluster(state)) {
      const State& own = chart_.states[state];
      if (own.initial != kNoIndex) return Quote("initial-" + chart_.names[state].id);
      state = chart_.state_lists[own.children.begin];
    }
    return Quote(IdOf(state));
  }

  std::string Label(StateId state) const {
    std::string label = chart_.names[state].id;
    std::string lines;
    for (const std::string& line : StateLines(chart_, state)) lines += "\\l" + EscapeDot(line);
    return "\"" + EscapeDot(label) + lines + (lines.empty() ? "" : "\\l") + "\"";
  }

  void AddContent(StateId state, const std::string& margin) {
    const State& own = chart_.states[state];
    if (own.initial != kNoIndex) {
      text_ +=
          fmt::format("{}{} [id={}, shape=point, width=0.09, fillcolor=\"#334155\", label=\"\"]\n", margin,
                      Quote("initial-" + chart_.names[state].id), Quote("initial-" + chart_.names[state].id));
    }
    for (const Connector& connector : chart_.connectors) {
      if (connector.parent != state) continue;
      const std::string id = Quote(IdOf(connector));
      text_ += fmt::format("{}{} [id={}, shape=circle, style=filled, margin=0, width=0.3, label=\"{}\"]\n",
                           margin, id, id, connector.is_selection ? 'S' : 'C');
    }
    for (const IndexRange list : {own.histories, own.children}) {
      for (Index i = list.begin; i < list.end; ++i) AddState(chart_.state_lists[i], margin);
    }
    if (own.kind == StateKind::kParallel) AddRows(own.children);
  }

  /// Puts the regions of a parallel state into rows: edges that nobody sees lead from all states of one row
  /// to the regions of the next.
  void AddRows(IndexRange regions) {
    for (Index i = regions.begin + kRegionsInRow; i < regions.end; ++i) {
      const Index above = i - (i - regions.begin) % kRegionsInRow - kRegionsInRow;
      for (Index k = above; k < above + kRegionsInRow; ++k) {
        for (StateId state = 1; state < chart_.states.size(); ++state) {
          const StateId region = chart_.state_lists[k];
          if (IsCluster(state) || (state != region && !chart_.IsDescendant(state, region))) continue;
          text_ +=
              fmt::format("  {} -> {} [style=invis]\n", Quote(IdOf(state)), NodeOf(chart_.state_lists[i]));
        }
      }
    }
  }

  void AddState(StateId state, const std::string& margin) {
    const State& own = chart_.states[state];
    const std::string id = Quote(IdOf(state));
    if (IsCluster(state)) {
      const bool is_region = chart_.states[own.parent].kind == StateKind::kParallel;
      text_ += fmt::format(
          "{0}subgraph {1} {{\n{0}  graph [id={2}, label={3}, labeljust=l, style=\"rounded{4}\", "
          "color=\"#64748b\"]\n",
          margin, Quote(fmt::format("cluster_{}", state)), id, Label(state), is_region ? ",dashed" : "");
      AddContent(state, margin + "  ");
      text_ += margin + "}\n";
      return;
    }
    std::string style;
    switch (own.kind) {
      case StateKind::kFinal: style = ", peripheries=2"; break;
      case StateKind::kShallowHistory:
      case StateKind::kDeepHistory: style = ", shape=circle, style=filled, margin=0, width=0.3"; break;
      default: break;
    }
    const std::string label = own.kind == StateKind::kShallowHistory ? "\"H\""
                              : own.kind == StateKind::kDeepHistory  ? "\"H*\""
                                                                     : Label(state);
    text_ += fmt::format("{}{} [id={}, label={}{}]\n", margin, id, id, label, style);
  }

  /// A transition that leads through connectors, without its last piece: what it shares with others is drawn
  /// once. Returns the last piece.
  const Segment& AddSegments(const Transition& transition) {
    for (Index i = transition.segments.begin; i + 1 < transition.segments.end; ++i) {
      const Segment& segment = chart_.segments[i];
      const std::string id = IdOf(transition, segment);
      if (!drawn_.insert(id).second) continue;
      const std::string from = segment.connector == kNoIndex
                                   ? NodeOf(transition.source)
                                   : Quote(IdOf(chart_.connectors[segment.connector]));
      const Connector& to = chart_.connectors[chart_.segments[i + 1].connector];
      std::string more;
      if (segment.connector == kNoIndex) {
        const bool is_inside =
            to.parent == transition.source || chart_.IsDescendant(to.parent, transition.source);
        if (IsCluster(transition.source) && !is_inside)
          more += fmt::format(", ltail=\"cluster_{}\"", transition.source);
        if (transition.events.is_empty()) more += ", style=dashed";
      }
      text_ += fmt::format("  {} -> {} [id={}, label={}{}]\n", from, Quote(IdOf(to)), Quote(id),
                           Quote(SegmentText(chart_, transition, segment)), more);
    }
    return chart_.segments[transition.segments.end - 1];
  }
  std::string IdOf(const Transition& transition, const Segment& segment) const {
    return segment.connector == kNoIndex
               ? fmt::format("transition-{}-{}", chart_.names[transition.source].id, segment.number)
               : fmt::format("branch-{}-{}", chart_.connectors[segment.connector].id, segment.number);
  }
  void AddLastSegment(const Transition& transition, const Segment& segment) {
    const std::string id = IdOf(transition, segment);
    if (!drawn_.insert(id).second) return;
    const Connector& from = chart_.connectors[segment.connector];
    for (Index i = transition.targets.begin; i < transition.targets.end; ++i) {
      const StateId target = chart_.state_lists[i];
      const bool is_outside = from.parent != target && !chart_.IsDescendant(from.parent, target);
      const std::string more =
          IsCluster(target) && is_outside ? fmt::format(", lhead=\"cluster_{}\"", target) : std::string();
      text_ += fmt::format("  {} -> {} [id={}, label={}{}]\n", Quote(IdOf(from)), NodeOf(target), Quote(id),
                           Quote(SegmentText(chart_, transition, segment)), more);
    }
  }

  void AddTransition(Index index) {
    const Transition& transition = chart_.transitions[index];
    if (!transition.segments.is_empty()) return AddLastSegment(transition, AddSegments(transition));
    const State& source = chart_.states[transition.source];
    const bool is_initial = source.initial == index && !chart_.IsHistory(transition.source);
    const std::string& source_id = chart_.names[transition.source].id;
    const bool is_listed = index >= source.transitions.begin && index < source.transitions.end;
    const std::string id = is_initial || !is_listed ? "default-" + source_id
                                                    : fmt::format("transition-{}-{}", source_id,
                                                                  index - source.transitions.begin + 1);
    for (Index i = transition.targets.begin; i < transition.targets.end; ++i) {
      const StateId target = chart_.state_lists[i];
      const bool is_nested = chart_.IsDescendant(target, transition.source) ||
                             chart_.IsDescendant(transition.source, target) || target == transition.source;
      std::string more;
      if (IsCluster(target) && (is_initial || !is_nested))
        more += fmt::format(", lhead=\"cluster_{}\"", target);
      if (IsCluster(transition.source) && !is_initial && !is_nested) {
        more += fmt::format(", ltail=\"cluster_{}\"", transition.source);
      }
      if (transition.events.is_empty() && is_listed) more += ", style=dashed";
      text_ += fmt::format("  {} -> {} [id={}, label={}{}]\n", NodeOf(transition.source), NodeOf(target),
                           Quote(id), Quote(TransitionText(chart_, transition)), more);
    }
  }

  const Chart& chart_;
  std::set<std::string> drawn_;  ///< ids of pieces of transitions
  std::string text_;
};

}  // namespace

std::string MakeChartDot(const Chart& chart) { return DotDrawing(chart).Text(); }

}  // namespace davit
