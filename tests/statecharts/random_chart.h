#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace davit {

/// A chart as plain data, for the literal algorithm and for XML.
struct PlainChart {
  enum class Kind : std::uint8_t { kState, kParallel, kFinal, kShallow, kDeep };

  struct PlainTransition {
    int source = 0;
    std::vector<std::string> events;  ///< none: eventless
    int in = -1;                      ///< condition In(state), or none
    bool is_negated = false;
    bool is_internal = false;
    std::vector<int> targets;
    std::vector<std::string> raised;
  };
  struct Node {
    Kind kind = Kind::kState;
    int parent = -1;
    std::vector<int> children;  ///< in document order, histories as well
    std::vector<PlainTransition> transitions;
    std::vector<int> initial;  ///< empty: the first child
    std::vector<int> history_default;
    std::vector<std::string> raised_on_entry;
    std::vector<std::string> raised_on_exit;
  };
  std::vector<Node> nodes;  ///< in document order; 0 is <scxml>

  bool IsHistory(int s) const { return nodes[Place(s)].kind >= Kind::kShallow; }
  bool IsDescendant(int s, int ancestor) const {
    for (int up = At(s).parent; up >= 0; up = At(up).parent) {
      if (up == ancestor) return true;
    }
    return false;
  }
  std::vector<int> StatesOf(int s) const {
    std::vector<int> states;
    for (const int child : At(s).children) {
      if (!IsHistory(child)) states.push_back(child);
    }
    return states;
  }
  const Node& At(int s) const { return nodes[Place(s)]; }
  static std::size_t Place(int s) { return static_cast<std::size_t>(s); }
  std::string ToXml() const;
};

/// A chart with regions, histories, multiple targets and eventless transitions, of events a to d.
PlainChart MakeRandomChart(std::mt19937_64& random);

}  // namespace davit
