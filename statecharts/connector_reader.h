#pragma once

#include <tinyxml2.h>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "statecharts/chart_build.h"

namespace davit {

/// Reads Harel's connectors: <davit:choice> (C), whose branches have conditions, and <davit:select> (S),
/// whose branches have values that its expression is compared with. A transition that leads to one replaces
/// a list of transitions, one for each branch, with the conditions of both and the content of one after the
/// other.
class ConnectorReader {
 public:
  explicit ConnectorReader(ChartBuild& build) : build_(build), chart_(build.chart) {}

  /// Puts down a connector in `parent`.
  void Add(const tinyxml2::XMLElement& element, StateId parent);

  /// A branch that a transition takes on its way.
  struct Step {
    const tinyxml2::XMLElement* branch = nullptr;
    Index connector = kNoIndex;
    Index number = 0;  ///< of the branch, from 1
  };
  using Path = std::vector<Step>;

  /// After all states are read: ids, branches.
  void Check();

  std::optional<Index> Find(std::string_view id) const;
  /// All ways of `transition` through a connector, in the order in which they are tried; none after a fault,
  /// which has been reported. Pre: Check() has been called.
  std::vector<Path> FindPaths(const tinyxml2::XMLElement& transition, Index connector);
  /// No more ways lead through a connector: a fault of it has been reported.
  void Break(Index connector) { connectors_[connector].is_broken = true; }
  /// The fault of naming a connector where only a state may be named.
  static std::string Refusal(std::string_view id);
  /// Warns of connectors that no transition leads to.
  void CheckUse();

 private:
  struct Entry {
    const tinyxml2::XMLElement* element = nullptr;
    std::vector<const tinyxml2::XMLElement*> branches;
    bool is_broken = false;
    bool is_used = false;
  };
  void CheckId(Index connector);
  void ReadBranches(Index connector);
  void ReadBranch(Index connector, const tinyxml2::XMLElement& branch, bool has_otherwise);
  bool IsOtherwise(Index connector, const tinyxml2::XMLElement& branch) const;
  void BreakAll();
  bool Follow(Index connector, Path& path, std::vector<Path>& paths);

  ChartBuild& build_;
  Chart& chart_;
  std::vector<Entry> connectors_;
  std::unordered_map<std::string, Index> connector_of_id_;
  std::size_t text_size_ = 0;  ///< of the plain chart, as far as it comes from connectors
};

}  // namespace davit
