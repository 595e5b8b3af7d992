#include "tests/statecharts/random_chart.h"

#include <algorithm>

namespace davit {
namespace {

using Kind = PlainChart::Kind;

class Generator {
 public:
  explicit Generator(std::mt19937_64& random) : random_(random) {}

  PlainChart Make() {
    chart_.nodes.emplace_back();
    AddChildren(0, 0);
    for (int s = 0; s < Size(); ++s) AddInitial(s);
    for (int s = 1; s < Size(); ++s) AddBehaviour(s);
    return chart_;
  }

 private:
  int Size() const { return static_cast<int>(chart_.nodes.size()); }
  PlainChart::Node& At(int s) { return chart_.nodes[PlainChart::Place(s)]; }
  int Pick(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  bool Chance(int percent) { return Pick(100) < percent; }
  int Choose(const std::vector<int>& list) {
    return list[PlainChart::Place(Pick(static_cast<int>(list.size())))];
  }

  void AddChildren(int s, int depth) {
    const bool is_parallel = At(s).kind == Kind::kParallel;
    const int count = is_parallel ? 2 + Pick(2) : 1 + Pick(3);
    if (s != 0 && Chance(35)) AddNode(s, Chance(50) ? Kind::kDeep : Kind::kShallow);
    for (int i = 0; i < count; ++i) {
      const Kind kind = Chance(30) && depth < 3      ? Kind::kParallel
                        : Chance(12) && !is_parallel ? Kind::kFinal
                                                     : Kind::kState;
      // A top-level final state would end most runs at once.
      const int child = AddNode(s, kind == Kind::kFinal && s == 0 ? Kind::kState : kind);
      const bool is_full = Size() > 24;
      const bool must = kind == Kind::kParallel;
      if (must || (At(child).kind == Kind::kState && depth < 3 && !is_full && Chance(50)))
        AddChildren(child, depth + 1);
    }
  }
  int AddNode(int parent, Kind kind) {
    PlainChart::Node node;
    node.kind = kind;
    node.parent = parent;
    chart_.nodes.push_back(node);
    At(parent).children.push_back(Size() - 1);
    return Size() - 1;
  }

  std::vector<int> Below(int s, bool with_histories) {
    std::vector<int> below;
    for (int t = 1; t < Size(); ++t) {
      if (chart_.IsDescendant(t, s) && (with_histories || !chart_.IsHistory(t))) below.push_back(t);
    }
    return below;
  }

  /// One target below `s`, or one in each of two regions.
  std::vector<int> Targets(int s, bool with_histories) {
    const std::vector<int> below = Below(s, with_histories);
    std::vector<int> parallels;
    for (const int t : below) {
      if (chart_.At(t).kind == Kind::kParallel) parallels.push_back(t);
    }
    if (!parallels.empty() && Chance(25)) {
      const int parallel = Choose(parallels);
      std::vector<int> targets;
      for (const int region : chart_.StatesOf(parallel)) {
        std::vector<int> inside = Below(region, with_histories);
        inside.push_back(region);
        if (targets.size() < 2) targets.push_back(Choose(inside));
      }
      return targets;
    }
    return {Choose(below)};
  }

  void AddInitial(int s) {
    const PlainChart::Node& node = At(s);
    if (node.kind == Kind::kState && !chart_.StatesOf(s).empty() && Chance(50))
      At(s).initial = Targets(s, false);
    if (!chart_.IsHistory(s)) return;
    At(s).history_default = Targets(node.parent, false);
  }

  std::vector<std::string> Raised(int percent) {
    if (!Chance(percent)) return {};
    return {std::string(1, static_cast<char>('a' + Pick(4)))};
  }

  void AddBehaviour(int s) {
    if (chart_.IsHistory(s)) return;
    At(s).raised_on_entry = Raised(8);
    At(s).raised_on_exit = Raised(5);
    if (At(s).kind == Kind::kFinal) return;
    const int count = Pick(4);
    for (int i = 0; i < count; ++i) {
      PlainChart::PlainTransition transition;
      transition.source = s;
      if (Chance(88)) transition.events.push_back(std::string(1, static_cast<char>('a' + Pick(4))));
      if (Chance(10)) transition.events.emplace_back(Chance(50) ? "done.state" : "*");
      if (transition.events.empty() || Chance(25)) {
        transition.in = 1 + Pick(Size() - 1);
        while (chart_.IsHistory(transition.in)) transition.in = 1 + Pick(Size() - 1);
        transition.is_negated = Chance(30);
      }
      transition.is_internal = Chance(30);
      if (Chance(88)) transition.targets = Targets(0, true);
      transition.raised = Raised(10);
      At(s).transitions.push_back(transition);
    }
  }

  std::mt19937_64& random_;
  PlainChart chart_;
};

std::string Id(int s) { return "s" + std::to_string(s); }

std::string Ids(const std::vector<int>& states) {
  std::string text;
  for (const int s : states) text += (text.empty() ? "" : " ") + Id(s);
  return text;
}

std::string Raises(const std::vector<std::string>& events) {
  std::string text;
  for (const std::string& event : events) text += "<raise event='" + event + "'/>";
  return text;
}

std::string NodeToXml(const PlainChart& chart, int s) {
  const PlainChart::Node& node = chart.At(s);
  if (chart.IsHistory(s)) {
    return "<history id='" + Id(s) + "' type='" + (node.kind == Kind::kDeep ? "deep" : "shallow") +
           "'><transition target='" + Ids(node.history_default) + "'/></history>\n";
  }
  const std::string name = s == 0                         ? "scxml"
                           : node.kind == Kind::kParallel ? "parallel"
                           : node.kind == Kind::kFinal    ? "final"
                                                          : "state";
  std::string text = "<" + name + (s == 0 ? " version='1.0'" : " id='" + Id(s) + "'");
  if (!node.initial.empty()) text += " initial='" + Ids(node.initial) + "'";
  text += ">\n";
  if (!node.raised_on_entry.empty()) text += "<onentry>" + Raises(node.raised_on_entry) + "</onentry>";
  if (!node.raised_on_exit.empty()) text += "<onexit>" + Raises(node.raised_on_exit) + "</onexit>";
  for (const PlainChart::PlainTransition& t : node.transitions) {
    text += "<transition";
    if (!t.events.empty()) {
      text += " event='";
      for (const std::string& event : t.events) text += event + " ";
      text += "'";
    }
    if (t.in >= 0) text += std::string(" cond=\"") + (t.is_negated ? "!" : "") + "In('" + Id(t.in) + "')\"";
    if (t.is_internal) text += " type='internal'";
    if (!t.targets.empty()) text += " target='" + Ids(t.targets) + "'";
    text += ">" + Raises(t.raised) + "</transition>\n";
  }
  for (const int child : node.children) text += NodeToXml(chart, child);
  return text + "</" + name + ">\n";
}

}  // namespace

std::string PlainChart::ToXml() const { return NodeToXml(*this, 0); }

PlainChart MakeRandomChart(std::mt19937_64& random) { return Generator(random).Make(); }

}  // namespace davit
