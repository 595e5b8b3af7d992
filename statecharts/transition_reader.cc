// <transition>, <initial> and the default of a <history>: targets, events and times.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "framework/nearest_name.h"
#include "statecharts/state_reader.h"
#include "statecharts/state_tree.h"
#include "statecharts/time_text.h"

namespace davit {

std::vector<StateReader::PendingTransition> StateReader::ReadTransitions() {
  connectors_.Check();
  for (StateId state = 0; state < chart_.states.size(); ++state) {
    const tinyxml2::XMLElement& element = *build_.elements[state];
    if (chart_.IsHistory(state)) {
      ReadHistory(state);
      continue;
    }
    const auto begin = static_cast<Index>(chart_.transitions.size());
    for (const tinyxml2::XMLElement* child : build_.source.ChildrenOf(element)) {
      if (!build_.source.Is(*child, "transition") || chart_.states[state].kind == StateKind::kFinal) continue;
      if (state == 0) build_.Warning(*child, state, "a <transition> of <scxml> is not standard SCXML");
      ReadTransition(*child, state);
    }
    chart_.states[state].transitions = {begin, static_cast<Index>(chart_.transitions.size())};
    ReadInitial(state);
  }
  connectors_.CheckUse();
  return std::move(pending_);
}

void StateReader::ReadTransition(const tinyxml2::XMLElement& element, StateId state) {
  const std::string targets = ChartSource::Get(element, "target");
  const std::vector<std::string> words = SplitWords(targets);
  build_.SetScope(element);
  const std::optional<Index> connector = words.size() == 1 ? connectors_.Find(words.front()) : std::nullopt;
  if (!connector) {
    AddTransition(&element, state, targets, element, "target");
    return;
  }
  build_.CheckAttributes(element, state, {"event", "cond", "target", "type"});
  const auto first = static_cast<Index>(chart_.transitions.size());
  for (const ConnectorReader::Path& path : connectors_.FindPaths(element, *connector)) {
    const std::size_t errors = build_.diagnostics.error_count();
    const tinyxml2::XMLElement& branch = *path.back().branch;
    AddTransition(&element, state, ChartSource::Get(branch, "target"), branch, "target");
    pending_.back().path = path;
    pending_.back().first = first;
    if (build_.diagnostics.error_count() == errors) continue;
    connectors_.Break(path.back().connector);
    return;
  }
}

Index StateReader::AddTransition(const tinyxml2::XMLElement* element, StateId source,
                                 std::string_view targets, const tinyxml2::XMLElement& place,
                                 const char* attribute) {
  Transition transition;
  transition.source = source;
  const tinyxml2::XMLElement& first = element != nullptr ? *element : place;
  transition.line = first.GetLineNum();
  transition.file = build_.source.PartOf(first).number();
  build_.SetScope(place);
  ReadTargets(transition, targets, place, attribute);
  if (ChartSource::Has(place, attribute) && targets.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    build_.Error(place, source, fmt::format("{0} is empty; name a state, or leave {0} out", attribute));
  }
  if (element != nullptr) {
    build_.SetScope(*element);
    if (element == &place) build_.CheckAttributes(*element, source, {"event", "cond", "target", "type"});
    const std::string type = ChartSource::Get(*element, "type");
    transition.is_internal = type == "internal";
    if (!type.empty() && type != "internal" && type != "external") {
      build_.Error(*element, source,
                   fmt::format("a transition is never {}; it is internal or external", Quoted(type)));
    }
    ReadEvents(transition, *element);
    ReadTimes(transition, *element);
  }
  FindDomain(transition);
  const auto index = static_cast<Index>(chart_.transitions.size());
  chart_.transitions.push_back(transition);
  if (element != nullptr) pending_.push_back({element, index, {}, index});
  return index;
}

void StateReader::ReadTargets(Transition& transition, std::string_view targets,
                              const tinyxml2::XMLElement& place, const char* attribute) {
  transition.targets.begin = static_cast<Index>(chart_.state_lists.size());
  for (const std::string& id : SplitWords(targets)) {
    const StateId target = build_.FindState(id);
    if (target == kNoState) {
      const XmlPlaces::Place at = build_.source.PlacesOf(place).OfAttribute(place, attribute, 0);
      build_.diagnostics.Error(
          chart_.At(at.line, build_.source.PartOf(place).number()), chart_.PathOf(transition.source),
          connectors_.Find(id)
              ? ConnectorReader::Refusal(id)
              : fmt::format("no state has the id {}; {}", Quoted(id), build_.SuggestState(id)));
      continue;
    }
    transition.has_history_target |= chart_.IsHistory(target);
    chart_.state_lists.push_back(target);
  }
  transition.targets.end = static_cast<Index>(chart_.state_lists.size());
  CheckTargetsTogether(transition, place);
}

std::span<const StateId> StateReader::TargetsOf(const Transition& transition) const {
  return std::span(chart_.state_lists).subspan(transition.targets.begin, transition.targets.size());
}

void StateReader::CheckTargetsTogether(const Transition& transition, const tinyxml2::XMLElement& place) {
  constexpr std::size_t kMostTargets = 2000;  // each is compared with each
  const std::span<const StateId> targets = TargetsOf(transition);
  if (targets.size() > kMostTargets) {
    build_.Error(place, transition.source,
                 fmt::format("more than {} targets; split the chart", kMostTargets));
    return;
  }
  for (std::size_t i = 0; i < targets.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const StateId a = chart_.IsHistory(targets[j]) ? chart_.states[targets[j]].parent : targets[j];
      const StateId b = chart_.IsHistory(targets[i]) ? chart_.states[targets[i]].parent : targets[i];
      StateId common = a;
      while (common != b && !chart_.IsDescendant(b, common)) common = chart_.states[common].parent;
      const bool is_together =
          common != a && common != b && chart_.states[common].kind == StateKind::kParallel;
      if (is_together) continue;
      build_.Error(
          place, transition.source,
          fmt::format("the targets '{}' and '{}' cannot be active together; name one in each region of "
                      "a <parallel>",
                      chart_.names[targets[j]].id, chart_.names[targets[i]].id));
      return;
    }
  }
}

void StateReader::CheckTargetsBelow(const Transition& transition, StateId state,
                                    const tinyxml2::XMLElement& place) {
  for (const StateId target : TargetsOf(transition)) {
    if (chart_.IsDescendant(target, state)) continue;
    build_.Error(place, transition.source,
                 fmt::format("'{}' lies outside of '{}'; name a state inside", chart_.names[target].id,
                             chart_.names[state].id));
  }
}

void StateReader::ReadInitial(StateId state) {
  if (chart_.states[state].kind != StateKind::kCompound) {
    if (ChartSource::Has(*build_.elements[state], "initial") &&
        chart_.states[state].kind == StateKind::kAtomic) {
      build_.Error(*build_.elements[state], state,
                   "a state without states has no initial state; remove 'initial'");
    }
    return;
  }
  const tinyxml2::XMLElement& element = *build_.source.InitialHolder(build_.elements[state]);
  const tinyxml2::XMLElement* initial = nullptr;
  for (const tinyxml2::XMLElement* child : build_.source.ChildrenOf(*build_.elements[state])) {
    if (state == 0 || !build_.source.Is(*child, "initial")) continue;
    if (initial != nullptr) build_.Error(*child, state, "a second <initial>; keep one");
    initial = child;
  }
  Index index = kNoIndex;
  if (initial != nullptr) {
    build_.CheckAttributes(*initial, state, {"id"});
    if (ChartSource::Has(element, "initial")) {
      build_.Error(*initial, state, "the state has an attribute initial and an <initial>; keep one");
    }
    const tinyxml2::XMLElement* transition = nullptr;
    for (const tinyxml2::XMLElement* child : build_.source.ChildrenOf(*initial)) {
      if (build_.source.Is(*child, "transition")) {
        transition = child;
      } else {
        build_.Error(*child, state,
                     fmt::format("<{}> is not allowed in <initial>; it has one <transition target=\"...\">",
                                 build_.source.NameOf(*child)));
      }
    }
    if (transition == nullptr || !ChartSource::Has(*transition, "target")) {
      build_.Error(*initial, state, "an <initial> needs a <transition target=\"...\"/>");
    } else {
      if (ChartSource::Has(*transition, "event") || ChartSource::Has(*transition, "cond")) {
        build_.Error(*transition, state,
                     "the transition of an <initial> has neither event nor cond; remove it");
      }
      index =
          AddTransition(transition, state, ChartSource::Get(*transition, "target"), *transition, "target");
      CheckTargetsBelow(chart_.transitions[index], state, *transition);
    }
  } else if (ChartSource::Has(element, "initial")) {
    index = AddTransition(nullptr, state, ChartSource::Get(element, "initial"), element, "initial");
    CheckTargetsBelow(chart_.transitions[index], state, element);
  } else if (!chart_.states[state].children.is_empty()) {
    const StateId first = chart_.state_lists[chart_.states[state].children.begin];
    Transition transition;
    transition.source = state;
    transition.line = chart_.names[first].line;
    transition.file = chart_.names[first].file;
    transition.targets.begin = static_cast<Index>(chart_.state_lists.size());
    chart_.state_lists.push_back(first);
    transition.targets.end = static_cast<Index>(chart_.state_lists.size());
    index = static_cast<Index>(chart_.transitions.size());
    chart_.transitions.push_back(transition);
  }
  chart_.states[state].initial = index;
}

void StateReader::ReadHistory(StateId state) {
  const tinyxml2::XMLElement& element = *build_.elements[state];
  const tinyxml2::XMLElement* transition = nullptr;
  for (const tinyxml2::XMLElement* child : build_.source.ChildrenOf(element)) {
    if (!build_.source.Is(*child, "transition")) continue;
    if (transition != nullptr) build_.Error(*child, state, "a second <transition> of a history; keep one");
    transition = child;
  }
  if (transition == nullptr || !ChartSource::Has(*transition, "target")) {
    build_.Error(element, state,
                 "a history needs a <transition target=\"...\"/> for when there is nothing to remember");
    return;
  }
  if (ChartSource::Has(*transition, "event") || ChartSource::Has(*transition, "cond")) {
    build_.Error(*transition, state, "the transition of a history has neither event nor cond; remove it");
  }
  const Index index =
      AddTransition(transition, state, ChartSource::Get(*transition, "target"), *transition, "target");
  chart_.states[state].initial = index;
  const StateId parent = chart_.states[state].parent;
  CheckTargetsBelow(chart_.transitions[index], parent, *transition);
  for (const StateId target : TargetsOf(chart_.transitions[index])) {
    if (!chart_.IsHistory(target) || chart_.states[target].parent != parent) continue;
    build_.Error(*transition, state, "a history leads to a history of the same state; name a state");
  }
}

void StateReader::ReadEvents(Transition& transition, const tinyxml2::XMLElement& element) {
  transition.events.begin = static_cast<Index>(chart_.descriptor_lists.size());
  for (const std::string& word : SplitWords(ChartSource::Get(element, "event"))) {
    std::string_view descriptor = word;
    while (descriptor.ends_with(".*") || descriptor.ends_with('.')) {
      descriptor.remove_suffix(descriptor.ends_with('*') ? 2 : 1);
    }
    if (descriptor == "*") descriptor = {};
    if (descriptor.find('*') != std::string_view::npos) {
      build_.Error(
          element, transition.source,
          fmt::format("{} is not an event descriptor; '*' is allowed alone or at the end, as in 'error.*'",
                      Quoted(word)));
      continue;
    }
    constexpr std::string_view kDone = "done.state.";
    std::string done;  // of a state of an included part, with the prefix
    if (descriptor.starts_with(kDone)) {
      const StateId state = build_.FindState(descriptor.substr(kDone.size()));
      if (state != kNoState) descriptor = done = std::string(kDone) + chart_.names[state].id;
    }
    const auto known = chart_.descriptors.find(descriptor);
    Index index = kNoIndex;
    if (known != chart_.descriptors.end()) {
      index = known->second;
    } else {
      index = static_cast<Index>(chart_.descriptor_texts.size());
      chart_.descriptor_texts.emplace_back(descriptor);
      chart_.descriptors.emplace(chart_.descriptor_texts.back(), index);
      if (!descriptor.empty()) chart_.symbols->Add(descriptor);
    }
    chart_.descriptor_lists.push_back(index);
  }
  transition.events.end = static_cast<Index>(chart_.descriptor_lists.size());
  if (ChartSource::Has(element, "event") && transition.events.is_empty() &&
      !build_.diagnostics.has_errors()) {
    build_.Error(element, transition.source, "the event is empty; name an event, or leave event out");
  }
}

void StateReader::ReadTimes(Transition& transition, const tinyxml2::XMLElement& element) {
  for (const auto& [name, seconds] : {std::pair{"after", &transition.after}, {"holds", &transition.holds}}) {
    const char* text = build_.source.FindDavit(element, name);
    if (text == nullptr) continue;
    const std::optional<double> value = ParseTime(text);
    if (!value || *value <= 0) {
      build_.Error(
          element, transition.source,
          fmt::format("davit:{} is {}; write a time above 0, such as 2s or 50ms", name, Quoted(text)));
      continue;
    }
    *seconds = *value;
    chart_.has_timed_transitions = true;
    if (std::string_view(name) == "holds" && ChartSource::Has(element, "event")) {
      build_.Error(element, transition.source, "davit:holds needs a transition without event");
    }
  }
}

void StateReader::FindDomain(Transition& transition) {
  if (transition.targets.is_empty() || transition.has_history_target) return;
  transition.domain = GetTransitionDomain(chart_, transition, TargetsOf(transition));
}

}  // namespace davit
