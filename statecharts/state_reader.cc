#include "statecharts/state_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "framework/nearest_name.h"

namespace davit {
namespace {

constexpr std::size_t kMostStates = 20'000;
constexpr std::size_t kMostHistoryBits = std::size_t{1} << 28;

using Names = std::vector<std::string>;

/// The elements that each element of the state tree may have.
const Names& ChildrenAllowed(std::string_view parent) {
  static const std::map<std::string_view, Names> kAllowed{
      {"scxml", {"state", "parallel", "final", "datamodel", "script", "transition"}},
      {"state",
       {"onentry", "onexit", "transition", "initial", "state", "parallel", "final", "history", "datamodel",
        "invoke"}},
      {"parallel",
       {"onentry", "onexit", "transition", "state", "parallel", "history", "datamodel", "invoke"}},
      {"final", {"onentry", "onexit", "donedata"}},
      {"history", {"transition"}},
      {"initial", {"transition"}}};
  return kAllowed.at(parent);
}

/// The same of elements in davit's namespace.
Names DavitChildrenAllowed(std::string_view parent) {
  if (parent == "scxml") return {"davit:include", "davit:choice", "davit:select"};
  if (parent != "state" && parent != "parallel") return {};
  return {"davit:include", "davit:during", "davit:choice", "davit:select"};
}

bool IsStateElement(std::string_view name) {
  return name == "state" || name == "parallel" || name == "final" || name == "history";
}

}  // namespace

bool StateReader::ReadStates() {
  ReadState(build_.source.root(), kNoState);
  if (chart_.states.size() > kMostStates) {
    build_.Error(build_.source.root(), 0,
                 fmt::format("the chart has more than {} states; split it into several charts", kMostStates));
    return false;
  }
  if (histories_ * chart_.states.size() > kMostHistoryBits) {
    build_.Error(build_.source.root(), 0, "the chart has too many histories for its size; split it");
    return false;
  }
  MakeLists();
  return true;
}

void StateReader::ReadState(const tinyxml2::XMLElement& element, StateId parent) {
  if (chart_.states.size() > kMostStates) return;
  const std::string_view name = build_.source.NameOf(element);
  const auto state = static_cast<StateId>(chart_.states.size());
  chart_.states.emplace_back();
  chart_.states[state].parent = parent;
  build_.elements.push_back(&element);
  AddId(element, state, name);
  if (name == "scxml") {
    chart_.states[state].kind = StateKind::kCompound;
  } else if (name == "parallel") {
    chart_.states[state].kind = StateKind::kParallel;
    build_.CheckAttributes(element, state, {"id"});
  } else if (name == "final") {
    chart_.states[state].kind = StateKind::kFinal;
    build_.CheckAttributes(element, state, {"id"});
  } else if (name == "history") {
    ++histories_;
    const std::string type = ChartSource::Get(element, "type");
    chart_.states[state].kind = type == "deep" ? StateKind::kDeepHistory : StateKind::kShallowHistory;
    if (!type.empty() && type != "deep" && type != "shallow") {
      build_.Error(element, state, fmt::format("a history is never {}; it is shallow or deep", Quoted(type)));
    }
    build_.CheckAttributes(element, state, {"id", "type"});
  } else {
    build_.CheckAttributes(element, state, {"id", "initial"});
  }
  AddChildren(element, state);
  chart_.states[state].end = static_cast<StateId>(chart_.states.size());
}

void StateReader::AddChildren(const tinyxml2::XMLElement& element, StateId state) {
  for (const tinyxml2::XMLElement* child : build_.source.ElementsOf(element)) {
    const std::string_view name = build_.source.NameOf(*child);
    if (name.empty()) {
      ReadDavitChild(*child, build_.source.DavitNameOf(*child), state);
      continue;
    }
    const Names& allowed = ChildrenAllowed(build_.source.NameOf(element));
    if (std::ranges::find(allowed, name) == allowed.end()) {
      CheckChild(*child, state);
      continue;
    }
    if (!IsStateElement(name)) continue;
    if (name != "history" && chart_.states[state].kind == StateKind::kAtomic) {
      chart_.states[state].kind = StateKind::kCompound;
    }
    ReadState(*child, state);
  }
}

void StateReader::ReadDavitChild(const tinyxml2::XMLElement& child, std::string_view name, StateId state) {
  const std::string_view parent = build_.source.NameOf(*build_.elements[state]);
  const Names allowed = DavitChildrenAllowed(parent);
  const std::string full_name = fmt::format("davit:{}", name);
  if (std::ranges::find(allowed, full_name) == allowed.end()) {
    build_.Error(
        child, state,
        fmt::format("<{}> is not allowed in <{}>; {}", full_name, parent,
                    allowed.empty() ? "put it into a state" : SuggestName("it has", full_name, allowed)));
  } else if (name == "choice" || name == "select") {
    connectors_.Add(child, state);
  }
}

void StateReader::CheckChild(const tinyxml2::XMLElement& child, StateId state) {
  const std::string_view name = build_.source.NameOf(child);
  const std::string_view parent = build_.source.NameOf(*build_.elements[state]);
  if (name == "initial" && parent == "parallel") {
    build_.Error(child, state, "a <parallel> has no <initial>; all its children are entered");
    return;
  }
  const Names& allowed = ChildrenAllowed(parent);
  build_.Error(
      child, state,
      fmt::format("<{}> is not allowed in <{}>; {}", name, parent, SuggestName("it has", name, allowed)));
}

void StateReader::AddId(const tinyxml2::XMLElement& element, StateId state, std::string_view name) {
  const ChartSource& part = build_.source.PartOf(element);
  StateName own{ChartSource::Get(element, "id"), ChartSource::Has(element, "id"), element.GetLineNum(),
                part.number()};
  if (name == "scxml") {
    own = {"scxml", false, element.GetLineNum()};
  } else if (!own.has_own_id) {
    own.id = fmt::format("{}@{}", name, own.line);
  }
  chart_.names.push_back(own);
  if (!own.has_own_id) return;
  if (own.id.empty() || own.id.find_first_of(" \t\r\n") != std::string::npos) {
    build_.Error(element, state,
                 fmt::format("{} is not an id; write letters, digits, '_', '-' and '.'", Quoted(own.id)));
    return;
  }
  own.id = part.scopes().front() + own.id;
  chart_.names.back().id = own.id;
  const auto [known, is_new] = chart_.state_of_id.emplace(own.id, state);
  if (is_new) return;
  const StateName& other = chart_.names[known->second];
  build_.Error(
      element, state,
      other.file == own.file
          ? fmt::format("the id {} is already taken by line {}; give each state its own", Quoted(own.id),
                        other.line)
          : fmt::format("the id {} is already taken by line {} of {}; give each state its own, or each "
                        "<davit:include> a prefix",
                        Quoted(own.id), other.line, *chart_.files[other.file].file));
}

void StateReader::MakeLists() {
  std::vector<std::vector<StateId>> children(chart_.states.size());
  std::vector<std::vector<StateId>> histories(chart_.states.size());
  for (StateId state = 1; state < chart_.states.size(); ++state) {
    (chart_.IsHistory(state) ? histories : children)[chart_.states[state].parent].push_back(state);
  }
  const auto append = [&](const std::vector<StateId>& list) {
    IndexRange range{static_cast<Index>(chart_.state_lists.size()), 0};
    chart_.state_lists.insert(chart_.state_lists.end(), list.begin(), list.end());
    range.end = static_cast<Index>(chart_.state_lists.size());
    return range;
  };
  for (StateId state = 0; state < chart_.states.size(); ++state) {
    State& own = chart_.states[state];
    own.children = append(children[state]);
    own.histories = append(histories[state]);
    const bool has_none = children[state].empty();
    if (has_none && state == 0) {
      build_.Error(*build_.elements[state], state, "the chart has no state; put a <state id=\"...\"/> in it");
    } else if (has_none && own.kind == StateKind::kParallel) {
      build_.Error(*build_.elements[state], state,
                   "a <parallel> has no state in it; put two or more <state>s in");
    } else if (has_none && !histories[state].empty()) {
      build_.Error(*build_.elements[histories[state].front()], state,
                   "a state without states has no history; remove it");
    }
  }
}

}  // namespace davit
