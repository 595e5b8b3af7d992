#pragma once

#include <tinyxml2.h>

#include <string>
#include <string_view>
#include <vector>

#include "statecharts/chart_build.h"
#include "statecharts/connector_reader.h"

namespace davit {

/// Reads the tree of states: first ids and kinds, then transitions with their targets. Conditions and content
/// are left to others.
class StateReader {
 public:
  explicit StateReader(ChartBuild& build) : build_(build), chart_(build.chart), connectors_(build) {}

  /// All states in document order, with ids. Returns false where there are too many to continue.
  bool ReadStates();

  /// A transition whose condition and content are still to be read.
  struct PendingTransition {
    const tinyxml2::XMLElement* element;  ///< null where the document has none
    Index transition;
    ConnectorReader::Path path;  ///< the branches of connectors it leads through
    Index first;                 ///< of the transitions that the element replaces
  };
  /// Targets, events and domains of all transitions, initial ones and defaults of histories included.
  std::vector<PendingTransition> ReadTransitions();

 private:
  void ReadState(const tinyxml2::XMLElement& element, StateId parent);
  void AddChildren(const tinyxml2::XMLElement& element, StateId state);
  void ReadDavitChild(const tinyxml2::XMLElement& child, std::string_view name, StateId state);
  void CheckChild(const tinyxml2::XMLElement& child, StateId state);
  void AddId(const tinyxml2::XMLElement& element, StateId state, std::string_view name);
  void MakeLists();

  // transition_reader.cc
  void ReadTransition(const tinyxml2::XMLElement& element, StateId state);
  void ReadInitial(StateId state);
  void ReadHistory(StateId state);
  Index AddTransition(const tinyxml2::XMLElement* element, StateId source, std::string_view targets,
                      const tinyxml2::XMLElement& place, const char* attribute);
  void ReadTargets(Transition& transition, std::string_view targets, const tinyxml2::XMLElement& place,
                   const char* attribute);
  void CheckTargetsTogether(const Transition& transition, const tinyxml2::XMLElement& place);
  void CheckTargetsBelow(const Transition& transition, StateId state, const tinyxml2::XMLElement& place);
  void ReadEvents(Transition& transition, const tinyxml2::XMLElement& element);
  void ReadTimes(Transition& transition, const tinyxml2::XMLElement& element);
  void FindDomain(Transition& transition);
  std::span<const StateId> TargetsOf(const Transition& transition) const;

  ChartBuild& build_;
  Chart& chart_;
  ConnectorReader connectors_;
  std::vector<PendingTransition> pending_;
  std::size_t histories_ = 0;
};

}  // namespace davit
